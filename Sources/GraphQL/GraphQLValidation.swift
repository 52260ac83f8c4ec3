/// The rules of the GraphQL specification's section 5 for executable documents.
struct GraphQLValidator {
  /// More than this is not worth reading, and a hostile document makes thousands.
  static let mostErrors = 50

  let document: GraphQLDocument
  let schema: GraphQLSchema
  let input: GraphQLInput
  private(set) var errors: [GraphQLError] = []

  /// What one operation or fragment uses, found while its fields are checked.
  struct Uses {
    struct Variable {
      var name: String
      var offset: Int
      /// What the place takes; nil inside a scalar that takes anything.
      var type: GraphQLType?
      /// Whether the place has a default of its own, which makes a nullable variable usable there.
      var hasDefault: Bool
      /// The input object of which exactly one field must be given, where the place is a field of one.
      var oneOf: String?
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

  init(document: GraphQLDocument, schema: GraphQLSchema) {
    self.document = document
    self.schema = schema
    input = GraphQLInput(schema: schema)
  }

  mutating func report(_ message: String, at offsets: [Int]) {
    guard errors.count < Self.mostErrors else { return }
    errors.append(
      GraphQLError(message: message, locations: offsets.map(document.source.location(at:))))
  }

  mutating func report(_ message: String, at offset: Int) {
    report(message, at: [offset])
  }

  mutating func run() {
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
      let conflicts = GraphQLOverlap.conflicts(
        in: operation, of: document, schema: schema, budget: &budget)
      for error in conflicts {
        report(error.message, at: error.offsets)
      }
    }
  }

  // MARK: Operations (section 5.2)

  mutating func checkOperationNames() {
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
    guard let root = schema.rootType(of: operation.kind) else {
      report(
        "The \(operation.kind.rawValue) operation is not supported by the schema.",
        at: operation.offset)
      passedOver = true
      return uses
    }
    checkSelections(operation.selections, on: root, depth: 1, &uses)
    if operation.kind == .subscription { checkSingleRoot(of: operation, on: root) }
    return uses
  }

  /// A subscription has one root field, no introspection there, and no condition on it, since variables must
  /// not change what it listens to (section 5.2.4.1; the condition since September 2025).
  private mutating func checkSingleRoot(
    of operation: GraphQLOperation, on root: GraphQLSchema.TypeDefinition
  ) {
    let title = operation.name.map { "Subscription \"\($0)\"" } ?? "Anonymous Subscription"
    var keys: [String] = []
    var visited: Set<String> = []
    var pending = [operation.selections]
    while let selections = pending.popLast() {
      for selection in selections {
        if let condition = selection.directives.first(where: {
          $0.name == "skip" || $0.name == "include"
        }) {
          report(
            "\(title) must not use \"@skip\" or \"@include\" directives in the top level selection.",
            at: condition.offset)
        }
        switch selection {
        case .field(let field):
          if !keys.contains(field.responseKey) { keys.append(field.responseKey) }
          if field.name.hasPrefix("__") {
            report(
              "Subscription must not select an introspection top level field.", at: field.offset)
          }
          if keys.count > 1 {
            report("\(title) must select only one top level field.", at: field.offset)
            return
          }
        case .inline(let inline):
          if inline.typeCondition.map({ schema.isPossible(root.name, for: $0) }) ?? true {
            pending.append(inline.selections)
          }
        case .spread(let spread):
          if visited.insert(spread.name).inserted,
            let fragment = document.fragment(named: spread.name),
            schema.isPossible(root.name, for: fragment.typeCondition)
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

  /// The object, interface or union that a condition names, or nil after an error.
  mutating func compositeType(
    _ name: String, of holder: String, at offset: Int
  ) -> GraphQLSchema.TypeDefinition? {
    guard let type = schema.type(named: name) else {
      report("Unknown type \"\(name)\".", at: offset)
      passedOver = true
      return nil
    }
    guard type.isComposite else {
      passedOver = true
      report("\(holder) cannot condition on non composite type \"\(name)\".", at: offset)
      return nil
    }
    return type
  }
}

extension GraphQLDocument {
  /// What the rules of section 5 find against the document, at most `mostErrors`, in the order in which it was
  /// found; empty where it may be executed.
  package func errors(against schema: GraphQLSchema) -> [GraphQLError] {
    var validator = GraphQLValidator(document: self, schema: schema)
    validator.run()
    return validator.errors
  }
}

extension GraphQLSelection {
  var directives: [GraphQLDirective] {
    switch self {
    case .field(let field): field.directives
    case .spread(let spread): spread.directives
    case .inline(let inline): inline.directives
    }
  }
}
