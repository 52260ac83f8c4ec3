/// What goes in one direction: in all, and in each of the last seconds.
package struct TrafficRate: Equatable, Sendable {
  /// How many seconds are known.
  package static let seconds = 60

  private struct Second: Equatable, Sendable {
    var number: Int64 = -1
    var bytes = 0
    var messages = 0
  }

  package private(set) var bytes = 0
  package private(set) var messages = 0
  private var ring: [Second] = []

  package init() {}

  /// Messages are counted in all, as their recorder does.
  package mutating func note(bytes added: Int, messages total: Int, at now: Instant) {
    let number = now.sinceStart.components.seconds
    if ring.isEmpty { ring = Array(repeating: Second(), count: Self.seconds) }
    let index = Self.index(number)
    if ring[index].number != number { ring[index] = Second(number: number) }
    ring[index].bytes += added
    ring[index].messages += max(0, total - messages)
    bytes += added
    messages = max(messages, total)
  }

  /// The mean of the last whole seconds.
  package func perSecond(at now: Instant, over count: Int = 3) -> (bytes: Double, messages: Double)
  {
    let current = now.sinceStart.components.seconds
    var sums = (bytes: 0, messages: 0)
    for number in current - Int64(count)..<current {
      guard let second = second(number) else { continue }
      sums.bytes += second.bytes
      sums.messages += second.messages
    }
    return (Double(sums.bytes) / Double(count), Double(sums.messages) / Double(count))
  }

  /// Bytes of each of the last whole seconds, the newest last.
  package func history(at now: Instant, count: Int) -> [Double] {
    let current = now.sinceStart.components.seconds
    let count = min(max(0, count), Self.seconds - 1)
    return (current - Int64(count)..<current).map { Double(second($0)?.bytes ?? 0) }
  }

  private func second(_ number: Int64) -> Second? {
    guard !ring.isEmpty, number >= 0 else { return nil }
    let second = ring[Self.index(number)]
    return second.number == number ? second : nil
  }

  private static func index(_ number: Int64) -> Int { Int(number % Int64(seconds)) }
}
