import WebSocket

/// Text as it is: a message is a post under the nick of the address, and what others say comes as
/// "nick: text". Binary messages pass between the plain clients of a room as they are.
struct PlainServerDialect: ServerDialect {
  private let room: String
  private let name: String

  init(room: String, nick: String) {
    self.room = room
    name = nick
  }

  var deadline: Duration? { nil }
  var nick: String? { name }

  mutating func opened() -> [DialectEffect] {
    [.enter(room: room)]
  }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect] {
    switch kind {
    case .binary:
      return [.relayed(bytes.withUnsafeBytes { Array($0) }, room: room)]
    case .text:
      do {
        let post = try state.rooms.post(
          String(utf8: bytes), by: name, in: room, clientId: nil, wall: wall)
        return [.posted(post.message, heardBySelf: false)]
      } catch {
        return [.send(.text, Array("server: \(error.message)".utf8))]
      }
    }
  }

  mutating func hear(_ notice: RoomNotice, _ responses: inout EventResponses) -> [DialectEffect] {
    switch notice {
    case .message(let message): [.send(.text, Array("\(message.author): \(message.text)".utf8))]
    case .bytes(let bytes): [.send(.binary, bytes)]
    // Nothing in plain text says which message is meant.
    case .members, .typing, .changed: []
    }
  }

  mutating func timeReached(at now: Duration) -> [DialectEffect] { [] }
}
