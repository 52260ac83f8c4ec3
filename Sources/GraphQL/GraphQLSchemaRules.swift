/// What a schema must keep to (GraphQL specification, the sections on type validation in section 3).
struct GraphQLSchemaRules {
  let schema: GraphQLSchema
  private let document: GraphQLSchemaDocument
  private let input: GraphQLInput
  /// Looks at the directives that definitions carry, as it does for documents.
  private var applied: GraphQLValidator
  private var errors: [GraphQLError] = []

  init(_ schema: GraphQLSchema, of document: GraphQLSchemaDocument) {
    self.schema = schema
    self.document = document
    input = GraphQLInput(schema: schema)
    applied = GraphQLValidator(
      document: GraphQLDocument(source: document.source, limits: GraphQLLimits()), schema: schema)
  }

  mutating func report(_ message: String, at offset: Int) {
    guard errors.count < GraphQLValidator.mostErrors else { return }
    errors.append(document.source.error(message, at: offset))
  }

  mutating func check() -> [GraphQLError] {
    guard GraphQLDefaultSizes.areBounded(in: schema) else {
      report("The default values of input objects bring in each other without bounds.", at: 0)
      return errors
    }
    checkRoots()
    let own = Set(document.types.map(\.name))
    let ownDirectives = Set(document.directives.map(\.name))
    for directive in schema.directives where ownDirectives.contains(directive.name) {
      checkName(directive.name, directive.offset)
      checkInputs(
        directive.arguments, of: "@\(directive.name)", at: "ARGUMENT_DEFINITION", "argument")
    }
    for type in schema.types where own.contains(type.name) { check(type) }
    for definition in document.schemas + document.schemaExtensions {
      checkApplied(definition.directives, at: "SCHEMA")
    }
    checkFinite()
    return errors + applied.errors
  }

  private mutating func checkRoots() {
    if schema.roots[.query] == nil { report("Query root type must be provided.", at: 0) }
    var holders: [String: GraphQLOperation.Kind] = [:]
    for kind in GraphQLOperation.Kind.allCases {
      guard let name = schema.roots[kind] else { continue }
      let title = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
      guard let type = schema.type(named: name) else {
        report("Unknown type \"\(name)\".", at: document.schemas.first?.offset ?? 0)
        continue
      }
      if type.kind != .object {
        report(
          "\(title) root type must be Object type, it cannot be \(name).", at: type.offset)
      }
      if let other = holders.updateValue(kind, forKey: name) {
        report(
          "All root types must be different, \"\(name)\" type is used as \(other.rawValue) and \(kind.rawValue) root types.",
          at: type.offset)
      }
    }
  }

  private mutating func checkName(_ name: String, _ offset: Int) {
    guard name.hasPrefix("__") else { return }
    report(
      "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.",
      at: offset)
  }

  private mutating func checkUnique(_ names: [(String, Int)], _ what: (String) -> String) {
    var seen: Set<String> = []
    for (name, offset) in names where !seen.insert(name).inserted {
      report("\(what(name)) can only be defined once.", at: offset)
    }
  }

  private mutating func checkApplied(_ directives: [GraphQLDirective], at location: String) {
    var uses = GraphQLValidator.Uses()
    applied.checkDirectives(directives, at: location, &uses)
  }

  // MARK: Types

  private mutating func check(_ type: GraphQLSchema.TypeDefinition) {
    checkName(type.name, type.offset)
    checkApplied(type.directives, at: type.kind.rawValue)
    let isEmpty: Bool
    switch type.kind {
    case .scalar: isEmpty = false
    case .object, .interface:
      isEmpty = type.fields.isEmpty
      checkFields(of: type)
      checkInterfaces(of: type)
    case .inputObject:
      isEmpty = type.inputFields.isEmpty
      checkInputs(type.inputFields, of: type.name, at: "INPUT_FIELD_DEFINITION", "input field")
      if type.isOneOf { checkOneOf(type) }
    case .union:
      isEmpty = type.members.isEmpty
      checkMembers(of: type)
    case .enumeration:
      isEmpty = type.values.isEmpty
      checkUnique(type.values.map { ($0.name, $0.offset) }) {
        "Enum value \"\(type.name).\($0)\""
      }
      for value in type.values {
        checkName(value.name, value.offset)
        checkApplied(value.directives, at: "ENUM_VALUE")
      }
    }
    if isEmpty {
      report(
        "Type \(type.name) must define one or more fields, members or values.", at: type.offset)
    }
  }

  private mutating func checkFields(of type: GraphQLSchema.TypeDefinition) {
    checkUnique(type.fields.map { ($0.name, $0.offset) }) { "Field \"\(type.name).\($0)\"" }
    for field in type.fields {
      checkName(field.name, field.offset)
      checkApplied(field.directives, at: "FIELD_DEFINITION")
      if let inner = known(field.type, field.offset), inner.kind == .inputObject {
        report(
          "The type of \(type.name).\(field.name) must be Output Type but got: \(field.type.description).",
          at: field.offset)
      }
      checkInputs(
        field.arguments, of: "\(type.name).\(field.name)", at: "ARGUMENT_DEFINITION", "argument")
    }
  }

  private mutating func known(
    _ type: GraphQLType, _ offset: Int
  ) -> GraphQLSchema.TypeDefinition? {
    guard let found = schema.type(named: type.innermost) else {
      report("Unknown type \"\(type.innermost)\".", at: offset)
      return nil
    }
    return found
  }

