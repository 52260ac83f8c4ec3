import JSON

/// The types that documents are checked against (GraphQL specification, section 3). It is made from a text in
/// the schema definition language; see `init(sdl:)`.
package struct GraphQLSchema: Sendable {
  package enum Kind: String, Sendable {
    case scalar = "SCALAR"
    case object = "OBJECT"
    case interface = "INTERFACE"
    case union = "UNION"
    case enumeration = "ENUM"
    case inputObject = "INPUT_OBJECT"
  }

  package struct TypeDefinition: Sendable {
    package var kind: Kind
    package var name: String
    package var description: String?
    /// Of an object or an interface: what it implements.
    package var interfaces: [String] = []
    /// Of an object or an interface.
    package var fields: [FieldDefinition] = []
    /// Of an input object.
    package var inputFields: [InputDefinition] = []
    /// Of a union.
    package var members: [String] = []
    /// Of an enumeration.
    package var values: [EnumValue] = []
    var directives: [GraphQLDirective] = []
    var offset = 0

    func field(named name: String) -> FieldDefinition? {
      fields.first { $0.name == name }
    }

    /// Whether it has subfields to be selected.
    var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
    var isInput: Bool { kind == .scalar || kind == .enumeration || kind == .inputObject }
    /// Whether a value must have one field, no more and no less (section 3.10.1, September 2025).
    var isOneOf: Bool { directives.contains { $0.name == "oneOf" } }
    /// The URL of a scalar's own specification (section 3.5.1).
    var specifiedBy: String? { directives.text("url", of: "specifiedBy") }
  }

  package struct FieldDefinition: Sendable {
    package var name: String
    package var description: String?
    package var arguments: [InputDefinition] = []
    package var type: GraphQLType
    var directives: [GraphQLDirective] = []
    var offset = 0
  }

  /// An argument, or a field of an input object.
  package struct InputDefinition: Sendable {
    package var name: String
    package var description: String?
    package var type: GraphQLType
    package var defaultValue: GraphQLLiteral?
    /// The default coerced to the type.
    var value: JSON?
    var directives: [GraphQLDirective] = []
    var offset = 0

    /// Whether a document has to give it (section 5.4.3).
    var isRequired: Bool { type.isNonNull && defaultValue == nil }
  }

  package struct EnumValue: Sendable {
    package var name: String
    package var description: String?
    var directives: [GraphQLDirective] = []
    var offset = 0
  }

  package struct DirectiveDefinition: Sendable {
    package var name: String
    package var description: String?
    package var arguments: [InputDefinition] = []
    package var isRepeatable = false
    package var locations: [String]
    var offset = 0
  }

  package internal(set) var description: String?
  /// In the order of the text, then the built-in scalars that are used, then the types of introspection.
  package internal(set) var types: [TypeDefinition] = []
  package internal(set) var directives: [DirectiveDefinition] = []
  /// The object types at which operations begin.
  package internal(set) var roots: [GraphQLOperation.Kind: String] = [:]
  /// Every type, built-in scalars that nothing uses included.
  private var index: [String: TypeDefinition] = [:]
  /// The object types of an interface or union, in the order of the text.
  private var possible: [String: [String]] = [:]

  /// Without types: nothing can be asked of it.
  package static let empty = GraphQLSchema()

  init() {}

  /// Makes the tables that look-ups use, from `types` and the built-in scalars.
  mutating func reindex(builtIn: [TypeDefinition]) {
    index = Dictionary(
      (types + builtIn).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    possible = [:]
    for type in types {
      if type.kind == .union { possible[type.name, default: []] += type.members }
      guard type.kind == .object else { continue }
      for interface in Set(type.interfaces) { possible[interface, default: []].append(type.name) }
    }
  }

  package func type(named name: String) -> TypeDefinition? { index[name] }

  func rootType(of kind: GraphQLOperation.Kind) -> TypeDefinition? {
    roots[kind].flatMap { index[$0] }
  }

  /// The object types that a value of the type may have (section 5.5.2.3, GetPossibleTypes).
  func possibleTypes(of type: TypeDefinition) -> [String] {
    type.kind == .object ? [type.name] : possible[type.name] ?? []
  }

  func isPossible(_ object: String, for type: String) -> Bool {
    object == type || possible[type]?.contains(object) == true
  }

  /// The field as a selection on the type finds it, `__typename`, `__schema` and `__type` included.
  func field(named name: String, of type: TypeDefinition) -> FieldDefinition? {
    guard name.hasPrefix("__") else { return type.field(named: name) }
    switch name {
    case "__typename": return Self.typeName
    case "__schema" where type.name == roots[.query]: return Self.schemaField
    case "__type" where type.name == roots[.query]: return Self.typeField
    default: return type.field(named: name)
    }
  }

  private static let typeName = FieldDefinition(name: "__typename", type: .required("String"))
  private static let schemaField = FieldDefinition(name: "__schema", type: .required("__Schema"))
  private static let typeField = FieldDefinition(
    name: "__type", arguments: [InputDefinition(name: "name", type: .required("String"))],
    type: .named("__Type"))
}

extension [GraphQLDirective] {
  /// Why what carries the directives is deprecated, or nil where it is not (section 3.13.3).
  var deprecation: String? {
    contains { $0.name == "deprecated" }
      ? text("reason", of: "deprecated") ?? "No longer supported" : nil
  }

  func text(_ argument: String, of directive: String) -> String? {
    guard let found = first(where: { $0.name == directive }),
      case .string(let text) = found.argument(argument)?.value
    else { return nil }
    return text
  }
}
