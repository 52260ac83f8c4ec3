import GraphQL
import JSON
import WebSocket

/// The server's side of graphql-transport-ws (the protocol of enisdenjo/graphql-ws, PROTOCOL.md).
struct GraphQLServerDialect: ServerDialect {
  /// How long a client may take to introduce itself.
  static let initTimeout = Duration.seconds(10)
  /// Subscriptions that one connection may have at a time.
  static let mostSubscriptions = 100

  private enum Stage: Equatable {
    case waiting(until: Duration)
    case acknowledged
  }

  fileprivate struct Subscription {
    var id: String
    var room: String
    /// Under which name the connection wants to be listed.
    var nick: String?
    var operation: GraphQLSubscription
    /// By which listeners whose responses are alike share them; nil where that cannot be known.
    var outline: String?
    /// The text of a `next` up to its payload.
    var start: [UInt8]
  }

  private var stage: Stage
  /// Tokens of which the introduction has to carry one; empty where the handshake settled it.
  private let tokens: [String]
  private var subscriptions: [Subscription] = []

  /// `tokens` is empty where everybody may come in, or the handshake carried a token already.
  init(tokens: [String], at now: Duration) {
    self.tokens = tokens
    stage = .waiting(until: now + Self.initTimeout)
  }

  var deadline: Duration? {
    if case .waiting(let until) = stage { until } else { nil }
  }

  var nick: String? { subscriptions.last { $0.nick != nil }?.nick }

  mutating func opened() -> [DialectEffect] { [] }

