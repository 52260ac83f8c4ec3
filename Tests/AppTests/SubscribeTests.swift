import Foundation
import TestKit
import Testing

/// The built program's `subscribe` against GraphQL servers that we did not write, the embedded one, and one that
/// does a single thing to each operation.
@Suite(.ownThreads) struct SubscribeTests {
  enum Server: String, CaseIterable {
    case strawberry, ariadne, embedded

    func start(_ arguments: [String] = []) throws -> PeerServer {
      switch self {
      case .embedded: try PeerServer.embedded()
      case .strawberry, .ariadne:
        try PeerServer.start(
          "\(rawValue)_chat.py",
          ["--port", "0", "--seed", "5", "--protocols", "transport"] + arguments)
      }
    }
  }

  private static func script() throws -> PeerServer {
    try PeerServer.start("graphql_script.py")
  }

  private static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Running {
    try Running(
      Programs.parlour, ["subscribe", "--first-delay", "20ms"] + arguments,
      environment: environment)
  }

  static let post = """
    mutation P($room: String!, $text: String!) { postMessage(room: $room, author: "ada", text: $text) { text } }
    """
  static let live = """
    subscription L($room: String!, $after: ID) { messageAdded(room: $room, after: $after) { text } }
    """

  @Test(arguments: Server.allCases)
  func aMutationAndAQueryEndByThemselvesWithOneLineEach(server: Server) throws {
    let peer = try server.start()
    let posted = try Self.run([
      "--query", Self.post, "--variable", "room=r", "--variable", #"text="12""#, peer.url,
    ]).finish()
    #expect(posted.status == 0, "\(posted.errors)")
    #expect(posted.output == [#"{"data":{"postMessage":{"text":"12"}}}"#])
    let query = try Self.run([
      "--query", "query A { messages(room: \"r\") { text } } query B { a: __typename }",
      "--operation", "A", peer.url,
    ]).finish()
    #expect(query.status == 0, "\(query.errors)")
    let answer = try CatRun.object(try #require(query.output.first))
    #expect(query.output.count == 1)
    #expect(
      (answer["data"] as? [String: [[String: String]]])?["messages"] == [["text": "12"]],
      "\(query.output)")
  }

