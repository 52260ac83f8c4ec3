import JSON

/// Input coercion (GraphQL specification, the input parts of section 3): a literal or the JSON of a variable
/// becomes the value that a resolver gets. Enumerations become strings, input objects objects in the order of
/// their definition with defaults filled in; scalars of the schema's own take anything.
struct GraphQLInput {
  let schema: GraphQLSchema

  /// A sentence why a value is none of the type.
  struct Mismatch: Error, Equatable {
    var message: String
    /// Where in the value, as keys and positions; for messages about variables.
    var path: [JSON] = []

    init(_ message: String) {
      self.message = message
    }

    func within(_ step: JSON) -> Mismatch {
      var outer = self
      outer.path.insert(step, at: 0)
      return outer
    }
  }

  /// `variables` are coerced values by name; one that is absent leaves its field of an object out and is null
  /// in a list.
  func coerce(
    _ literal: GraphQLLiteral, to type: GraphQLType, _ variables: [String: JSON] = [:],
    defaults: Int = 0
  ) -> Result<JSON, Mismatch> {
    if case .variable(let name) = literal.value {
      let value = variables[name] ?? .null
      guard value.isNull, type.isNonNull else { return .success(value) }
      return .failure(.null(type))
    }
    switch type {
    case .nonNull(let inner):
      if literal.value == .null { return .failure(.null(type)) }
      return coerce(literal, to: inner, variables, defaults: defaults)
    case .list(let element):
      if literal.value == .null { return .success(.null) }
      // One value stands for a list of one (section 3.11).
      guard case .list(let elements) = literal.value else {
        return coerce(literal, to: element, variables, defaults: defaults).map { .array([$0]) }
      }
      return list(elements) { coerce($0, to: element, variables, defaults: defaults) }
    case .named(let name):
      if literal.value == .null { return .success(.null) }
      guard let type = schema.type(named: name) else {
        return .failure(Mismatch("Unknown type \"\(name)\"."))
      }
      switch type.kind {
      case .inputObject:
        guard case .object(let members) = literal.value else {
          return .failure(.noObject(name, literal.description))
        }
        let given = members.filter { member in
          guard case .variable(let variable) = member.value.value else { return true }
          return variables[variable] != nil
        }
        return object(
          of: type, given.map { ($0.name, $0.value) }, literal.description, defaults
        ) { coerce($0, to: $1.type, variables, defaults: defaults) }
      case .enumeration:
        guard case .enumeration(let value) = literal.value else {
          return .failure(
            Mismatch(
              "Enum \"\(name)\" cannot represent non-enum value: \(literal.description)."))
        }
        return enumeration(value, type)
      default:
        return GraphQLScalar.coerce(literal, name, variables)
      }
    }
  }

  /// The value of a type that a variable's JSON stands for.
  func coerce(_ value: JSON, to type: GraphQLType) -> Result<JSON, Mismatch> {
    switch type {
    case .nonNull(let inner):
      if value.isNull {
        return .failure(
          Mismatch("Expected non-nullable type \"\(type.description)\" not to be null."))
      }
      return coerce(value, to: inner)
    case .list(let element):
      if value.isNull { return .success(.null) }
      guard let elements = value.array else {
        return coerce(value, to: element).map { .array([$0]) }
      }
      return list(elements) { coerce($0, to: element) }
    case .named(let name):
      if value.isNull { return .success(.null) }
      guard let type = schema.type(named: name) else {
        return .failure(Mismatch("Unknown type \"\(name)\"."))
      }
      switch type.kind {
      case .inputObject:
        guard let members = value.members else {
          return .failure(.noObject(name, GraphQLScalar.describe(value)))
        }
        return object(
          of: type, members.map { ($0.key, $0.value) }, GraphQLScalar.describe(value), 0
        ) { coerce($0, to: $1.type) }
      case .enumeration:
        guard let text = value.string else {
          return .failure(
            Mismatch(
              "Enum \"\(name)\" cannot represent non-string value: \(GraphQLScalar.describe(value))."
            ))
        }
        return enumeration(text, type)
      default:
        return GraphQLScalar.coerce(value, name)
      }
    }
  }

  private func list<Element>(
    _ elements: [Element], _ coerce: (Element) -> Result<JSON, Mismatch>
  ) -> Result<JSON, Mismatch> {
    var values: [JSON] = []
    values.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      switch coerce(element) {
      case .success(let value): values.append(value)
      case .failure(let mismatch): return .failure(mismatch.within(.integer(Int64(index))))
      }
    }
    return .success(.array(values))
  }

  private func enumeration(
    _ value: String, _ type: GraphQLSchema.TypeDefinition
  ) -> Result<JSON, Mismatch> {
    type.values.contains { $0.name == value }
      ? .success(.string(value))
      : .failure(
        Mismatch("Value \"\(value.shortened())\" does not exist in \"\(type.name)\" enum."))
  }

  /// Section 3.10: every field known, the required ones there, defaults filled in, exactly one where the type
  /// says so.
  private func object<Value>(
    of type: GraphQLSchema.TypeDefinition, _ given: [(name: String, value: Value)],
    _ description: String, _ defaults: Int,
    _ coerce: (Value, GraphQLSchema.InputDefinition) -> Result<JSON, Mismatch>
  ) -> Result<JSON, Mismatch> {
    let names = Set(type.inputFields.map(\.name))
    if let stranger = given.first(where: { !names.contains($0.name) }) {
      return .failure(
        Mismatch(
          "Expected value of type \"\(type.name)\" not to include unknown field \"\(stranger.name.shortened())\", found: \(description)."
        ))
    }
    var members: [JSON.Member] = []
    for field in type.inputFields {
      // JSON may hold a name twice: the last one counts, as everywhere.
      if let value = given.last(where: { $0.name == field.name })?.value {
        switch coerce(value, field) {
        case .success(let coerced): members.append(JSON.Member(field.name, coerced))
        case .failure(let mismatch): return .failure(mismatch.within(.string(field.name)))
        }
      } else if let value = field.value {
        members.append(JSON.Member(field.name, value))
      } else if let literal = field.defaultValue {
        guard defaults <= GraphQLDefaultSizes.deepest else {
          return .failure(Mismatch("The default values of \(type.name) need each other in turn."))
        }
        switch self.coerce(literal, to: field.type, defaults: defaults + 1) {
        case .success(let coerced): members.append(JSON.Member(field.name, coerced))
        case .failure(let mismatch): return .failure(mismatch.within(.string(field.name)))
        }
      } else if field.isRequired {
        return .failure(
          Mismatch(
            "Expected value of type \"\(type.name)\" to include required field \"\(field.name)\", found: \(description)."
          ))
      }
    }
    if type.isOneOf, members.count != 1 || members.contains(where: { $0.value.isNull }) {
      return .failure(
        Mismatch(
          "Within OneOf Input Object type \"\(type.name)\", exactly one field must be specified, and the value for that field must be non-null."
        ))
    }
    return .success(.object(members))
  }
}

extension GraphQLInput.Mismatch {
  fileprivate static func null(_ type: GraphQLType) -> Self {
    Self("Expected value of type \"\(type.description)\", found null.")
  }

  fileprivate static func noObject(_ type: String, _ found: String) -> Self {
    Self("Expected value of type \"\(type)\" to be an object, found: \(found).")
  }
}
