import JSON

/// The outcome of an executed operation (GraphQL specification, section 7.1).
struct GraphQLResponse: Equatable {
  var data: JSON
  var errors: [GraphQLError] = []

  var json: JSON {
    var members: [JSON.Member] = []
    if !errors.isEmpty { members.append(JSON.Member("errors", .array(errors.map(\.json)))) }
    members.append(JSON.Member("data", data))
    return .object(members)
  }
}

/// Executes operations on the rooms (section 6).
struct GraphQLExecutor {
  /// Values, and bytes of text, that one answer may hold: a short document can ask for a long one.
  static let budget = 200_000
  static let budgetOfText = 64 << 20
  /// For one event of a subscription: sixteen times the longest message.
  static let budgetOfEvent = 1 << 20

  private let request: GraphQLRequest
  private let schema: GraphQLSchema
  private let wall: Int64
  private(set) var errors: [GraphQLError] = []
  /// New messages, for those who listen.
  private(set) var posted: [StoredMessage] = []
  private var path: [JSON] = []
  private var budget = Self.budget
  private var budgetOfText = Self.budgetOfText

  /// An error was recorded in a place that must not be null: what holds it becomes null (section 6.4.4).
  private struct Nulled: Error {}

  private init(_ request: GraphQLRequest, schema: GraphQLSchema, wall: Int64) {
    self.request = request
    self.schema = schema
    self.wall = wall
  }

  /// Runs a query or a mutation to its end; `wall` in milliseconds since 1970.
  static func execute(
    _ request: GraphQLRequest, on store: inout RoomStore, wall: Int64,
    schema: GraphQLSchema = .chat
  ) -> (response: GraphQLResponse, posted: [StoredMessage]) {
    var executor = GraphQLExecutor(request, schema: schema, wall: wall)
    let root: GraphQLObject = request.operation.kind == .mutation ? .mutation : .query
    let groups = request.collect([request.operation.selections])
    let data: JSON
    do {
      data = try executor.object(root, groups, &store)
    } catch {
      data = .null
    }
    return (GraphQLResponse(data: data, errors: executor.errors), executor.posted)
  }

  /// The response to one event of a subscription: `field` is its root field, `groups` its selection.
  static func event(
    _ message: StoredMessage, of request: GraphQLRequest, under key: String,
    _ groups: [GraphQLFieldGroups.Group], schema: GraphQLSchema = .chat
  ) -> GraphQLResponse {
    var executor = GraphQLExecutor(request, schema: schema, wall: 0)
    executor.budgetOfText = budgetOfEvent
    // A message's fields read nothing but the message.
    var nothing = RoomStore(historyLimit: 1)
    let data: JSON
    do {
      data = .object([JSON.Member(key, try executor.object(.message(message), groups, &nothing))])
    } catch {
      data = .null
    }
    return GraphQLResponse(data: data, errors: executor.errors)
  }

  // MARK: Fields

  /// ExecuteSelectionSet (section 6.3). Recursion is bounded by the depth of the validated document.
  private mutating func object(
    _ object: GraphQLObject, _ groups: [GraphQLFieldGroups.Group], _ store: inout RoomStore
  ) throws(Nulled) -> JSON {
    guard let type = schema.type(named: object.typeName) else { return .null }
    var members: [JSON.Member] = []
    members.reserveCapacity(groups.count)
    for group in groups {
      guard let field = group.fields.first,
        let definition = schema.field(named: field.name, of: type)
      else { continue }
      path.append(.string(group.key))
      members.append(
        JSON.Member(group.key, try self.field(field, group, definition, of: object, &store)))
      path.removeLast()
    }
    return .object(members)
  }

  private mutating func field(
    _ field: GraphQLField, _ group: GraphQLFieldGroups.Group,
    _ definition: GraphQLSchema.FieldDefinition, of object: GraphQLObject,
    _ store: inout RoomStore
  ) throws(Nulled) -> JSON {
    let depth = path.count
    do {
      let resolved = try resolve(field, definition, of: object, &store)
      let inner = request.collect(group.fields.map(\.selections))
      return try complete(resolved, as: definition.type, inner, &store)
    } catch {
      if let error = error as? GraphQLError {
        errors.append(
          GraphQLError(
            message: error.message,
            locations: [request.document.source.location(at: field.offset)], path: path))
      }
      path.removeLast(path.count - depth)
      guard !definition.type.isNonNull else { throw Nulled() }
      return .null
    }
  }

  /// CompleteValue (section 6.4.3). What the resolvers give fits the schema, but for its size.
  private mutating func complete(
    _ resolved: GraphQLResolved, as type: GraphQLType, _ inner: [GraphQLFieldGroups.Group],
    _ store: inout RoomStore
  ) throws -> JSON {
    budget -= 1
    if case .leaf(.string(let text)) = resolved { budgetOfText -= text.utf8.count }
    guard budget >= 0, budgetOfText >= 0 else {
      throw GraphQLError(message: "The answer would be too large: ask for less.")
    }
    switch resolved {
    case .leaf(let value):
      return value
    case .object(let object):
      return try self.object(object, inner, &store)
    case .list(let elements):
      var values: [JSON] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        path.append(.integer(Int64(index)))
        values.append(try complete(element, as: type, inner, &store))
        path.removeLast()
      }
      return .array(values)
    }
  }

  private mutating func resolve(
    _ field: GraphQLField, _ definition: GraphQLSchema.FieldDefinition, of object: GraphQLObject,
    _ store: inout RoomStore
  ) throws(GraphQLError) -> GraphQLResolved {
    if field.name == "__typename" { return .text(object.typeName) }
    switch object {
    case .message(let message): return .leaf(message.graphQLField(field.name))
    case .type(let type): return schema.resolve(field.name, of: type)
    case .field(let inner): return schema.resolve(field.name, of: inner)
    case .inputValue(let input): return schema.resolve(field.name, of: input)
    case .enumValue(let value): return schema.resolve(field.name, ofEnumValue: value)
    case .directive(let directive): return schema.resolve(field.name, of: directive)
    case .schema: return schema.resolve(ofSchema: field.name)
    case .query, .mutation:
      let arguments = try request.arguments(of: field, definition.arguments)
      do {
        return try root(field.name, arguments, &store)
      } catch {
        throw GraphQLError(message: error.message)
      }
    }
  }

  private mutating func root(
    _ name: String, _ arguments: [String: JSON], _ store: inout RoomStore
  ) throws(Complaint) -> GraphQLResolved {
    switch name {
    case "__schema":
      return .object(.schema)
    case "__type":
      let name = arguments["name"]?.string ?? ""
      return schema.type(named: name).map { .object(.type(.named($0.name))) } ?? .null
    case "messages":
      let last = arguments["last"]?.integer ?? 0
      let messages = try store.messages(
        room: arguments["room"]?.string ?? "", last: Int(clamping: last),
        after: arguments["after"]?.string)
      return .list(messages.map { .object(.message($0)) })
    default:
      let post = try store.post(
        arguments["text"]?.string ?? "", by: arguments["author"]?.string ?? "",
        in: arguments["room"]?.string ?? "", clientId: arguments["clientId"]?.string, wall: wall)
      if post.isNew { posted.append(post.message) }
      return .object(.message(post.message))
    }
  }
}
