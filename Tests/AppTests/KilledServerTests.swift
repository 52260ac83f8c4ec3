import Foundation
import TestKit
import Testing

/// GraphQL servers that we did not write, killed (SIGKILL) and frozen (SIGSTOP) at moments that a seed chooses, in the
/// middle of a talk: what the server has in the end was shown once, in order, and nothing was said twice.
///
/// PARLOUR_KILL_ROUNDS for more rounds than 6, PARLOUR_KILL_SEED for others.
@Suite(.ownThreads) struct KilledServerTests {
  struct Talk: Sendable, CustomTestStringConvertible {
    var library: String
    /// What the profile says about posts whose line was lost.
    var rule: String
    var protocols = "transport"
    var testDescription: String { "\(library), \(rule), \(protocols)" }
  }

  static let talks: [Talk] = [
    Talk(library: "strawberry", rule: "safe"), Talk(library: "strawberry", rule: "lookup"),
    Talk(library: "strawberry", rule: "ask"), Talk(library: "ariadne", rule: "safe"),
    Talk(library: "ariadne", rule: "lookup"), Talk(library: "ariadne", rule: "ask"),
    Talk(library: "strawberry", rule: "safe", protocols: "legacy"),
    Talk(library: "ariadne", rule: "ask", protocols: "legacy"),
  ]

  @Test("nothing is lost or doubled by a server that dies or freezes", arguments: talks)
  func kills(talk: Talk) throws {
    let variables = ProcessInfo.processInfo.environment
    var random = SplitMix(state: UInt64(variables["PARLOUR_KILL_SEED"] ?? "") ?? 1)
    let rounds = Int(variables["PARLOUR_KILL_ROUNDS"] ?? "") ?? 6
    let folder = StateFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    var server = try Self.start(talk, port: 0, folder)
    let port = try #require(URL(string: server.url)?.port)
    let cat = try CatRun([
      "--profile", try Self.profile(talk, in: folder), "--room", "general", "--nick", "ada",
      "--first-delay", "20ms", "--max-delay", "100ms", "--max-attempts", "100000",
      "--ping-interval", "300ms", "--ping-timeout", "300ms", "--connect-timeout", "1s",
      "--wait", "1s", server.url,
    ])
    var typed: [String] = []
    func type(_ text: String) {
      typed.append(text)
      cat.running.write(text + "\n")
    }
    func rest(_ most: Int) {
      for _ in 0..<random.below(most) { cat.running.takeWhatComes() }
    }
    for round in 1...rounds {
      for number in 0...random.below(6) { type("mine \(round)-\(number)") }
      if random.below(3) == 0 {
        try server.admin("say?room=general&author=bob&text=other-\(round)")
      }
      rest(20)
      switch random.below(4) {
      case 0:
        // Short enough to go unnoticed, or long enough for the ping's time to be over.
        server.running.signal(SIGSTOP)
        rest(60)
        server.running.signal(SIGCONT)
      default:
        server.running.signal(SIGKILL)
        _ = try? server.running.finish(within: 10)
        rest(10)
        type("while away \(round)")
        server = try Self.start(talk, port: port, folder)
      }
      rest(30)
    }
    type("the end")
    let result = try cat.running.finish(within: 60)
    let events = try result.output.map(CatRun.object)
    let stored = try Self.stored(in: folder)
    let shown = Self.texts(of: "message", in: events)
    expectOrder(shown, of: stored.map(\.text), own: Set(typed))
    let mine = stored.filter { $0.author == "ada" }.map { $0.text }
    #expect(Set(mine).count == mine.count, "said twice")
    let sent = Self.texts(of: "sent", in: events)
    if talk.rule == "ask" {
      #expect(Set(sent).isSubset(of: mine))
      #expect(Set(sent + Self.texts(of: "unsure", in: events)) == Set(typed))
      #expect(mine == typed.filter(Set(mine).contains), "in another order")
    } else {
      #expect(mine == typed)
      #expect(sent == typed)
      #expect(result.status == 0, "\(result.errors.suffix(3))")
    }
  }

  /// Own messages and those of others keep their order. Between them a server promises none: the answer to a post may
  /// overtake what others said before it, which then stands behind, and by another connection it may come later too.
  private func expectOrder(_ shown: [String], of said: [String], own: Set<String>) {
    #expect(shown.filter(own.contains) == said.filter(own.contains), "own messages")
    let others = shown.filter { !own.contains($0) }
    #expect(others == said.filter { !own.contains($0) }, "messages of others")
  }

  private static func start(
    _ talk: Talk, port: Int, _ folder: StateFolder
  ) throws -> PeerServer {
    try PeerServer.start(
      "\(talk.library)_chat.py",
      ["--port", "\(port)", "--keep", folder.path + "/log", "--protocols", talk.protocols])
  }

  /// The shipped profile with another rule.
  private static func profile(_ talk: Talk, in folder: StateFolder) throws -> String {
    let shipped = Programs.root + "/Sources/App/Profiles/\(talk.library).json"
    let text = try String(contentsOfFile: shipped, encoding: .utf8)
    let rule = try #require(text.firstMatch(of: /"repeat": "[a-z]+"/)).range
    let path = folder.path + "/profile.json"
    try text.replacingCharacters(in: rule, with: "\"repeat\": \"\(talk.rule)\"")
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static func stored(in folder: StateFolder) throws -> [(author: String, text: String)] {
    let data = try Data(contentsOf: URL(filePath: folder.path + "/log"))
    return try data.split(separator: 10).map { line in
      let value = try CatRun.object(String(decoding: line, as: UTF8.self))
      return (value["author"] as? String ?? "", value["text"] as? String ?? "")
    }
  }

  private static func texts(of event: String, in events: [[String: Any]]) -> [String] {
    events.filter { $0["event"] as? String == event }.compactMap { $0["text"] as? String }
  }
}
