import JSON

/// A message of a graphql-transport-ws client, its shape checked.
enum GraphQLClientMessage {
  struct Subscribe {
    var id: String
    var query: String
    var operationName: String?
    var variables: JSON?
  }

  case connectionInit(payload: JSON?)
  case ping(payload: JSON?)
  case pong
  case subscribe(Subscribe)
  case complete(id: String)

  /// Why a message is none: the text of the Close frame with 4400.
  struct Invalid: Error {
    var reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Nesting that variables may have.
  private static let depth = 64
  /// Bytes of an operation's id; graphql-ws makes 36.
  private static let longestId = 256

  static func parse(_ bytes: RawSpan) throws(Invalid) -> GraphQLClientMessage {
    let message: JSON
    do {
      message = try JSON.parse(bytes, depth: depth)
    } catch {
      throw Invalid("Invalid message received: it is no JSON")
    }
    guard message.members != nil else {
      throw Invalid("Invalid message received: it is not an object")
    }
    guard let type = message["type"]?.string else {
      throw Invalid("Invalid message received: its \"type\" is not a text")
    }
    switch type {
    case "connection_init":
      return .connectionInit(payload: try object("payload", of: message, type))
    case "ping":
      return .ping(payload: try object("payload", of: message, type))
    case "pong":
      _ = try object("payload", of: message, type)
      return .pong
    case "complete":
      return .complete(id: try id(of: message, type))
    case "subscribe":
      return .subscribe(try subscribe(message, type))
    default:
      throw Invalid("Invalid message received: unknown type \"\(type.shortened(to: 20))\"")
    }
  }

  private static func subscribe(_ message: JSON, _ type: String) throws(Invalid) -> Subscribe {
    let id = try id(of: message, type)
    guard let payload = message["payload"], payload.members != nil else {
      throw Invalid("\"subscribe\" expects an object in \"payload\"")
    }
    guard let query = payload["query"]?.string else {
      throw Invalid("\"subscribe\" expects a text in \"payload.query\"")
    }
    let operationName = payload["operationName"] ?? .null
    guard operationName.isNull || operationName.string != nil else {
      throw Invalid("\"subscribe\" expects a text in \"payload.operationName\"")
    }
    _ = try object("extensions", of: payload, "subscribe payload")
    return Subscribe(
      id: id, query: query, operationName: operationName.string,
      variables: try object("variables", of: payload, "subscribe payload"))
  }

  private static func id(of message: JSON, _ type: String) throws(Invalid) -> String {
    guard let id = message["id"]?.string, !id.isEmpty else {
      throw Invalid("\"\(type)\" expects a text that is not empty in \"id\"")
    }
    guard id.utf8.count <= longestId else {
      throw Invalid("\"\(type)\" expects at most \(longestId) bytes in \"id\"")
    }
    return id
  }

  /// An object, or nil where it is absent or null.
  private static func object(
    _ key: String, of value: JSON, _ type: String
  ) throws(Invalid) -> JSON? {
    guard let member = value[key], !member.isNull else { return nil }
    guard member.members != nil else {
      throw Invalid("\"\(type)\" expects an object in \"\(key)\"")
    }
    return member
  }
}
