import WebSocket

/// The open line: frames in, outputs of the dialect out.
extension Session {
  mutating func receiveFrames(
    _ bytes: RawSpan, _ open: inout OpenLine, closing: SessionLine.Closing?, at now: Instant,
    entropy: inout Entropy
  ) {
    open.keepAlive.bytesCame()
    noteSilence(since: nil)
    var position = 0
    var end: LineEnd?
    repeat {
      let rest = bytes.extracting(position...)
      let taken = open.machine.receive(rest, entropy: &entropy)
      position += taken
      open.watch?.received(rest.extracting(0..<taken), into: &frames, at: now)
      end = takeEvents(of: &open, rest, closing: closing, at: now, entropy: &entropy)
    } while end == nil && position < bytes.byteCount && !open.machine.hasRestoredEnough
    if end == nil { untaken = bytes.byteCount - position }
    settle(&open, closing: closing, end, at: now, entropy: &entropy)
  }

  private mutating func takeEvents(
    of open: inout OpenLine, _ bytes: RawSpan, closing: SessionLine.Closing?, at now: Instant,
    entropy: inout Entropy
  ) -> LineEnd? {
    var end: LineEnd?
    for event in open.machine.events {
      var outputs: [DialectOutput] = []
      switch event {
      case .message(let kind, let payload):
        outputs = open.machine.withBytes(of: payload, in: bytes) {
          open.watch?.restored($0, into: &frames)
          return dialect?.receive(kind, $0, at: now) ?? []
        }
      case .ping: break
      case .pong(let payload): outputs = pongCame(payload, on: &open, at: now)
      case .closed(let reason): end = .closedByPeer(reason)
      case .failed(let violation):
        end = .brokenOff(verdict(onViolation: violation, from: configuration.endpoint))
      }
      end =
        end
        ?? perform(outputs, on: &open, isClosing: closing != nil, at: now, entropy: &entropy)
      if end != nil { break }
    }
    return end
  }

  /// Does what the dialect wants; says so when that ends the line.
  mutating func perform(
    _ outputs: [DialectOutput], on open: inout OpenLine, isClosing: Bool, at now: Instant,
    entropy: inout Entropy
  ) -> LineEnd? {
    for output in outputs {
      switch output {
      case .send(let text):
        open.watch?.willSend(text.utf8Span.span.bytes)
        open.machine.send(.text, text.utf8Span.span.bytes, entropy: &entropy)
      case .fetch(let id, let body): fetch(id, body, at: now)
      case .barrier:
        ping(for: .barrier, on: &open, at: now, entropy: &entropy)
      case .question:
        ping(for: .question, on: &open, at: now, entropy: &entropy)
      case .ready:
        if !isClosing { ready(&open, at: now, entropy: &entropy) }
      case .fail(let failure, let reason, let retry):
        open.machine.close(reason, entropy: &entropy)
        let course: Verdict.Course =
          if retry { .retry(after: nil) } else if failure.kind == .refused { .refused } else {
            .giveUp
          }
        return .brokenOff(Verdict(course, failure))
      case .messages, .raw, .sent, .repeatable, .unsure, .rejected, .notice, .members, .operation,
        .typing, .changed, .changeDone, .changeFailed:
        report(output)
      }
    }
    return nil
  }

  /// What needs no line becomes an event; what does is dropped, since there is none.
  mutating func report(_ output: DialectOutput) {
    switch output {
    case .messages(let messages, let origin): tell(.messages(messages, origin))
    case .raw(let kind, let bytes): tell(.raw(kind, bytes))
    case .sent(let nonce, let message): tell(.sent(nonce: nonce, message))
    case .repeatable(let nonce): tell(.repeatable(nonce: nonce))
    case .unsure(let nonce): tell(.unsure(nonce: nonce))
    case .rejected(let nonce, let reason): tell(.rejected(nonce: nonce, reason: reason))
    case .notice(let text): tell(.notice(text))
    case .operation(let event): tell(.operation(event))
    case .members(let names): tell(.members(names))
    case .typing(let name): tell(.typing(name))
    case .changed(let messages): tell(.changed(messages))
    case .changeDone(let change, let message): tell(.changeDone(change, message))
    case .changeFailed(let change, let sentence): tell(.changeFailed(change, sentence))
    case .send, .fetch, .barrier, .question, .ready, .fail: break
    }
  }

