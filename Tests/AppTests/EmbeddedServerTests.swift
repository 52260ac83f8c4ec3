import Foundation
import TestKit
import Testing

/// The embedded server: our own client through drops, and real clients that we did not write.
@Suite struct EmbeddedServerTests {
  @Test(arguments: ["envelope", "graphql"])
  func whatIsTypedWhileTheLineIsCutArrivesOnceAndInOrder(dialect: String) throws {
    let server = try PeerServer.embedded(["--drop-every", "300ms", "--latency", "20ms"])
    let reader = try CatRun([
      "--dialect", dialect, "--nick", "reader", "--history", "1000", "--first-delay", "50ms",
      "--max-attempts", "1000", server.url,
    ])
    _ = try reader.event("opened")
    let writer = try CatRun([
      "--dialect", dialect, "--nick", "writer", "--history", "0", "--first-delay", "50ms",
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
}
