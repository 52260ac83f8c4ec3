package import JSON

/// What a field gives before its selection is applied.
package indirect enum GraphQLResolved: Sendable {
  case leaf(JSON)
  case object(any GraphQLObject)
  case list([GraphQLResolved])

  package static let null = GraphQLResolved.leaf(.null)

  package static func text(_ text: String?) -> GraphQLResolved {
    .leaf(text.map(JSON.string) ?? .null)
  }
}

/// An object behind a type of the schema. It gives its fields by name; the names and arguments have been
/// validated, and `__typename` is never asked for.
package protocol GraphQLObject: Sendable {
  var graphQLType: String { get }

  func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved
}

/// Where queries and mutations begin; resolving a mutation's field may change it.
package protocol GraphQLRoot {
  mutating func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved
}

/// Why a field has no value: a sentence for the person behind the client (GraphQL specification, section
/// 6.4.4), and what a program may want to know.
package struct GraphQLFieldError: Error, Equatable {
  package var message: String
  package var extensions: JSON?

  package init(_ message: String, extensions: JSON? = nil) {
    self.message = message
    self.extensions = extensions
  }
}

/// The outcome of an executed operation (GraphQL specification, section 7.1).
package struct GraphQLResponse: Equatable {
  package var data: JSON
  package var errors: [GraphQLError]

  package init(data: JSON, errors: [GraphQLError] = []) {
    self.data = data
    self.errors = errors
  }

  package var json: JSON {
    var members: [JSON.Member] = []
    if !errors.isEmpty { members.append(JSON.Member("errors", .array(errors.map(\.json)))) }
    members.append(JSON.Member("data", data))
    return .object(members)
  }
}
