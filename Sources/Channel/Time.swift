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

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Reads RFC 3339 / ISO 8601 date-times with a zone; nil for anything else.
  package init?(iso8601 text: String) {
    fatalError("interface only")
  }

  /// RFC 3339 in UTC with milliseconds where they are not zero, such as 2026-01-01T00:00:07Z.
  package var iso8601: String {
    fatalError("interface only")
  }
}
