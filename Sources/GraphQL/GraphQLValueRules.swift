/// The rules for values (GraphQL specification, section 5.6).
extension GraphQLValidator {
  /// Checks a literal for its place and notes the variables in it. Recursion is bounded by the parser's depth.
  /// `oneOf` is the input object of which exactly one field must be given, where the place is a field of one.
  mutating func checkValue(
    _ literal: GraphQLLiteral, for type: GraphQLType, hasDefault: Bool, oneOf: String? = nil,
    _ uses: inout Uses
  ) {
    if case .variable(let name) = literal.value {
      uses.variables.append(
        Uses.Variable(
          name: name, offset: literal.offset, type: type, hasDefault: hasDefault, oneOf: oneOf))
      return
    }
    if literal.value == .null {
      if type.isNonNull {
        report("Expected value of type \"\(type.description)\", found null.", at: literal.offset)
      }
      return
    }
    switch type.nullable {
    case .list(let element):
      // One value stands for a list of one (section 3.11).
      guard case .list(let elements) = literal.value else {
        checkValue(literal, for: element, hasDefault: false, &uses)
        return
      }
      for inner in elements { checkValue(inner, for: element, hasDefault: false, &uses) }
    case .nonNull(let inner):
      checkValue(literal, for: inner, hasDefault: hasDefault, &uses)
    case .named(let name):
      guard let definition = schema.type(named: name) else { return }
      if definition.kind == .inputObject {
        checkObject(literal, of: definition, &uses)
        return
      }
      if case .failure(let mismatch) = input.coerce(literal, to: type) {
        report(mismatch.message, at: literal.offset)
        // A list or an object may hold variables, which nothing looks for once it is wrong itself.
        passedOver = true
      } else {
        noteVariables(in: literal, &uses)
      }
    }
  }

  private mutating func checkObject(
    _ literal: GraphQLLiteral, of type: GraphQLSchema.TypeDefinition, _ uses: inout Uses
  ) {
    guard case .object(let members) = literal.value else {
      report(
        "Expected value of type \"\(type.name)\" to be an object, found: \(literal.description).",
        at: literal.offset)
      passedOver = true
      return
    }
    var given: Set<String> = []
    for member in members {
      if !given.insert(member.name).inserted {
        report(
          "There can be only one input field named \"\(member.name)\".", at: member.offset)
      }
      guard let field = type.inputFields.first(where: { $0.name == member.name }) else {
        report(
          "Expected value of type \"\(type.name)\" not to include unknown field \"\(member.name)\", found: an object.",
          at: literal.offset)
        passedOver = true
        continue
      }
      checkValue(
        member.value, for: field.type, hasDefault: field.defaultValue != nil,
        oneOf: type.isOneOf ? type.name : nil, &uses)
    }
    for field in type.inputFields where field.isRequired && !given.contains(field.name) {
      report(
        "Expected value of type \"\(type.name)\" to include required field \"\(field.name)\", found: an object.",
        at: literal.offset)
    }
    if type.isOneOf, members.count != 1 || members.first?.value.value == .null {
      report(
        "Within OneOf Input Object type \"\(type.name)\", exactly one field must be specified, and the value for that field must be non-null.",
        at: literal.offset)
    }
  }

  /// Inside a scalar of the schema's own, which takes anything.
  func noteVariables(in literal: GraphQLLiteral, _ uses: inout Uses) {
    switch literal.value {
    case .variable(let name):
      uses.variables.append(
        Uses.Variable(name: name, offset: literal.offset, hasDefault: false))
    case .list(let elements):
      for element in elements { noteVariables(in: element, &uses) }
    case .object(let members):
      for member in members { noteVariables(in: member.value, &uses) }
    default: break
    }
  }
}
