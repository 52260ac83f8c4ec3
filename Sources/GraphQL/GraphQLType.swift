/// A reference to a type (GraphQL specification, section 2.11).
package indirect enum GraphQLType: Hashable, Sendable {
  case named(String)
  case list(GraphQLType)
  case nonNull(GraphQLType)

  package var description: String {
    switch self {
    case .named(let name): name
    case .list(let element): "[\(element.description)]"
    case .nonNull(let inner): "\(inner.description)!"
    }
  }

  package var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// Without an exclamation mark at its end.
  package var nullable: GraphQLType {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// The name inside all brackets.
  package var innermost: String {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.innermost
    }
  }

  static func required(_ name: String) -> GraphQLType { .nonNull(.named(name)) }
}
