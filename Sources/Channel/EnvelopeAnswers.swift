import JSON
import Text

/// The kinds of the server, and what they change.
extension EnvelopeDialect {
  /// Asks for the newest messages of a room that was never entered, else for those behind the cursor.
  mutating func join(at now: Instant, pages: Int = 0) -> [DialectOutput] {
    phase = .joining(since: now, pages: pages)
    if held == nil { held = HeldMessages() }
    var members: [JSON.Member] = [
      .init("room", .string(context.room)), .init("nick", .string(context.nick)),
      .init("last", .integer(Int64(pageSize))),
    ]
    if let cursor = cursors[context.room] {
      members.append(.init("after", cursor))
      if let revision = revisions[context.room] {
        members.append(.init("revision", .integer(revision)))
      }
    }
    return [.send(EnvelopeFrame("join", .object(members)).text)]
  }

  /// As many earlier messages as were asked for, but one at least, to have a cursor. Pages of what was
  /// missed are not too small, and the only one of a room that had no message yet is large.
  private var pageSize: Int {
    guard entered.contains(context.room) else { return max(1, context.historyCount) }
    return cursors[context.room] == nil ? 1000 : max(50, min(context.historyCount, 1000))
  }

  mutating func history(_ payload: JSON, at now: Instant) -> [DialectOutput] {
    guard case .joining(_, let pages) = phase else { return [] }
    guard let elements = payload["messages"]?.array else { return drop() }
    // An answer about a room that was left before it came.
    if let room = payload["room"]?.string, room != context.room { return [] }
    if payload["nonces"]?.bool == true { knowsNonces = true }
    knowsTyping = payload["typing"]?.bool == true
    knowsChanges = payload["changes"]?.bool == true
    let wasEntered = entered.contains(context.room)
    let asked = pageSize
    let isPaged = cursors[context.room] != nil
    let messages = elements.compactMap { reader.read($0)?.message }
    var outputs = report(messages, wasEntered ? .missed : .history)
    // Nobody asked to see earlier ones: the last was fetched for its cursor.
    if !wasEntered, context.historyCount <= 0 { outputs = [] }
    entered.insert(context.room)
    outputs += forms(payload["changed"]?.array ?? [])
    if messages.count < elements.count { outputs += drop() }
    if wasEntered, isPaged, !messages.isEmpty, elements.count >= asked {
      if pages + 1 < Self.mostPages { return outputs + join(at: now, pages: pages + 1) }
      outputs.append(
        .notice(
          UntrustedText(
            "So much was said while you were away that not all of it was fetched; some is missing.")
        ))
    }
    phase = .joined
    return outputs + release() + readyOnce()
  }

  mutating func typing(_ payload: JSON) -> [DialectOutput] {
    guard let nick = payload["nick"]?.string, !nick.isEmpty else { return drop() }
    guard payload["room"]?.string ?? context.room == context.room, nick != context.nick
    else { return [] }
    return [.typing(UntrustedText(nick))]
  }

  mutating func message(_ payload: JSON) -> [DialectOutput] {
    guard let reading = reader.read(payload) else { return drop() }
    guard reading.room == nil || reading.room == context.room else { return [] }
    if held != nil {
      return held?.append([reading.message]) == false ? release() : []
    }
    return report([reading.message], .live)
  }

  /// Reports what is new and moves the cursor.
  mutating func report(
    _ messages: [ChatMessage], _ origin: MessageOrigin
  ) -> [DialectOutput] {
    var new: [ChatMessage] = []
    for message in messages {
      note(message)
      let entry = ledger.enter(message, room: context.room)
      if entry.isNew { new.append(entry.message) }
      if let cursor = message.cursor { cursors[context.room] = cursor }
    }
    return new.isEmpty ? [] : [.messages(new, origin)]
  }

  mutating func release() -> [DialectOutput] {
    guard let waiting = held else { return [] }
    held = nil
    return report(waiting.messages, .live)
  }

  mutating func readyOnce() -> [DialectOutput] {
    let resumed = takeResumed()
    guard !isReady else { return resumed }
    isReady = true
    return resumed + [.ready]
  }

  mutating func posted(_ payload: JSON) -> [DialectOutput] {
    guard let nonce = payload["nonce"]?.string else { return drop() }
    knowsNonces = true
    guard settle(nonce) else { return [] }
    guard let inner = payload["message"], let reading = reader.read(inner) else {
      return [.sent(nonce: nonce, nil)]
    }
    var message = reading.message
    message.nonce = nonce
    message.isMine = true
    if let room = reading.room, room != context.room {
      return [.sent(nonce: nonce, ledger.enter(message, room: room).message)]
    }
    if held != nil {
      let released = held?.append([message]) == false ? release() : []
      return released + [.sent(nonce: nonce, message)]
    }
    let known = ledger.enter(message, room: context.room)
    if let cursor = message.cursor { cursors[context.room] = cursor }
    let echo: [DialectOutput] = known.isNew ? [.messages([known.message], .live)] : []
    return echo + [.sent(nonce: nonce, known.message)]
  }

  mutating func rejected(_ payload: JSON) -> [DialectOutput] {
    guard let nonce = payload["nonce"]?.string else { return drop() }
    let reason = payload["reason"]?.string ?? "the server gives no reason"
    if let change = changes.removeValue(forKey: nonce) {
      let sentence = "\(change.words) was not done: \(reason)"
      return [.changeFailed(change, UntrustedText(sentence))]
    }
    guard settle(nonce) else { return [] }
    return [.rejected(nonce: nonce, reason: UntrustedText(reason))]
  }

  mutating func settle(_ nonce: String) -> Bool {
    if let index = awaited.firstIndex(of: nonce) {
      awaited.remove(at: index)
      return true
    }
    return unconfirmed.settle(nonce)
  }

  mutating func members(_ payload: JSON) -> [DialectOutput] {
    guard let names = payload["names"]?.array else { return drop() }
    if let room = payload["room"]?.string, room != context.room { return [] }
    return [.members(names.prefix(10_000).compactMap { $0.string.map { UntrustedText($0) } })]
  }

  mutating func error(_ payload: JSON) -> [DialectOutput] {
    guard let text = payload["message"]?.string else { return drop() }
    return [.notice(UntrustedText(text))]
  }

  mutating func drop() -> [DialectOutput] {
    guard foreign.happened() else { return [] }
    let count = foreign.count
    return [
      .notice(
        UntrustedText(
          count == 1
            ? "The server sent a message that is no envelope; it was dropped."
            : "The server has sent \(count) messages that are no envelopes; they were dropped."))
    ]
  }
}
