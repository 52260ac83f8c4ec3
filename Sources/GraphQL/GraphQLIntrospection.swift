import JSON

/// The introspection of a schema (GraphQL specification, section 4), as objects that are executed like any
/// others.
enum GraphQLIntrospection {
  struct Schema: GraphQLObject {
    let schema: GraphQLSchema
    var graphQLType: String { "__Schema" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch field {
      case "types":
        .list(schema.types.map { .object(TypeReference(schema: schema, type: .named($0.name))) })
      case "queryType": root(.query)
      case "mutationType": root(.mutation)
      case "subscriptionType": root(.subscription)
      case "directives":
        .list(schema.directives.map { .object(Directive(schema: schema, directive: $0)) })
      default: .text(schema.description)
      }
    }

    private func root(_ kind: GraphQLOperation.Kind) -> GraphQLResolved {
      schema.roots[kind].map {
        .object(TypeReference(schema: schema, type: .named($0)))
      } ?? .null
    }
  }

  /// A type by its name, or a list or non-null form of one.
  struct TypeReference: GraphQLObject {
    let schema: GraphQLSchema
    let type: GraphQLType
    var graphQLType: String { "__Type" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch type {
      case .nonNull(let inner), .list(let inner):
        switch field {
        case "kind": return .text(type.isNonNull ? "NON_NULL" : "LIST")
        case "ofType": return .object(TypeReference(schema: schema, type: inner))
        default: return .null
        }
      case .named(let name):
        guard let definition = schema.type(named: name) else { return .null }
        return resolve(field, of: definition, isAll: arguments.includesDeprecated)
      }
    }

    private func resolve(
      _ field: String, of type: GraphQLSchema.TypeDefinition, isAll: Bool
    ) -> GraphQLResolved {
      let hasFields = type.kind == .object || type.kind == .interface
      switch field {
      case "kind": return .text(type.kind.rawValue)
      case "name": return .text(type.name)
      case "description": return .text(type.description)
      case "specifiedByURL": return .text(type.kind == .scalar ? type.specifiedBy : nil)
      case "isOneOf": return .leaf(type.kind == .inputObject ? .bool(type.isOneOf) : .null)
      case "fields" where hasFields:
        return .list(
          type.fields.filter { isAll || $0.directives.deprecation == nil }
            .map { .object(Field(schema: schema, field: $0)) })
      case "interfaces" where hasFields:
        return .list(type.interfaces.map { .object(reference(to: $0)) })
      case "possibleTypes" where type.kind == .interface || type.kind == .union:
        return .list(schema.possibleTypes(of: type).map { .object(reference(to: $0)) })
      case "enumValues" where type.kind == .enumeration:
        return .list(
          type.values.filter { isAll || $0.directives.deprecation == nil }
            .map { .object(EnumValue(value: $0)) })
      case "inputFields" where type.kind == .inputObject:
        return schema.inputs(type.inputFields, isAll)
      default: return .null
      }
    }

    private func reference(to name: String) -> TypeReference {
      TypeReference(schema: schema, type: .named(name))
    }
  }

  struct Field: GraphQLObject {
    let schema: GraphQLSchema
    let field: GraphQLSchema.FieldDefinition
    var graphQLType: String { "__Field" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch field {
      case "name": .text(self.field.name)
      case "description": .text(self.field.description)
      case "args": schema.inputs(self.field.arguments, arguments.includesDeprecated)
      case "type": .object(TypeReference(schema: schema, type: self.field.type))
      default: self.field.directives.resolveDeprecation(field)
      }
    }
  }

  struct InputValue: GraphQLObject {
    let schema: GraphQLSchema
    let input: GraphQLSchema.InputDefinition
    var graphQLType: String { "__InputValue" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch field {
      case "name": .text(input.name)
      case "description": .text(input.description)
      case "type": .object(TypeReference(schema: schema, type: input.type))
      case "defaultValue": .text(input.defaultValue.map(GraphQLPrinter.text(of:)))
      default: input.directives.resolveDeprecation(field)
      }
    }
  }

  struct EnumValue: GraphQLObject {
    let value: GraphQLSchema.EnumValue
    var graphQLType: String { "__EnumValue" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch field {
      case "name": .text(value.name)
      case "description": .text(value.description)
      default: value.directives.resolveDeprecation(field)
      }
    }
  }

  struct Directive: GraphQLObject {
    let schema: GraphQLSchema
    let directive: GraphQLSchema.DirectiveDefinition
    var graphQLType: String { "__Directive" }

    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved {
      switch field {
      case "name": .text(directive.name)
      case "description": .text(directive.description)
      case "isRepeatable": .leaf(.bool(directive.isRepeatable))
      case "locations": .list(directive.locations.map { .text($0) })
      default: schema.inputs(directive.arguments, arguments.includesDeprecated)
      }
    }
  }
}

extension GraphQLSchema {
  fileprivate func inputs(_ definitions: [InputDefinition], _ isAll: Bool) -> GraphQLResolved {
    .list(
      definitions.filter { isAll || $0.directives.deprecation == nil }
        .map { .object(GraphQLIntrospection.InputValue(schema: self, input: $0)) })
  }
}

extension [String: JSON] {
  fileprivate var includesDeprecated: Bool { self["includeDeprecated"] == .bool(true) }
}

extension [GraphQLDirective] {
  fileprivate func resolveDeprecation(_ field: String) -> GraphQLResolved {
    field == "isDeprecated" ? .leaf(.bool(deprecation != nil)) : .text(deprecation)
  }
}
