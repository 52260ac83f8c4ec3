import JSON

/// The types that documents are checked against (GraphQL specification, section 3): as much of the type system
/// as the chat and its introspection use, that is scalars, objects and enumerations.
struct GraphQLSchema: Sendable {
  struct TypeDefinition: Sendable {
    enum Kind: String, Sendable {
      case scalar = "SCALAR"
      case object = "OBJECT"
      case enumeration = "ENUM"
    }

    var kind: Kind
    var name: String
    var description: String?
    var fields: [FieldDefinition] = []
    var values: [String] = []

    func field(named name: String) -> FieldDefinition? {
      fields.first { $0.name == name }
    }
  }

  struct FieldDefinition: Sendable {
    var name: String
    var description: String?
    var arguments: [InputDefinition] = []
    var type: GraphQLType
  }

  struct InputDefinition: Sendable {
    var name: String
    var type: GraphQLType
    var defaultValue: JSON?

    /// Whether a document has to give it (section 5.4.3).
    var isRequired: Bool { type.isNonNull && defaultValue == nil }
  }

  struct DirectiveDefinition: Sendable {
    var name: String
    var description: String
    var locations: [String]
    var arguments: [InputDefinition]
  }

  let types: [TypeDefinition]
  let directives: [DirectiveDefinition]
  private let index: [String: Int]

  init(types: [TypeDefinition], directives: [DirectiveDefinition]) {
    self.types = types
    self.directives = directives
    index = Dictionary(
      types.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  func type(named name: String) -> TypeDefinition? {
    index[name].map { types[$0] }
  }

  /// The field as a selection on the type finds it, `__typename`, `__schema` and `__type` included.
  func field(named name: String, of type: TypeDefinition) -> FieldDefinition? {
    switch name {
    case "__typename":
      FieldDefinition(name: name, type: .required("String"))
    case "__schema" where type.name == Self.query:
      FieldDefinition(name: name, type: .required("__Schema"))
    case "__type" where type.name == Self.query:
      FieldDefinition(
        name: name, arguments: [InputDefinition(name: "name", type: .required("String"))],
        type: .named("__Type"))
    default:
      type.field(named: name)
    }
  }

  static let query = "Query"
  static let mutation = "Mutation"
  static let subscription = "Subscription"

  static func rootType(of kind: GraphQLOperation.Kind) -> String {
    switch kind {
    case .query: query
    case .mutation: mutation
    case .subscription: subscription
    }
  }
}

extension GraphQLType {
  static func required(_ name: String) -> GraphQLType { .nonNull(.named(name)) }
  /// A list without nulls in it.
  static func elements(_ name: String) -> GraphQLType { .list(.required(name)) }
  static func requiredElements(_ name: String) -> GraphQLType { .nonNull(.elements(name)) }
}
