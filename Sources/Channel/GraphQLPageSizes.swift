/// How many messages a server gives in one answer of the history, as far as that is known.
struct PageSizes: Sendable {
  /// No server gives fewer at once.
  static let leastFull = 10

  /// The most items in one answer.
  private(set) var largestPage = 0
  /// The most that may be asked for.
  private(set) var largestCount: Int
  private let mostCount: Int
  /// Lines in a row that ended over an answer.
  private var losses = 0
  /// That many are asked for because of such lines, not because the server has said so.
  private var isLoweredByLoss = false

  init(mostCount: Int) {
    self.mostCount = mostCount
    largestCount = mostCount
  }

  mutating func given(_ items: Int) {
    largestPage = max(largestPage, items)
    losses = 0
    guard isLoweredByLoss else { return }
    largestCount = min(mostCount, largestCount * 2)
    isLoweredByLoss = largestCount < mostCount
  }

  /// The server refuses to give more.
  mutating func refused(above count: Int) {
    largestCount = count
    isLoweredByLoss = false
  }

  /// The line ended over an answer with so many: a line may end at any moment, but where it does so again, the answer may
  /// be too large for one of both sides.
  mutating func lost(over count: Int) {
    losses += 1
    guard losses > 1, count > Self.leastFull else { return }
    largestCount = min(largestCount, max(Self.leastFull, count / 4))
    isLoweredByLoss = true
  }
}
