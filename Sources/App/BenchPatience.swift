/// How far a job of `parlour bench` has come. Pings, and messages that are no part of the job, do not move it: a server
/// that does something else must not hold up the end.
package nonisolated struct BenchProgress: Equatable, Sendable {
  /// The upgrade was accepted.
  package var isUpgraded = false
  /// Messages of the job that were handed to the line and that came.
  package var messages = 0
  /// Bytes that the line has not taken yet.
  package var unwritten = 0
  /// What is missing of a large message that is on its way.
  package var missing = 0

  package init() {}
}

/// For how long a job may stand still before the server is said not to do it. Moments are those of the monotonic clock.
package nonisolated struct BenchPatience: Equatable, Sendable {
  package let limit: Duration
  private var last: BenchProgress
  private var since: Duration

  package init(limit: Duration, at now: Duration) {
    self.limit = limit
    last = BenchProgress()
    since = now
  }

  /// When it is over, unless the job moves on before.
  package var deadline: Duration { since + limit }

  /// Takes down how far the job is; false where it has stood still for as long as `limit`.
  package mutating func lasts(_ progress: BenchProgress, at now: Duration) -> Bool {
    guard progress == last else {
      last = progress
      since = now
      return true
    }
    return now < deadline
  }
}
