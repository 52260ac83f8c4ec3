import Testing

@testable import GraphQL

@Suite struct ParserTests {
  /// Those of the embedded server.
  private static let limits = GraphQLLimits(depth: 64, tokens: 10_000, bytes: 256 << 10)

  /// The value of the only argument of the only field.
  private static func argument(_ literal: String) throws(GraphQLError) -> GraphQLLiteral.Value? {
    let document = try GraphQLDocument.parse("{ f(a: \(literal)) }")
    guard case .field(let field) = document.operations.first?.selections.first else { return nil }
    return field.arguments.first?.value.value
  }

  private static func error(_ text: String) -> GraphQLError? {
    do {
      _ = try GraphQLDocument.parse(text, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (#""""#, ""), (#""a\"b\\c\/d""#, #"a"b\c/d"#), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
    (#""\u00e9\u6973""#, "é\u{6973}"), (#""\uD83D\uDE00""#, "😀"), (#""\u{1F600}\u{41}""#, "😀A"),
    (#""女 # no, comment""#, "女 # no, comment"),
    (#""""block""""#, "block"), ("\"\"\"\n    a\n      b\n    c\n  \"\"\"", "a\n  b\nc"),
    ("\"\"\"  first\n    second\r\n    third\"\"\"", "  first\nsecond\nthird"),
    (#""""raw \n \""" end""""#, #"raw \n """ end"#), ("\"\"\"\n\n   \n\"\"\"", ""),
    ("\"\"\"\n\ta\r\tb\"\"\"", "a\nb"),
  ])
  func stringsMeanWhatTheSpecificationSays(literal: String, value: String) throws {
    #expect(try Self.argument(literal) == .string(value))
  }

  @Test(arguments: [
    ("0", GraphQLLiteral.Value.integer("0")), ("-0", .integer("-0")), ("17", .integer("17")),
    (String(repeating: "9", count: 400), .integer(String(repeating: "9", count: 400))),
    ("0.5", .float("0.5")), ("-1e10", .float("-1e10")), ("6.02E+23", .float("6.02E+23")),
    ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
    ("RED", .enumeration("RED")), ("$v", .variable("v")), ("[]", .list([])),
    ("{}", .object([])),
    (
      "[1, [2]]",
      .list([
        GraphQLLiteral(value: .integer("1"), offset: 0),
        GraphQLLiteral(value: .list([GraphQLLiteral(value: .integer("2"), offset: 0)]), offset: 0),
      ])
    ),
    (
      "{a: {b: $c}}",
      .object([
        .init(
          name: "a",
          value: GraphQLLiteral(
            value: .object([
              .init(
                name: "b", value: GraphQLLiteral(value: .variable("c"), offset: 0))
            ]), offset: 0))
      ])
    ),
  ])
  func everyKindOfValueIsRead(literal: String, value: GraphQLLiteral.Value) throws {
    #expect(try Self.argument(literal) == value)
  }

  @Test func aDocumentOfEverythingIsRead() throws {
    let document = try GraphQLDocument.parse(
      """
      \u{FEFF}# a comment, and a byte order mark before it
      query Q($a: [String!]! = ["x",], $b: Int @skip(if: true)) @include(if: $b) {
        one: field(x: $a) @skip(if: false) { ...F, ... on T @include(if: true) { id } ... { n } }
      }
      mutation { m } subscription S { s }
      fragment F on T @d { id }
      """)
    #expect(document.operations.map(\.kind) == [.query, .mutation, .subscription])
    #expect(document.operations.map(\.name) == ["Q", nil, "S"])
    #expect(
      document.operations[0].variables.map { $0.type.description } == ["[String!]!", "Int"])
    #expect(document.fragment(named: "F")?.typeCondition == "T")
    guard case .field(let field) = document.operations[0].selections[0] else {
      Issue.record("no field")
      return
    }
    #expect(field.responseKey == "one" && field.name == "field")
    #expect(field.selections.count == 3)
  }

  @Test func keywordsMayBeNames() throws {
    let document = try GraphQLDocument.parse(
      "{ query mutation: fragment on(true: true) { type } } fragment query on on { null }")
    #expect(document.operations[0].selections.count == 3)
    #expect(document.fragments.map(\.name) == ["query"])
  }

  // Messages and places as graphql-core 3.3 gives them for the same documents.
  @Test(arguments: [
    ("", "Unexpected <EOF>.", 1, 1), ("{", "Expected Name, found <EOF>.", 1, 2),
    ("{}", "Expected Name, found \"}\".", 1, 2),
    ("query { messages(room: \"r\") { id }", "Expected Name, found <EOF>.", 1, 35),
    ("type Foo { a: Int }", "Unexpected Name \"type\".", 1, 1),
    ("fragment on on Message { id }", "Unexpected Name \"on\".", 1, 10),
    ("{ messages(room: \"r) { id } }", "Unterminated string.", 1, 30),
    ("{ messages(room: \"\\x\") { id } }", "Invalid character escape sequence.", 1, 19),
    ("{ messages(room: \"\\uD800\") { id } }", "Invalid Unicode escape sequence.", 1, 19),
    ("{ a(b: \"\\uD800\\u0041\") }", "Invalid Unicode escape sequence.", 1, 9),
    ("{ a(b: \"\\uDC00\") }", "Invalid Unicode escape sequence.", 1, 9),
    ("{ a(b: \"\\u{110000}\") }", "Invalid Unicode escape sequence.", 1, 9),
    ("{ a(b: \"\\u{}\") }", "Invalid Unicode escape sequence.", 1, 9),
    ("{ a(b: \"\\u12", "Invalid Unicode escape sequence.", 1, 9),
    ("{ a(b: \"x\ny\") }", "Unterminated string.", 1, 10),
    ("{ messages(room: \"\"\"r) { id } }", "Unterminated string.", 1, 32),
    ("{ a(b: 01) }", "Invalid number, expected digit but got: \"1\".", 1, 9),
    ("{ messages(room: 1.) { id } }", "Invalid number, expected digit but got: \")\".", 1, 20),
    ("{ messages(room: 5x) { id } }", "Invalid number, expected digit but got: \"x\".", 1, 19),
    ("{ a(b: -", "Invalid number, expected digit but got: <EOF>.", 1, 9),
    ("{ messages(room: \"r\") { id } } %", "Unexpected character: \"%\".", 1, 32),
    ("{ a.b }", "Unexpected character: \".\".", 1, 4),
    ("{ é }", "Unexpected character: U+00E9.", 1, 3),
    ("\u{0}", "Unexpected character: U+0000.", 1, 1),
    ("{\r\n é,\r 女 }", "Unexpected character: U+00E9.", 2, 2),
    ("{ a }\r\r\n\n ?", "Unexpected character: \"?\".", 4, 2),
    ("query ($a: Int = $b) { x }", "Unexpected \"$\".", 1, 18),
    ("query () { x }", "Expected \"$\", found \")\".", 1, 8),
    ("{ a() }", "Expected Name, found \")\".", 1, 5),
    ("{ a: }", "Expected Name, found \"}\".", 1, 6),
    ("query Q", "Expected \"{\", found <EOF>.", 1, 8),
  ])
  func whatIsNoDocumentIsToldWithItsPlace(text: String, message: String, line: Int, column: Int) {
    let error = Self.error(text)
    #expect(error?.message == "Syntax Error: \(message)")
    #expect(error?.locations == [GraphQLLocation(line: line, column: column)])
  }

  @Test(arguments: [
    String(repeating: "{a", count: 10_000),
    "{ a(b: " + String(repeating: "[", count: 9_000),
    "{ a(b: " + String(repeating: "{c:", count: 3_000),
    "query($a: " + String(repeating: "[", count: 9_000),
    String(repeating: "{ ...", count: 2_000),
  ])
  func deepDocumentsAreRefusedWithoutRecursion(text: String) {
    #expect(
      Self.error(text)?.message == "Syntax Error: Document is nested deeper than 64 levels.")
  }

  @Test func depthIsAllowedUpToItsBound() {
    let nested = { (count: Int) in
      String(repeating: "{a", count: count) + String(repeating: "}", count: count)
    }
    #expect(Self.error(nested(64)) == nil)
    #expect(Self.error(nested(65)) != nil)
  }

  @Test func longDocumentsAreRefused() {
    #expect(
      Self.error("{" + String(repeating: "a ", count: 10_000))?.message
        == "Syntax Error: Document contains more than 10000 tokens.")
    #expect(
      Self.error("{ a } #" + String(repeating: "x", count: 256 << 10))?.message
        == "Syntax Error: Document is longer than 262144 bytes.")
    // A comment is no token, however long.
    #expect(Self.error("{ a } #" + String(repeating: "x", count: 200_000)) == nil)
  }
}
