import JSON

@testable import GraphQL

/// An object of which every field gives what its name and type say, as graphql_oracle.py has it.
struct Mock: GraphQLObject, GraphQLRoot {
  let schema: GraphQLSchema
  let type: String

  var graphQLType: String { type }

  func resolve(
    _ field: String, _ arguments: [String: JSON]
  ) throws(GraphQLFieldError) -> GraphQLResolved {
    guard let owner = schema.type(named: type),
      let definition = schema.field(named: field, of: owner)
    else { return .null }
    if field == "echo" {
      let members = definition.arguments.compactMap { argument in
        arguments[argument.name].map { JSON.Member(argument.name, $0) }
      }
      return .leaf(.object(members))
    }
    if field.hasPrefix("failing"), !field.hasPrefix("failingParts") {
      throw GraphQLFieldError("failing")
    }
    return give(definition.type, field)
  }

  private func give(_ type: GraphQLType, _ field: String) -> GraphQLResolved {
    switch type {
    case .nonNull(let inner): return give(inner, field)
    case _ where field.hasPrefix("nothing"): return .null
    case .list(let element):
      let inner = give(element, field)
      // The middle one is an error there: no text here.
      if field.hasPrefix("failingParts") { return .list([inner, .leaf(5), .null]) }
      return .list([inner, inner])
    case .named where field == "wrongNumber": return .text("text")
    case .named(let name):
      guard let definition = schema.type(named: name) else { return .null }
      switch definition.kind {
      case .enumeration: return .text(definition.values.map(\.name).min())
      case .object, .interface, .union:
        let first = schema.possibleTypes(of: definition).min() ?? ""
        return .object(Mock(schema: schema, type: first))
      default: break
      }
      switch name {
      case "Int": return .leaf(7)
      case "Float": return .leaf(1.5)
      case "String": return .text(field)
      case "Boolean": return .leaf(true)
      case "ID": return .text("id-" + field)
      default: return .leaf(["any", .string(field)])
      }
    }
  }
}

/// The usual question for a schema, with everything that may be asked.
enum GraphQLIntrospectionQuery {
  static let text = """
    query IntrospectionQuery {
      __schema {
        description
        queryType { name kind }
        mutationType { name kind }
        subscriptionType { name kind }
        types { ...FullType }
        directives {
          name description isRepeatable locations
          args(includeDeprecated: true) { ...InputValue }
        }
      }
    }
    fragment FullType on __Type {
      kind name description specifiedByURL isOneOf
      fields(includeDeprecated: true) {
        name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef }
        isDeprecated deprecationReason
      }
      inputFields(includeDeprecated: true) { ...InputValue }
      interfaces { ...TypeRef }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
      possibleTypes { ...TypeRef }
    }
    fragment InputValue on __InputValue {
      name description type { ...TypeRef } defaultValue isDeprecated deprecationReason
    }
    fragment TypeRef on __Type {
      name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind
      ofType { name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind
      } } } } } } } } }
    }
    """
}
