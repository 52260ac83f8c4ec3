/// A parsed executable document (GraphQL specification, section 2.2). Nodes keep the byte offset at which
/// they stand, for the locations of errors.
package struct GraphQLDocument: Sendable {
  package var source: GraphQLSource
  package var operations: [GraphQLOperation] = []
  /// In the order of the document, doubles included; `fragment(named:)` gives the first.
  package private(set) var fragments: [GraphQLFragment] = []
  /// What it was parsed within, which holds for its fragments once they are spread as well.
  let limits: GraphQLLimits
  private var fragmentIndex: [String: Int] = [:]

  init(source: GraphQLSource, limits: GraphQLLimits) {
    self.source = source
    self.limits = limits
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

  /// GetOperation (section 6.1): the one of that name, or the only one.
  package func operation(named name: String?) -> GraphQLOperation? {
    if let name { return operations.first { $0.name == name } }
    return operations.count == 1 ? operations.first : nil
  }
}

package struct GraphQLOperation: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case query, mutation, subscription
  }

  package var kind: Kind
  package var name: String?
  package var variables: [GraphQLVariable] = []
  var directives: [GraphQLDirective] = []
  var selections: [GraphQLSelection]
  package var offset: Int

  /// Whether all that is asked for is one field, written there itself.
  package var hasOneField: Bool {
    if selections.count == 1, case .field = selections[0] { true } else { false }
  }
}

package struct GraphQLVariable: Sendable {
  package var name: String
  package var type: GraphQLType
  package var defaultValue: GraphQLLiteral?
  var directives: [GraphQLDirective]
  var offset: Int
}

package struct GraphQLFragment: Sendable {
  package var name: String
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

  func argument(_ name: String) -> GraphQLLiteral? {
    arguments.first { $0.name == name }?.value
  }
}

struct GraphQLArgument: Sendable {
  var name: String
  var value: GraphQLLiteral
  var offset: Int
}
