import Foundation
import TestKit
import Testing

/// The embedded server: our own client through drops, and real clients that we did not write.
@Suite(.ownThreads) struct EmbeddedServerTests {
  @Test(arguments: ["envelope", "graphql"])
  func whatIsTypedWhileTheLineIsCutArrivesOnceAndInOrder(dialect: String) throws {
    let server = try PeerServer.embedded(["--drop-every", "300ms", "--latency", "20ms"])
    let reader = try CatRun([
      "--dialect", dialect, "--nick", "reader", "--history", "1000", "--first-delay", "50ms",
      "--max-delay", "500ms",
      "--max-attempts", "1000", server.url,
    ])
    _ = try reader.event("opened")
    let writer = try CatRun([
      "--dialect", dialect, "--nick", "writer", "--history", "0", "--first-delay", "50ms",
      "--max-delay", "500ms",
      "--max-attempts", "1000", server.url,
    ])
    let texts = (1...40).map { "line \($0)" }
    writer.running.write(texts.joined(separator: "\n") + "\n")
    let written = try writer.running.finish(within: 60)
    #expect(written.status == 0)
    let sent = try written.output.map(CatRun.object).filter { $0["event"] as? String == "sent" }
    #expect(sent.compactMap { $0["text"] as? String } == texts)
    #expect(written.output.contains { $0.contains("\"waiting\"") }, "the line was never cut")

    var seen: [String] = []
    while seen.last != texts.last {
      seen.append(try reader.event("message")["text"] as? String ?? "")
    }
    #expect(seen == texts)
  }

  @Test func refusedConnectionsAreTriedAgain() throws {
    let server = try PeerServer.embedded(["--refuse", "2"])
    let cat = try CatRun(["--first-delay", "10ms", "--send", "hi", "--wait", "0s", server.url])
    let result = try cat.running.finish()
    #expect(result.status == 0)
    let attempts = try result.output.map(CatRun.object)
      .filter { $0["event"] as? String == "connecting" }.compactMap { $0["attempt"] as? Int }
    #expect(attempts == [1, 2, 3])
    #expect(result.output.contains { $0.contains("503") })
  }

  @Test(arguments: ["envelope", "graphql", "plain"])
  func aWrongTokenIsRefusedAndARightOneLetIn(dialect: String) throws {
    let server = try PeerServer.embedded(["--token", "s3cret"])
    let wrong = try CatRun(
      ["--dialect", dialect, "--send", "x", server.url],
      environment: ["PARLOUR_TOKEN": "guess-42"])
    let refused = try wrong.running.finish()
    #expect(refused.status == 77)
    #expect(refused.output.contains { $0.contains("\"refused\"") })
    #expect(!(refused.output + refused.errors).joined().contains("guess-42"))
    let right = try CatRun(
      ["--dialect", dialect, "--send", "x", server.url],
      environment: ["PARLOUR_TOKEN": "s3cret"])
    #expect(try right.running.finish().status == 0)
  }

  @Test func theWebsocketsLibraryTalksPlainWithOurClient() throws {
    let server = try PeerServer.embedded()
    let cat = try CatRun(["--dialect", "plain", "--wait", "10s", "--count", "1", server.url])
    _ = try cat.event("opened")
    let client = try Running(
      Programs.python,
      [Programs.peer("plain_client.py"), server.url + "?nick=ada", "--send", "hello"])
    #expect(try client.finish().status == 0)
    #expect(try cat.event("text")["text"] as? String == "ada: hello")
    #expect(try cat.running.finish().status == 0)
  }

  @Test func theGQLLibraryReadsPostsAndSubscribes() throws {
    let server = try PeerServer.embedded(["--token", "s3cret"])
    let client = try Running(
      Programs.python,
      [
        Programs.peer("gql_client.py"), server.url + "graphql", "--token", "s3cret", "--post",
        "one", "--post", "two", "--key", "k", "--expect", "2",
      ])
    let result = try client.finish()
    #expect(result.status == 0, "\(result)")
    let history = try #require(result.output.last { $0.contains("\"history\"") })
    #expect(history.contains("one") && history.contains("two"))
    #expect(result.output.contains { $0.contains("\"schema\"") && $0.contains("Message") })
  }

