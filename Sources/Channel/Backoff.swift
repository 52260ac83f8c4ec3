/// The delay before an attempt: first × 2^(n−1), capped, plus jitter of up to a quarter.
package struct Backoff: Equatable, Sendable {
  /// No wait is longer than this, whatever was configured or asked for by a server.
  package static let longest: Duration = .seconds(86_400)

  package var first: Duration
  package var most: Duration
  /// The largest share that is added at random.
  package var jitter: Double

  package init(first: Duration = .seconds(1), most: Duration = .seconds(60), jitter: Double = 0.25)
  {
    self.first = first
    self.most = most
    self.jitter = jitter
  }

  /// The delay before attempt `attempt` of a row, from 1; `random` is of 0 ..< 1.
  package func delay(beforeAttempt attempt: Int, random: Double) -> Duration {
    let cap = min(max(most, .zero), Backoff.longest)
    var delay = min(max(first, .zero), cap)
    var doublings = max(attempt, 1) - 1
    // The cap ends the loop long before a Duration could overflow.
    while doublings > 0, delay > .zero, delay < cap {
      delay = min(delay + delay, cap)
      doublings -= 1
    }
    let share = jitter.isFinite ? min(max(jitter, 0), 1) : 0
    let dice = random.isFinite ? min(max(random, 0), 1) : 0
    return delay + delay * (share * dice)
  }
}
