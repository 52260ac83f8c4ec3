import JSON

extension GraphQLSchema {
  /// The chat:
  ///
  ///     type Message { id: ID! seq: Int! room: String! author: String! text: String! sentAt: String! clientId: String }
  ///     type Query { messages(room: String!, last: Int! = 50, after: ID): [Message!]! }
  ///     type Mutation { postMessage(room: String!, author: String!, text: String!, clientId: String): Message! }
  ///     type Subscription { messageAdded(room: String!, after: ID): Message! }
  static let chat = GraphQLSchema(
    types: [
      TypeDefinition(
        kind: .object, name: query,
        fields: [
          FieldDefinition(
            name: "messages",
            description:
              "Messages of a room, oldest first: the newest ones, or those that follow `after`.",
            arguments: [
              InputDefinition(name: "room", type: .required("String")),
              InputDefinition(name: "last", type: .required("Int"), defaultValue: 50),
              InputDefinition(name: "after", type: .named("ID")),
            ], type: .requiredElements("Message"))
        ]),
      TypeDefinition(
        kind: .object, name: mutation,
        fields: [
          FieldDefinition(
            name: "postMessage",
            description:
              "Says something. A repeat with the same clientId gives the first message back.",
            arguments: [
              InputDefinition(name: "room", type: .required("String")),
              InputDefinition(name: "author", type: .required("String")),
              InputDefinition(name: "text", type: .required("String")),
              InputDefinition(name: "clientId", type: .named("String")),
            ], type: .required("Message"))
        ]),
      TypeDefinition(
        kind: .object, name: subscription,
        fields: [
          FieldDefinition(
            name: "messageAdded",
            description: "What is said from now on; with `after`, what followed that first.",
            arguments: [
              InputDefinition(name: "room", type: .required("String")),
              InputDefinition(name: "after", type: .named("ID")),
            ], type: .required("Message"))
        ]),
      TypeDefinition(
        kind: .object, name: "Message", description: "A message of a room.",
        fields: [
          FieldDefinition(name: "id", type: .required("ID")),
          FieldDefinition(
            name: "seq", description: "Its number in the room, from 1.", type: .required("Int")),
          FieldDefinition(name: "room", type: .required("String")),
          FieldDefinition(name: "author", type: .required("String")),
          FieldDefinition(name: "text", type: .required("String")),
          FieldDefinition(
            name: "sentAt", description: "ISO 8601 in UTC, with milliseconds.",
            type: .required("String")),
          FieldDefinition(name: "clientId", type: .named("String")),
        ]),
      TypeDefinition(kind: .scalar, name: "String"),
      TypeDefinition(kind: .scalar, name: "Int"),
      TypeDefinition(kind: .scalar, name: "Boolean"),
      TypeDefinition(kind: .scalar, name: "ID"),
    ] + introspectionTypes,
    directives: [
      DirectiveDefinition(
        name: "skip", description: "Leaves the field or fragment out when `if` is true.",
        locations: executable,
        arguments: [InputDefinition(name: "if", type: .required("Boolean"))]),
      DirectiveDefinition(
        name: "include", description: "Leaves the field or fragment out when `if` is false.",
        locations: executable,
        arguments: [InputDefinition(name: "if", type: .required("Boolean"))]),
    ])

  private static let executable = ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"]

  /// The schema of the schema (section 4.2).
  private static let introspectionTypes = [
    TypeDefinition(
      kind: .object, name: "__Schema",
      fields: [
        FieldDefinition(name: "description", type: .named("String")),
        FieldDefinition(name: "types", type: .requiredElements("__Type")),
        FieldDefinition(name: "queryType", type: .required("__Type")),
        FieldDefinition(name: "mutationType", type: .named("__Type")),
        FieldDefinition(name: "subscriptionType", type: .named("__Type")),
        FieldDefinition(name: "directives", type: .requiredElements("__Directive")),
      ]),
    TypeDefinition(
      kind: .object, name: "__Type",
      fields: [
        FieldDefinition(name: "kind", type: .required("__TypeKind")),
        FieldDefinition(name: "name", type: .named("String")),
        FieldDefinition(name: "description", type: .named("String")),
        FieldDefinition(name: "specifiedByURL", type: .named("String")),
        FieldDefinition(
          name: "fields", arguments: includeDeprecated, type: .elements("__Field")),
        FieldDefinition(name: "interfaces", type: .elements("__Type")),
        FieldDefinition(name: "possibleTypes", type: .elements("__Type")),
        FieldDefinition(
          name: "enumValues", arguments: includeDeprecated, type: .elements("__EnumValue")),
        FieldDefinition(
          name: "inputFields", arguments: includeDeprecated, type: .elements("__InputValue")),
        FieldDefinition(name: "ofType", type: .named("__Type")),
        FieldDefinition(name: "isOneOf", type: .named("Boolean")),
      ]),
    TypeDefinition(
      kind: .object, name: "__Field",
      fields: [
        FieldDefinition(name: "name", type: .required("String")),
        FieldDefinition(name: "description", type: .named("String")),
        FieldDefinition(
          name: "args", arguments: includeDeprecated, type: .requiredElements("__InputValue")),
        FieldDefinition(name: "type", type: .required("__Type")),
      ] + deprecation),
    TypeDefinition(
      kind: .object, name: "__InputValue",
      fields: [
        FieldDefinition(name: "name", type: .required("String")),
        FieldDefinition(name: "description", type: .named("String")),
        FieldDefinition(name: "type", type: .required("__Type")),
        FieldDefinition(name: "defaultValue", type: .named("String")),
      ] + deprecation),
    TypeDefinition(
      kind: .object, name: "__EnumValue",
      fields: [
        FieldDefinition(name: "name", type: .required("String")),
        FieldDefinition(name: "description", type: .named("String")),
      ] + deprecation),
    TypeDefinition(
      kind: .object, name: "__Directive",
      fields: [
        FieldDefinition(name: "name", type: .required("String")),
        FieldDefinition(name: "description", type: .named("String")),
        FieldDefinition(name: "isRepeatable", type: .required("Boolean")),
        FieldDefinition(name: "locations", type: .requiredElements("__DirectiveLocation")),
        FieldDefinition(
          name: "args", arguments: includeDeprecated, type: .requiredElements("__InputValue")),
      ]),
    TypeDefinition(
      kind: .enumeration, name: "__TypeKind",
      values: [
        "SCALAR", "OBJECT", "INTERFACE", "UNION", "ENUM", "INPUT_OBJECT", "LIST", "NON_NULL",
      ]),
    TypeDefinition(
      kind: .enumeration, name: "__DirectiveLocation",
      values: [
        "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD",
        "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT",
        "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE",
        "INPUT_OBJECT", "INPUT_FIELD_DEFINITION",
      ]),
  ]

  private static let includeDeprecated = [
    InputDefinition(name: "includeDeprecated", type: .required("Boolean"), defaultValue: false)
  ]

  private static let deprecation = [
    FieldDefinition(name: "isDeprecated", type: .required("Boolean")),
    FieldDefinition(name: "deprecationReason", type: .named("String")),
  ]
}
