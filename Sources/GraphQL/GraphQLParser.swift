/// Reads documents (GraphQL specification, appendix B). Recursive descent with a bound on its depth, so that
/// no document can exhaust the stack. Errors name the line and column, what was expected and what was found.
struct GraphQLParser {
  private(set) var lexer: GraphQLLexer
  private(set) var token: GraphQLToken
  private var depth = 0

  var source: GraphQLSource { lexer.source }
  var limits: GraphQLLimits { lexer.limits }

  init(_ text: String, _ limits: GraphQLLimits) throws(GraphQLError) {
    guard text.utf8.count <= limits.bytes else {
      throw GraphQLError(
        message: "Syntax Error: Document is longer than \(limits.bytes) bytes.")
    }
    lexer = GraphQLLexer(GraphQLSource(text), limits)
    token = try lexer.next()
  }

  // MARK: Tokens

  mutating func advance() throws(GraphQLError) {
    token = try lexer.next()
  }

  /// The token behind the next one.
  func following() throws(GraphQLError) -> GraphQLToken {
    var ahead = lexer
    return try ahead.next()
  }

  func at(_ punctuator: String) -> Bool {
    token.kind == .punctuator && token.text == punctuator
  }

  func atKeyword(_ keyword: String) -> Bool {
    token.kind == .name && token.text == keyword
  }

  mutating func take(_ punctuator: String) throws(GraphQLError) -> Bool {
    guard at(punctuator) else { return false }
    try advance()
    return true
  }

  mutating func takeKeyword(_ keyword: String) throws(GraphQLError) -> Bool {
    guard atKeyword(keyword) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ punctuator: String) throws(GraphQLError) {
    guard try take(punctuator) else { throw expected("\"\(punctuator)\"") }
  }

  mutating func expectKeyword(_ keyword: String) throws(GraphQLError) {
    guard try takeKeyword(keyword) else { throw expected("\"\(keyword)\"") }
  }

  mutating func name() throws(GraphQLError) -> String {
    guard token.kind == .name else { throw expected("Name") }
    let name = token.text
    try advance()
    return name
  }

  func expected(_ what: String) -> GraphQLError {
    source.syntaxError("Expected \(what), found \(token.description).", at: token.offset)
  }

  func unexpected() -> GraphQLError {
    source.syntaxError("Unexpected \(token.description).", at: token.offset)
  }

  mutating func descend() throws(GraphQLError) {
    depth += 1
    guard depth <= limits.depth else {
      throw source.syntaxError(
        "Document is nested deeper than \(limits.depth) levels.", at: token.offset)
    }
  }

  mutating func ascend() {
    depth -= 1
  }

  /// A description before a definition (section 2.10 of the September 2025 edition allows it for operations and
  /// fragments too).
  mutating func takeDescription() throws(GraphQLError) -> String? {
    guard token.kind == .string else { return nil }
    let text = token.text
    try advance()
    return text
  }

  // MARK: Executable definitions

  mutating func document() throws(GraphQLError) -> GraphQLDocument {
    var document = GraphQLDocument(source: source, limits: limits)
    repeat {
      if at("{") {
        let offset = token.offset
        document.operations.append(
          GraphQLOperation(kind: .query, selections: try selectionSet(), offset: offset))
        continue
      }
      let start = token
      let isDescribed = try takeDescription() != nil
      if isDescribed, at("{") {
        throw source.syntaxError(
          "Unexpected description, a query without a name has none.", at: start.offset)
      }
      if atKeyword("fragment") {
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
      _ = try takeDescription()
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

  mutating func type() throws(GraphQLError) -> GraphQLType {
    try descend()
    defer { ascend() }
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
    try expectKeyword("on")
    let condition = try name()
    let directives = try directives(constant: false)
    return GraphQLFragment(
      name: fragmentName, typeCondition: condition, directives: directives,
      selections: try selectionSet(), offset: offset)
  }
}

extension GraphQLDocument {
  /// Reads an executable document. The error is of the specification's form: a sentence with what was
  /// expected, and its line and column.
  package static func parse(
    _ text: String, limits: GraphQLLimits = GraphQLLimits()
  ) throws(GraphQLError) -> GraphQLDocument {
    var parser = try GraphQLParser(text, limits)
    return try parser.document()
  }
}
