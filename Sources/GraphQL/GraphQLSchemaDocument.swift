/// A parsed text in the schema definition language (GraphQL specification, section 3).
struct GraphQLSchemaDocument {
  struct Root {
    var kind: GraphQLOperation.Kind
    var type: String
    var offset: Int
  }

  /// `schema { … }`, or an extension of it.
  struct SchemaDefinition {
    var description: String?
    var roots: [Root]
    var directives: [GraphQLDirective]
    var offset: Int
  }

  var source: GraphQLSource
  var schemas: [SchemaDefinition] = []
  var schemaExtensions: [SchemaDefinition] = []
  var types: [GraphQLSchema.TypeDefinition] = []
  var typeExtensions: [GraphQLSchema.TypeDefinition] = []
  var directives: [GraphQLSchema.DirectiveDefinition] = []

  static func parse(
    _ text: String, limits: GraphQLLimits
  ) throws(GraphQLError) -> GraphQLSchemaDocument {
    var parser = try GraphQLParser(text, limits)
    return try parser.schemaDocument()
  }
}

extension GraphQLParser {
  mutating func schemaDocument() throws(GraphQLError) -> GraphQLSchemaDocument {
    var document = GraphQLSchemaDocument(source: source)
    repeat {
      let description = try takeDescription()
      let offset = token.offset
      guard token.kind == .name else { throw unexpected() }
      if atKeyword("extend"), description == nil {
        try advance()
        try definition(nil, offset, isExtension: true, into: &document)
      } else {
        try definition(description, offset, isExtension: false, into: &document)
      }
    } while token.kind != .end
    return document
  }

  private mutating func definition(
    _ description: String?, _ offset: Int, isExtension: Bool,
    into document: inout GraphQLSchemaDocument
  ) throws(GraphQLError) {
    let keyword = token
    switch keyword.text {
    case "schema":
      try advance()
      let directives = try directives(constant: true)
      let roots = !isExtension || at("{") ? try self.roots() : []
      let schema = GraphQLSchemaDocument.SchemaDefinition(
        description: description, roots: roots, directives: directives, offset: offset)
      if isExtension {
        guard !directives.isEmpty || !roots.isEmpty else { throw unexpected() }
        document.schemaExtensions.append(schema)
      } else {
        document.schemas.append(schema)
      }
    case "directive" where !isExtension:
      try advance()
      document.directives.append(try directiveDefinition(description, offset))
    default:
      guard keyword.kind == .name, let kind = Self.kinds[keyword.text] else { throw unexpected() }
      try advance()
      let type = try typeDefinition(kind, description, offset)
      guard isExtension else {
        document.types.append(type)
        return
      }
      guard
        !type.interfaces.isEmpty || !type.directives.isEmpty || !type.fields.isEmpty
          || !type.inputFields.isEmpty || !type.members.isEmpty || !type.values.isEmpty
      else { throw unexpected() }
      document.typeExtensions.append(type)
    }
  }

  private static let kinds: [String: GraphQLSchema.Kind] = [
    "scalar": .scalar, "type": .object, "interface": .interface, "union": .union,
    "enum": .enumeration, "input": .inputObject,
  ]

  private mutating func roots() throws(GraphQLError) -> [GraphQLSchemaDocument.Root] {
    try many("{", "}") { parser throws(GraphQLError) in
      let offset = parser.token.offset
      guard parser.token.kind == .name,
        let kind = GraphQLOperation.Kind(rawValue: parser.token.text)
      else { throw parser.unexpected() }
      try parser.advance()
      try parser.expect(":")
      return GraphQLSchemaDocument.Root(kind: kind, type: try parser.name(), offset: offset)
    }
  }

  private mutating func typeDefinition(
    _ kind: GraphQLSchema.Kind, _ description: String?, _ offset: Int
  ) throws(GraphQLError) -> GraphQLSchema.TypeDefinition {
    var type = GraphQLSchema.TypeDefinition(
      kind: kind, name: try name(), description: description, offset: offset)
    if kind == .object || kind == .interface, try takeKeyword("implements") {
      _ = try take("&")
      repeat { type.interfaces.append(try name()) } while try take("&")
    }
    type.directives = try directives(constant: true)
    switch kind {
    case .scalar: break
    case .object, .interface:
      if at("{") { type.fields = try fieldDefinitions() }
    case .inputObject:
      if at("{") { type.inputFields = try inputDefinitions("{", "}") }
    case .union:
      guard try take("=") else { break }
      _ = try take("|")
      repeat { type.members.append(try name()) } while try take("|")
    case .enumeration:
      if at("{") { type.values = try enumValues() }
    }
    return type
  }

  private mutating func fieldDefinitions() throws(GraphQLError) -> [GraphQLSchema.FieldDefinition] {
    try many("{", "}") { parser throws(GraphQLError) in
      let description = try parser.takeDescription()
      let offset = parser.token.offset
      let name = try parser.name()
      let arguments = parser.at("(") ? try parser.inputDefinitions("(", ")") : []
      try parser.expect(":")
      return GraphQLSchema.FieldDefinition(
        name: name, description: description, arguments: arguments, type: try parser.type(),
        directives: try parser.directives(constant: true), offset: offset)
    }
  }

  private mutating func inputDefinitions(
    _ opening: String, _ closing: String
  ) throws(GraphQLError) -> [GraphQLSchema.InputDefinition] {
    try many(opening, closing) { parser throws(GraphQLError) in
      let description = try parser.takeDescription()
      let offset = parser.token.offset
      let name = try parser.name()
      try parser.expect(":")
      let type = try parser.type()
      let defaultValue = try parser.take("=") ? try parser.value(constant: true) : nil
      return GraphQLSchema.InputDefinition(
        name: name, description: description, type: type, defaultValue: defaultValue,
        directives: try parser.directives(constant: true), offset: offset)
    }
  }

  private mutating func enumValues() throws(GraphQLError) -> [GraphQLSchema.EnumValue] {
    try many("{", "}") { parser throws(GraphQLError) in
      let description = try parser.takeDescription()
      let offset = parser.token.offset
      guard !["true", "false", "null"].contains(parser.token.text) else {
        throw parser.source.syntaxError(
          "Name \"\(parser.token.text)\" is reserved and cannot be used for an enum value.",
          at: offset)
      }
      return GraphQLSchema.EnumValue(
        name: try parser.name(), description: description,
        directives: try parser.directives(constant: true), offset: offset)
    }
  }

  private mutating func directiveDefinition(
    _ description: String?, _ offset: Int
  ) throws(GraphQLError) -> GraphQLSchema.DirectiveDefinition {
    try expect("@")
    let directiveName = try name()
    let arguments = at("(") ? try inputDefinitions("(", ")") : []
    let isRepeatable = try takeKeyword("repeatable")
    try expectKeyword("on")
    _ = try take("|")
    var locations: [String] = []
    repeat {
      guard token.kind == .name, GraphQLDirectiveLocation.all.contains(token.text) else {
        throw unexpected()
      }
      locations.append(try name())
    } while try take("|")
    return GraphQLSchema.DirectiveDefinition(
      name: directiveName, description: description, arguments: arguments,
      isRepeatable: isRepeatable, locations: locations, offset: offset)
  }

  /// One or more between two marks.
  private mutating func many<Node>(
    _ opening: String, _ closing: String,
    _ node: (inout GraphQLParser) throws(GraphQLError) -> Node
  ) throws(GraphQLError) -> [Node] {
    try expect(opening)
    var nodes: [Node] = []
    repeat { nodes.append(try node(&self)) } while try !take(closing)
    return nodes
  }
}
