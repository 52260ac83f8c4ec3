extension GraphQLSchema {
  /// Makes a schema of a text in the schema definition language. Without `schema { … }` the types Query,
  /// Mutation and Subscription are the roots (GraphQL specification, section 3.3.1).
  ///
  /// Throws all that is wrong with it, at most `GraphQLValidator.mostErrors`, in the order in which it was
  /// found: a syntax error alone, or what the rules of section 3 forbid.
  package init(sdl: String, limits: GraphQLLimits = GraphQLLimits()) throws(GraphQLErrors) {
    do {
      let document = try GraphQLSchemaDocument.parse(sdl, limits: limits)
      var builder = GraphQLSchemaBuilder(document)
      try builder.build()
      self = builder.schema
    } catch let error as GraphQLErrors {
      throw error
    } catch let error as GraphQLError {
      throw GraphQLErrors([error])
    } catch {
      throw GraphQLErrors([])
    }
  }
}

/// Puts the definitions and extensions of a text together.
private struct GraphQLSchemaBuilder {
  let document: GraphQLSchemaDocument
  var schema = GraphQLSchema()
  private var errors: [GraphQLError] = []

  init(_ document: GraphQLSchemaDocument) {
    self.document = document
  }

  private mutating func report(_ message: String, at offset: Int) {
    errors.append(document.source.error(message, at: offset))
  }

  mutating func build() throws {
    let scalars = try GraphQLSchemaDocument.parse(
      GraphQLBuiltIns.scalars, limits: GraphQLLimits())
    let introspection = try GraphQLSchemaDocument.parse(
      GraphQLBuiltIns.introspection, limits: GraphQLLimits())
    collectTypes()
    collectDirectives(builtIn: scalars.directives)
    collectRoots()
    // A built-in scalar is listed where something uses it.
    let used = usedTypes(schema.types + introspection.types, schema.directives)
    schema.types += scalars.types.filter {
      used.contains($0.name) && !isDefined($0.name)
    }
    schema.types += introspection.types
    schema.reindex(builtIn: scalars.types)
    var rules = GraphQLSchemaRules(schema, of: document)
    errors += rules.check()
    if !errors.isEmpty {
      throw GraphQLErrors(Array(errors.prefix(GraphQLValidator.mostErrors)))
    }
    coerceDefaults()
    schema.reindex(builtIn: scalars.types)
  }

  private func isDefined(_ name: String) -> Bool {
    document.types.contains { $0.name == name }
  }

  private mutating func collectTypes() {
    var positions: [String: Int] = [:]
    for type in document.types {
      if positions[type.name] != nil {
        report("There can be only one type named \"\(type.name)\".", at: type.offset)
        continue
      }
      positions[type.name] = schema.types.count
      schema.types.append(type)
    }
    for part in document.typeExtensions {
      guard let position = positions[part.name] else {
        report(
          "Cannot extend type \"\(part.name)\" because it is not defined.", at: part.offset)
        continue
      }
      guard schema.types[position].kind == part.kind else {
        report(
          "Cannot extend type \"\(part.name)\": it is defined as another kind of type.",
          at: part.offset)
        continue
      }
      schema.types[position].interfaces += part.interfaces
      schema.types[position].fields += part.fields
      schema.types[position].inputFields += part.inputFields
      schema.types[position].members += part.members
      schema.types[position].values += part.values
      schema.types[position].directives += part.directives
    }
  }

  private mutating func collectDirectives(builtIn: [GraphQLSchema.DirectiveDefinition]) {
    var names: Set<String> = []
    for directive in document.directives {
      guard names.insert(directive.name).inserted else {
        report(
          "There can be only one directive named \"@\(directive.name)\".", at: directive.offset)
        continue
      }
      schema.directives.append(directive)
    }
    schema.directives += builtIn.filter { !names.contains($0.name) }
  }

  private mutating func collectRoots() {
    for second in document.schemas.dropFirst() {
      report("Must provide only one schema definition.", at: second.offset)
    }
    guard let definition = document.schemas.first else {
      for part in document.schemaExtensions where !part.roots.isEmpty || !part.directives.isEmpty {
        report("Cannot extend the schema because it is not defined.", at: part.offset)
      }
      for kind in GraphQLOperation.Kind.allCases {
        let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        if isDefined(name) { schema.roots[kind] = name }
      }
      return
    }
    schema.description = definition.description
    for root in definition.roots + document.schemaExtensions.flatMap(\.roots) {
      if schema.roots[root.kind] != nil {
        report(
          "There can be only one \(root.kind.rawValue) type in schema.", at: root.offset)
      } else {
        schema.roots[root.kind] = root.type
      }
    }
  }

  private func usedTypes(
    _ types: [GraphQLSchema.TypeDefinition], _ directives: [GraphQLSchema.DirectiveDefinition]
  ) -> Set<String> {
    var used: Set<String> = []
    for type in types {
      for field in type.fields {
        used.insert(field.type.innermost)
        used.formUnion(field.arguments.map(\.type.innermost))
      }
      used.formUnion(type.inputFields.map(\.type.innermost))
    }
    for directive in directives {
      used.formUnion(directive.arguments.map(\.type.innermost))
    }
    return used
  }

  // MARK: Defaults

  private mutating func coerceDefaults() {
    let input = GraphQLInput(schema: schema)
    for position in schema.types.indices {
      for field in schema.types[position].fields.indices {
        Self.coerce(&schema.types[position].fields[field].arguments, input)
      }
      Self.coerce(&schema.types[position].inputFields, input)
    }
    for position in schema.directives.indices {
      Self.coerce(&schema.directives[position].arguments, input)
    }
  }

  private static func coerce(
    _ definitions: inout [GraphQLSchema.InputDefinition], _ input: GraphQLInput
  ) {
    for index in definitions.indices {
      guard let literal = definitions[index].defaultValue,
        case .success(let value) = input.coerce(literal, to: definitions[index].type)
      else { continue }
      definitions[index].value = value
    }
  }
}