  @Test(arguments: Server.allCases)
  func aSubscriptionGoesOnAndLeavesAfterCount(server: Server) throws {
    let peer = try server.start()
    let running = try Self.run([
      "--query", Self.live, "--variables", #"{"room":"r","after":null}"#, "--count", "2", peer.url,
    ])
    // A query over the same server has its answer only after the subscription of the same room is there, so
    // what is posted until the first result came does no harm.
    var posts = 0
    while running.isRunning, posts < 40 {
      posts += 1
      let post = try Self.run([
        "--query", Self.post, "--variable", "room=r", "--variable", "text=n\(posts)", peer.url,
      ])
      #expect(try post.finish().status == 0)
    }
    let result = try running.finish()
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.count == 2)
    #expect(result.output.allSatisfy { $0.hasPrefix(#"{"data":{"messageAdded":{"text":"n"#) })
  }

  @Test(arguments: [Server.strawberry, .ariadne])
  func aSubscriptionIsAskedForAgainAfterAKickAndNotWithoutReconnecting(server: Server) throws {
    let peer = try server.start()
    let arguments = ["--query", Self.live, "--variable", "room=general", "--variable", "after=m3"]
    let running = try Self.run(arguments + [peer.url])
    for text in ["line 4", "line 5"] { _ = try running.line(containing: text) }
    try peer.admin("kick?code=1012")
    // The same variables: the server begins again where it is told to.
    for text in ["line 4", "line 5"] { _ = try running.line(containing: text) }
    running.signal(SIGINT)
    let result = try running.finish()
    #expect(result.status == 130)
    #expect(result.errors.contains { $0.contains("asked for again") }, "\(result.errors)")

    let once = try Self.run(arguments + ["--no-reconnect", peer.url])
    _ = try once.line(containing: "line 5")
    try peer.admin("kick?code=1000")
    let end = try once.finish()
    #expect(end.status == 69, "\(end.errors)")
  }

  @Test(arguments: Server.allCases)
  func whatTheSchemaDoesNotKnowIsSaidAndEndsWith65(server: Server) throws {
    let peer = try server.start()
    let result = try Self.run(["--query", "{ nonsense }", peer.url]).finish()
    #expect(result.status == 65, "\(result.errors)")
    #expect(result.output.count == 1)
    #expect(result.output.first?.contains(#""errors":[{"message":"Cannot query field"#) == true)
    #expect(result.errors.contains { $0.contains("line 1, column 3") }, "\(result.errors)")
  }

  @Test func aSlipInTheDocumentIsToldWithItsPlaceBeforeAnythingIsSent() throws {
    let peer = try Server.strawberry.start()
    let result = try Self.run(["--query", "query {\n  messages(room: ) { id }\n}", peer.url])
      .finish()
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains("line 2, column 18") == true, "\(result.errors)")
    #expect(try peer.admin("stats").contains(#""opened": 0"#))
  }

  static let mistakes: [(arguments: [String], part: String)] = [
    ([], "--query"),
    (["--query", "query A { a } query B { b }"], "--operation"),
    (["--query", "query A { a }", "--operation", "B"], "“B”"),
    (["--query", "query ($r: String!) { a(r: $r) }"], "$r"),
    (["--query", "{ a }", "--variable", "b=1"], "$b"),
    (["--query", "{ a }", "--variable", "b"], "NAME=VALUE"),
    (["--query", "{ a }", "--variables", "[1]"], "object"),
    (["--query", "{ a }", "--variables", "{"], "JSON"),
    (["--query", "{ a }", "--init", "7"], "object"),
    (["--query", "{ a }", "--init", #"{"a":"x{token}","b":1}"#], "{token}"),
    (["--query", "{ a }", "--count", "0"], "--count"),
    (["--query", "{ a }", "--room", "x"], "--room"),
  ]

  @Test(arguments: mistakes)
  func aWrongUseEndsWith64AndOneSentence(arguments: [String], part: String) throws {
    let result = try Running(
      Programs.parlour, ["subscribe"] + arguments + ["ws://127.0.0.1:1/"]
    ).finish()
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.contains(part) == true, "\(result.errors)")
  }

  @Test func aResultGoesOnExactlyAsItCame() throws {
    let peer = try Self.script()
    let result = try Self.run(["--query", "{ a }", peer.url + "/exact"]).finish()
    #expect(result.status == 0, "\(result.errors)")
    let exact =
      #"{"data":{"z":12345678901234567890123,"a":1.50,"m":1E+2,"s":"\u00e9é\/"},"extensions":{"b":1,"a":[]}}"#
    #expect(result.output == [exact])
    let pretty = try Self.run(["--query", "{ a }", "--pretty", peer.url + "/exact"]).finish()
    #expect(pretty.output.contains(#"    "z": 12345678901234567890123,"#))
    #expect(pretty.output.contains(#"    "m": 1E+2,"#))
  }

  /// With what the operation is, where it goes, how it ends, and what standard error and output hold then.
  static let ends: [(query: String, path: String, status: Int32, error: String, output: String)] = [
    ("{ a }", "/partial", 0, "no a for you (line 1, column 3, at a.0)", #""errors":"#),
    ("{ a }", "/refused", 65, "unknown field (line 2, column 5)", #"{"errors":[{"message""#),
    ("{ a }", "/legacy-refused", 65, "unknown field", #"{"errors":[{"message":"unknown field"}]}"#),
    ("{ a }", "/empty", 65, "without a result", ""),
    ("subscription { a }", "/empty", 0, "Connected", ""),
    ("mutation { a }", "/drop", 69, "Nobody can know", ""),
    ("{ a }", "/drop-once", 0, "asked for again", #"{"data":{"operation":"2"}}"#),
    ("mutation { a }", "/early", 0, "attempt 2", #""data""#),
    ("{ a }", "/say?text=[1,2", 65, "not JSON", ""),
    ("{ a }", "/say?text={\"type\":\"next\",\"id\":1}", 65, "not a text", ""),
    ("{ a }", "/close?code=4400&reason=oops", 65, "oops", ""),
    ("{ a }", "/close?code=4403&reason=Forbidden", 77, "Forbidden", ""),
    ("{ a }", "/close?code=1009", 76, "size", ""),
    ("{ a }", "/drop", 69, "Gave up after 3", ""),
    ("mutation { a }", "/close?code=1012", 69, "Nobody can know", ""),
  ]

  @Test(arguments: ends)
  func everyEndHasItsCodeAndItsSentence(
    query: String, path: String, status: Int32, error: String, output: String
  ) throws {
    let peer = try Self.script()
    let url = (peer.url + path).replacing("[", with: "%5B").replacing("{", with: "%7B")
      .replacing("}", with: "%7D").replacing("\"", with: "%22")
    let result = try Self.run(["--query", query, "--max-attempts", "3", url]).finish()
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains { $0.contains(error) }, "\(result.errors)")
    #expect(result.output.joined().contains(output) || output.isEmpty, "\(result.output)")
    #expect(output.isEmpty == result.output.isEmpty)
  }

  @Test func aMutationThatWasSentIsNeverSentAgain() throws {
    let peer = try Self.script()
    let result = try Self.run(["--query", "mutation { a }", peer.url + "/drop-once"]).finish()
    #expect(result.status == 69)
    // The next operation that the server sees is another one.
    #expect(try Self.run(["--query", "{ b }", peer.url + "/exact"]).finish().status == 0)
    #expect(try peer.running.line(containing: "\"subscribe\"").contains("mutation { a }"))
    #expect(try peer.running.line(containing: "\"subscribe\"").contains("{ b }"))
  }

  @Test func anInterruptEndsTheOperationAndClosesInOrder() throws {
    let peer = try Self.script()
    let running = try Self.run(["--query", "subscription { a }", peer.url + "/forever"])
    _ = try running.line(containing: "data")
    running.signal(SIGINT)
    #expect(try running.finish().status == 130)
    #expect(
      try peer.running.line(containing: "complete")
        == #"received {"id":"1","type":"complete"}"#)
    #expect(try peer.running.line(containing: "closed") == "closed 1001")
  }

  @Test func theDocumentMayComeFromAFileOrStandardInputAndInitIsSent() throws {
    let peer = try Self.script()
    let file = NSTemporaryDirectory() + "parlour-\(UUID().uuidString).graphql"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try "query F { a }".write(toFile: file, atomically: true, encoding: .utf8)
    let fromFile = try Self.run(
      [
        "--query", "@" + file, "--init", #"{"k":9007199254740993,"t":"x {token}"}"#,
        peer.url + "/exact",
      ], environment: ["PARLOUR_TOKEN": "abc"])
    #expect(try fromFile.finish().status == 0)
    #expect(
      try peer.running.line(containing: "connection_init")
        == #"received {"type":"connection_init","payload":{"k":9007199254740993,"t":"x abc"}}"#)
    #expect(try peer.running.line(containing: "subscribe").contains("query F { a }"))
    let piped = try Self.run(["--query", "-", peer.url + "/exact"])
    piped.write("query P { a }")
    #expect(try piped.finish().status == 0)
    #expect(try peer.running.line(containing: "subscribe").contains("query P { a }"))
  }
}
