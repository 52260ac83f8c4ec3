/// A refusal may be the token's fault: a fresh one is asked for once, and dialled with at once.
///
/// The session says by `wantsToken` that it waits; `renewToken` or `noFreshToken` is the answer. It asks again
/// only after a line that was ready, so that a server that takes no token of ours is not asked for ever.
extension Session {
  /// What waits for a token.
  struct PendingToken {
    var failure: Failure
    var attempt: Int
  }

  /// A fresh token is to be handed in, or that there is none.
  package var wantsToken: Bool { pendingToken != nil }

  /// Whether a refusal leads to another attempt; `attempt` is the one that would come.
  mutating func asksForToken(
    after failure: Failure, attempt: Int, wasReady: Bool, at now: Instant
  ) -> Bool {
    guard configuration.renewsToken, configuration.reconnects,
      attempt <= max(configuration.maxAttempts, 1), wasReady || !hasRenewedToken,
      // The proxy's refusal, which has credentials of its own.
      failure.status != 407
    else { return false }
    pendingToken = PendingToken(failure: failure, attempt: attempt)
    if wasReady { lostAt = now }
    lastFailure = failure
    enter(
      .connecting(
        SessionState.Connecting(
          attempt: attempt, phase: .waiting(until: now), lastFailure: failure, lostAt: lostAt)))
    return true
  }

  /// The token takes the old one's places; the line that may be there goes on with the old one.
  mutating func renew(_ token: Bearer, at now: Instant) {
    let isSame = token == configuration.token
    configuration.token = token
    recordedSecrets.add(token)
    if configuration.context.token != nil { configuration.context.token = token }
    dialect?.renew(token)
    guard let pending = pendingToken else { return }
    if isSame { return noFreshToken("the same token came again where a fresh one was asked for") }
    pendingToken = nil
    hasRenewedToken = true
    dial(attempt: pending.attempt, at: now)
  }

  /// `reason` is the end of a sentence.
  mutating func noFreshToken(_ reason: String) {
    guard let pending = pendingToken else { return }
    pendingToken = nil
    let failure = pending.failure.with(reason)
    tell(.failed(failure))
    enter(.offline(.refused(failure)))
  }
}

extension Failure {
  /// The same failure, with more in its sentence.
  func with(_ addition: String) -> Failure {
    var failure = self
    let isClosed = message.hasSuffix(".")
    failure.message =
      (isClosed ? String(message.dropLast()) : message) + "; " + addition + (isClosed ? "." : "")
    return failure
  }
}
