import Text
import WebSocket

/// How lines end, and what follows.
extension Session {
  mutating func linkEnded(
    _ link: LinkID, _ failure: Failure?, at now: Instant, entropy: inout Entropy
  ) {
    guard link == line.link else { return }
    switch line {
    case .none, .waiting: break
    case .opening(let dial):
      dialEnded(dial, nil, failure, at: now, entropy: &entropy)
    case .upgrading(let dial, _, let handshake):
      dialEnded(dial, handshake, failure, at: now, entropy: &entropy)
    case .open(let open):
      let cut =
        failure
        ?? Failure(
          kind: .tcp,
          message: "The line to \(configuration.endpoint.hostField) was cut without a Close",
          short: "line cut")
      ended(open, .cut(verdict(onLink: cut, wasUp: true)), at: now, entropy: &entropy)
    case .closing(_, let closing):
      closingEnded(closing, nil, at: now)
    }
  }

  mutating func timeReached(at now: Instant, entropy: inout Entropy) {
    fetchesTimedOut(at: now, entropy: &entropy)
    guard let lineDeadline, now >= lineDeadline else { return sayIfSilent(at: now) }
    switch line {
    case .none: break
    case .waiting(let attempt, _): dial(attempt: attempt, at: now)
    case .opening(let dial): dialTimedOut(dial, nil, at: now, entropy: &entropy)
    case .upgrading(let dial, _, let handshake):
      dialTimedOut(dial, handshake, at: now, entropy: &entropy)
    case .open(let open):
      line = .none
      timeReached(on: open, at: now, entropy: &entropy)
    case .closing(let open, let closing):
      act(.dropLink(open.link))
      let limit = configuration.closeTimeout.words
      tell(
        .notice(
          UntrustedText(
            "\(configuration.endpoint.hostField) did not answer the Close within \(limit)"
              + " (--close-timeout): the line was cut.")))
      closingEnded(closing, nil, at: now)
    }
  }

  /// A line that nobody wanted to end has ended.
  mutating func ended(
    _ open: OpenLine, _ end: LineEnd, at now: Instant, entropy: inout Entropy
  ) {
    line = .none
    let outcome: Verdict
    var closed: CloseReason?
    switch end {
    case .closedByPeer(var reason):
      reason.text = hidingSecrets(in: reason.text)
      // Asked before the dialect hears of the loss: the code means what it meant then.
      outcome =
        offeringOthers(after: reason, of: open)
        ?? dialect?.verdict(on: reason, isReady: open.readySince != nil)
        ?? verdict(onClose: reason, from: configuration.endpoint)
      closed = reason
      act(.finishLink(open.link))
    case .brokenOff(let verdict):
      outcome = verdict
      act(.finishLink(open.link))
    case .cut(let verdict):
      // The server may have said before that it refuses us.
      let said = dialect?.verdict(
        on: CloseReason(.abnormal), isReady: open.readySince != nil)
      outcome = said.flatMap { $0.course == .refused ? $0 : nil } ?? verdict
    case .dead(let verdict):
      outcome = verdict
      act(.dropLink(open.link))
    }
    tellOfLoss()
    if let closed { tell(.closed(closed, clean: true)) } else { tell(.failed(outcome.failure)) }
    follow(
      outcome, afterAttempt: open.attempt, readySince: open.readySince, closed: closed, at: now,
      entropy: &entropy)
  }

  /// The closing that we began is over; `reason` is the peer's, nil where its Close did not come.
  mutating func closingEnded(
    _ closing: SessionLine.Closing, _ reason: CloseReason?, at now: Instant
  ) {
    line = .none
    tellOfLoss()
    tell(.closed(reason ?? CloseReason(.abnormal), clean: reason != nil))
    if closing.redials { beginRow(at: now) } else { stop() }
  }

  /// The dialect hears that its line is gone; what was under way is told.
  mutating func tellOfLoss() {
    dropFetches()
    for output in dialect?.lost() ?? [] { report(output) }
  }

  /// Another attempt after a pause, or the end.
  mutating func follow(
    _ verdict: Verdict, afterAttempt attempt: Int, readySince: Instant?, closed: CloseReason?,
    at now: Instant, entropy: inout Entropy
  ) {
    line = .none
    let held = readySince.map { now - $0 >= configuration.stableAfter } ?? false
    let counts = !haste.takeUnderWay()
    let next = held ? 1 : counts ? attempt + 1 : attempt
    switch verdict.course {
    case .refused:
      let asks = asksForToken(
        after: verdict.failure, attempt: next, wasReady: readySince != nil, at: now)
      if asks { return }
      var failure = verdict.failure
      if readySince == nil, hasRenewedToken {
        failure = failure.with("a fresh token was refused as well")
      }
      if closed != nil { tell(.failed(failure)) }
      enter(.offline(.refused(failure)))
    case .giveUp:
      if closed != nil { tell(.failed(verdict.failure)) }
      var failure = verdict.failure
      failure.isFinal = true
      giveUp(failure, attempts: attempt)
    case .retry:
      if !configuration.reconnects {
        if let closed {
          enter(.offline(.closed(closed)))
        } else {
          giveUp(verdict.failure, attempts: attempt)
        }
      } else if next > max(configuration.maxAttempts, 1)
        || (verdict.isOnce && hasRetriedOnce && !held)
      {
        giveUp(verdict.failure, attempts: attempt)
      } else {
        hasRetriedOnce = verdict.isOnce
        if readySince != nil { lostAt = now }
        lastFailure = verdict.failure
        wait(for: verdict.course, before: next, at: now, entropy: &entropy)
      }
    }
  }

  private mutating func wait(
    for course: Verdict.Course, before attempt: Int, at now: Instant, entropy: inout Entropy
  ) {
    var pause = Duration.zero
    haste.notBefore = nil
    if case .retry(let asked?) = course {
      pause = min(asked, Backoff.longest)
      haste.notBefore = now + pause
    }
    var delay = configuration.backoff.delay(
      beforeAttempt: attempt, notBefore: pause, random: entropy.unit())
    if haste.isWanted {
      haste.isWanted = false
      let moment = haste.moment(at: now, random: entropy.unit())
      haste.isPending = moment - now < delay
      delay = min(delay, moment - now)
    }
    enterWait(before: attempt, until: now + delay)
    tell(.waiting(attempt: attempt, delay: delay))
  }

  mutating func enterWait(before attempt: Int, until: Instant) {
    line = .waiting(attempt: attempt, until: until)
    enter(
      .connecting(
        SessionState.Connecting(
          attempt: attempt, phase: .waiting(until: until), lastFailure: lastFailure,
          lostAt: lostAt)))
  }

  private mutating func giveUp(_ failure: Failure, attempts: Int) {
    forgetDeclined()
    enter(.offline(.gaveUp(attempts: attempts, failure)))
    tell(.gaveUp(attempts: attempts, failure))
  }
}
