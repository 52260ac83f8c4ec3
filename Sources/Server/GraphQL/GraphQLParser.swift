/// Reads an executable document (GraphQL specification, appendix B). Recursive descent with a bound on its
/// depth, so that no document can exhaust the stack.
struct GraphQLParser {
  /// Selection sets, lists and objects may nest this deep.
  static let deepest = 64
  /// The largest document in bytes.
  static let longest = 256 << 10

  private var lexer: GraphQLLexer
  private var token: GraphQLToken
  private var depth = 0

  private var source: GraphQLSource { lexer.source }

  static func parse(_ text: String) throws(GraphQLError) -> GraphQLDocument {
    guard text.utf8.count <= longest else {
      throw GraphQLError(
        message: "Syntax Error: Document is longer than \(longest) bytes.")
    }
    var parser = try GraphQLParser(GraphQLSource(text))
    return try parser.document()
  }

  private init(_ source: GraphQLSource) throws(GraphQLError) {
    lexer = GraphQLLexer(source)
    token = try lexer.next()
  }

  // MARK: Tokens

  private mutating func advance() throws(GraphQLError) {
    token = try lexer.next()
  }

  private func at(_ punctuator: String) -> Bool {
    token.kind == .punctuator && token.text == punctuator
  }

  private func atKeyword(_ keyword: String) -> Bool {
    token.kind == .name && token.text == keyword
  }

  private mutating func take(_ punctuator: String) throws(GraphQLError) -> Bool {
    guard at(punctuator) else { return false }
    try advance()
    return true
  }

  private mutating func expect(_ punctuator: String) throws(GraphQLError) {
    guard try take(punctuator) else {
      throw source.syntaxError(
        "Expected \"\(punctuator)\", found \(token.description).", at: token.offset)
    }
  }

  private mutating func name() throws(GraphQLError) -> String {
    guard token.kind == .name else {
      throw source.syntaxError("Expected Name, found \(token.description).", at: token.offset)
    }
    let name = token.text
    try advance()
    return name
  }

  private func unexpected() -> GraphQLError {
    source.syntaxError("Unexpected \(token.description).", at: token.offset)
  }

