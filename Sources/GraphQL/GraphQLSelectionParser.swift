/// Selections, arguments, directives and values (GraphQL specification, sections 2.4 to 2.9 and 2.12).
extension GraphQLParser {
  mutating func selectionSet() throws(GraphQLError) -> [GraphQLSelection] {
    try descend()
    defer { ascend() }
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
    let condition = try takeKeyword("on") ? try name() : nil
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

  mutating func directives(constant: Bool) throws(GraphQLError) -> [GraphQLDirective] {
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

  /// `constant`: where no variable may stand, such as a default.
  mutating func value(constant: Bool) throws(GraphQLError) -> GraphQLLiteral {
    try descend()
    defer { ascend() }
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
      let offset = token.offset
      let memberName = try name()
      try expect(":")
      members.append(
        GraphQLLiteral.Member(
          name: memberName, value: try value(constant: constant), offset: offset))
    }
    return members
  }
}