  mutating func timeReached(at now: Duration) -> [DialectEffect] {
    guard case .waiting(let until) = stage, until <= now else { return [] }
    return [Self.close(4408, "Connection initialisation timeout")]
  }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect] {
    guard kind == .text else {
      return [Self.close(4400, "Invalid message received: it is binary")]
    }
    let message: GraphQLClientMessage
    do {
      message = try GraphQLClientMessage.parse(bytes)
    } catch {
      return [Self.close(4400, error.reason)]
    }
    switch message {
    case .connectionInit(let payload): return introduce(payload)
    case .ping(let payload):
      return [Self.message("pong", payload.map { [JSON.Member("payload", $0)] } ?? [])]
    case .pong: return []
    case .complete(let id): return end(id)
    case .subscribe(let subscribe):
      guard stage == .acknowledged else { return [Self.close(4401, "Unauthorized")] }
      guard !subscriptions.contains(where: { $0.id == subscribe.id }) else {
        return [
          Self.close(4409, "Subscriber for \(subscribe.id.shortened(to: 20)) already exists")
        ]
      }
      return start(subscribe, &state, wall: wall)
    }
  }

  /// By this Parlour knows that the server has more than a client may expect of any other.
  private static let introduction: JSON = [
    "server": "parlour", "features": ["changes", "replies", "typing", "members"],
  ]

  private mutating func introduce(_ payload: JSON?) -> [DialectEffect] {
    guard stage != .acknowledged else {
      return [Self.close(4429, "Too many initialisation requests")]
    }
    if !tokens.isEmpty {
      guard let token = BearerToken(introduction: payload), token.isOne(of: tokens) else {
        return [Self.close(4403, "Forbidden")]
      }
    }
    stage = .acknowledged
    return [Self.message("connection_ack", [JSON.Member("payload", Self.introduction)])]
  }

  // MARK: Operations

  private mutating func start(
    _ subscribe: GraphQLClientMessage.Subscribe, _ state: inout ServerState, wall: Int64
  ) -> [DialectEffect] {
    let id = subscribe.id
    let request: GraphQLRequest
    do {
      request = try GraphQLRequest(
        try state.documents.document(subscribe.query), operationName: subscribe.operationName,
        variables: subscribe.variables, schema: ChatSchema.schema)
      if request.operation.kind == .subscription {
        return try listen(id, GraphQLSubscription(request), state)
      }
    } catch {
      return [Self.message("error", id, error.json)]
    }
    let rosters = state.rosters
    var root = ChatRoot(rooms: state.rooms, wall: wall) { rosters[$0] ?? [] }
    state.rooms = RoomStore(historyLimit: 1)
    let response = request.execute(on: &root, budget: ChatSchema.budget)
    state.rooms = root.rooms
    return [Self.message("next", id, response.json), Self.complete(id)]
      + root.effects
  }

  /// CreateSourceEventStream (GraphQL specification, section 6.2.3.1): the backlog, then what is said.
  private mutating func listen(
    _ id: String, _ operation: GraphQLSubscription, _ state: ServerState
  ) throws(GraphQLErrors) -> [DialectEffect] {
    guard subscriptions.count < Self.mostSubscriptions else {
      throw GraphQLErrors([
        GraphQLError(
          message:
            "A connection may have \(Self.mostSubscriptions) subscriptions: end one of them first."
        )
      ])
    }
    let room = operation.arguments["room"]?.string ?? ""
    let nick = operation.arguments["nick"]?.string
    var backlog: [GraphQLResolved] = []
    do {
      try RoomLimits.check(room: room)
      if let nick { try RoomLimits.check(nick: nick) }
      if let after = operation.arguments["after"]?.string {
        backlog = try state.rooms.backlog(of: room, after: after).map { .object($0) }
      }
      if operation.field == "members" { backlog = [Self.roster(state.rosters[room] ?? [])] }
    } catch {
      throw operation.refusal(GraphQLFieldError(error.message))
    }
    let subscription = Subscription(
      id: id, room: room, nick: nick, operation: operation, outline: operation.outline,
      start: Array("{\"type\":\"next\",\"id\":\(JSON.string(id).text),\"payload\":".utf8))
    let isNew = !subscriptions.contains { $0.room == room }
    subscriptions.append(subscription)
    var effects = backlog.map { subscription.next(subscription.response(to: $0)) }
    if isNew {
      effects.append(.enter(room: room))
    } else if nick != nil {
      effects.append(.renamed)
    }
    return effects
  }

  private static func roster(_ names: [String]) -> GraphQLResolved {
    .list(names.map { .text($0) })
  }

  private mutating func end(_ id: String) -> [DialectEffect] {
    // An unknown id is no error: the client may end what has just ended by itself.
    guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return [] }
    let ended = subscriptions.remove(at: index)
    guard subscriptions.contains(where: { $0.room == ended.room }) else {
      return [.leave(room: ended.room)]
    }
    return ended.nick == nil ? [] : [.renamed]
  }

  mutating func hear(
    _ notice: RoomNotice, _ responses: inout EventResponses
  ) -> [DialectEffect] {
    switch notice {
    case .message(let message):
      return tell("messageAdded", in: message.room, .object(message), &responses)
    case .changed(let message):
      return tell("messageChanged", in: message.room, .object(message), &responses)
    case .typing(let room, let nick):
      return tell("typing", in: room, .text(nick), &responses)
    case .members(let room, let names):
      return tell("members", in: room, Self.roster(names), &responses)
    case .bytes: return []
    }
  }

  private func tell(
    _ field: String, in room: String, _ event: GraphQLResolved,
    _ responses: inout EventResponses
  ) -> [DialectEffect] {
    subscriptions.filter { $0.room == room && $0.operation.field == field }.map { subscription in
      subscription.next(
        responses.bytes(for: subscription.outline) { subscription.response(to: event) })
    }
  }

  // MARK: The server's messages

  private static func complete(_ id: String) -> DialectEffect {
    message("complete", [JSON.Member("id", .string(id))])
  }

  private static func message(_ type: String, _ id: String, _ payload: JSON) -> DialectEffect {
    message(type, [JSON.Member("id", .string(id)), JSON.Member("payload", payload)])
  }

  private static func message(
    _ type: String, _ members: [JSON.Member] = []
  ) -> DialectEffect {
    var bytes: [UInt8] = []
    JSON.object([JSON.Member("type", .string(type))] + members).write(to: &bytes)
    return .send(.text, bytes)
  }

  private static func close(_ code: UInt16, _ reason: String) -> DialectEffect {
    .close(CloseReason(CloseCode(rawValue: code), reason))
  }
}

extension GraphQLServerDialect.Subscription {
  /// The compact JSON of the response to an event.
  fileprivate func response(to event: GraphQLResolved) -> [UInt8] {
    var bytes: [UInt8] = []
    operation.response(to: event, budget: ChatSchema.budgetOfEvent).json
      .write(to: &bytes)
    return bytes
  }

  fileprivate func next(_ response: [UInt8]) -> DialectEffect {
    var bytes = start
    bytes.reserveCapacity(start.count + response.count + 1)
    bytes += response
    bytes.append(UInt8(ascii: "}"))
    return .send(.text, bytes)
  }
}
