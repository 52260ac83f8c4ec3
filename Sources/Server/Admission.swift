import Deflate
import WebSocket

/// The decision on a request: a refusal or another answer to write, or an upgrade with its dialect.
enum Admission {
  case answer([UInt8])
  case upgrade(answer: [UInt8], any ServerDialect, (any MessageTransform)?)

  private enum Subprotocol: String {
    case graphql = "graphql-transport-ws"
    case envelope = "parlour-envelope"
    case plain = "parlour-plain"
  }

  /// What the server knows when a request arrives.
  struct Circumstances {
    var tokens: [String]
    /// Why no WebSocket is opened now, where none is.
    var refusal: String?
    /// The nick of a client that names none.
    var guest: String
    var now: Duration
  }

  static func decide(_ request: ClientRequest, _ circumstances: Circumstances) -> Admission {
    let target = RequestTarget(request.target)
    guard let key = request.key else { return .answer(http(request, target)) }
    if let refusal = circumstances.refusal {
      return .answer(
        ServerHandshake.answer(
          status: 503, reason: "Service Unavailable", headers: [Header("Retry-After", "1")],
          body: refusal + "\n"))
    }
    // The first of the client's list that is known; a server may decline all of them (RFC 6455 section 4.2.2).
    let chosen = request.subprotocols.lazy.compactMap(Subprotocol.init(rawValue:)).first
    var tokens = circumstances.tokens
    if !tokens.isEmpty {
      let shown = token(of: request, target)
      if let shown, shown.isOne(of: tokens) {
        tokens = []
      } else if shown != nil || chosen != .graphql {
        return .answer(unauthorized(isMissing: shown == nil))
      }
    }
    let dialect: any ServerDialect
    do {
      dialect = try self.dialect(chosen, request, target, tokens, circumstances)
    } catch {
      return .answer(
        ServerHandshake.answer(status: 400, reason: "Bad Request", body: error.message + "\n"))
    }
    let compression = DeflateParameters(answering: request.extensions)
    return .upgrade(
      answer: ServerHandshake.accept(
        key: key, subprotocol: chosen?.rawValue, compression: compression),
      dialect, compression.map { PerMessageDeflate($0, role: .server) })
  }

  private static func dialect(
    _ chosen: Subprotocol?, _ request: ClientRequest, _ target: RequestTarget, _ tokens: [String],
    _ circumstances: Circumstances
  ) throws(Complaint) -> any ServerDialect {
    if chosen == .graphql { return GraphQLServerDialect(tokens: tokens, at: circumstances.now) }
    if chosen == nil,
      UnagreedServerDialect.isMeant(byOffering: request.subprotocols, at: target.path)
    {
      return UnagreedServerDialect()
    }
    let nick = target["nick"] ?? circumstances.guest
    try RoomLimits.check(nick: nick)
    if chosen == .envelope { return EnvelopeServerDialect(nick: nick) }
    let room = target["room"] ?? "lobby"
    try RoomLimits.check(room: room)
    return PlainServerDialect(room: room, nick: nick)
  }

  /// The token of the Authorization field, else of the query (RFC 6750 sections 2.1 and 2.3).
  private static func token(of request: ClientRequest, _ target: RequestTarget) -> BearerToken? {
    let field = request.headers.first { $0.name.lowercased() == "authorization" }
    return (field?.value ?? target["access_token"]).map { BearerToken($0) }
  }

  private static func unauthorized(isMissing: Bool) -> [UInt8] {
    let problem =
      isMissing
      ? "This server asks for a token and none came" : "The token is not one of this server's"
    return ServerHandshake.answer(
      status: 401, reason: "Unauthorized",
      headers: [Header("WWW-Authenticate", "Bearer realm=\"parlour\"")],
      body: "\(problem): send the right one as Authorization: Bearer TOKEN.\n")
  }

  private static func http(_ request: ClientRequest, _ target: RequestTarget) -> [UInt8] {
    if request.method == "GET", target.path == "/healthz" {
      return ServerHandshake.answer(status: 200, reason: "OK", body: "ok\n")
    }
    return ServerHandshake.answer(
      status: 426, reason: "Upgrade Required", headers: [Header("Upgrade", "websocket")],
      body:
        "This is a WebSocket server for chat: connect with a WebSocket client, such as parlour ws://HOST:PORT/?room=lobby&nick=NAME.\n"
    )
  }
}
