import Channel
import Foundation
import JSON
import TestKit
import Testing

@Suite struct ProfileTests {
  static func fixture(_ name: String) throws -> String {
    try String(
      contentsOfFile: Programs.root + "/Sources/App/Profiles/" + name, encoding: .utf8)
  }

  static func minimal(_ changes: (inout [String: String]) -> Void = { _ in }) -> String {
    var parts = [
      "live": #"{"document":"subscription { said { text } }","items":"said"}"#,
      "message": #"{"text":"text"}"#,
    ]
    changes(&parts)
    return "{" + parts.keys.sorted().map { "\"\($0)\":\(parts[$0] ?? "")" }.joined(separator: ",")
      + "}"
  }

  @Test func theStrawberryProfileIsRead() throws {
    let profile = try Profile.parse(
      try Self.fixture("strawberry.json"), file: "strawberry.json")
    #expect(profile.subprotocols == ["graphql-transport-ws", "graphql-ws"])
    #expect(profile.authHeader == "Bearer {token}")
    #expect(profile.authInit == ["Authorization": "Bearer {token}"])
    #expect(profile.history?.operationName == "History")
    #expect(profile.history?.items == Profile.Path("messages"))
    #expect(profile.postRepeat == .safe)
    #expect(profile.liveResumes)
    #expect(profile.liveMode == .event)
    #expect(profile.message.time == Profile.Path("sentAt"))
    #expect(profile.time == .iso8601)
  }

  @Test func theAriadneProfileIsRead() throws {
    let profile = try Profile.parse(try Self.fixture("ariadne.json"), file: "ariadne.json")
    #expect(profile.history?.operationName == nil)
    #expect(profile.authHeader == nil)
    #expect(profile.authInit == ["authToken": "{token}"])
    #expect(!profile.liveResumes)
    #expect(profile.post?.variables.map(\.key) == ["room", "who", "text", "key"])
  }

  @Test func theHasuraProfileIsReadAndExpanded() throws {
    let profile = try Profile.parse(try Self.fixture("hasura.json"), file: "hasura.json")
    #expect(profile.historyOrder == .newestFirst)
    #expect(profile.live.items == Profile.Path("message_stream.*"))
    #expect(profile.message.author == Profile.Path("user.name"))
    let history = try #require(profile.history)
    let values = TemplateValues(["room": "r"])
    let variables = JSON.object(Template.expand(history.variables, with: values))
    #expect(variables.text == #"{"room":"r","n":50,"after":0}"#)
  }

  @Test(arguments: ["strawberry.json", "ariadne.json", "hasura.json"])
  func theSameProfileInTOMLIsTheSame(name: String) throws {
    let text = try Self.fixture(name)
    let json = try Profile.parse(text, file: name)
    let value = try JSON.parse(text)
    let toml = Self.toml(value)
    #expect(try Profile.parse(toml, file: "x.toml") == json)
  }

  /// TOML's inline tables and basic strings are JSON with another sign between key and value.
  private static func toml(_ value: JSON) -> String {
    func inline(_ value: JSON) -> String {
      switch value {
      case .object(let members):
        "{" + members.map { "\"\($0.key)\" = \(inline($0.value))" }.joined(separator: ", ") + "}"
      case .array(let elements): "[" + elements.map(inline).joined(separator: ", ") + "]"
      default: value.text
      }
    }
    return (value.members ?? []).map { "\"\($0.key)\" = \(inline($0.value))\n" }.joined()
  }

  @Test func theBuiltInProfileAsksLikeTheStrawberryOne() throws {
    var profile = try Profile.parse(
      try Self.fixture("strawberry.json"), file: "strawberry.json")
    // The embedded server does not speak the older protocol, and sends every message that it has.
    profile.history?.legacyVia = .webSocket
    profile.post?.legacyVia = .webSocket
    profile.message.seq = nil
    let builtIn = Profile.builtIn
    #expect(builtIn.history == profile.history)
    #expect(builtIn.post == profile.post)
    #expect(builtIn.live == profile.live)
    #expect(builtIn.message == profile.message)
    #expect(builtIn.postRepeat == .safe)
    #expect(builtIn.liveResumes)
    #expect(builtIn.subprotocols == ["graphql-transport-ws"])
    #expect(builtIn.authHeader == "Bearer {token}")
  }

