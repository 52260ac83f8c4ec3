import JSON
import Testing

@testable import GraphQL
@testable import Server

@Suite struct GraphQLValidationTests {
  /// Errors as `line:column[ line:column] message`.
  private static func errors(_ text: String) throws -> [String] {
    let document = try GraphQLDocument.parse(text, limits: DocumentCache.limits)
    return document.errors(against: ChatSchema.schema).map { error in
      error.locations.map { "\($0.line):\($0.column)" }.joined(separator: " ") + " "
        + error.message
    }
  }

  @Test(arguments: [
    #"{ messages(room: "r") { id seq room author text sentAt clientId __typename } }"#,
    #"{ messages(room: "r", last: 5, after: 7) { id } __typename __schema { types { name } } }"#,
    "query Q($r: String!, $l: Int, $a: ID) { messages(room: $r, last: $l, after: $a) { id } }",
    #"query Q($r: String = "r") { messages(room: $r) { id } }"#,
    #"query Q($s: Boolean!) { messages(room: "r") { id @skip(if: $s) ... @include(if: $s) { seq } } }"#,
    #"{ messages(room: "r") { ...A id id } } fragment A on Message { ...B } fragment B on Message { id }"#,
    #"query A { __typename } query B { messages(room: "r") { ... on Message { id } } }"#,
    #"subscription { messageAdded(room: "r") { id } ...F } fragment F on Subscription { messageAdded(room: "r") { text } }"#,
    #"mutation { a: postMessage(room: "r", author: "a", text: "t") { id } b: postMessage(room: "r", author: "a", text: "t", clientId: null) { id } }"#,
    #"{ __type(name: "Message") { fields(includeDeprecated: true) { type { ofType { name } } } } }"#,
  ])
  func documentsThatFitAreLetThrough(text: String) throws {
    #expect(try Self.errors(text) == [])
  }

