/// The rules for variables (GraphQL specification, section 5.8).
extension GraphQLValidator {
  /// Checks the definitions and every use; gives the fragments that the operation reaches.
  mutating func checkVariables(
    of operation: GraphQLOperation, _ uses: Uses
  ) -> Set<String> {
    let title = operation.name.map { " by operation \"\($0)\"" } ?? ""
    var defined: [String: GraphQLVariable] = [:]
    for variable in operation.variables {
      if let earlier = defined[variable.name] {
        report(
          "There can be only one variable named \"$\(variable.name)\".",
          at: [earlier.offset, variable.offset])
        continue
      }
      defined[variable.name] = variable
      checkDefinition(variable)
    }
    var used: Set<String> = []
    var reached: Set<String> = []
    var pending = [uses]
    while let uses = pending.popLast() {
      for use in uses.variables {
        used.insert(use.name)
        guard let variable = defined[use.name] else {
          report(
            "Variable \"$\(use.name)\" is not defined\(title).", at: [use.offset, operation.offset])
          continue
        }
        checkPosition(of: variable, use)
      }
      for spread in uses.spreads where reached.insert(spread.name).inserted {
        if let uses = fragmentUses[spread.name] { pending.append(uses) }
      }
    }
    for variable in operation.variables where !passedOver && !used.contains(variable.name) {
      let place = operation.name.map { " in operation \"\($0)\"" } ?? ""
      report("Variable \"$\(variable.name)\" is never used\(place).", at: variable.offset)
    }
    return reached
  }

  private mutating func checkDefinition(_ variable: GraphQLVariable) {
    var unused = Uses()
    checkDirectives(variable.directives, at: "VARIABLE_DEFINITION", &unused)
    let name = variable.type.innermost
    guard let type = schema.type(named: name) else {
      report("Unknown type \"\(name)\".", at: variable.offset)
      return
    }
    guard type.isInput else {
      report(
        "Variable \"$\(variable.name)\" cannot be non-input type \"\(variable.type.description)\".",
        at: variable.offset)
      return
    }
    if let value = variable.defaultValue {
      checkValue(value, for: variable.type, hasDefault: false, &unused)
    }
  }

  /// IsVariableUsageAllowed (section 5.8.5).
  private mutating func checkPosition(of variable: GraphQLVariable, _ use: Uses.Variable) {
    // A type that is unknown, or no input, has been told already.
    guard let place = use.type, schema.type(named: variable.type.innermost)?.isInput == true else {
      return
    }
    if let holder = use.oneOf, !variable.type.isNonNull {
      report(
        "Variable \"$\(variable.name)\" is of type \"\(variable.type.description)\" but must be non-nullable to be used for OneOf Input Object \"\(holder)\".",
        at: [variable.offset, use.offset])
    }
    let hasDefault = variable.defaultValue.map { $0.value != .null } ?? false
    let isAllowed =
      if place.isNonNull, !variable.type.isNonNull {
        (hasDefault || use.hasDefault)
          && Self.isCompatible(variable.type, with: place.nullable)
      } else {
        Self.isCompatible(variable.type, with: place)
      }
    guard !isAllowed else { return }
    report(
      "Variable \"$\(variable.name)\" of type \"\(variable.type.description)\" used in position expecting type \"\(place.description)\".",
      at: [variable.offset, use.offset])
  }

  /// AreTypesCompatible (section 5.8.5).
  private static func isCompatible(_ variable: GraphQLType, with place: GraphQLType) -> Bool {
    switch (variable, place) {
    case (.nonNull(let inner), .nonNull(let expected)): isCompatible(inner, with: expected)
    case (_, .nonNull): false
    case (.nonNull(let inner), _): isCompatible(inner, with: place)
    case (.list(let inner), .list(let expected)): isCompatible(inner, with: expected)
    case (.named(let name), .named(let expected)): name == expected
    case (.list, .named), (.named, .list): false
    }
  }
}
