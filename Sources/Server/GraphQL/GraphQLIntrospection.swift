import JSON

/// What a field gives before its selection is applied.
indirect enum GraphQLResolved {
  case leaf(JSON)
  case object(GraphQLObject)
  case list([GraphQLResolved])

  static let null = GraphQLResolved.leaf(.null)

  static func text(_ text: String?) -> GraphQLResolved {
    .leaf(text.map(JSON.string) ?? .null)
  }
}

/// An object of the schema, with what stands behind it.
enum GraphQLObject {
  case query, mutation
  case message(StoredMessage)
  case schema
  case type(GraphQLType)
  case field(GraphQLSchema.FieldDefinition)
  case inputValue(GraphQLSchema.InputDefinition)
  case enumValue(String)
  case directive(GraphQLSchema.DirectiveDefinition)

  var typeName: String {
    switch self {
    case .query: GraphQLSchema.query
    case .mutation: GraphQLSchema.mutation
    case .message: "Message"
    case .schema: "__Schema"
    case .type: "__Type"
    case .field: "__Field"
    case .inputValue: "__InputValue"
    case .enumValue: "__EnumValue"
    case .directive: "__Directive"
    }
  }
}

extension StoredMessage {
  func graphQLField(_ name: String) -> JSON {
    switch name {
    case "id": .string(id)
    case "seq": .integer(Int64(seq))
    case "room": .string(room)
    case "author": .string(author)
    case "text": .string(text)
    case "sentAt": .string(sentAt)
    default: clientId.map(JSON.string) ?? .null
    }
  }
}

/// The introspection of the schema (GraphQL specification, section 4). Fields and types have been validated.
extension GraphQLSchema {
  func resolve(ofSchema name: String) -> GraphQLResolved {
    switch name {
    case "types": .list(types.map { .object(.type(.named($0.name))) })
    case "queryType": .object(.type(.named(Self.query)))
    case "mutationType": .object(.type(.named(Self.mutation)))
    case "subscriptionType": .object(.type(.named(Self.subscription)))
    case "directives": .list(directives.map { .object(.directive($0)) })
    default: .text("Rooms of messages.")
    }
  }

  func resolve(_ name: String, of type: GraphQLType) -> GraphQLResolved {
    switch type {
    case .nonNull(let inner), .list(let inner):
      switch name {
      case "kind": .text(type.isNonNull ? "NON_NULL" : "LIST")
      case "ofType": .object(.type(inner))
      default: .null
      }
    case .named(let typeName):
      self.type(named: typeName).map { resolve(name, of: $0) } ?? .null
    }
  }

  private func resolve(_ name: String, of type: TypeDefinition) -> GraphQLResolved {
    switch name {
    case "kind": .text(type.kind.rawValue)
    case "name": .text(type.name)
    case "description": .text(type.description)
    case "fields" where type.kind == .object:
      .list(type.fields.map { .object(.field($0)) })
    case "interfaces" where type.kind == .object: .list([])
    case "enumValues" where type.kind == .enumeration:
      .list(type.values.map { .object(.enumValue($0)) })
    default: .null
    }
  }

  func resolve(_ name: String, of field: FieldDefinition) -> GraphQLResolved {
    switch name {
    case "name": .text(field.name)
    case "description": .text(field.description)
    case "args": .list(field.arguments.map { .object(.inputValue($0)) })
    case "type": .object(.type(field.type))
    case "isDeprecated": .leaf(false)
    default: .null
    }
  }

  func resolve(_ name: String, of input: InputDefinition) -> GraphQLResolved {
    switch name {
    case "name": .text(input.name)
    case "type": .object(.type(input.type))
    // The schema's defaults are numbers and booleans, which both languages write alike.
    case "defaultValue": .text(input.defaultValue?.text)
    case "isDeprecated": .leaf(false)
    default: .null
    }
  }

  func resolve(_ name: String, ofEnumValue value: String) -> GraphQLResolved {
    switch name {
    case "name": .text(value)
    case "isDeprecated": .leaf(false)
    default: .null
    }
  }

  func resolve(_ name: String, of directive: DirectiveDefinition) -> GraphQLResolved {
    switch name {
    case "name": .text(directive.name)
    case "description": .text(directive.description)
    case "isRepeatable": .leaf(false)
    case "locations": .list(directive.locations.map { .text($0) })
    default: .list(directive.arguments.map { .object(.inputValue($0)) })
    }
  }
}
