/// Where a directive may stand (GraphQL specification, section 3.13).
enum GraphQLDirectiveLocation {
  static let executable = [
    "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD",
    "INLINE_FRAGMENT", "VARIABLE_DEFINITION",
  ]
  static let typeSystem = [
    "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION",
    "ENUM", "ENUM_VALUE", "INPUT_OBJECT", "INPUT_FIELD_DEFINITION",
  ]
  static let all = executable + typeSystem
}

/// What every schema has without saying so.
enum GraphQLBuiltIns {
  /// The scalars of section 3.5 and the directives of section 3.13; `@oneOf` came in September 2025.
  static let scalars = """
    "Text." scalar String
    "A whole number of 32 bits with sign." scalar Int
    "A number of double precision." scalar Float
    "True or false." scalar Boolean
    "A key: written as a text, read from a text or a whole number." scalar ID

    "Leaves the field or fragment out when `if` is true."
    directive @skip("When to leave it out." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Leaves the field or fragment out when `if` is false."
    directive @include("When to keep it." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Still there, but not to be used any more."
    directive @deprecated("What to use instead." reason: String! = "No longer supported")
      on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    "Where the scalar is specified."
    directive @specifiedBy("The specification's address." url: String!) on SCALAR
    "Exactly one field of the input object must be given, and not be null."
    directive @oneOf on INPUT_OBJECT
    """

  /// The schema of the schema (section 4.2).
  static let introspection = """
    "The schema of this server."
    type __Schema {
      description: String
      types: [__Type!]!
      queryType: __Type!
      mutationType: __Type
      subscriptionType: __Type
      directives: [__Directive!]!
    }
    "A type, or a list or non-null form of one."
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      specifiedByURL: String
      fields(includeDeprecated: Boolean! = false): [__Field!]
      interfaces: [__Type!]
      possibleTypes: [__Type!]
      enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
      ofType: __Type
      isOneOf: Boolean
    }
    "A field of an object or interface."
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "An argument, or a field of an input object."
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      "As the schema definition language writes it."
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A value of an enumeration."
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A directive that documents or schemas may use."
    type __Directive {
      name: String!
      description: String
      isRepeatable: Boolean!
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
    }
    "What kind of type a `__Type` is."
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    "Where a directive may stand."
    enum __DirectiveLocation { \(GraphQLDirectiveLocation.all.joined(separator: " ")) }
    """
}
