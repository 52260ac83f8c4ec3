import JSON

/// A request whose document was parsed and validated, with the operation chosen and its variables coerced: all
/// that can fail before execution has succeeded.
struct GraphQLRequest: Sendable {
  var document: GraphQLDocument
  var operation: GraphQLOperation
  var variables: [String: JSON]

  static func prepare(
    query: String, operationName: String?, variables: JSON?,
    schema: GraphQLSchema = .chat
  ) -> Result<GraphQLRequest, GraphQLErrors> {
    let document: GraphQLDocument
    do {
      document = try GraphQLParser.parse(query)
    } catch {
      return .failure(GraphQLErrors([error]))
    }
    let errors = GraphQLValidator.validate(document, against: schema)
    guard errors.isEmpty else { return .failure(GraphQLErrors(errors)) }
    guard let operation = choose(operationName, from: document.operations) else {
      let message =
        operationName.map { "Unknown operation named \"\($0.shortened())\"." }
        ?? "Must provide operation name if query contains multiple operations."
      return .failure(GraphQLErrors([GraphQLError(message: message)]))
    }
    return GraphQLVariables.coerce(of: operation, in: document, from: variables).map {
      GraphQLRequest(document: document, operation: operation, variables: $0)
    }
  }

  /// GetOperation (section 6.1).
  private static func choose(
    _ name: String?, from operations: [GraphQLOperation]
  ) -> GraphQLOperation? {
    if let name { return operations.first { $0.name == name } }
    return operations.count == 1 ? operations.first : nil
  }

  /// CollectFields (section 6.3.2). Conditions of type have been validated: they always hold here.
  func collect(_ sets: [[GraphQLSelection]]) -> [GraphQLFieldGroups.Group] {
    var groups = GraphQLFieldGroups()
    var visited: Set<String> = []
    for selections in sets {
      collect(selections, &visited, into: &groups)
    }
    return groups.groups
  }

  private func collect(
    _ selections: [GraphQLSelection], _ visited: inout Set<String>,
    into groups: inout GraphQLFieldGroups
  ) {
    for selection in selections {
      switch selection {
      case .field(let field):
        if isIncluded(field.directives) { groups.append(field) }
      case .inline(let inline):
        if isIncluded(inline.directives) { collect(inline.selections, &visited, into: &groups) }
      case .spread(let spread):
        if isIncluded(spread.directives), visited.insert(spread.name).inserted,
          let fragment = document.fragment(named: spread.name)
        {
          collect(fragment.selections, &visited, into: &groups)
        }
      }
    }
  }

  /// `@skip` and `@include` (sections 3.13.1 and 3.13.2): skip wins.
  private func isIncluded(_ directives: [GraphQLDirective]) -> Bool {
    directives.allSatisfy { directive in
      guard let condition = directive.arguments.first(where: { $0.name == "if" })?.value else {
        return true
      }
      let value: Bool
      switch condition.value {
      case .boolean(let constant): value = constant
      case .variable(let name): value = variables[name]?.bool ?? false
      default: return true
      }
      return directive.name == "skip" ? !value : value
    }
  }

  /// CoerceArgumentValues (section 6.4.1). Literals have been validated; a variable may be absent, or null
  /// where a default of its place made that valid.
  func arguments(
    of field: GraphQLField, _ definitions: [GraphQLSchema.InputDefinition]
  ) throws(GraphQLError) -> [String: JSON] {
    var values: [String: JSON] = [:]
    for definition in definitions {
      let literal = field.arguments.first { $0.name == definition.name }?.value
      var value: JSON?
      switch literal?.value {
      case nil: break
      case .variable(let name): value = variables[name]
      default:
        if let literal,
          case .success(let coerced) = GraphQLInput.coerce(literal, to: definition.type)
        {
          value = coerced
        }
      }
      value = value ?? definition.defaultValue
      if value?.isNull ?? true, definition.type.isNonNull {
        throw document.source.error(
          "Argument \"\(definition.name)\" of non-null type \"\(definition.type.description)\" must not be null.",
          at: literal?.offset ?? field.offset)
      }
      if let value { values[definition.name] = value }
    }
    return values
  }
}
