package import JSON

/// A request whose document was parsed and validated, with the operation chosen and its variables coerced: all
/// that can fail before execution has succeeded.
package struct GraphQLRequest: Sendable {
  package let schema: GraphQLSchema
  let document: GraphQLDocument
  package let operation: GraphQLOperation
  let variables: [String: JSON]

  /// Chooses the operation of a document that `GraphQLDocument.validated` gave, and coerces its variables.
  /// `variables` is an object, or nil where none were given. Throws errors of the request (section 7.1.1).
  package init(
    _ document: GraphQLDocument, operationName: String?, variables: JSON?, schema: GraphQLSchema
  ) throws(GraphQLErrors) {
    guard let operation = document.operation(named: operationName) else {
      let message =
        operationName.map { "Unknown operation named \"\($0.shortened())\"." }
        ?? "Must provide operation name if query contains multiple operations."
      throw GraphQLErrors([GraphQLError(message: message)])
    }
    self.schema = schema
    self.document = document
    self.operation = operation
    self.variables = try GraphQLVariables.coerce(
      of: operation, in: document, from: variables, schema: schema
    ).get()
  }

  /// CollectFields (section 6.3.2) for an object of the type.
  func collect(_ sets: [[GraphQLSelection]], on type: String) -> [GraphQLFieldGroups.Group] {
    var groups = GraphQLFieldGroups()
    var visited: Set<String> = []
    for selections in sets {
      collect(selections, type, &visited, into: &groups)
    }
    return groups.groups
  }

  private func collect(
    _ selections: [GraphQLSelection], _ type: String, _ visited: inout Set<String>,
    into groups: inout GraphQLFieldGroups
  ) {
    for selection in selections {
      guard isIncluded(selection.directives) else { continue }
      switch selection {
      case .field(let field):
        groups.append(field)
      case .inline(let inline):
        if inline.typeCondition.map({ schema.isPossible(type, for: $0) }) ?? true {
          collect(inline.selections, type, &visited, into: &groups)
        }
      case .spread(let spread):
        if visited.insert(spread.name).inserted,
          let fragment = document.fragment(named: spread.name),
          schema.isPossible(type, for: fragment.typeCondition)
        {
          collect(fragment.selections, type, &visited, into: &groups)
        }
      }
    }
  }

  /// `@skip` and `@include` (sections 3.13.1 and 3.13.2): skip wins.
  private func isIncluded(_ directives: [GraphQLDirective]) -> Bool {
    directives.allSatisfy { directive in
      guard directive.name == "skip" || directive.name == "include",
        let condition = directive.argument("if")
      else { return true }
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
  ) throws(GraphQLFieldError) -> [String: JSON] {
    guard !definitions.isEmpty else { return [:] }
    let input = GraphQLInput(schema: schema)
    var values: [String: JSON] = [:]
    for definition in definitions {
      let literal = field.arguments.first { $0.name == definition.name }?.value
      var value: JSON?
      switch literal?.value {
      case nil: break
      case .variable(let name): value = variables[name]
      default:
        if let literal {
          switch input.coerce(literal, to: definition.type, variables) {
          case .success(let coerced): value = coerced
          case .failure(let mismatch): throw GraphQLFieldError(mismatch.message)
          }
        }
      }
      value = value ?? definition.value
      if value?.isNull ?? true, definition.type.isNonNull {
        throw GraphQLFieldError(
          "Argument \"\(definition.name)\" of non-null type \"\(definition.type.description)\" must not be null."
        )
      }
      if let value { values[definition.name] = value }
    }
    return values
  }
}

extension GraphQLDocument {
  /// A document that may be executed on the schema: parsed, and checked by the rules of section 5.
  package static func validated(
    _ text: String, against schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits()
  ) throws(GraphQLErrors) -> GraphQLDocument {
    let document: GraphQLDocument
    do {
      document = try parse(text, limits: limits)
    } catch {
      throw GraphQLErrors([error])
    }
    let errors = document.errors(against: schema)
    guard errors.isEmpty else { throw GraphQLErrors(errors) }
    return document
  }
}

/// Fields of one selection set by response key, in the order in which the keys came first.
struct GraphQLFieldGroups: Sendable {
  struct Group: Sendable {
    var key: String
    var fields: [GraphQLField]
  }

  private(set) var groups: [Group] = []
  private var index: [String: Int] = [:]

  mutating func append(_ field: GraphQLField) {
    let key = field.responseKey
    if let position = index[key] {
      groups[position].fields.append(field)
    } else {
      index[key] = groups.count
      groups.append(Group(key: key, fields: [field]))
    }
  }
}
