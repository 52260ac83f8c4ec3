import JSON
package import WebSocket

/// The typed envelope: text frames `{"kind": String, "payload": base64 of JSON}`.
///
/// From the client:
/// - `join` `{"room", "nick", "last": 50, "after": cursor?}`: enter a room; the answer is `history`. Sent again to
///   enter another room, under another nick, or to fetch the next page of what was missed.
/// - `post` `{"room", "author", "text", "nonce"}`; the answer is `posted` or `rejected`.
/// - `typing` `{"room", "nick"}`: the person is writing something; only where the server has said that it knows it.
/// - `edit` `{"room", "id", "text", "nonce"}`, `delete` `{"room", "id", "nonce"}`, `react` and `unreact` `{"room", "id",
///   "emoji", "nonce"}`: change a message; the answer is `done` or `rejected`. Only where the server knows changes; there
///   a `post` may have `"reply"`, the id of the message that it answers.
///
/// From the server:
/// - `history` `{"room", "messages": [M…], "nonces": true?, "typing": true?, "changes": true?, "changed": [M…]?}`: without `after` the newest `last` messages, with it
///   those behind it, the oldest first. `nonces` says that the server knows a repeated post by its nonce, `changes` that it
///   knows changes; with `after`, `changed` are those that have changed since `"revision"` of the `join`.
/// - `message` M = `{"id", "room", "author", "text", "time" (ISO 8601), "nonce"?}`: said just now.
/// - `posted` `{"nonce", "message": M}`, among the `message`s in the order of the room; no `message` need follow. A
///   nonce that was posted before gives the first message again.
/// - `rejected` `{"nonce", "reason"}`, `members` `{"room", "names": […]}`, `error` `{"message"}`.
/// - `typing` `{"room", "nick"}`: somebody else in the room is writing something.
/// - `changed` M: a message has another form now. Besides its other members M has then `"edited"` or `"deleted"`, the time of
///   it, `"reactions"` `[{"emoji", "count", "names"}]` and `"revision"`, a number that grows with each change in the
///   room; and `"reply"` where it answers a message.
/// - `done` `{"nonce", "message": M}`: what was asked for by `edit`, `delete`, `react` or `unreact`.
///
/// The cursor is the id of the last message seen. What is no envelope, or of another kind, is counted and
/// dropped. A server that answers no `join` within two seconds gets posts all the same; they count as
/// sent when the pong of a ping written after them is there.
package struct EnvelopeDialect: Dialect {
  package static let name = DialectName.envelope

  /// How long a server may take to answer `join`.
  static let joinTimeout: Duration = .seconds(2)
  /// The most pages of missed messages in a row.
  static let mostPages = 200

  enum Phase {
    case offline
    /// A `join` is unanswered.
    case joining(since: Instant, pages: Int)
    case joined
    /// The server knows no `join`.
    case unanswered
  }

  var context: DialectContext
  var ledger: MessageLedger
  var phase = Phase.offline
  /// Whether posts may be made on this line.
  var isReady = false
  /// The id of the last message seen in a room; rooms that were entered before.
  var cursors: [String: JSON] = [:]
  var entered: Set<String> = []
  var held: HeldMessages?
  let reader: MessageReader
  /// Posts that wait for `posted`, in order.
  var awaited: [String] = []
  var unconfirmed = BarrierQueue()
  /// The server said so, or has answered with `posted`.
  var knowsNonces = false
  /// The server said so.
  var knowsTyping = false
  /// The server said so.
  var knowsChanges = false
  /// The highest number of a change that was seen in a room.
  var revisions: [String: Int64] = [:]
  /// Changes that wait for `done`, by nonce, and how many were asked for.
  var changes: [String: MessageChange] = [:]
  var changeCount = 0
  var foreign = MishapCounter()
  /// Posts of an earlier run that may be repeated once the server has said that it knows nonces.
  var resumed: [String] = []

  package init(_ context: DialectContext) {
    self.context = context
    ledger = MessageLedger(nick: context.nick)
    var layout = Profile.builtIn
    layout.message.time = Profile.Path("time")
    layout.message.nonce = Profile.Path("nonce")
    layout.message.edited = Profile.Path("edited")
    layout.message.deleted = Profile.Path("deleted")
    layout.message.reply = Profile.Path("reply")
    layout.message.revision = Profile.Path("revision")
    layout.message.reactions = Profile.Path("reactions")
    layout.message.reaction = Profile.ReactionPaths(
      emoji: Profile.Path("emoji"), count: Profile.Path("count"), names: Profile.Path("names"))
    reader = MessageReader(layout)
    for (room, cursor) in context.memory.cursors {
      cursors[room] = cursor
      entered.insert(room)
    }
    for room in context.memory.rooms { recall(room) }
    if let after = context.after {
      cursors[context.room] = .string(after)
      entered.insert(context.room)
    }
  }

  package var deadline: Instant? {
    if case .joining(let since, _) = phase { since + Self.joinTimeout } else { nil }
  }

  package mutating func opened(at now: Instant) -> [DialectOutput] {
    isReady = false
    return join(at: now)
  }

  package mutating func join(room: String, at now: Instant) -> [DialectOutput] {
    guard room != context.room else { return [] }
    context.room = room
    held = nil
    if case .offline = phase { return [] }
    return join(at: now)
  }

  package mutating func rename(nick: String, at now: Instant) -> [DialectOutput] {
    context.nick = nick
    ledger.nick = nick
    switch phase {
    case .offline, .unanswered: return []
    case .joining, .joined: return join(at: now)
    }
  }

  package mutating func post(_ post: Post, at now: Instant) -> [DialectOutput] {
    ledger.own(post.nonce)
    var members: [JSON.Member] = [
      .init("room", .string(context.room)), .init("author", .string(context.nick)),
      .init("text", .string(post.text)), .init("nonce", .string(post.nonce)),
    ]
    if let target = post.replyTo, knowsChanges {
      members.append(
        .init("reply", .string(ledger.original(of: target, room: context.room))))
    }
    let frame = EnvelopeFrame("post", .object(members))
    if case .unanswered = phase {
      return [.send(frame.text)] + unconfirmed.posted(post.nonce)
    }
    awaited.append(post.nonce)
    return [.send(frame.text)]
  }

  package mutating func typing() -> [DialectOutput] {
    guard knowsTyping, case .joined = phase else { return [] }
    let frame = EnvelopeFrame(
      "typing",
      .object([
        .init("room", .string(context.room)), .init("nick", .string(context.nick)),
      ]))
    return [.send(frame.text)]
  }

  package mutating func barrierPassed(at now: Instant) -> [DialectOutput] {
    unconfirmed.barrierPassed()
  }

  package mutating func timeReached(at now: Instant) -> [DialectOutput] {
    guard let deadline, now >= deadline else { return [] }
    phase = .unanswered
    return release() + readyOnce()
  }

  package mutating func lost() -> [DialectOutput] {
    phase = .offline
    isReady = false
    // With a cursor the next join fetches them again, in order.
    let outputs = cursors[context.room] == nil ? release() : []
    held = nil
    let pending = awaited + unconfirmed.takeAll()
    awaited = []
    return outputs + changesLost()
      + pending.map { knowsNonces ? .repeatable(nonce: $0) : .unsure(nonce: $0) }
  }

  package func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? { nil }

  package mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, at now: Instant
  ) -> [DialectOutput] {
    if case .offline = phase { return [] }
    guard kind == .text, let frame = EnvelopeFrame(bytes) else { return drop() }
    switch frame.kind {
    case "history": return history(frame.payload, at: now)
    case "message": return message(frame.payload)
    case "posted": return posted(frame.payload)
    case "rejected": return rejected(frame.payload)
    case "members": return members(frame.payload)
    case "typing": return typing(frame.payload)
    case "changed": return changed(frame.payload)
    case "done": return done(frame.payload)
    case "error": return error(frame.payload)
    default: return drop()
    }
  }
}
