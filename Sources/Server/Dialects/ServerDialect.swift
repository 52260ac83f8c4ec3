import WebSocket

/// What a dialect wants done.
enum DialectEffect: Equatable {
  case send(MessageKind, [UInt8])
  case close(CloseReason)
  /// From now on the connection hears the room.
  case enter(room: String)
  case leave(room: String)
  /// A new message, for all who hear its room; whether the connection itself hears it too.
  case posted(StoredMessage, heardBySelf: Bool)
  /// Another form of a message, for all who hear its room; whether the connection itself hears it too.
  case changed(StoredMessage, heardBySelf: Bool)
  /// The connection has another name from now on; before `enter`.
  case renamed
  /// Bytes for the other plain connections of the room.
  case relayed([UInt8], room: String)
  /// Somebody writes: for the others who hear the room.
  case typing(nick: String, room: String)
}

/// What a connection hears of a room that it entered.
enum RoomNotice {
  case message(StoredMessage)
  case changed(StoredMessage)
  case bytes([UInt8])
  case members(room: String, [String])
  case typing(room: String, nick: String)
}

/// What all connections share.
struct ServerState {
  var rooms: RoomStore
  /// Who is in which room, by name; kept by the server.
  var rosters: [String: [String]] = [:]
  /// Who is in which room without a connection.
  var residents: [String: [String]] = [:]
  var documents = DocumentCache()
}

/// The server's side of a layout of messages: a value for each connection, without socket and clock.
protocol ServerDialect: Sendable {
  /// When `timeReached` wants to be called next.
  var deadline: Duration? { get }
  /// Under which name the rosters list the connection, where it has one.
  var nick: String? { get }

  mutating func opened() -> [DialectEffect]
  /// `wall` in milliseconds since 1970.
  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect]
  /// `responses` is shared by all who hear the notice.
  mutating func hear(_ notice: RoomNotice, _ responses: inout EventResponses) -> [DialectEffect]
  mutating func timeReached(at now: Duration) -> [DialectEffect]
}

extension String {
  init(utf8 bytes: RawSpan) {
    self = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
