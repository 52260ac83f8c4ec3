/// The rules of the GraphQL specification's section 5, for the schema of the chat.
struct GraphQLValidator {
  /// More than this is not worth reading, and a hostile document makes thousands.
  static let mostErrors = 50

  let document: GraphQLDocument
  let schema: GraphQLSchema
  private(set) var errors: [GraphQLError] = []

  /// What one operation or fragment uses, found while its fields are checked.
  struct Uses {
    struct Variable {
      var name: String
      var offset: Int
      var type: GraphQLType
      /// Whether the place has a default of its own, which makes a nullable variable usable there.
      var hasDefault: Bool
    }

    struct Spread {
      var name: String
      var offset: Int
      var depth: Int
    }

    var variables: [Variable] = []
    var spreads: [Spread] = []
    var deepest = 0
  }

  var fragmentUses: [String: Uses] = [:]
  /// A part was passed over because its type is unknown: what it uses is not known either.
  var passedOver = false

  static func validate(
    _ document: GraphQLDocument, against schema: GraphQLSchema
  ) -> [GraphQLError] {
    var validator = GraphQLValidator(document: document, schema: schema)
    validator.run()
    return validator.errors
  }

  private init(document: GraphQLDocument, schema: GraphQLSchema) {
    self.document = document
    self.schema = schema
  }

  mutating func report(_ message: String, at offsets: [Int]) {
    guard errors.count < Self.mostErrors else { return }
    errors.append(
      GraphQLError(message: message, locations: offsets.map(document.source.location(at:))))
  }

  mutating func report(_ message: String, at offset: Int) {
    report(message, at: [offset])
  }

  private mutating func run() {
    checkOperationNames()
    checkFragments()
    var reached: Set<String> = []
    for operation in document.operations {
      let uses = checkOperation(operation)
      reached.formUnion(checkVariables(of: operation, uses))
    }
    for fragment in document.fragments where !passedOver && !reached.contains(fragment.name) {
      report("Fragment \"\(fragment.name)\" is never used.", at: fragment.offset)
    }
    // The rule walks through fragments, so it needs fragments that exist and end.
    guard errors.isEmpty else { return }
    var budget = GraphQLOverlap.budget
    for operation in document.operations where errors.isEmpty {
      for error in GraphQLOverlap.conflicts(in: operation, of: document, budget: &budget) {
        report(error.message, at: error.offsets)
      }
    }
  }

  // MARK: Operations (section 5.2)

  private mutating func checkOperationNames() {
    if document.operations.isEmpty {
      report("The document holds no operation.", at: [])
    }
    var first: [String: Int] = [:]
    for operation in document.operations {
      guard let name = operation.name else {
        if document.operations.count > 1 {
          report(
            "This anonymous operation must be the only defined operation.", at: operation.offset)
        }
        continue
      }
      if let earlier = first[name] {
        report(
          "There can be only one operation named \"\(name)\".", at: [earlier, operation.offset])
      } else {
        first[name] = operation.offset
      }
    }
  }

  private mutating func checkOperation(_ operation: GraphQLOperation) -> Uses {
    var uses = Uses()
    let location = operation.kind.rawValue.uppercased()
    checkDirectives(operation.directives, at: location, &uses)
    if let root = schema.type(named: GraphQLSchema.rootType(of: operation.kind)) {
      checkSelections(operation.selections, on: root, depth: 1, &uses)
    }
    if operation.kind == .subscription { checkSingleRoot(of: operation) }
    return uses
  }

  /// A subscription has one root field, and no introspection there (section 5.2.3.1).
  private mutating func checkSingleRoot(of operation: GraphQLOperation) {
    var keys: [String] = []
    var visited: Set<String> = []
    var pending = [operation.selections]
    while let selections = pending.popLast() {
      for selection in selections {
        switch selection {
        case .field(let field):
          if !keys.contains(field.responseKey) { keys.append(field.responseKey) }
          if field.name.hasPrefix("__") {
            report(
              "Subscription must not select an introspection top level field.", at: field.offset)
          }
          if keys.count > 1 {
            let name = operation.name.map { "Subscription \"\($0)\"" } ?? "Anonymous Subscription"
            report("\(name) must select only one top level field.", at: field.offset)
            return
          }
        case .inline(let inline): pending.append(inline.selections)
        case .spread(let spread):
          if visited.insert(spread.name).inserted,
            let fragment = document.fragment(named: spread.name)
          {
            pending.append(fragment.selections)
          }
        }
      }
    }
  }

  // MARK: Fragments (section 5.5)

  private mutating func checkFragments() {
    for fragment in document.fragments {
      guard fragmentUses[fragment.name] == nil else {
        report(
          "There can be only one fragment named \"\(fragment.name)\".", at: fragment.offset)
        continue
      }
      var uses = Uses()
      checkDirectives(fragment.directives, at: "FRAGMENT_DEFINITION", &uses)
      if let type = compositeType(
        fragment.typeCondition, of: "Fragment \"\(fragment.name)\"", at: fragment.offset)
      {
        checkSelections(fragment.selections, on: type, depth: 1, &uses)
      }
      fragmentUses[fragment.name] = uses
    }
    let walk = GraphQLFragmentWalk(document: document, uses: fragmentUses)
    for problem in walk.problems() {
      report(problem.message, at: problem.offsets)
    }
  }

  /// The object type that a condition names, or nil after an error.
  mutating func compositeType(
    _ name: String, of holder: String, at offset: Int
  ) -> GraphQLSchema.TypeDefinition? {
    guard let type = schema.type(named: name) else {
      report("Unknown type \"\(name)\".", at: offset)
      passedOver = true
      return nil
    }
    guard type.kind == .object else {
      passedOver = true
      report("\(holder) cannot condition on non composite type \"\(name)\".", at: offset)
      return nil
    }
    return type
  }

  // MARK: Variables (section 5.8)

  /// Checks the definitions and every use; gives the fragments that the operation reaches.
  private mutating func checkVariables(
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
    // Float is built in, though the chat has none (section 3.5.2).
    guard let type = schema.type(named: name) else {
      if name != "Float" { report("Unknown type \"\(name)\".", at: variable.offset) }
      return
    }
    guard type.kind != .object else {
      report(
        "Variable \"$\(variable.name)\" cannot be non-input type \"\(variable.type.description)\".",
        at: variable.offset)
      return
    }
    if let value = variable.defaultValue,
      case .failure(let mismatch) = GraphQLInput.coerce(value, to: variable.type)
    {
      report(mismatch.message, at: value.offset)
    }
  }

  /// IsVariableUsageAllowed (section 5.8.5).
  private mutating func checkPosition(of variable: GraphQLVariable, _ use: Uses.Variable) {
    // A type that is unknown has been told already.
    let name = variable.type.innermost
    guard name == "Float" || schema.type(named: name) != nil else { return }
    let hasDefault = variable.defaultValue.map { $0.value != .null } ?? false
    let isAllowed =
      if use.type.isNonNull, !variable.type.isNonNull {
        (hasDefault || use.hasDefault)
          && Self.isCompatible(variable.type, with: use.type.nullable)
      } else {
        Self.isCompatible(variable.type, with: use.type)
      }
    guard !isAllowed else { return }
    report(
      "Variable \"$\(variable.name)\" of type \"\(variable.type.description)\" used in position expecting type \"\(use.type.description)\".",
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
