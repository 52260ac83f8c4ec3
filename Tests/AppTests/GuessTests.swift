import Foundation
import TestKit
import Testing

/// `parlour profile guess` against servers that we did not write, and the embedded one.
@Suite(.ownThreads) struct GuessTests {
  @Test(arguments: SubscribeTests.Server.allCases)
  func aGuessedProfileIsShownWithThreeLinesAndServesAChat(server: SubscribeTests.Server) throws {
    let peer = try server.start()
    for text in ["one", "two", "three", "four"] {
      let post = try Running(
        Programs.parlour,
        [
          "subscribe", "--query", SubscribeTests.post, "--variable", "room=den", "--variable",
          "text=\(text)", peer.url,
        ])
      #expect(try post.finish().status == 0)
    }
    let guess = try Running(
      Programs.parlour, ["profile", "guess", "--room", "den", peer.url]
    ).finish()
    #expect(guess.status == 0, "\(guess.errors)")
    let lines = guess.errors.filter { $0.hasPrefix("parlour:   ada: ") }
    #expect(lines.count == 3, "\(guess.errors)")
    for (line, text) in zip(lines, ["two", "three", "four"]) {
      #expect(line.contains(": \(text) (2"))
    }

    try Self.chat(
      by: guess.output, in: "den", on: peer, shows: ["one", "two", "three", "four", "five"])
  }

  /// The guessed profile serves a chat that says `five`.
  static func chat(
    by profile: [String], in room: String, on server: PeerServer, shows texts: [String]
  ) throws {
    let file = NSTemporaryDirectory() + "parlour-guess-\(UUID().uuidString).toml"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try profile.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let chat = try CatRun([
      "--profile", file, "--room", room, "--nick", "bob", "--send", "five", server.url,
    ])
    let result = try chat.running.finish()
    #expect(result.status == 0, "\(result.errors)")
    let shown = try result.output.map(CatRun.object).filter { $0["event"] as? String == "message" }
      .compactMap { $0["text"] as? String }
    #expect(shown == texts)
    #expect(!result.output.contains { $0.contains("looks for") }, "\(result.output)")
  }

  @Test func aServerThatShowsNoSchemaIsSaid() throws {
    let peer = try PeerServer.start("graphql_script.py")
    let result = try Running(
      Programs.parlour, ["profile", "guess", peer.url + "/exact"]
    ).finish()
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors.last?.contains("does not show its schema") == true)
  }

  @Test func whatIsNoGraphQLServerIsSaidToBeNone() throws {
    let peer = try PeerServer.start("echo_server.py")
    let result = try Running(
      Programs.parlour, ["profile", "guess", "--first-delay", "10ms", peer.url]
    ).finish()
    #expect(result.status != 0)
    #expect(result.output.isEmpty)
    #expect(result.errors.last?.contains("This is no GraphQL server") == true, "\(result.errors)")
  }

  private func guess(_ kind: String) throws -> Running.Result {
    let peer = try PeerServer.start("schema_server.py", [kind])
    return try Running(
      Programs.parlour,
      ["profile", "guess", "--first-delay", "10ms", peer.url.replacing("ws:", with: "http:")]
    ).finish()
  }

  @Test func aHistoryThatFailsIsSaidWithItsError() throws {
    let result = try guess("failing")
    #expect(result.status == 65)
    #expect(!result.output.isEmpty)
    #expect(
      result.errors.contains {
        $0.contains("The history of the room lobby failed: ") && $0.contains("Cannot return null")
      }, "\(result.errors)")
    #expect(!result.errors.contains { $0.contains("no messages to show") })
  }

  @Test func whatIsToBeFilledInIsSaidOnceWithItsPlace() throws {
    let result = try guess("numbers")
    #expect(result.status == 0)
    #expect(result.errors.count { $0.contains("ASK_roomId (Int!)") } == 1, "\(result.errors)")
    #expect(result.errors.contains { $0.contains("history.variables.roomId") })
    #expect(result.errors.contains { $0.contains("{room} or {nick}") })
    #expect(result.errors.contains { $0.contains("was not tried out") })
    #expect(result.errors.contains { $0.contains("No author was found in Message") })
  }

  @Test func aSchemaWithoutMessagesIsSaidWithWhatItsSubscriptionsLack() throws {
    let result = try guess("lacking")
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(
      result.errors.contains { $0.contains("thing0 (Thing) lacks a text") }, "\(result.errors)")
    #expect(result.errors.last == "parlour:   … and 12 more.")
  }

  @Test(arguments: [["profile", "ws://h/"], ["profile", "draw", "ws://h/"], ["profile"]])
  func aWrongUseEndsWith64(words: [String]) throws {
    let result = try Running(Programs.parlour, words).finish()
    #expect(result.status == 64)
    #expect(result.errors.count == 1)
  }
}
