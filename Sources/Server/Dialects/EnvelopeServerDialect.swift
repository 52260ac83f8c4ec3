import JSON
import WebSocket

/// The typed envelope: text messages `{"kind": …, "payload": …}`, the payload base64 of JSON as Swift's
/// Codable writes Data; a payload that is a JSON object is understood too.
struct EnvelopeServerDialect: ServerDialect {
  /// Nesting that a frame or its payload may have.
  private static let depth = 16

  private var name: String
  private var room: String?

  init(nick: String) {
    name = nick
  }

  var deadline: Duration? { nil }
  var nick: String? { name }

  mutating func opened() -> [DialectEffect] { [] }
  mutating func timeReached(at now: Duration) -> [DialectEffect] { [] }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect] {
    do throws(Complaint) {
      guard kind == .text else {
        throw Complaint("The message is binary: send envelopes as text.")
      }
      let (kind, payload) = try Self.open(bytes)
      switch kind {
      case "join": return try join(payload, state.rooms)
      case "post": return try post(payload, &state.rooms, wall: wall)
      case "typing":
        guard let room else { return [] }
        return [.typing(nick: name, room: room)]
      case "edit", "delete", "react", "unreact":
        return try change(kind, payload, &state.rooms, wall: wall)
      default:
        throw Complaint(
          "The envelope's kind \"\(kind.shortened())\" is not known: send \"join\" or \"post\".")
      }
    } catch {
      return [Self.envelope("error", ["message": .string(error.message)])]
    }
  }

  private mutating func join(
    _ payload: JSON, _ store: RoomStore
  ) throws(Complaint) -> [DialectEffect] {
    let room = try Self.text("room", of: payload) ?? ""
    let nick = try Self.text("nick", of: payload) ?? name
    let after = try Self.text("after", of: payload)
    try RoomLimits.check(room: room)
    try RoomLimits.check(nick: nick)
    let last = payload["last"]?.integer.map { Int(clamping: $0) } ?? 50
    var effects: [DialectEffect] = []
    let messages: ArraySlice<StoredMessage>
    do {
      messages = try store.messages(room: room, last: last, after: after)
    } catch {
      effects.append(Self.envelope("error", ["message": .string(error.message)]))
      messages = try store.messages(room: room, last: last, after: nil)
    }
    var answer: [JSON.Member] = [
      .init("room", .string(room)), .init("messages", .array(messages.map(Self.json))),
      .init("nonces", .bool(true)), .init("typing", .bool(true)), .init("changes", .bool(true)),
    ]
    if after != nil {
      let revision = payload["revision"]?.integer.map { Int(clamping: $0) } ?? 0
      let changed = store.changes(in: room, since: revision)
      if !changed.isEmpty { answer.append(.init("changed", .array(changed.map(Self.json)))) }
    }
    effects.append(Self.envelope("history", .object(answer)))
    if let old = self.room { effects.append(.leave(room: old)) }
    name = nick
    self.room = room
    effects.append(.enter(room: room))
    return effects
  }

  private mutating func post(
    _ payload: JSON, _ store: inout RoomStore, wall: Int64
  ) throws(Complaint) -> [DialectEffect] {
    let nonce = try Self.text("nonce", of: payload)
    let answer = nonce.map { [JSON.Member("nonce", .string($0))] } ?? []
    do throws(Complaint) {
      guard let text = try Self.text("text", of: payload) else {
        throw Complaint("The post has no text: put it into \"text\".")
      }
      guard let room = try Self.text("room", of: payload) ?? self.room else {
        throw Complaint("The post names no room: join one first or put it into \"room\".")
      }
      let author = try Self.text("author", of: payload) ?? name
      let post = try store.post(
        text, by: author, in: room, clientId: nonce, wall: wall,
        replyTo: try Self.text("reply", of: payload))
      let posted = Self.envelope(
        "posted", .object(answer + [JSON.Member("message", Self.json(post.message))]))
      return post.isNew ? [posted, .posted(post.message, heardBySelf: false)] : [posted]
    } catch {
      let reason = [JSON.Member("reason", .string(error.message))]
      return [Self.envelope("rejected", .object(answer + reason))]
    }
  }

  /// The one who asks hears it in the answer, the others as `changed`.
  private func change(
    _ kind: String, _ payload: JSON, _ store: inout RoomStore, wall: Int64
  ) throws(Complaint) -> [DialectEffect] {
    let nonce = try Self.text("nonce", of: payload)
    let answer = nonce.map { [JSON.Member("nonce", .string($0))] } ?? []
    do throws(Complaint) {
      guard let room = try Self.text("room", of: payload) ?? self.room,
        let id = try Self.text("id", of: payload)
      else { throw Complaint("The \(kind) names no message: put its id into \"id\".") }
      let emoji = try Self.text("emoji", of: payload) ?? ""
      let change =
        switch kind {
        case "edit":
          try store.edit(
            id, in: room, by: name, to: try Self.text("text", of: payload) ?? "", wall: wall)
        case "delete": try store.delete(id, in: room, by: name, wall: wall)
        case "react": try store.react(emoji, to: id, in: room, by: name)
        default: try store.unreact(emoji, to: id, in: room, by: name)
        }
      let done = Self.envelope(
        "done", .object(answer + [JSON.Member("message", Self.json(change.message))]))
      return change.isNew ? [done, .changed(change.message, heardBySelf: false)] : [done]
    } catch {
      let reason = [JSON.Member("reason", .string(error.message))]
      return [Self.envelope("rejected", .object(answer + reason))]
    }
  }

  mutating func hear(_ notice: RoomNotice, _ responses: inout EventResponses) -> [DialectEffect] {
    switch notice {
    case .message(let message): [Self.envelope("message", Self.json(message))]
    case .changed(let message): [Self.envelope("changed", Self.json(message))]
    case .bytes: []
    case .typing(let room, let nick):
      [Self.envelope("typing", ["room": .string(room), "nick": .string(nick)])]
    case .members(let room, let names):
      [
        Self.envelope(
          "members", ["room": .string(room), "names": .array(names.map(JSON.string))])
      ]
    }
  }

  // MARK: The layout

  private static func open(_ bytes: RawSpan) throws(Complaint) -> (kind: String, payload: JSON) {
    let frame: JSON
    do {
      frame = try JSON.parse(bytes, depth: depth)
    } catch {
      throw Complaint("The message is no JSON: \(error.message)")
    }
    guard let kind = frame["kind"]?.string else {
      throw Complaint("The message is no envelope: it has no text in \"kind\".")
    }
    switch frame["payload"] {
    case .object(let members):
      return (kind, .object(members))
    case .string(let text):
      guard let decoded = Base64.decoded(text) else {
        throw Complaint("The envelope's payload is no base64.")
      }
      do throws(JSONError) {
        let payload = try JSON.parse(decoded.span.bytes, depth: depth)
        guard payload.members != nil else {
          throw JSONError(message: "it is not an object.")
        }
        return (kind, payload)
      } catch {
        throw Complaint("The envelope's payload is no JSON object: \(error.message)")
      }
    default:
      throw Complaint("The envelope has no payload: put base64 of JSON or an object there.")
    }
  }

  private static func envelope(_ kind: String, _ payload: JSON) -> DialectEffect {
    var bytes: [UInt8] = []
    payload.write(to: &bytes)
    // A kind and base64 need no escapes.
    let frame = "{\"kind\":\"\(kind)\",\"payload\":\"\(Base64.encoded(bytes))\"}"
    return .send(.text, Array(frame.utf8))
  }

  private static func json(_ message: StoredMessage) -> JSON {
    var members = [
      JSON.Member("id", .string(message.id)), JSON.Member("room", .string(message.room)),
      JSON.Member("author", .string(message.author)), JSON.Member("text", .string(message.text)),
      JSON.Member("time", .string(message.sentAt)),
    ]
    if let nonce = message.clientId { members.append(JSON.Member("nonce", .string(nonce))) }
    if let target = message.replyTo { members.append(JSON.Member("reply", .string("m\(target)"))) }
    if let time = message.editedAt { members.append(JSON.Member("edited", .string(time))) }
    if let time = message.deletedAt { members.append(JSON.Member("deleted", .string(time))) }
    if !message.reactions.isEmpty {
      let reactions = message.reactions.map { reaction in
        JSON.object([
          JSON.Member("emoji", .string(reaction.emoji)),
          JSON.Member("count", .integer(Int64(reaction.authors.count))),
          JSON.Member("names", .array(reaction.authors.map(JSON.string))),
        ])
      }
      members.append(JSON.Member("reactions", .array(reactions)))
    }
    if let revision = message.revision {
      members.append(JSON.Member("revision", .integer(Int64(revision))))
    }
    return .object(members)
  }

  /// A text of a payload; nil where it is absent or null.
  private static func text(_ key: String, of payload: JSON) throws(Complaint) -> String? {
    guard let value = payload[key], !value.isNull else { return nil }
    guard let text = value.string else {
      throw Complaint("The payload's \"\(key)\" is not a text.")
    }
    return text
  }
}