  private mutating func descend() throws(GraphQLError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw source.syntaxError(
        "Document is nested deeper than \(Self.deepest) levels.", at: token.offset)
    }
  }

  // MARK: Definitions

  private mutating func document() throws(GraphQLError) -> GraphQLDocument {
    var document = GraphQLDocument(source: source)
    repeat {
      if at("{") {
        let offset = token.offset
        document.operations.append(
          GraphQLOperation(kind: .query, selections: try selectionSet(), offset: offset))
      } else if atKeyword("fragment") {
        document.append(try fragment())
      } else if token.kind == .name, let kind = GraphQLOperation.Kind(rawValue: token.text) {
        document.operations.append(try operation(kind))
      } else {
        throw unexpected()
      }
    } while token.kind != .end
    return document
  }

  private mutating func operation(
    _ kind: GraphQLOperation.Kind
  ) throws(GraphQLError) -> GraphQLOperation {
    let offset = token.offset
    try advance()
    let operationName = token.kind == .name ? try name() : nil
    let variables = try variableDefinitions()
    let directives = try directives(constant: false)
    return GraphQLOperation(
      kind: kind, name: operationName, variables: variables, directives: directives,
      selections: try selectionSet(), offset: offset)
  }

  private mutating func variableDefinitions() throws(GraphQLError) -> [GraphQLVariable] {
    guard try take("(") else { return [] }
    var variables: [GraphQLVariable] = []
    repeat {
      let offset = token.offset
      try expect("$")
      let variableName = try name()
      try expect(":")
      let type = try type()
      let defaultValue = try take("=") ? try value(constant: true) : nil
      variables.append(
        GraphQLVariable(
          name: variableName, type: type, defaultValue: defaultValue,
          directives: try directives(constant: true), offset: offset))
    } while try !take(")")
    return variables
  }

  private mutating func type() throws(GraphQLError) -> GraphQLType {
    try descend()
    defer { depth -= 1 }
    let type: GraphQLType
    if try take("[") {
      type = .list(try self.type())
      try expect("]")
    } else {
      type = .named(try name())
    }
    return try take("!") ? .nonNull(type) : type
  }

  private mutating func fragment() throws(GraphQLError) -> GraphQLFragment {
    let offset = token.offset
    try advance()
    guard !atKeyword("on") else { throw unexpected() }
    let fragmentName = try name()
    guard atKeyword("on") else {
      throw source.syntaxError("Expected \"on\", found \(token.description).", at: token.offset)
    }
    try advance()
    let condition = try name()
    let directives = try directives(constant: false)
    return GraphQLFragment(
      name: fragmentName, typeCondition: condition, directives: directives,
      selections: try selectionSet(), offset: offset)
  }

  // MARK: Selections

  private mutating func selectionSet() throws(GraphQLError) -> [GraphQLSelection] {
    try descend()
    defer { depth -= 1 }
    try expect("{")
    var selections: [GraphQLSelection] = []
    repeat {
      selections.append(try selection())
    } while try !take("}")
    return selections
  }

  private mutating func selection() throws(GraphQLError) -> GraphQLSelection {
    let offset = token.offset
    guard try take("...") else { return .field(try field()) }
    if token.kind == .name, !atKeyword("on") {
      let fragmentName = try name()
      return .spread(
        GraphQLSpread(
          name: fragmentName, directives: try directives(constant: false), offset: offset))
    }
    var condition: String?
    if atKeyword("on") {
      try advance()
      condition = try name()
    }
    let directives = try directives(constant: false)
    return .inline(
      GraphQLInlineFragment(
        typeCondition: condition, directives: directives, selections: try selectionSet(),
        offset: offset))
  }

  private mutating func field() throws(GraphQLError) -> GraphQLField {
    let offset = token.offset
    let first = try name()
    let second = try take(":") ? try name() : nil
    let arguments = try arguments(constant: false)
    let directives = try directives(constant: false)
    return GraphQLField(
      alias: second == nil ? nil : first, name: second ?? first, arguments: arguments,
      directives: directives, selections: at("{") ? try selectionSet() : [], offset: offset)
  }

  private mutating func arguments(constant: Bool) throws(GraphQLError) -> [GraphQLArgument] {
    guard try take("(") else { return [] }
    var arguments: [GraphQLArgument] = []
    repeat {
      let offset = token.offset
      let argumentName = try name()
      try expect(":")
      arguments.append(
        GraphQLArgument(name: argumentName, value: try value(constant: constant), offset: offset))
    } while try !take(")")
    return arguments
  }

  private mutating func directives(constant: Bool) throws(GraphQLError) -> [GraphQLDirective] {
    var directives: [GraphQLDirective] = []
    while at("@") {
      let offset = token.offset
      try advance()
      let directiveName = try name()
      directives.append(
        GraphQLDirective(
          name: directiveName, arguments: try arguments(constant: constant), offset: offset))
    }
    return directives
  }

  // MARK: Values

  private mutating func value(constant: Bool) throws(GraphQLError) -> GraphQLLiteral {
    try descend()
    defer { depth -= 1 }
    let (text, offset) = (token.text, token.offset)
    let value: GraphQLLiteral.Value
    switch token.kind {
    case .integer: value = .integer(text)
    case .float: value = .float(text)
    case .string: value = .string(text)
    case .name: value = Self.keyword(text)
    case .punctuator where text == "[":
      return GraphQLLiteral(value: .list(try list(constant: constant)), offset: offset)
    case .punctuator where text == "{":
      return GraphQLLiteral(value: .object(try object(constant: constant)), offset: offset)
    case .punctuator where text == "$" && !constant:
      try advance()
      return GraphQLLiteral(value: .variable(try name()), offset: offset)
    case .punctuator, .end: throw unexpected()
    }
    try advance()
    return GraphQLLiteral(value: value, offset: offset)
  }

  private static func keyword(_ name: String) -> GraphQLLiteral.Value {
    switch name {
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "null": .null
    default: .enumeration(name)
    }
  }

  private mutating func list(constant: Bool) throws(GraphQLError) -> [GraphQLLiteral] {
    try advance()
    var elements: [GraphQLLiteral] = []
    while try !take("]") {
      elements.append(try value(constant: constant))
    }
    return elements
  }

  private mutating func object(
    constant: Bool
  ) throws(GraphQLError) -> [GraphQLLiteral.Member] {
    try advance()
    var members: [GraphQLLiteral.Member] = []
    while try !take("}") {
      let memberName = try name()
      try expect(":")
      members.append(
        GraphQLLiteral.Member(name: memberName, value: try value(constant: constant)))
    }
    return members
  }
}
