/// The delay before an attempt: first × 2^(n−1), capped, plus jitter of up to a quarter. A pause that the server asks
/// for is a lower bound; it gets jitter too, so that those who were told the same do not come back at once.
package struct Backoff: Equatable, Sendable {
  /// No wait is longer than this, whatever was configured. A server that asks for more is not waited for.
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

  /// The delay before attempt `attempt` of a row, from 1, and not before `pause`; `random` is of 0 ..< 1.
  package func delay(
    beforeAttempt attempt: Int, notBefore pause: Duration = .zero, random: Double
  ) -> Duration {
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
    let least = max(delay, min(pause, Backoff.longest))
    // A pause of hours needs no jitter of hours.
    return least + min(least, cap) * (share * dice)
  }
}
