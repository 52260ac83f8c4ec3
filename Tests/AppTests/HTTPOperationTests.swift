import Foundation
import TestKit
import Testing

/// Queries and mutations as HTTP POST, by the built program against servers that we did not write.
@Suite(.ownThreads) struct HTTPOperationTests {
  private static func start(_ library: String, _ arguments: [String] = []) throws -> PeerServer {
    try PeerServer.start("\(library)_chat.py", ["--port", "0", "--seed", "3"] + arguments)
  }

  private static func http(_ server: PeerServer) -> String {
    server.url.replacing("ws://", with: "http://")
  }

  private static func run(
    _ query: String, _ url: String, _ more: [String] = [], environment: [String: String] = [:]
  ) throws -> Running.Result {
    try Running(
      Programs.parlour,
      ["subscribe", "--first-delay", "20ms", "--max-attempts", "3", "--query", query] + more
        + [url], environment: environment
    ).finish()
  }

  private static let query = #"{ messages(room: "general", last: 1) { text } }"#
  private static let post =
    #"mutation { postMessage(room: "r", author: "ada", text: "hi") { text } }"#

  @Test(arguments: ["strawberry", "ariadne"])
  func aURLThatBeginsWithHTTPIsAskedByPOST(library: String) throws {
    let server = try Self.start(library)
    let query = try Self.run(Self.query, Self.http(server))
    #expect(query.status == 0, "\(query.errors)")
    #expect(query.output == [#"{"data":{"messages":[{"text":"line 3"}]}}"#])
    let post = try Self.run(Self.post, server.url, ["--via", "http"])
    #expect(post.status == 0, "\(post.errors)")
    let stats = try server.admin("stats")
    #expect(stats.contains(#""stored": 4"#), "\(stats)")
    #expect(stats.contains(#""opened": 0"#), "\(stats)")
    // What is pushed needs a socket all the same.
    let live = try Self.run(
      #"subscription { messageAdded(room: "general", after: "m2") { id } }"#, Self.http(server),
      ["--count", "1"])
    #expect(live.output == [#"{"data":{"messageAdded":{"id":"m3"}}}"#])
  }

  @Test(arguments: ["strawberry", "ariadne"])
  func overTheOlderProtocolQueriesAndMutationsGoByPOST(library: String) throws {
    let server = try Self.start(library, ["--protocols", "legacy"])
    let query = try Self.run(Self.query, server.url)
    #expect(query.status == 0, "\(query.errors)")
    #expect(query.output == [#"{"data":{"messages":[{"text":"line 3"}]}}"#])
    #expect(try Self.run(Self.post, server.url).status == 0)
    #expect(try server.admin("stats").contains(#""stored": 4"#))
  }

  @Test func errorsAndRefusalsHaveTheirCodesAndSentences() throws {
    let server = try Self.start("strawberry", ["--auth", "header", "--reject", "http401"])
    let url = Self.http(server)
    let nobody = try Self.run(Self.query, url)
    #expect(nobody.status == 77)
    #expect(nobody.errors.contains { $0.contains("--token-file") }, "\(nobody.errors)")
    let token = ["PARLOUR_TOKEN": "s3cret"]
    let unknown = try Self.run("{ nonsense }", url, environment: token)
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains { $0.contains("line 1, column 3") }, "\(unknown.errors)")
    let pushed = try Self.run("subscription { a }", url, ["--via", "http"])
    #expect(pushed.status == 64)
    let closed = try Self.run(Self.query, "http://127.0.0.1:1/")
    #expect(closed.status == 69)
    #expect(closed.errors.contains { $0.contains("Gave up after 3") }, "\(closed.errors)")
  }

  @Test func aRefusedTokenIsReplacedOnce() throws {
    let server = try Self.start("strawberry", ["--auth", "header", "--reject", "http401"])
    let path = NSTemporaryDirectory() + "parlour-token-\(UUID().uuidString)"
    try "stale".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try Self.run(
      Self.query, Self.http(server), ["--token-command", "cat \(path); printf s3cret > \(path)"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.count == 1)
  }

  // MARK: - Profiles

  @Test(arguments: ["strawberry", "ariadne"], [[], ["--inputs"], ["--protocols", "legacy"]])
  func aProfileGuessedOverHTTPServesAChatAtOnce(library: String, kind: [String]) throws {
    let server = try Self.start(library, kind)
    let guess = try Running(
      Programs.parlour, ["profile", "guess", "--room", "general", Self.http(server)]
    ).finish()
    #expect(guess.status == 0, "\(guess.errors)")
    #expect(guess.errors.count { $0.contains("seed: line") } == 3, "\(guess.errors)")
    #expect(!guess.output.joined().contains("ASK_"))
    try GuessTests.chat(
      by: guess.output, in: "general", on: server, shows: ["line 1", "line 2", "line 3", "five"])
  }
}
