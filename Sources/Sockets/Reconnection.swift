package import Channel

/// When the next attempt begins, and when there is none: counts attempts in a row, from 1.
package struct Reconnection: Sendable {
  package enum Step: Equatable, Sendable {
    case wait(attempt: Int, delay: Duration)
    case giveUp
  }

  private let policy: ReconnectPolicy
  package private(set) var attempt = 1
  private var openedAt: Instant?

  package init(_ policy: ReconnectPolicy) {
    self.policy = policy
  }

  package mutating func opened(at now: Instant) {
    openedAt = now
  }

  /// An attempt or a line has ended; `random` is of 0 ..< 1.
  package mutating func ended(_ course: Verdict.Course, at now: Instant, random: Double) -> Step {
    let hasStood = openedAt.map { now - $0 >= policy.stableAfter } ?? false
    openedAt = nil
    attempt = hasStood ? 1 : attempt + 1
    guard case .retry(let pause) = course, attempt <= max(policy.maximumAttempts, 1) else {
      return .giveUp
    }
    let backoff = Backoff(
      first: policy.firstDelay, most: policy.longestDelay, jitter: policy.jitter)
    var delay = backoff.delay(beforeAttempt: attempt, random: random)
    // A server's Retry-After is a lower bound.
    if let pause { delay = max(delay, min(pause, Backoff.longest)) }
    return .wait(attempt: attempt, delay: delay)
  }
}
