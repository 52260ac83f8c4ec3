import JSON

/// CoerceVariableValues (GraphQL specification, section 6.1.2).
enum GraphQLVariables {
  /// The values of an operation's variables by name; a variable that was not given and has no default is absent.
  static func coerce(
    of operation: GraphQLOperation, in document: GraphQLDocument, from provided: JSON?,
    schema: GraphQLSchema
  ) -> Result<[String: JSON], GraphQLErrors> {
    let input = GraphQLInput(schema: schema)
    var values: [String: JSON] = [:]
    var errors: [GraphQLError] = []
    for variable in operation.variables {
      let refuse = { (message: String) in
        errors.append(document.source.error(message, at: variable.offset))
      }
      guard let value = provided?[variable.name] else {
        if let defaultValue = variable.defaultValue {
          if case .success(let value) = input.coerce(defaultValue, to: variable.type) {
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
      switch input.coerce(value, to: variable.type) {
      case .success(let coerced): values[variable.name] = coerced
      case .failure(let mismatch):
        let place = mismatch.path.isEmpty ? "" : " at \"\(words(mismatch.path, of: variable))\""
        refuse(
          "Variable \"$\(variable.name)\" got invalid value \(GraphQLScalar.describe(value))\(place); \(mismatch.message)"
        )
      }
    }
    return errors.isEmpty ? .success(values) : .failure(GraphQLErrors(errors))
  }

  /// Such as `input.lines[2].text`.
  private static func words(_ path: [JSON], of variable: GraphQLVariable) -> String {
    path.reduce(variable.name) { words, step in
      switch step {
      case .integer(let index): "\(words)[\(index)]"
      case .string(let key): "\(words).\(key)"
      default: words
      }
    }
  }
}
