/// The subprotocols (RFC 6455 section 1.9) that the program speaks.
package enum Subprotocols {
  /// In order of preference, as they are offered.
  package static let all: [(name: String, dialect: DialectName)] = [
    ("graphql-transport-ws", .graphql),
    (GraphQLProtocol.legacyName, .graphql),
    ("parlour-envelope", .envelope),
    ("parlour-plain", .plain),
  ]

  /// The dialect that a selected subprotocol chooses; nil where none was selected or it names no dialect.
  /// Subprotocol names are compared as they stand: RFC 6455 gives them no case folding.
  package static func dialect(of subprotocol: String?) -> DialectName? {
    guard let subprotocol else { return nil }
    return all.first { $0.name == subprotocol }?.dialect
  }
}

/// The dialect of that name, before its first line.
package func makeDialect(_ name: DialectName, _ context: DialectContext) -> any Dialect {
  switch name {
  case .plain: PlainDialect(context)
  case .envelope: EnvelopeDialect(context)
  case .graphql where context.operation != nil: GraphQLTaskDialect(context)
  case .graphql: GraphQLDialect(context)
  }
}
