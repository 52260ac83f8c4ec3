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

  private struct Subscription {
    var id: String
    var room: String
    var request: GraphQLRequest
    /// The root field's response key, and its selection collected once.
    var key: String
    var groups: [GraphQLFieldGroups.Group]
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

  var nick: String? { nil }

  mutating func opened() -> [DialectEffect] { [] }

  mutating func timeReached(at now: Duration) -> [DialectEffect] {
    guard case .waiting(let until) = stage, until <= now else { return [] }
    return [Self.close(4408, "Connection initialisation timeout")]
  }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, _ store: inout RoomStore, wall: Int64
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
      return start(subscribe, &store, wall: wall)
    }
  }

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
    return [Self.message("connection_ack")]
  }

  // MARK: Operations

  private mutating func start(
    _ subscribe: GraphQLClientMessage.Subscribe, _ store: inout RoomStore, wall: Int64
  ) -> [DialectEffect] {
    let id = subscribe.id
    switch GraphQLRequest.prepare(
      query: subscribe.query, operationName: subscribe.operationName,
      variables: subscribe.variables)
    {
    case .failure(let errors):
      return [Self.error(id, errors)]
    case .success(let request) where request.operation.kind == .subscription:
      return listen(id, request, store)
    case .success(let request):
      let (response, posted) = GraphQLExecutor.execute(request, on: &store, wall: wall)
      return [Self.next(id, response), Self.complete(id)]
        + posted.map { .posted($0, heardBySelf: true) }
    }
  }

  /// CreateSourceEventStream (GraphQL specification, section 6.2.3.1): the backlog, then what is said.
  private mutating func listen(
    _ id: String, _ request: GraphQLRequest, _ store: RoomStore
  ) -> [DialectEffect] {
    let refuse = { (message: String, field: GraphQLField?) -> [DialectEffect] in
      var error = GraphQLError(message: message)
      if let field {
        error.locations = [request.document.source.location(at: field.offset)]
        error.path = [.string(field.responseKey)]
      }
      return [Self.error(id, GraphQLErrors([error]))]
    }
    guard subscriptions.count < Self.mostSubscriptions else {
      return refuse(
        "A connection may have \(Self.mostSubscriptions) subscriptions: end one of them first.", nil
      )
    }
    guard let group = request.collect([request.operation.selections]).first,
      let field = group.fields.first
    else {
      return refuse("The subscription selects nothing.", nil)
    }
    let subscription: Subscription
    let backlog: ArraySlice<StoredMessage>
    do {
      let definition = GraphQLSchema.chat.type(named: GraphQLSchema.subscription)?
        .field(named: field.name)
      let arguments = try request.arguments(of: field, definition?.arguments ?? [])
      let room = arguments["room"]?.string ?? ""
      try RoomLimits.check(room: room)
      subscription = Subscription(
        id: id, room: room, request: request, key: group.key,
        groups: request.collect(group.fields.map(\.selections)))
      backlog =
        if let after = arguments["after"]?.string {
          try store.backlog(of: room, after: after)
        } else { [] }
    } catch let error as GraphQLError {
      return refuse(error.message, field)
    } catch let complaint as Complaint {
      return refuse(complaint.message, field)
    } catch {
      return refuse("The subscription could not be started.", field)
    }
    let isNew = !subscriptions.contains { $0.room == subscription.room }
    subscriptions.append(subscription)
    return backlog.map { Self.event($0, subscription) }
      + (isNew ? [.enter(room: subscription.room)] : [])
  }

  private mutating func end(_ id: String) -> [DialectEffect] {
    // An unknown id is no error: the client may end what has just ended by itself.
    guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return [] }
    let room = subscriptions.remove(at: index).room
    return subscriptions.contains { $0.room == room } ? [] : [.leave(room: room)]
  }

  mutating func hear(_ notice: RoomNotice) -> [DialectEffect] {
    guard case .message(let message) = notice else { return [] }
    return subscriptions.filter { $0.room == message.room }.map { Self.event(message, $0) }
  }

  // MARK: The server's messages

  private static func event(
    _ message: StoredMessage, _ subscription: Subscription
  ) -> DialectEffect {
    next(
      subscription.id,
      GraphQLExecutor.event(
        message, of: subscription.request, under: subscription.key, subscription.groups))
  }

  private static func next(_ id: String, _ response: GraphQLResponse) -> DialectEffect {
    message(
      "next", [JSON.Member("id", .string(id)), JSON.Member("payload", response.json)])
  }

  private static func error(_ id: String, _ errors: GraphQLErrors) -> DialectEffect {
    message("error", [JSON.Member("id", .string(id)), JSON.Member("payload", errors.json)])
  }

  private static func complete(_ id: String) -> DialectEffect {
    message("complete", [JSON.Member("id", .string(id))])
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