  // Messages as graphql-core gives them for the same schema, but for its suggestions and quotes; where it marks
  // the name or type inside a definition, the definition is marked here.
  @Test(arguments: [
    (#"{ messages(room: "r") { nope } }"#, #"1:25 Cannot query field "nope" on type "Message"."#),
    ("{ nope }", #"1:3 Cannot query field "nope" on type "Query"."#),
    (
      "{\n  messages { id } }",
      #"2:3 Field "messages" argument "room" of type "String!" is required, but it was not provided."#
    ),
    (
      #"{ messages(room: "r", first: 5) { id } }"#,
      #"1:23 Unknown argument "first" on field "Query.messages"."#
    ),
    ("{ messages(room: 5) { id } }", "1:18 String cannot represent a non string value: 5"),
    (
      "{ messages(room: null) { id } }",
      #"1:18 Expected value of type "String!", found null."#
    ),
    (
      #"{ messages(room: "r", last: 99999999999) { id } }"#,
      "1:29 Int cannot represent non 32-bit signed integer value: 99999999999"
    ),
    (
      #"{ messages(room: "r", last: -2147483649) { id } }"#,
      "1:29 Int cannot represent non 32-bit signed integer value: -2147483649"
    ),
    (
      #"{ messages(room: "r", last: "5") { id } }"#,
      #"1:29 Int cannot represent non-integer value: "5""#
    ),
    (
      #"{ messages(room: "r", last: 1.5) { id } }"#,
      "1:29 Int cannot represent non-integer value: 1.5"
    ),
    (
      "{ messages(room: {a: 1}) { id } }",
      "1:18 String cannot represent a non string value: an object"
    ),
    (
      "{ messages(room: [$x]) { id } }",
      "1:18 String cannot represent a non string value: a list"
    ),
    ("{ messages(room: RED) { id } }", "1:18 String cannot represent a non string value: RED"),
    (
      #"{ messages(room: "r", after: 1.5) { id } }"#, "1:30 ID cannot represent value: 1.5"
    ),
    (
      #"{ messages(room: "r") }"#,
      #"1:3 Field "messages" of type "[Message!]!" must have a selection of subfields. Did you mean "messages { ... }"?"#
    ),
    (
      #"{ messages(room: "r") { id { x } } }"#,
      #"1:25 Field "id" must not have a selection since type "ID!" has no subfields."#
    ),
    (
      #"{ messages(room: "r", room: "s") { id } }"#,
      #"1:23 There can be only one argument named "room"."#
    ),
    (#"{ messages(room: "r") { ...Line } }"#, #"1:25 Unknown fragment "Line"."#),
    (
      #"{ messages(room: "r") { ...F } } fragment F on Nope { id }"#,
      #"1:34 Unknown type "Nope"."#
    ),
    (
      #"{ messages(room: "r") { ...F } } fragment F on String { id }"#,
      #"1:34 Fragment "F" cannot condition on non composite type "String"."#
    ),
    (
      #"{ messages(room: "r") { ...F } } fragment F on Query { __typename }"#,
      #"1:25 Fragment "F" cannot be spread here as objects of type "Message" can never be of type "Query"."#
    ),
    (
      #"{ messages(room: "r") { ... on Query { __typename } } }"#,
      #"1:25 Fragment cannot be spread here as objects of type "Message" can never be of type "Query"."#
    ),
    (
      #"{ messages(room: "r") { id } } fragment Line on Message { id }"#,
      #"1:32 Fragment "Line" is never used."#
    ),
    (
      #"{ messages(room: "r") { ...F } } fragment F on Message { id } fragment F on Message { id }"#,
      #"1:63 There can be only one fragment named "F"."#
    ),
    (
      #"{ messages(room: "r") { ...A } } fragment A on Message { id ...B } fragment B on Message { ...A }"#,
      #"1:92 Cannot spread fragment "A" within itself via "B"."#
    ),
    (
      #"{ messages(room: "r") { ...A } } fragment A on Message { id ...A }"#,
      #"1:61 Cannot spread fragment "A" within itself."#
    ),
    ("{ messages(room: $r) { id } }", #"1:18 1:1 Variable "$r" is not defined."#),
    (
      "query Q { messages(room: $r) { id } }",
      #"1:26 1:1 Variable "$r" is not defined by operation "Q"."#
    ),
    (
      "query Q($r: String!, $x: Int) { messages(room: $r) { id } }",
      #"1:22 Variable "$x" is never used in operation "Q"."#
    ),
    (
      "query Q($r: String) { messages(room: $r) { id } }",
      #"1:9 1:38 Variable "$r" of type "String" used in position expecting type "String!"."#
    ),
    (
      "query Q($r: String = null) { messages(room: $r) { id } }",
      #"1:9 1:45 Variable "$r" of type "String" used in position expecting type "String!"."#
    ),
    (
      "query Q($r: Int!) { messages(room: $r) { id } }",
      #"1:9 1:36 Variable "$r" of type "Int!" used in position expecting type "String!"."#
    ),
    (
      "query Q($r: [String!]!) { messages(room: $r) { id } }",
      #"1:9 1:42 Variable "$r" of type "[String!]!" used in position expecting type "String!"."#
    ),
    ("query Q($r: Nope!) { messages(room: $r) { id } }", #"1:9 Unknown type "Nope"."#),
    (
      "query Q($r: String!, $r: String!) { messages(room: $r) { id } }",
      #"1:9 1:22 There can be only one variable named "$r"."#
    ),
    (
      "query Q($r: String! = 5) { messages(room: $r) { id } }",
      "1:23 String cannot represent a non string value: 5"
    ),
    (
      "query Q { __typename } query Q { __typename }",
      #"1:1 1:24 There can be only one operation named "Q"."#
    ),
    (
      "{ __typename } query Q { __typename }",
      "1:1 This anonymous operation must be the only defined operation."
    ),
    (#"{ messages(room: "r") { id @nope } }"#, #"1:28 Unknown directive "@nope"."#),
    (
      #"{ messages(room: "r") { id @skip } }"#,
      #"1:28 Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided."#
    ),
    (
      #"{ messages(room: "r") { id @skip(if: 1) } }"#,
      "1:38 Boolean cannot represent a non boolean value: 1"
    ),
    (
      #"{ messages(room: "r") { id @skip(if: true) @skip(if: true) } }"#,
      #"1:44 The directive "@skip" can only be used once at this location."#
    ),
    (
      "query @skip(if: true) { __typename }",
      #"1:7 Directive "@skip" may not be used on QUERY."#
    ),
    (
      #"subscription { a: messageAdded(room: "r") { id } b: messageAdded(room: "r") { id } }"#,
      "1:50 Anonymous Subscription must select only one top level field."
    ),
    (
      "subscription { __typename }",
      "1:16 Subscription must not select an introspection top level field."
    ),
    (
      #"{ messages(room: "r") { a: id a: text } }"#,
      #"1:25 1:31 Fields "a" conflict because "id" and "text" are different fields. Use different aliases on the fields to fetch both if this was intentional."#
    ),
    (
      #"{ messages(room: "r") { id } messages(room: "s") { id } }"#,
      #"1:3 1:30 Fields "messages" conflict because they have differing arguments. Use different aliases on the fields to fetch both if this was intentional."#
    ),
    (
      #"{ messages(room: "r") { a: id } messages(room: "r") { ...F } } fragment F on Message { a: seq }"#,
      #"1:25 1:88 Fields "a" conflict because "id" and "seq" are different fields. Use different aliases on the fields to fetch both if this was intentional."#
    ),
    (
      #"mutation { postMessage(room: "r", text: "t") { id } }"#,
      #"1:12 Field "postMessage" argument "author" of type "String!" is required, but it was not provided."#
    ),
    (
      "{ messages(room: \"r\") { id __schema { types { name } } } }",
      #"1:28 Cannot query field "__schema" on type "Message"."#
    ),
  ])
  func whatDoesNotFitIsToldOnceWithItsPlace(text: String, error: String) throws {
    #expect(try Self.errors(text) == [error])
  }

  @Test func severalErrorsAreToldAtOnce() throws {
    let errors = try Self.errors(#"{ a messages(room: "r") { b c(d: $e) } }"#)
    #expect(errors.count == 3)
  }

  @Test func aDocumentNeedsAnOperation() throws {
    #expect(
      try Self.errors("fragment F on Message { id }") == [
        " The document holds no operation.", #"1:1 Fragment "F" is never used."#,
      ])
  }

  @Test func thousandsOfErrorsAreCut() throws {
    #expect(
      try Self.errors("{" + String(repeating: "a ", count: 5000) + "}").count == 50)
  }

  @Test func fragmentsThatDoubleWithEveryLevelAreRefused() throws {
    // Each level reaches the one below twice, under different keys: 2^30 fields in all.
    var text = "{ __schema { types { ...F0 } } }"
    for level in 0..<30 {
      text +=
        " fragment F\(level) on __Type { a: ofType { ...F\(level + 1) } b: ofType { ...F\(level + 1) } }"
    }
    text += " fragment F30 on __Type { name }"
    #expect(
      try Self.errors(text) == [
        "1:1 The document has too many fields once its fragments are spread."
      ])
  }

  @Test func longChainsOfFragmentsAreRefused() throws {
    var text = #"{ messages(room: "r") { ...F0 } }"#
    for link in 0..<900 { text += " fragment F\(link) on Message { ...F\(link + 1) }" }
    text += " fragment F900 on Message { id }"
    let errors = try Self.errors(text)
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.contains("is nested deeper than 64 levels.") })
  }

  // MARK: Variables

  private static func variables(_ types: String, _ values: JSON) -> Result<
    [String: JSON], GraphQLErrors
  > {
    do {
      let document = try GraphQLDocument.parse("query Q(\(types)) { x }")
      return GraphQLVariables.coerce(
        of: document.operations[0], in: document, from: values, schema: ChatSchema.schema)
    } catch {
      return .failure(GraphQLErrors([error]))
    }
  }

  @Test(
    arguments: [
      ("$a: Int", ["a": 5], ["a": 5]), ("$a: Int = 7", [:], ["a": 7]), ("$a: Int", [:], [:]),
      ("$a: Int = 7", ["a": nil], ["a": nil]), ("$a: Int!", ["a": 50.0], ["a": 50]),
      ("$a: ID!", ["a": 12], ["a": "12"]), ("$a: ID!", ["a": "m1"], ["a": "m1"]),
      ("$a: [String!]!", ["a": ["x"]], ["a": ["x"]]), ("$a: [String!]", ["a": "x"], ["a": ["x"]]),
      ("$a: Boolean", ["a": true, "more": 1], ["a": true]),
    ] as [(String, JSON, [String: JSON])])
  func variablesAreCoerced(types: String, given: JSON, expected: [String: JSON]) {
    #expect(Self.variables(types, given) == .success(expected))
  }

  @Test(
    arguments: [
      ("$a: String!", [:], #"Variable "$a" of required type "String!" was not provided."#),
      ("$a: String!", ["a": nil], #"Variable "$a" of non-null type "String!" must not be null."#),
      (
        "$a: String!", ["a": 5],
        #"Variable "$a" got invalid value 5; String cannot represent a non string value: 5"#
      ),
      (
        "$a: Int", ["a": 2_147_483_648],
        #"Variable "$a" got invalid value 2147483648; Int cannot represent non 32-bit signed integer value: 2147483648"#
      ),
      (
        "$a: Int", ["a": 1.5],
        #"Variable "$a" got invalid value 1.5; Int cannot represent non-integer value: 1.5"#
      ),
      (
        "$a: Int", ["a": .bigInteger("123456789012345678901234567890")],
        #"Variable "$a" got invalid value 123456789012345678901234567890; Int cannot represent non 32-bit signed integer value: 123456789012345678901234567890"#
      ),
      (
        "$a: Boolean", ["a": "true"],
        #"Variable "$a" got invalid value "true"; Boolean cannot represent a non boolean value: "true""#
      ),
      (
        "$a: [String!]", ["a": [nil]],
        #"Variable "$a" got invalid value a list at "a[0]"; Expected non-nullable type "String!" not to be null."#
      ),
      (
        "$a: ID", ["a": ["b": 1]],
        #"Variable "$a" got invalid value an object; ID cannot represent value: an object"#
      ),
    ] as [(String, JSON, String)])
  func variablesThatDoNotFitAreErrors(types: String, given: JSON, message: String) {
    #expect(
      Self.variables(types, given)
        == .failure(
          GraphQLErrors([
            GraphQLError(message: message, locations: [GraphQLLocation(line: 1, column: 9)])
          ])))
  }
}
