import GraphQL
import JSON
import Testing

@testable import Server

@Suite struct GraphQLExecutionTests {
  private static func store(_ count: Int = 3) throws -> RoomStore {
    var store = RoomStore(historyLimit: 2000)
    for number in 1...count {
      _ = try store.post(
        "line \(number)", by: "ada", in: "r", clientId: number == 1 ? "k" : nil, wall: Bench.wall)
    }
    return store
  }

  /// The response's compact JSON, or the request's errors.
  private static func run(
    _ query: String, _ variables: JSON = [:], operation: String? = nil,
    on store: inout RoomStore
  ) -> String {
    do {
      let request = try Self.request(query, variables, operation: operation)
      var root = ChatRoot(rooms: store, wall: Bench.wall)
      defer { store = root.rooms }
      return request.execute(on: &root, budget: ChatSchema.budget).json.text
    } catch {
      return error.json.text
    }
  }

  private static func request(
    _ query: String, _ variables: JSON = [:], operation: String? = nil
  ) throws(GraphQLErrors) -> GraphQLRequest {
    try GraphQLRequest(
      GraphQLDocument.validated(
        query, against: ChatSchema.schema, limits: DocumentCache.limits),
      operationName: operation, variables: variables, schema: ChatSchema.schema)
  }

  @Test(arguments: [
    (
      #"{ messages(room: "r", last: 1) { id seq room author text sentAt clientId } }"#,
      #"{"data":{"messages":[{"id":"m3","seq":3,"room":"r","author":"ada","text":"line 3","sentAt":"2026-01-01T00:00:00.000Z","clientId":null}]}}"#
    ),
    (
      #"{ messages(room: "r", last: 2, after: "m1") { id } }"#,
      #"{"data":{"messages":[{"id":"m2"},{"id":"m3"}]}}"#
    ),
    (#"{ messages(room: "none") { id } }"#, #"{"data":{"messages":[]}}"#),
    (
      #"{ b: messages(room: "r", last: 1) { x: text y: seq __typename } a: __typename }"#,
      #"{"data":{"b":[{"x":"line 3","y":3,"__typename":"Message"}],"a":"Query"}}"#
    ),
    (
      #"{ messages(room: "r", last: 1) { ...A seq ... on Message { author } ... { room } } } fragment A on Message { id ...B } fragment B on Message { text }"#,
      #"{"data":{"messages":[{"id":"m3","text":"line 3","seq":3,"author":"ada","room":"r"}]}}"#
    ),
    (
      #"{ messages(room: "r", last: 1) { id } messages(room: "r", last: 1) { seq } }"#,
      #"{"data":{"messages":[{"id":"m3","seq":3}]}}"#
    ),
    (
      #"{ messages(room: "r", last: 1) { id @skip(if: true) seq @include(if: false) text @skip(if: false) @include(if: true) room @skip(if: true) @include(if: true) } }"#,
      #"{"data":{"messages":[{"text":"line 3"}]}}"#
    ),
    (
      #"{ messages(room: "r", last: 1) { id ...F @skip(if: true) ... @include(if: false) { seq } } } fragment F on Message { text }"#,
      #"{"data":{"messages":[{"id":"m3"}]}}"#
    ),
    (
      #"{ messages(room: "r", after: "m9") { id } }"#,
      #"{"errors":[{"message":"No message m9 in room r: ask for the newest ones instead.","locations":[{"line":1,"column":3}],"path":["messages"]}],"data":null}"#
    ),
    (
      #"{ x: __type(name: "Nope") { name } }"#, #"{"data":{"x":null}}"#
    ),
    (
      #"{ __type(name: "Message") { kind name fields { name type { kind ofType { name kind } name } } } }"#,
      #"{"data":{"__type":{"kind":"OBJECT","name":"Message","fields":["#
        + ["id ID", "seq Int", "room String", "author String", "text String", "sentAt String"]
        .map { pair in
          let parts = pair.split(separator: " ")
          return
            #"{"name":"\#(parts[0])","type":{"kind":"NON_NULL","ofType":{"name":"\#(parts[1])","kind":"SCALAR"},"name":null}},"#
        }.joined()
        + ["clientId String", "editedAt String", "deletedAt String", "revision Int", "replyTo ID"]
        .map { pair in
          let parts = pair.split(separator: " ")
          return
            #"{"name":"\#(parts[0])","type":{"kind":"SCALAR","ofType":null,"name":"\#(parts[1])"}},"#
        }.joined()
        + #"{"name":"reactions","type":{"kind":"NON_NULL","ofType":{"name":null,"kind":"LIST"},"name":null}}]}}}"#
    ),
    (
      #"{ __schema { queryType { name fields { args { name defaultValue type { kind } } } } directives { name locations isRepeatable } } }"#,
      #"{"data":{"__schema":{"queryType":{"name":"Query","fields":[{"args":[{"name":"room","defaultValue":null,"type":{"kind":"NON_NULL"}},{"name":"last","defaultValue":"50","type":{"kind":"NON_NULL"}},{"name":"after","defaultValue":null,"type":{"kind":"SCALAR"}},{"name":"before","defaultValue":null,"type":{"kind":"SCALAR"}}]},{"args":[{"name":"room","defaultValue":null,"type":{"kind":"NON_NULL"}}]}]},"directives":[{"name":"skip","locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"isRepeatable":false},{"name":"include","locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"isRepeatable":false},{"name":"deprecated","locations":["FIELD_DEFINITION","ARGUMENT_DEFINITION","INPUT_FIELD_DEFINITION","ENUM_VALUE"],"isRepeatable":false},{"name":"specifiedBy","locations":["SCALAR"],"isRepeatable":false},{"name":"oneOf","locations":["INPUT_OBJECT"],"isRepeatable":false}]}}}"#
    ),
  ])
  func queriesAreExecuted(query: String, response: String) throws {
    var store = try Self.store()
    #expect(Self.run(query, on: &store) == response)
  }

  @Test func theSchemaIsThatOfItsText() throws {
    let schema = try GraphQLSchema(sdl: ChatSchema.sdl)
    #expect(GraphQLPrinter.text(of: schema) == ChatSchema.sdl + "\n")
    #expect(ChatSchema.schema.type(named: "Message") != nil)
  }

  @Test func variablesAndDefaultsReachTheResolver() throws {
    var store = try Self.store()
    let query =
      "query Q($r: String!, $n: Int = 2, $a: ID, $s: Boolean = true) { messages(room: $r, last: $n, after: $a) { id text @skip(if: $s) } }"
    #expect(
      Self.run(query, ["r": "r"], on: &store)
        == #"{"data":{"messages":[{"id":"m2"},{"id":"m3"}]}}"#)
    #expect(
      Self.run(query, ["r": "r", "n": 1, "a": "m1", "s": false], on: &store)
        == #"{"data":{"messages":[{"id":"m2","text":"line 2"}]}}"#)
    #expect(
      Self.run(query, ["r": "r", "n": nil], on: &store)
        == #"{"errors":[{"message":"Argument \"last\" of non-null type \"Int!\" must not be null.","locations":[{"line":1,"column":65}],"path":["messages"]}],"data":null}"#
    )
  }