  private mutating func checkInputs(
    _ inputs: [GraphQLSchema.InputDefinition], of holder: String, at location: String,
    _ what: String
  ) {
    checkUnique(inputs.map { ($0.name, $0.offset) }) { "The \(what) \"\(holder).\($0)\"" }
    for definition in inputs {
      checkName(definition.name, definition.offset)
      checkApplied(definition.directives, at: location)
      guard let inner = known(definition.type, definition.offset) else { continue }
      let title = "\(holder).\(definition.name)"
      guard inner.isInput else {
        report(
          "The type of \(title) must be Input Type but got: \(definition.type.description).",
          at: definition.offset)
        continue
      }
      if definition.isRequired, definition.directives.deprecation != nil {
        report("Required \(what) \(title) cannot be deprecated.", at: definition.offset)
      }
      if let value = definition.defaultValue,
        case .failure(let mismatch) = input.coerce(value, to: definition.type)
      {
        report("\(title) has invalid default value: \(mismatch.message)", at: value.offset)
      }
    }
  }

  private mutating func checkOneOf(_ type: GraphQLSchema.TypeDefinition) {
    for field in type.inputFields where field.type.isNonNull || field.defaultValue != nil {
      report(
        "OneOf input field \(type.name).\(field.name) must be nullable and have no default value.",
        at: field.offset)
    }
  }

  private mutating func checkMembers(of union: GraphQLSchema.TypeDefinition) {
    checkUnique(union.members.map { ($0, union.offset) }) {
      "The member \"\($0)\" of union \(union.name)"
    }
    for member in union.members {
      if let type = known(.named(member), union.offset), type.kind != .object {
        report(
          "Union type \(union.name) can only include Object types, it cannot include \(member).",
          at: union.offset)
      }
    }
  }

  // MARK: Interfaces (section 3.6, IsValidImplementation)

  private mutating func checkInterfaces(of type: GraphQLSchema.TypeDefinition) {
    checkUnique(type.interfaces.map { ($0, type.offset) }) {
      "That type \(type.name) implements \($0)"
    }
    for name in type.interfaces {
      guard let interface = known(.named(name), type.offset) else { continue }
      guard interface.kind == .interface, name != type.name else {
        report(
          "Type \(type.name) must only implement Interface types other than itself, it cannot implement \(name).",
          at: type.offset)
        continue
      }
      for inherited in interface.interfaces where !type.interfaces.contains(inherited) {
        report(
          "Type \(type.name) must implement \(inherited) because it is implemented by \(name).",
          at: type.offset)
      }
      for field in interface.fields { checkImplementation(of: field, interface, by: type) }
    }
  }

  private mutating func checkImplementation(
    of expected: GraphQLSchema.FieldDefinition, _ interface: GraphQLSchema.TypeDefinition,
    by type: GraphQLSchema.TypeDefinition
  ) {
    let title = "Interface field \(interface.name).\(expected.name)"
    guard let field = type.field(named: expected.name) else {
      report("\(title) expected but \(type.name) does not provide it.", at: type.offset)
      return
    }
    if !schema.isSubtype(field.type, of: expected.type) {
      report(
        "\(title) expects type \(expected.type.description) but \(type.name).\(field.name) is type \(field.type.description).",
        at: field.offset)
    }
    for argument in expected.arguments {
      guard let own = field.arguments.first(where: { $0.name == argument.name }) else {
        report(
          "\(title) expects argument \"\(argument.name)\" but \(type.name).\(field.name) does not provide it.",
          at: field.offset)
        continue
      }
      if own.type != argument.type {
        report(
          "\(title) expects type \(argument.type.description) of argument \"\(argument.name)\" but \(type.name).\(field.name) has type \(own.type.description).",
          at: own.offset)
      }
    }
    for own in field.arguments
    where own.isRequired && !expected.arguments.contains(where: { $0.name == own.name }) {
      report(
        "\(type.name).\(field.name) must not require the argument \"\(own.name)\" that \(title) does not have.",
        at: own.offset)
    }
  }

  // MARK: Input objects that can be written down (section 3.10)

  /// An input object that needs itself can never be given. What is finite grows until nothing is added.
  private mutating func checkFinite() {
    let inputs = schema.types.filter { $0.kind == .inputObject }
    var finite: Set<String> = []
    func ends(_ field: GraphQLSchema.InputDefinition, in finite: Set<String>) -> Bool {
      guard case .named(let name) = field.type.nullable,
        schema.type(named: name)?.kind == .inputObject
      else { return true }
      return finite.contains(name)
    }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for type in inputs where !finite.contains(type.name) {
        let isFinite =
          type.isOneOf
          ? type.inputFields.contains { ends($0, in: finite) }
          : type.inputFields.allSatisfy { !$0.type.isNonNull || ends($0, in: finite) }
        guard isFinite else { continue }
        finite.insert(type.name)
        isGrowing = true
      }
    }
    for type in inputs where !finite.contains(type.name) && !type.inputFields.isEmpty {
      report(
        "Input object \(type.name) can never be given, since it needs itself in turn.",
        at: type.offset)
    }
  }
}

extension GraphQLSchema {
  /// IsValidImplementationFieldType (section 3.6): the same type, or one that promises more.
  func isSubtype(_ type: GraphQLType, of expected: GraphQLType) -> Bool {
    switch (type, expected) {
    case (.nonNull(let inner), .nonNull(let other)): isSubtype(inner, of: other)
    case (.nonNull(let inner), _): isSubtype(inner, of: expected)
    case (.list(let inner), .list(let other)): isSubtype(inner, of: other)
    case (.named(let name), .named(let other)):
      name == other || isPossible(name, for: other)
        || self.type(named: name)?.interfaces.contains(other) == true
    case (.list, _), (.named, _): false
    }
  }
}