  /// Writes what waits, and keeps the line or ends it.
  mutating func settle(
    _ open: inout OpenLine, closing: SessionLine.Closing?, _ end: LineEnd?, at now: Instant,
    entropy: inout Entropy
  ) {
    flush(&open, at: now)
    switch (end, closing) {
    case (nil, nil): line = .open(open)
    case (nil, let closing?): line = .closing(open, closing)
    case (let end?, nil): ended(open, end, at: now, entropy: &entropy)
    case (let end?, let closing?):
      act(.finishLink(open.link))
      if case .closedByPeer(let reason) = end {
        closingEnded(closing, reason, at: now)
      } else {
        closingEnded(closing, nil, at: now)
      }
    }
  }

  /// A peer that takes a large message slowly comes to the ping behind it only then.
  mutating func linkTookBytes(_ link: LinkID) {
    guard case .open(var open) = line, open.link == link else { return }
    line = .none
    open.keepAlive.bytesCame()
    line = .open(open)
    noteSilence(since: nil)
  }

  /// What waits for the server to read it is much, or no more.
  mutating func linkIsBehind(
    _ link: LinkID, _ isBehind: Bool, at now: Instant, entropy: inout Entropy
  ) {
    guard case .open(var open) = line, open.link == link else { return }
    line = .none
    open.machine.holdPongs(isBehind, entropy: &entropy)
    settle(&open, closing: nil, nil, at: now, entropy: &entropy)
  }

  mutating func flush(_ open: inout OpenLine, at now: Instant) {
    guard open.machine.hasOutput else { return }
    let bytes = open.machine.takeOutput()
    open.watch?.sent(bytes.span.bytes, into: &frames, at: now)
    act(.write(open.link, bytes))
  }

  /// The clock reached a deadline of the open line.
  mutating func timeReached(on line: OpenLine, at now: Instant, entropy: inout Entropy) {
    var open = line
    switch open.keepAlive.due(at: now) {
    case .nothing: break
    case .ping:
      ping(for: .keepAlive(isSilent: false), on: &open, at: now, entropy: &entropy)
    case .dead:
      let name = configuration.endpoint.hostField
      let time = configuration.pingTimeout.words
      let failure = Failure(
        kind: .timeout,
        message: "\(name) has not answered a ping for \(time): the line is dead, dial again",
        short: "no pong \(time)")
      return ended(
        open, .dead(Verdict(.retry(after: nil), failure)), at: now, entropy: &entropy)
    }
    var outputs: [DialectOutput] = []
    if let due = dialect?.deadline, due <= now { outputs = dialect?.timeReached(at: now) ?? [] }
    let end = perform(outputs, on: &open, isClosing: false, at: now, entropy: &entropy)
    settle(&open, closing: nil, end, at: now, entropy: &entropy)
  }

  private mutating func ready(_ open: inout OpenLine, at now: Instant, entropy: inout Entropy) {
    guard open.readySince == nil else { return }
    open.readySince = now
    haste.succeeded()
    lastFailure = nil
    lostAt = nil
    hasRenewedToken = false
    enter(
      .online(
        SessionState.Online(
          since: now, subprotocol: open.subprotocol, dialect: open.dialect,
          isCompressed: open.isCompressed, peer: open.peer.name, tls: open.peer.tls,
          isInsecure: configuration.isInsecure && open.endpoint.isSecure)))
    tell(.ready)
    if open.keepAlive.isOn {
      ping(for: .keepAlive(isSilent: true), on: &open, at: now, entropy: &entropy)
    }
  }

  func ping(
    for purpose: KeepAlive.Purpose, on open: inout OpenLine, at now: Instant,
    entropy: inout Entropy
  ) {
    let payload = entropy.bytes(8)
    open.machine.ping(payload, entropy: &entropy)
    open.keepAlive.sent(payload, for: purpose, at: now)
  }

  private mutating func pongCame(
    _ payload: [UInt8], on open: inout OpenLine, at now: Instant
  ) -> [DialectOutput] {
    guard let answer = open.keepAlive.pongCame(payload, at: now) else { return [] }
    if case .online(var online) = state {
      online.roundTrip = answer.roundTrip
      enter(.online(online))
    }
    if !answer.isSilent { tell(.pong(roundTrip: answer.roundTrip)) }
    return (0..<answer.barriers).flatMap { _ in dialect?.barrierPassed(at: now) ?? [] }
  }
}
