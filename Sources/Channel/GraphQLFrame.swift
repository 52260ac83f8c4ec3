import JSON

/// A message of the server in graphql-transport-ws or in the older graphql-ws.
enum GraphQLFrame: Equatable, Sendable {
  case acknowledged(payload: JSON?)
  case ping(payload: JSON?)
  case pong
  /// Of a payload only the members that are known are looked at.
  case next(id: String, payload: JSON)
  /// Some servers report a fault of no operation in particular; then there is no id.
  case error(id: String?, payload: JSON)
  /// An older Hot Chocolate leaves the id out.
  case complete(id: String?)
  /// Of the legacy protocol, but sent by Hasura and Mercurius in the new one before they close.
  case connectionError(payload: JSON)
  /// `ka`, the keep-alive of the legacy protocol.
  case keepAlive
  /// `start_ack`: AppSync says so when a subscription is live; the client learns nothing from it.
  case started

  /// What is wrong with a message, as the end of a sentence; short enough for a Close frame.
  struct Fault: Error, Equatable {
    var text: String

    init(_ text: String) {
      self.text = text
    }
  }

  init(_ bytes: RawSpan, _ kind: GraphQLProtocol = .transport) throws(Fault) {
    let value: JSON
    do throws(JSONError) {
      value = try JSON.parse(bytes)
    } catch {
      throw Fault(
        error.isTooDeep
          ? "Invalid message: JSON that is nested too deeply" : "Invalid message: not JSON")
    }
    guard value.members != nil else { throw Fault("Invalid message: not an object") }
    guard let type = value["type"]?.string else {
      throw Fault("Invalid message: no text in type")
    }
    switch type {
    case "connection_ack":
      self = .acknowledged(payload: try Self.freePayload(of: value, type))
    case "ping": self = .ping(payload: try Self.freePayload(of: value, type))
    case "pong":
      _ = try Self.freePayload(of: value, type)
      self = .pong
    case "next" where kind == .transport, "data" where kind == .legacy:
      guard let id = try Self.id(of: value, type) else {
        throw Fault("Invalid message: \(type) without an id")
      }
      let payload = value["payload"] ?? .null
      guard payload.isNull || payload.members != nil else {
        throw Fault("Invalid message: the payload of \(type) is not an object")
      }
      self = .next(id: id, payload: payload)
    case "error":
      self = .error(id: try Self.id(of: value, type), payload: value["payload"] ?? .null)
    case "complete": self = .complete(id: try Self.id(of: value, type))
    case "connection_error": self = .connectionError(payload: value["payload"] ?? .null)
    case "ka": self = .keepAlive
    case "start_ack" where kind == .legacy: self = .started
    default: throw Fault("Invalid message: unknown type \(type.clipped(toUTF8: 60))")
    }
  }

  /// An object, null or nothing.
  private static func freePayload(of value: JSON, _ type: String) throws(Fault) -> JSON? {
    guard let payload = value["payload"], !payload.isNull else { return nil }
    guard payload.members != nil else {
      throw Fault("Invalid message: the payload of \(type) is not an object")
    }
    return payload
  }

  private static func id(of value: JSON, _ type: String) throws(Fault) -> String? {
    guard let id = value["id"], !id.isNull else { return nil }
    guard let text = id.string, !text.isEmpty else {
      throw Fault("Invalid message: the id of \(type) is not a text")
    }
    return text
  }
}

/// Messages of the client.
enum GraphQLRequest {
  static func connectionInit(payload: JSON?) -> String {
    message("connection_init", payload: payload)
  }

  static func pong(payload: JSON?) -> String {
    message("pong", payload: payload)
  }

  static var ping: String { message("ping", payload: ["from": "parlour"]) }

  static func complete(id: String, _ kind: GraphQLProtocol) -> String {
    message(kind == .legacy ? "stop" : "complete", id: id)
  }

  static func subscribe(
    id: String, _ operation: Profile.Operation, _ values: TemplateValues, _ kind: GraphQLProtocol
  ) -> String {
    subscribe(
      id: id, document: operation.document, operationName: operation.operationName,
      variables: Template.expand(operation.variables, with: values), kind)
  }

  static func subscribe(
    id: String, document: String, operationName: String?, variables: [JSON.Member],
    _ kind: GraphQLProtocol
  ) -> String {
    let payload = body(
      document: document, operationName: operationName, variables: variables)
    return message(kind == .legacy ? "start" : "subscribe", id: id, payload: payload)
  }

  /// What asks for an operation, over a socket and over HTTP.
  static func body(
    document: String, operationName: String?, variables: [JSON.Member]
  ) -> JSON {
    var members: [JSON.Member] = [.init("query", .string(document))]
    if let operationName { members.append(.init("operationName", .string(operationName))) }
    if !variables.isEmpty { members.append(.init("variables", .object(variables))) }
    return .object(members)
  }

  private static func message(_ type: String, id: String? = nil, payload: JSON? = nil) -> String {
    var members: [JSON.Member] = []
    if let id { members.append(.init("id", .string(id))) }
    members.append(.init("type", .string(type)))
    if let payload { members.append(.init("payload", payload)) }
    return JSON.object(members).text
  }
}

extension String {
  /// At most that many bytes of UTF-8, cut at a character's border (RFC 6455 section 5.5 leaves 123 bytes
  /// for the reason in a Close frame).
  func clipped(toUTF8 limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var size = 0
    var end = unicodeScalars.startIndex
    for index in unicodeScalars.indices {
      size += UTF8.width(unicodeScalars[index])
      guard size <= limit else { break }
      end = unicodeScalars.index(after: index)
    }
    return String(unicodeScalars[..<end])
  }
}