  /// Fragments, aliases, defaults, @skip and @include, __typename, errors to the letter of graphql-core's, operations
  /// side by side, and `complete` from the client's side.
  @Test func theReferenceClientFindsNothingWrong() throws {
    let server = try PeerServer.embedded()
    let result = try Running(
      Programs.python, [Programs.peer("gql_reference.py"), server.url + "graphql"]
    ).finish(within: 60)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    #expect(result.output.count == 9)
    #expect(result.output.allSatisfy { $0.hasPrefix("ok ") }, "\(result.output)")
  }

  /// What offers nothing that the server speaks is told so in the protocol's own way.
  @Test func aClientOfTheOlderProtocolIsClosedWith4406() throws {
    let server = try PeerServer.embedded()
    let client = try CatRun([
      "--subprotocol", "graphql-ws", "--dialect", "plain", "--no-reconnect", server.url,
    ])
    let result = try client.running.finish()
    #expect(result.status == 76, "\(result)")
  }

  // MARK: gql-cli, which nobody here wrote

  private static func cli(_ server: PeerServer, _ arguments: [String]) throws -> Running {
    try Running(
      Programs.root + "/.build/venv/bin/gql-cli", [server.url + "graphql"] + arguments)
  }

  @Test func gqlCliPrintsTheSchema() throws {
    let server = try PeerServer.embedded()
    let asked = [
      "--print-schema", "--schema-download", "specified_by_url:true", "schema_description:true",
      "directive_is_repeatable:true", "input_object_one_of:true",
    ]
    for arguments in [["--print-schema"], asked] {
      let result = try Self.cli(server, arguments).finish()
      #expect(result.status == 0, "\(result.errors)")
      for line in ["type Message {", "  id: ID!", "    last: Int! = 50", "type Subscription {"] {
        #expect(result.output.contains(line), "\(line) is not in \(result.output)")
      }
      // graphql-core builds a schema of it, and finds no fault in that.
      let oracle = try Running(Programs.python, [Programs.peer("graphql_oracle.py"), "schemas"])
      let text = result.output.joined(separator: "\n")
      oracle.write(String(decoding: try JSONEncoder().encode([text]), as: UTF8.self))
      #expect(try oracle.finish().output == ["true"])
    }
  }

  @Test func gqlCliPostsAsksAndSubscribes() throws {
    let server = try PeerServer.embedded()
    func run(_ document: String, _ arguments: [String] = []) throws -> Running.Result {
      let running = try Self.cli(server, arguments)
      running.write(document + "\n")
      return try running.finish()
    }
    let post =
      "mutation P($t: String!) { said: postMessage(room: \"r\", author: \"cli\", text: $t) { id text } }"
    for number in 1...2 {
      let posted = try run(post, ["-V", "t:\"line \(number)\""])
      #expect(
        posted.output == ["{\"said\": {\"id\": \"m\(number)\", \"text\": \"line \(number)\"}}"])
    }
    let history = try run(
      "query A { a: __typename } query B { messages(room: \"r\", last: 1) { ...L } } fragment L on Message { seq __typename }",
      ["-o", "B"])
    #expect(history.output == [#"{"messages": [{"seq": 2, "__typename": "Message"}]}"#])
    let wrong = try run("{ messages(room: 5) { id } }")
    #expect(wrong.errors.joined().contains("String cannot represent a non string value: 5"))

    let live = try Self.cli(server, [])
    live.write("subscription { messageAdded(room: \"r\", after: \"m1\") { text } }\n")
    live.endInput()
    let first = try live.line(containing: "messageAdded")
    #expect(first == #"{"messageAdded": {"text": "line 2"}}"#)
    _ = try run(post, ["-V", "t:\"line 3\""])
    let second = try live.line(containing: "messageAdded")
    #expect(second == #"{"messageAdded": {"text": "line 3"}}"#)
    live.signal(SIGKILL)
  }
}
