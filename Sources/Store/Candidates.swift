/// The newest messages that a search has found, of which the best are its answer: numbers only, whatever the length of
/// the texts.
struct Candidates {
  struct Entry {
    var key: Int64
    /// In milliseconds since 1970.
    var time: Int64
    /// How often each word stands in it, see `TextMatcher`.
    var weights: [Int]
    /// Of the text, in bytes.
    var length: Int
  }

  /// As many are kept.
  private let most: Int
  private var entries: [Entry] = []
  /// Older ones would not be among them.
  private var oldest = Int64.min

  init(most: Int) {
    self.most = most
  }

  func wants(_ time: Int64) -> Bool { time > oldest || entries.count < most }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count >= 2 * most { cut() }
  }

  /// Lets go of all but the newest; to be called before it is asked whether it `wants` what is older.
  mutating func cut() {
    guard entries.count >= most else { return }
    entries.sort(by: Self.isNewer)
    entries.removeLast(entries.count - most)
    oldest = entries.last?.time ?? .min
  }

  /// The keys of the best, then the newest.
  func best(_ count: Int) -> [Int64] {
    let total = entries.reduce(0) { $0 + $1.length }
    let average = Double(total) / Double(max(1, entries.count))
    let scored = entries.map { entry in
      (
        entry: entry,
        score: TextMatcher.score((entry.weights, entry.length), averageLength: average)
      )
    }
    return scored.sorted { left, right in
      left.score == right.score ? Self.isNewer(left.entry, right.entry) : left.score > right.score
    }.prefix(count).map(\.entry.key)
  }

  private static func isNewer(_ left: Entry, _ right: Entry) -> Bool {
    left.time == right.time ? left.key > right.key : left.time > right.time
  }
}
