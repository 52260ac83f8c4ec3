/// A moment of the monotonic clock, as the distance from the program's start. Handed in, never asked for.
package struct Instant: Hashable, Comparable, Sendable {
  package var sinceStart: Duration

  package init(_ sinceStart: Duration = .zero) {
    self.sinceStart = sinceStart
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.sinceStart < right.sinceStart
  }

  package static func + (instant: Instant, distance: Duration) -> Instant {
    Instant(instant.sinceStart + distance)
  }

  package static func - (left: Instant, right: Instant) -> Duration {
    left.sinceStart - right.sinceStart
  }
}

/// A moment of the calendar: milliseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The years 0000 to 9999, which RFC 3339 can write.
  private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// Nil where RFC 3339 cannot write it: no message was said then, whatever a server says.
  package init?(writable milliseconds: Int64) {
    guard Self.writable.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// The nearest that RFC 3339 can write.
  package var writable: Timestamp {
    Timestamp(
      milliseconds: min(
        max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound))
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
