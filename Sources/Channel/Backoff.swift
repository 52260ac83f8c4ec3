/// The delay before an attempt: first × 2^(n−1), capped, plus jitter of up to a quarter.
package struct Backoff: Equatable, Sendable {
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

  /// `failures` in a row have happened, from 1; `random` is of 0 ..< 1.
  package func delay(afterFailures failures: Int, random: Double) -> Duration {
    fatalError("interface only")
  }
}
