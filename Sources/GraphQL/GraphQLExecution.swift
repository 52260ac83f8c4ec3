import JSON

/// What one answer may cost: a short document can ask for a long one.
package struct GraphQLBudget: Sendable {
  /// Fields and list elements.
  package var values: Int
  /// Bytes of text.
  package var text: Int

  package init(values: Int, text: Int) {
    self.values = values
    self.text = text
  }
}

extension GraphQLRequest {
  /// Runs a query or a mutation to its end (GraphQL specification, section 6.2).
  package func execute(on root: inout some GraphQLRoot, budget: GraphQLBudget) -> GraphQLResponse {
    var executor = GraphQLExecutor(self, budget)
    guard let type = schema.rootType(of: operation.kind) else {
      return GraphQLResponse(data: .null)
    }
    var members: [JSON.Member] = []
    do throws(GraphQLExecutor.Nulled) {
      for field in executor.plan([operation.selections], on: type) {
        let value = try executor.member(field, of: type.name) {
          arguments throws(GraphQLFieldError) in
          switch field.definition.name {
          case "__schema": .object(GraphQLIntrospection.Schema(schema: schema))
          case "__type":
            schema.type(named: arguments["name"]?.string ?? "").map {
              .object(GraphQLIntrospection.TypeReference(schema: schema, type: .named($0.name)))
            } ?? .null
          default: try root.resolve(field.definition.name, arguments)
          }
        }
        members.append(JSON.Member(field.key, value))
      }
    } catch {
      return GraphQLResponse(data: .null, errors: executor.errors)
    }
    return GraphQLResponse(
      data: executor.isExhausted ? .null : .object(members), errors: executor.errors)
  }
}

/// Executes selection sets (section 6.3). Recursion is bounded by the depth of the validated document.
struct GraphQLExecutor {
  /// An error was recorded in a place that must not be null: what holds it becomes null (section 6.4.4).
  struct Nulled: Error {}

  /// A field of a selection set, with what it takes to execute it on any number of objects.
  struct Planned {
    let key: String
    let field: GraphQLField
    let definition: GraphQLSchema.FieldDefinition
    let below: Selections
  }

  /// The selection sets of the fields with one response key. What they come to on a type is worked out once,
  /// however many objects of it there are.
  final class Selections {
    let sets: [[GraphQLSelection]]
    var plans: [String: [Planned]] = [:]

    init(_ sets: [[GraphQLSelection]]) {
      self.sets = sets
    }
  }

  /// More errors than this are not listed; their places are null all the same.
  private static let mostErrors = 100

  private let request: GraphQLRequest
  private let schema: GraphQLSchema
  private var budget: GraphQLBudget
  private(set) var errors: [GraphQLError] = []
  private(set) var isExhausted = false
  private var path: [JSON] = []

  init(_ request: GraphQLRequest, _ budget: GraphQLBudget) {
    self.request = request
    schema = request.schema
    self.budget = budget
  }

  func plan(
    _ sets: [[GraphQLSelection]], on type: GraphQLSchema.TypeDefinition
  ) -> [Planned] {
    request.collect(sets, on: type.name).compactMap { group in
      guard let field = group.fields.first,
        let definition = schema.field(named: field.name, of: type)
      else { return nil }
      let sets = group.fields.map(\.selections).filter { !$0.isEmpty }
      return Planned(
        key: group.key, field: field, definition: definition, below: Selections(sets))
    }
  }

  /// The value of one field; an error becomes null here where the field may be null.
  mutating func member(
    _ planned: Planned, of type: String,
    resolve: ([String: JSON]) throws(GraphQLFieldError) -> GraphQLResolved
  ) throws(Nulled) -> JSON {
    path.append(.string(planned.key))
    let depth = path.count
    let resolved: GraphQLResolved
    do throws(GraphQLFieldError) {
      resolved =
        planned.definition.name == "__typename"
        ? .text(type)
        : try resolve(request.arguments(of: planned.field, planned.definition.arguments))
    } catch {
      record(error, planned)
      path.removeLast()
      if planned.definition.type.isNonNull { throw Nulled() }
      return .null
    }
    defer { path.removeLast(path.count - depth + 1) }
    return try complete(resolved, as: planned.definition.type, planned, type)
  }

  private mutating func record(_ error: GraphQLFieldError, _ planned: Planned) {
    guard errors.count < Self.mostErrors else { return }
    errors.append(
      GraphQLError(
        message: error.message,
        locations: [request.document.source.location(at: planned.field.offset)], path: path,
        extensions: error.extensions))
  }

  // MARK: CompleteValue (section 6.4.3)

  private mutating func complete(
    _ resolved: GraphQLResolved, as type: GraphQLType, _ planned: Planned, _ parent: String
  ) throws(Nulled) -> JSON {
    guard case .nonNull(let inner) = type else {
      let depth = path.count
      do throws(Nulled) {
        return try present(resolved, as: type, planned, parent)
      } catch {
        path.removeLast(path.count - depth)
        return .null
      }
    }
    let value = try present(resolved, as: inner, planned, parent)
    guard value.isNull else { return value }
    record(
      GraphQLFieldError(
        "Cannot return null for non-nullable field \(parent).\(planned.definition.name)."),
      planned)
    throw Nulled()
  }

  private mutating func present(
    _ resolved: GraphQLResolved, as type: GraphQLType, _ planned: Planned, _ parent: String
  ) throws(Nulled) -> JSON {
    try spend(resolved, planned)
    switch (resolved, type) {
    case (.leaf(.null), _):
      return .null
    case (.leaf(let value), .named(let name)):
      if let definition = schema.type(named: name), !definition.isComposite,
        let serialized = GraphQLScalar.serialize(value, definition)
      {
        return serialized
      }
    case (.list(let elements), .list(let element)):
      var values: [JSON] = []
      values.reserveCapacity(elements.count)
      for (index, resolved) in elements.enumerated() {
        path.append(.integer(Int64(index)))
        values.append(try complete(resolved, as: element, planned, parent))
        path.removeLast()
      }
      return .array(values)
    case (.object(let object), .named(let name)):
      if schema.isPossible(object.graphQLType, for: name) {
        return try self.object(object, planned.below)
      }
    default: break
    }
    record(
      GraphQLFieldError(
        "The value of \(parent).\(planned.definition.name) is no \(type.description)."),
      planned)
    throw Nulled()
  }

  private mutating func spend(_ resolved: GraphQLResolved, _ planned: Planned) throws(Nulled) {
    budget.values -= 1
    if case .leaf(.string(let text)) = resolved { budget.text -= text.utf8.count }
    guard budget.values < 0 || budget.text < 0 else { return }
    if !isExhausted {
      record(GraphQLFieldError("The answer would be too large: ask for less."), planned)
    }
    isExhausted = true
    throw Nulled()
  }

  /// ExecuteSelectionSet (section 6.3).
  private mutating func object(
    _ object: any GraphQLObject, _ selections: Selections
  ) throws(Nulled) -> JSON {
    let name = object.graphQLType
    let plan: [Planned]
    if let known = selections.plans[name] {
      plan = known
    } else {
      guard let type = schema.type(named: name) else { return .null }
      plan = self.plan(selections.sets, on: type)
      selections.plans[name] = plan
    }
    var members: [JSON.Member] = []
    members.reserveCapacity(plan.count)
    for planned in plan {
      let value = try member(planned, of: name) { arguments throws(GraphQLFieldError) in
        try object.resolve(planned.definition.name, arguments)
      }
      members.append(JSON.Member(planned.key, value))
    }
    return .object(members)
  }
}
