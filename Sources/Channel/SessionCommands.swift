import JSON
import Text
import WebSocket

/// What the person asks for.
extension Session {
  mutating func connect(at now: Instant) {
    switch line {
    case .none: beginRow(at: now)
    case .waiting(let attempt, _):
      haste.isPending = false
      dial(attempt: attempt, at: now)
    case .opening, .upgrading, .open: break
    case .closing(let open, var closing):
      closing.redials = true
      line = .closing(open, closing)
    }
  }

  mutating func disconnect(with code: CloseCode, at now: Instant, entropy: inout Entropy) {
    switch line {
    case .none where pendingToken != nil: stop()
    case .none: break
    case .waiting: stop()
    case .opening(let dial): drop(dial)
    case .upgrading(let dial, _, _): drop(dial)
    case .open(var open):
      line = .none
      _ = perform(
        dialect?.leave() ?? [], on: &open, isClosing: true, at: now, entropy: &entropy)
      open.machine.close(CloseReason(code), entropy: &entropy)
      flush(&open, at: now)
      let until = now + configuration.closeTimeout
      line = .closing(open, SessionLine.Closing(until: until, redials: false))
    case .closing(let open, var closing) where closing.redials:
      closing.redials = false
      line = .closing(open, closing)
    case .closing(let open, let closing):
      act(.dropLink(open.link))
      closingEnded(closing, nil, at: now)
    }
  }

  mutating func reconnect(at now: Instant, entropy: inout Entropy) {
    switch line {
    case .none, .waiting: break
    case .opening(let dial): act(.dropLink(dial.link))
    case .upgrading(let dial, _, _): act(.dropLink(dial.link))
    case .open(var open):
      line = .none
      open.machine.close(CloseReason(.normal), entropy: &entropy)
      flush(&open, at: now)
      act(.finishLink(open.link))
      tellOfLoss()
      tell(.closed(CloseReason(.abnormal), clean: false))
    case .closing(let open, _):
      act(.dropLink(open.link))
      tellOfLoss()
      tell(.closed(CloseReason(.abnormal), clean: false))
    }
    beginRow(at: now)
  }

  /// A post without a ready line comes back: it can be made again without harm.
  mutating func post(_ post: Post, at now: Instant, entropy: inout Entropy) {
    guard case .open(var open) = line, open.readySince != nil else {
      return tell(.repeatable(nonce: post.nonce))
    }
    line = .none
    let outputs = dialect?.post(post, at: now) ?? []
    let end = perform(outputs, on: &open, isClosing: false, at: now, entropy: &entropy)
    settle(&open, closing: nil, end, at: now, entropy: &entropy)
  }

  /// What can be done with messages on the line as it is now.
  package var abilities: MessageAbilities {
    guard case .open(let open) = line, open.readySince != nil else { return [] }
    return dialect?.abilities ?? []
  }

  /// A change is not kept for a later line: who edits wants to see it happen.
  mutating func change(_ change: MessageChange, at now: Instant, entropy: inout Entropy) {
    guard !abilities.isEmpty else {
      let sentence = "\(change.words) was not sent: the line is not up."
      return tell(.changeFailed(change, UntrustedText(sentence)))
    }
    perform(dialect?.change(change, at: now) ?? [], at: now, entropy: &entropy)
  }

  /// Messages before everything that was reported can be had now.
  package var knowsEarlier: Bool {
    guard case .open(let open) = line, open.readySince != nil else { return false }
    return dialect?.knowsEarlier ?? false
  }

  mutating func askEarlier(before cursor: JSON, at now: Instant, entropy: inout Entropy) {
    guard knowsEarlier else { return tell(.messages([], .earlier)) }
    perform(
      dialect?.askEarlier(before: cursor, at: now) ?? [], at: now, entropy: &entropy)
  }

  mutating func sendBinary(_ bytes: [UInt8], at now: Instant, entropy: inout Entropy) {
    guard case .open(var open) = line, open.readySince != nil else { return tellUnsent(bytes) }
    line = .none
    open.watch?.willSend(bytes.span.bytes)
    open.machine.send(.binary, bytes.span.bytes, entropy: &entropy)
    settle(&open, closing: nil, nil, at: now, entropy: &entropy)
  }

  mutating func join(room: String, at now: Instant, entropy: inout Entropy) {
    configuration.context.room = room
    perform(dialect?.join(room: room, at: now) ?? [], at: now, entropy: &entropy)
  }

  mutating func rename(nick: String, at now: Instant, entropy: inout Entropy) {
    configuration.context.nick = nick
    perform(dialect?.rename(nick: nick, at: now) ?? [], at: now, entropy: &entropy)
  }

  mutating func typing(at now: Instant, entropy: inout Entropy) {
    guard case .open(let open) = line, open.readySince != nil else { return }
    perform(dialect?.typing() ?? [], at: now, entropy: &entropy)
  }

  /// Does what the dialect wants on the line if there is one; without, what it reports is told.
  mutating func perform(
    _ outputs: [DialectOutput], at now: Instant, entropy: inout Entropy
  ) {
    guard case .open(var open) = line else {
      for output in outputs { report(output) }
      return
    }
    line = .none
    let end = perform(outputs, on: &open, isClosing: false, at: now, entropy: &entropy)
    settle(&open, closing: nil, end, at: now, entropy: &entropy)
  }

  private mutating func tellUnsent(_ bytes: [UInt8]) {
    tell(
      .notice(
        UntrustedText("A binary message of \(bytes.count) bytes was not sent: the line is not up")))
  }

  private mutating func drop(_ dial: SessionLine.Dial) {
    act(.dropLink(dial.link))
    stop()
  }

  mutating func stop() {
    line = .none
    pendingToken = nil
    lastFailure = nil
    lostAt = nil
    enter(.offline(.stopped))
  }

  /// Attempt 1, because the person asked.
  mutating func beginRow(at now: Instant) {
    haste.isPending = false
    lastFailure = nil
    lostAt = nil
    hasRenewedToken = false
    dial(attempt: 1, at: now)
  }
}