  @Test func theNamedOperationIsChosen() throws {
    var store = try Self.store()
    let query = "query A { a: __typename } query B { b: __typename }"
    #expect(Self.run(query, operation: "B", on: &store) == #"{"data":{"b":"Query"}}"#)
    #expect(
      Self.run(query, on: &store)
        == #"[{"message":"Must provide operation name if query contains multiple operations."}]"#)
    #expect(
      Self.run(query, operation: "C", on: &store)
        == #"[{"message":"Unknown operation named \"C\"."}]"#)
  }

  @Test func mutationsRunInOrderAndGiveTheirMessages() throws {
    let store = try Self.store(1)
    let request = try Self.request(
      """
      mutation { a: postMessage(room: "r", author: "bob", text: "x", clientId: "k2") { id seq }
        b: postMessage(room: "r", author: "bob", text: "y", clientId: "k2") { id text } }
      """)
    var root = ChatRoot(rooms: store, wall: 0)
    let response = request.execute(on: &root, budget: ChatSchema.budget)
    #expect(
      response.json.text == #"{"data":{"a":{"id":"m2","seq":2},"b":{"id":"m2","text":"x"}}}"#)
    let message = try #require(root.rooms.messages(room: "r", last: 1, after: nil).first)
    #expect(root.effects == [.posted(message, heardBySelf: true)])
  }

  @Test func anAnswerThatGrowsBeyondBoundsIsRefused() throws {
    var store = try Self.store(1000)
    let aliases = (0..<300).map { "a\($0): id" }.joined(separator: " ")
    let response = Self.run(#"{ messages(room: "r", last: 1000) { \#(aliases) } }"#, on: &store)
    #expect(response.hasPrefix(#"{"errors":[{"message":"The answer would be too large"#))
    #expect(response.hasSuffix(#""data":null}"#))
  }

  @Test func textThatIsRepeatedBeyondBoundsIsRefused() throws {
    var store = RoomStore(historyLimit: 2000)
    let text = String(repeating: "x", count: 64 << 10)
    for _ in 1...200 {
      _ = try store.post(text, by: "ada", in: "r", clientId: nil, wall: 0)
    }
    let response = Self.run(
      #"{ messages(room: "r", last: 1000) { a: text b: text c: text d: text e: text f: text } }"#,
      on: &store)
    #expect(response.hasPrefix(#"{"errors":[{"message":"The answer would be too large"#))
  }
}
