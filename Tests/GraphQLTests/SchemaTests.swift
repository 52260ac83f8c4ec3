import JSON
import Testing

@testable import GraphQL

@Suite struct SchemaTests {
  /// Errors as `line:column message`.
  private static func errors(_ text: String) -> [String] {
    do {
      _ = try GraphQLSchema(sdl: text)
      return []
    } catch {
      return error.errors.map { error in
        error.locations.map { "\($0.line):\($0.column) " }.joined() + error.message
      }
    }
  }

  @Test(arguments: [
    ("type Query { a: Nope }", #"1:14 Unknown type "Nope"."#),
    ("type Query", "1:1 Type Query must define one or more fields, members or values."),
    ("type Query { a: Int, a: Int }", #"1:22 Field "Query.a" can only be defined once."#),
    (
      "type Query { a(n: Int = true): Int }",
      "1:25 Query.a.n has invalid default value: Int cannot represent non-integer value: true"
    ),
    ("type Query {\n  a: Int @nope }", #"2:10 Unknown directive "@nope"."#),
    (
      "directive @d(a: Int) on OBJECT type Query @d(a: \"x\") { a: Int }",
      #"1:49 Int cannot represent non-integer value: "x""#
    ),
    ("type Query { a }", #"1:16 Syntax Error: Expected ":", found "}"."#),
    (
      "input N { a: N! } type Query { a(n: N): Int }",
      "1:1 Input object N can never be given, since it needs itself in turn."
    ),
    (
      "interface I { a: Int! } type Query implements I { a: Int }",
      "1:51 Interface field I.a expects type Int! but Query.a is type Int."
    ),
    ("query { a } type Query { a: Int }", #"1:1 Syntax Error: Unexpected Name "query"."#),
  ])
  func whatIsWrongWithASchemaIsToldWithItsPlace(text: String, error: String) {
    #expect(Self.errors(text) == [error])
  }

  @Test func defaultsThatMultiplyOrNeverEndAreRefused() {
    // Each default brings in the next one twice: 2^40 values, and then one that comes back to itself.
    let levels = (0..<40).map { "input I\($0) { a: I\($0 + 1) = {} b: I\($0 + 1) = {} }" }
    let chain = (0..<5000).map { "input I\($0) { a: I\($0 + 1) = {} }" }
    for text in [
      levels.joined(separator: " ") + " input I40 { a: Int = 1 }",
      chain.joined(separator: " ") + " input I5000 { a: Int = 1 }",
      "input N { b: M = {} } input M { c: N = {} }",
    ] {
      #expect(
        Self.errors("type Query { a: Int } " + text) == [
          "1:1 The default values of input objects bring in each other without bounds."
        ])
    }
  }

  @Test func thousandsOfErrorsInASchemaAreCut() {
    let fields = (0..<2000).map { "f\($0): Nope\($0)" }.joined(separator: " ")
    #expect(Self.errors("type Query { \(fields) }").count == 50)
  }

  @Test func defaultsAreCoercedOnceAndFilledInAllTheWayDown() throws {
    let schema = try GraphQLSchema(
      sdl: """
        input Outer { inner: Inner = {}, list: [Int] = 3 }
        input Inner { deep: Int = 7, kind: Kind = B }
        enum Kind { A B }
        type Query { a(o: Outer = {}): Int }
        """)
    let value = schema.type(named: "Query")?.fields.first?.arguments.first?.value
    #expect(value?.text == #"{"inner":{"deep":7,"kind":"B"},"list":[3]}"#)
  }

  @Test func builtInScalarsAreListedWhereTheyAreUsed() throws {
    let schema = try GraphQLSchema(sdl: "type Query { a: Float }")
    #expect(
      schema.types.map(\.name).filter { !$0.hasPrefix("__") } == [
        "Query", "String", "Float", "Boolean",
      ])
    // Variables may be of the others all the same.
    #expect(schema.type(named: "ID")?.kind == .scalar)
  }

  @Test(arguments: [
    "plain", "", "two\nlines", "  indented at the start", "ends with \"quotes\"", "a \\ backslash",
    "three \"\"\" quotes", "\nbegins with an empty line", "tab\tin it", "bell \u{7}", "a\r\nb",
    "a\n\n  b\n", "ends with a backslash \\", "é 😀",
  ])
  func everyDescriptionSurvivesPrinting(text: String) throws {
    var schema = try GraphQLSchema(sdl: "\"x\" schema { query: Query } type Query { a: Int }")
    schema.description = text
    let printed = GraphQLPrinter.text(of: schema)
    #expect(try GraphQLSchema(sdl: printed).description == text, "\(printed)")
  }

  @Test func integersOfAnySizeReachScalarsThatTakeAnything() throws {
    let schema = try GraphQLSchema(sdl: "scalar Any type Query { a(v: Any): Any }")
    let digits = "123456789012345678901234567890"
    let document = try GraphQLDocument.validated(
      "query($x: Any) { a(v: {n: [\(digits), $x]}) }", against: schema)
    let request = try GraphQLRequest(
      document, operationName: nil, variables: ["x": .bigInteger(digits)], schema: schema)
    var root = Echo()
    let response = request.execute(on: &root, budget: GraphQLBudget(values: 10, text: 100))
    #expect(response.json.text == #"{"data":{"a":{"n":[\#(digits),\#(digits)]}}}"#)
  }

  private struct Echo: GraphQLRoot {
    func resolve(
      _ field: String, _ arguments: [String: JSON]
    ) throws(GraphQLFieldError) -> GraphQLResolved { .leaf(arguments["v"] ?? .null) }
  }
}
