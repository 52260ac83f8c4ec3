import JSON

/// CoerceVariableValues (GraphQL specification, section 6.1.2).
enum GraphQLVariables {
  /// The values of an operation's variables by name; a variable that was not given and has no default is absent.
  static func coerce(
    of operation: GraphQLOperation, in document: GraphQLDocument, from provided: JSON?
  ) -> Result<[String: JSON], GraphQLErrors> {
    var values: [String: JSON] = [:]
    var errors: [GraphQLError] = []
    for variable in operation.variables {
      let refuse = { (message: String) in
        errors.append(document.source.error(message, at: variable.offset))
      }
      guard let value = provided?[variable.name] else {
        if let defaultValue = variable.defaultValue {
          if case .success(let value) = GraphQLInput.coerce(defaultValue, to: variable.type) {
            values[variable.name] = value
          }
        } else if variable.type.isNonNull {
          refuse(
            "Variable \"$\(variable.name)\" of required type \"\(variable.type.description)\" was not provided."
          )
        }
        continue
      }
      if value.isNull, variable.type.isNonNull {
        refuse(
          "Variable \"$\(variable.name)\" of non-null type \"\(variable.type.description)\" must not be null."
        )
        continue
      }
      switch GraphQLInput.coerce(value, to: variable.type) {
      case .success(let coerced): values[variable.name] = coerced
      case .failure(let mismatch):
        refuse(
          "Variable \"$\(variable.name)\" got invalid value \(GraphQLInput.describe(value)); \(mismatch.message)"
        )
      }
    }
    return errors.isEmpty ? .success(values) : .failure(GraphQLErrors(errors))
  }
}

/// One or more errors of a request, in the order of the document.
struct GraphQLErrors: Error, Equatable, Sendable {
  var errors: [GraphQLError]

  init(_ errors: [GraphQLError]) {
    self.errors = errors
  }

  var json: JSON { .array(errors.map(\.json)) }
}
