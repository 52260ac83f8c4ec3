/// A parsed executable document (GraphQL specification, section 2.2). Nodes keep the byte offset at which
/// they stand, for the locations of errors.
struct GraphQLDocument: Sendable {
  var source: GraphQLSource
  var operations: [GraphQLOperation] = []
  /// In the order of the document, doubles included; `fragment(named:)` gives the first.
  var fragments: [GraphQLFragment] = []
  private var fragmentIndex: [String: Int] = [:]

  init(source: GraphQLSource) {
    self.source = source
  }

  mutating func append(_ fragment: GraphQLFragment) {
    if fragmentIndex[fragment.name] == nil {
      fragmentIndex[fragment.name] = fragments.count
    }
    fragments.append(fragment)
  }

  func fragment(named name: String) -> GraphQLFragment? {
    fragmentIndex[name].map { fragments[$0] }
  }
}

struct GraphQLOperation: Sendable {
  enum Kind: String, Sendable {
    case query, mutation, subscription
  }

  var kind: Kind
  var name: String?
  var variables: [GraphQLVariable] = []
  var directives: [GraphQLDirective] = []
  var selections: [GraphQLSelection]
  var offset: Int
}

struct GraphQLVariable: Sendable {
  var name: String
  var type: GraphQLType
  var defaultValue: GraphQLLiteral?
  var directives: [GraphQLDirective]
  var offset: Int
}

struct GraphQLFragment: Sendable {
  var name: String
  var typeCondition: String
  var directives: [GraphQLDirective]
  var selections: [GraphQLSelection]
  var offset: Int
}

indirect enum GraphQLSelection: Sendable {
  case field(GraphQLField)
  case spread(GraphQLSpread)
  case inline(GraphQLInlineFragment)
}

struct GraphQLField: Sendable {
  var alias: String?
  var name: String
  var arguments: [GraphQLArgument]
  var directives: [GraphQLDirective]
  var selections: [GraphQLSelection]
  var offset: Int

  var responseKey: String { alias ?? name }
}

struct GraphQLSpread: Sendable {
  var name: String
  var directives: [GraphQLDirective]
  var offset: Int
}

struct GraphQLInlineFragment: Sendable {
  var typeCondition: String?
  var directives: [GraphQLDirective]
  var selections: [GraphQLSelection]
  var offset: Int
}

struct GraphQLDirective: Sendable {
  var name: String
  var arguments: [GraphQLArgument]
  var offset: Int
}

struct GraphQLArgument: Sendable {
  var name: String
  var value: GraphQLLiteral
  var offset: Int
}

/// A value as the document writes it (section 2.9). Two are equal that mean the same, wherever they stand.
struct GraphQLLiteral: Equatable, Sendable {
  indirect enum Value: Equatable, Sendable {
    case variable(String)
    /// As it stood: it may be larger than any integer type.
    case integer(String)
    case float(String)
    case string(String)
    case boolean(Bool)
    case null
    case enumeration(String)
    case list([GraphQLLiteral])
    case object([Member])
  }

  struct Member: Equatable, Sendable {
    var name: String
    var value: GraphQLLiteral
  }

  var value: Value
  var offset: Int

  static func == (left: GraphQLLiteral, right: GraphQLLiteral) -> Bool {
    left.value == right.value
  }

  /// As a message quotes it.
  var description: String {
    switch value {
    case .variable(let name): "$\(name)"
    case .integer(let text), .float(let text): text.shortened()
    case .string(let text): "\"\(text.shortened())\""
    case .boolean(let value): String(value)
    case .null: "null"
    case .enumeration(let name): name.shortened()
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// A reference to a type (section 2.11).
indirect enum GraphQLType: Equatable, Sendable {
  case named(String)
  case list(GraphQLType)
  case nonNull(GraphQLType)

  var description: String {
    switch self {
    case .named(let name): name
    case .list(let element): "[\(element.description)]"
    case .nonNull(let inner): "\(inner.description)!"
    }
  }

  var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// Without an exclamation mark at its end.
  var nullable: GraphQLType {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// The name inside all brackets.
  var innermost: String {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.innermost
    }
  }
}
