import WebSocket

/// A client of GraphQL that offers no subprotocol of this server: the upgrade is accepted without one, and then the
/// line is closed with 4406, which a GraphQL client understands (graphql-transport-ws has no other way to say so).
struct UnagreedServerDialect: ServerDialect {
  static let legacyName = "graphql-ws"

  /// Whether such a client is at the other end: nothing that was offered is known here.
  static func isMeant(byOffering subprotocols: [String], at path: String) -> Bool {
    path == "/graphql" || subprotocols.contains(legacyName)
  }

  var deadline: Duration? { nil }
  var nick: String? { nil }

  mutating func opened() -> [DialectEffect] {
    [.close(CloseReason(CloseCode(rawValue: 4406), "Subprotocol not acceptable"))]
  }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect] { [] }

  mutating func hear(
    _ notice: RoomNotice, _ responses: inout EventResponses
  ) -> [DialectEffect] { [] }

  mutating func timeReached(at now: Duration) -> [DialectEffect] { [] }
}