  @Test func whatIsLeftOutHasADefault() throws {
    let profile = try Profile.parse(Self.minimal(), file: "p.json")
    #expect(profile.name == "p.json")
    #expect(profile.subprotocols == ["graphql-transport-ws"])
    #expect(profile.history == nil)
    #expect(profile.post == nil)
    #expect(profile.postRepeat == .ask)
    #expect(!profile.liveResumes)
    #expect(profile.message.id == nil)
  }

  static let faults: [(String, String, String)] = [
    ("live", "{}", "live.document"),
    ("live", "5", "live"),
    ("live", #"{"document":"subscription { a }"}"#, "live.items"),
    ("live", #"{"document":7,"items":"a"}"#, "live.document"),
    ("live", #"{"document":"","items":"a"}"#, "live.document"),
    ("live", #"{"document":"subscription { a }","items":"a","mode":"often"}"#, "live.mode"),
    ("live", #"{"document":"subscription { a }","items":"a","resumes":"yes"}"#, "live.resumes"),
    ("live", #"{"document":"subscription { a }","items":"a","resume":true}"#, "live.resume"),
    ("live", #"{"document":"query { a }","items":"a"}"#, "live.document"),
    ("live", #"{"document":"subscription { a ","items":"a"}"#, "live.document"),
    ("live", #"{"document":"subscription { a ) }","items":"a"}"#, "live.document"),
    ("live", #"{"document":"subscription { a(b: \"x) }","items":"a"}"#, "live.document"),
    ("live", #"{"document":"fragment F on A { b }","items":"a"}"#, "live.document"),
    (
      "live", #"{"document":"subscription A { a }","operationName":"B","items":"a"}"#,
      "live.document"
    ),
    (
      "live",
      #"{"document":"subscription { a(r: $room) }","items":"a","variables":{"rom":"{room}"}}"#,
      "live.document"
    ),
    (
      "live",
      #"{"document":"subscription { a(r: $room) }","items":"a","variables":{"room":"{rom}"}}"#,
      "live.variables"
    ),
    (
      "live",
      #"{"document":"subscription { a(r: $room) }","items":"a","variables":{"room":"{token}"}}"#,
      "live.variables"
    ),
    ("live", #"{"document":"subscription { a }","items":"a","variables":[]}"#, "live.variables"),
    ("message", "{}", "message.text"),
    ("message", #"{"text":"t","ID":"id"}"#, "message.ID"),
    ("message", #"{"text":["t"]}"#, "message.text"),
    ("profile", "2", "profile"),
    ("subprotocols", "[]", "subprotocols"),
    ("subprotocols", #"["a b"]"#, "subprotocols.0"),
    ("subprotocols", #"["a","a"]"#, "subprotocols.1"),
    ("auth", #"{"header":"x","Init":{}}"#, "auth.Init"),
    ("auth", #"{"init":"x"}"#, "auth.init"),
    ("time", #""sundial""#, "time"),
    ("histroy", "{}", "histroy"),
  ]

  @Test(arguments: faults)
  func whatIsWrongIsToldWithFileAndKey(part: String, value: String, key: String) {
    let text = Self.minimal { $0[part] = value }
    let error = #expect(throws: ProfileError.self) {
      try Profile.parse(text, file: "my.json")
    }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("my.json: “\(key)” "), "\(message)")
    #expect(message.hasSuffix("."))
  }

  @Test func inTOMLTheLineIsToldToo() {
    let text = """
      [live]
      document = "subscription { said { text } }"
      items = "said"
      resumes = "yes"

      [message]
      text = "text"
      """
    #expect(
      throws: ProfileError(message: "p.toml, line 4: “live.resumes” must be true or false.")
    ) {
      try Profile.parse(text, file: "p.toml")
    }
  }

  @Test(arguments: [
    (
      "subscription {\n  said { text }\n", "live.document",
      "is wrong at its line 3, column 1: Syntax Error: Expected Name, found <EOF>"
    ),
    (
      "subscription { said(a: 01) }", "live.document",
      "is wrong at its line 1, column 25: Syntax Error: Invalid number, expected digit but got: \"1\""
    ),
    (
      "subscription { said { ...Line } }", "live.document",
      "is wrong at its line 1, column 23: Unknown fragment \"Line\""
    ),
    (
      "subscription { said { ...A } } fragment A on T { ...A }", "live.document",
      "is wrong at its line 1, column 50: Cannot spread fragment \"A\" within itself"
    ),
    (
      "subscription S { said(room: $room) }", "live.document",
      "is wrong at its line 1, column 29: Variable \"$room\" is not defined by operation \"S\""
    ),
    (
      "subscription S($a: Int) { said(a: $a) { ...F } } fragment F on T { b(c: [{d: $b}]) }",
      "live.document",
      "is wrong at its line 1, column 78: Variable \"$b\" is not defined by operation \"S\""
    ),
  ])
  func aSlipInADocumentIsToldWithKeyLineAndColumn(document: String, key: String, fault: String) {
    let text = Self.minimal {
      $0["live"] =
        JSON.object([
          .init("document", .string(document)), .init("items", "said"),
        ]).text
    }
    #expect(throws: ProfileError(message: "p.json: “\(key)” \(fault).")) {
      try Profile.parse(text, file: "p.json")
    }
  }

  @Test(arguments: [
    String(repeating: "{a", count: 100_000), "{ a(b: " + String(repeating: "[", count: 300_000),
  ])
  func hostileDocumentsAreRefusedInASentence(document: String) {
    let text = Self.minimal {
      $0["live"] =
        JSON.object([
          .init("document", .string(document)), .init("items", "said"),
        ]).text
    }
    let error = #expect(throws: ProfileError.self) { try Profile.parse(text, file: "p.json") }
    #expect(error?.message.contains("nested deeper than 200 levels") == true)
  }

  @Test func anUnknownKeyIsNamedWithTheKnownOnes() {
    let text = Self.minimal { $0["auth"] = #"{"haeder":"x"}"# }
    #expect(
      throws: ProfileError(
        message: "p.json: “auth.haeder” is not known; known here are header, init.")
    ) {
      try Profile.parse(text, file: "p.json")
    }
  }

  @Test(arguments: [
    ("{", "p.json"), ("[]", "p.json"), ("null", "p.json"), ("a = ", "p.toml"),
    ("", "p.json"), ("{}", "p.txt"), (String(repeating: "[", count: 10_000), "p.json"),
    (String(repeating: " ", count: (1 << 20) + 1), "p.json"),
  ])
  func whatIsNoProfileAtAllIsToldWithTheFile(text: String, file: String) {
    let error = #expect(throws: ProfileError.self) { try Profile.parse(text, file: file) }
    #expect(error?.message.hasPrefix(file) == true)
  }

  @Test func theLineOfASlipInJSONIsTold() {
    let error = #expect(throws: ProfileError.self) {
      try Profile.parse("{\n \"name\": \"x\",\n \"time\": iso\n}", file: "p.json")
    }
    #expect(error?.message.hasPrefix("p.json, line 3: ") == true, "\(error?.message ?? "")")
  }

  @Test func everyFurtherPartIsRead() throws {
    let names = #"{"document":"query { all { name } }","items":"all.*.name"}"#
    let mutation =
      #"{"document":"mutation ($i: ID) { act(id: $i) }","variables":{"i":"{id}"}}"#
    let edit =
      #"{"document":"mutation ($i: ID, $t: String) { act(id: $i, t: $t) }","variables":{"i":"{id}","t":"{text}"}}"#
    let text = Self.minimal {
      $0["history"] = #"{"document":"{ said { text } }","items":"said","legacyVia":"ws"}"#
      $0["rooms"] = names
      $0["members"] = names
      $0["typing"] = #"{"document":"mutation { typing }"}"#
      $0["edit"] = edit
      $0["delete"] = mutation
      $0["retry"] = #"{"4400":"retry","1011":"stop","4300":"refused"}"#
      $0["via"] = #""http""#
      $0["endpoint"] = #"{"ws":"ws://x/","http":"http://x/graphql"}"#
      $0["subprotocols"] = #"["graphql-ws","text"]"#
      $0["message"] = #"{"id":"id","text":"text","seq":"seq"}"#
    }
    let profile = try Profile.parse(text, file: "p.json")
    #expect(profile.history?.via == .http)
    #expect(profile.history?.legacyVia == .webSocket)
    #expect(profile.live.via == .webSocket)
    #expect(profile.rooms?.items == Profile.Path("all.*.name"))
    #expect(profile.members?.legacyVia == .http)
    #expect(profile.delete?.variables == [JSON.Member("i", "{id}")])
    #expect(profile.retry == [4400: .retry, 1011: .stop, 4300: .refused])
    #expect(profile.httpEndpoint == "http://x/graphql")
    #expect(profile.subprotocols == ["graphql-ws"])
    #expect(profile.allowsText)
    #expect(profile.message.seq == Profile.Path("seq"))
  }

  @Test(arguments: [
    ("rooms", "{}", "“rooms.document” is missing"),
    ("members", #"{"document":"mutation { a }","items":"a"}"#, "must be a query"),
    ("typing", #"{"document":"mutation { a"}"#, "line 1, column"),
    ("post", #"{"document":"mutation { a }"}"#, "“post.items” is missing"),
    (
      "edit", #"{"document":"mutation ($a: ID) { a(a: $a) }","variables":{"a":"{what}"}}"#, "{what}"
    ),
    ("retry", #"{"17":"retry"}"#, "“retry.17” is no close code"),
    ("retry", #"{"1011":"never"}"#, "“retry.1011” must be one of"),
    ("via", #""pigeon""#, "“via” must be one of ws, http"),
    ("endpoint", #"{"http":"gopher://x/"}"#, "“endpoint.http” is no URL"),
    (
      "live", #"{"document":"subscription { a }","items":"a","via":"http"}"#,
      "“live.via” must be ws"
    ),
  ])
  func whatIsWrongInAFurtherPartIsSaidWithItsKey(key: String, value: String, part: String) {
    let error = #expect(throws: ProfileError.self) {
      try Profile.parse(Self.minimal { $0[key] = value }, file: "p.json")
    }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "query { a }",
    "{ a }",
    "query A { a } query B { b }",
    "fragment F on A { b } query A { ...F }",
    "query A($x: [Int!]! = [1]) @live(if: true) { a(s: \"}\", b: \"\"\"{ \"\" \"\"\") { b } }",
    "# query {\nquery A { a }",
  ])
  func documentsOfEveryFormAreTaken(document: String) throws {
    let text = Self.minimal {
      $0["history"] =
        JSON.object(
          [
            .init("document", .string(document)), .init("items", "a"),
            .init("operationName", document.contains("A") ? "A" : .null),
          ].filter { !$0.value.isNull }
        ).text
    }
    _ = try Profile.parse(text, file: "p.json")
  }

  @Test(arguments: ["{}", "\n  {\"profile\": 1}"])
  func jsonUnderTheNameOfTOMLIsSaidToBeThat(text: String) {
    #expect(
      throws: ProfileError(message: "a.toml holds JSON: give it a name that ends in .json.")
    ) { try Profile.parse(text, file: "a.toml") }
  }
}
