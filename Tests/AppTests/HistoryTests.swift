import Foundation
import TestKit
import Testing

/// `parlour history` of the built program, on stores that it made itself by importing.
@Suite(.ownThreads) struct HistoryTests {
  private let state = StateFolder()

  private func run(_ arguments: [String], input: String = "") throws -> Running.Result {
    let running = try Running(
      Programs.parlour, ["history"] + arguments, environment: state.variables)
    running.write(input)
    return try running.finish()
  }

  private static func line(
    _ number: Int, _ text: String, room: String = "lobby", author: String = "ada"
  ) throws -> String {
    let object: [String: Any] = [
      "server": "ws://chat.example/", "room": room, "id": "m\(number)", "author": author,
      "text": text, "time": "2026-01-01T00:00:\(number < 10 ? "0" : "")\(number)Z",
      "cursor": "m\(number)", "mine": false,
    ]
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private func fill(_ texts: [String]) throws {
    let lines = try texts.enumerated().map { try Self.line($0 + 1, $1) }
    let result = try run(["import", "-"], input: lines.joined())
    let messages = texts.count == 1 ? "1 message" : "\(texts.count) messages"
    #expect(result.output == ["\(messages) imported, 0 were there already."])
    #expect(result.status == 0)
  }

  @Test func whatIsExportedComesBackByAnImport() throws {
    try fill(["one", "日本語の行", "a <b> & \"c\"\nsecond line\u{1B}[31m"])
    let exported = try run(["export"])
    #expect(exported.output.count == 3)
    let other = HistoryTests()
    let text = exported.output.joined(separator: "\n") + "\n"
    let imported = try other.run(["import", "-"], input: text)
    #expect(imported.output == ["3 messages imported, 0 were there already."])
    #expect(try other.run(["export", "--format", "json"]).output == exported.output)
    let again = try other.run(["import", "-"], input: text)
    #expect(again.output == ["0 messages imported, 3 were there already."])
  }

  @Test func messagesOfTheMeantimeGoToTheirPlace() throws {
    let texts = (1...6).map { "text \($0)" }
    let odd = try [1, 3, 5].map { try Self.line($0, texts[$0 - 1]) }
    let even = try [2, 4, 6].map { try Self.line($0, texts[$0 - 1]) }
    _ = try run(["import", "-"], input: odd.joined())
    _ = try run(["import", "-"], input: even.joined())
    let lines = try run(["export"]).output
    #expect(
      lines.count == 6 && zip(lines, texts).allSatisfy { $0.contains("\"text\":\"\($1)\"") },
      "\(lines)")
  }

  @Test func aSearchGivesLinesForPeopleAndObjectsForPrograms() throws {
    try fill(["the build is green", "nothing here", "rebuild it"])
    let found = try run(["search", "build"])
    #expect(found.status == 0)
    #expect(found.output.count == 2)
    #expect(found.output[0].hasSuffix("#lobby  ada  the build is green"))
    let objects = try run(["search", "build", "--json", "--limit", "1"])
    #expect(objects.output.count == 1 && objects.output[0].contains("\"id\":\"m1\""))
    let nothing = try run(["search", "no such thing"])
    #expect(nothing.output == [] && nothing.errors == [] && nothing.status == 0)
    #expect(try run(["search", "build", "--room", "kitchen"]).output == [])
    #expect(try run(["search", "build", "--from", "ADA"]).output.count == 2)
    #expect(try run(["search", "build", "--since", "2026-01-01T00:00:02Z"]).output.count == 1)
    #expect(try run(["search", "build", "--until", "2026-01-01T00:00:02Z"]).output.count == 1)
    #expect(try run(["search", "build", "--since", "0d"]).output == [])
  }

  @Test func onATerminalNothingOfATextIsObeyed() throws {
    try fill(["evil \u{1B}]0;title\u{7} \u{202E}text\u{9B}31m"])
    for arguments in [["search", "evil"], ["export", "--format", "text"]] {
      let pty = try Pty(
        Programs.parlour, ["history"] + arguments, environment: state.variables)
      #expect(pty.read(untilOutput: "evil"))
      #expect(pty.waitForEnd() == .exited(0))
      #expect(!pty.text.contains("\u{1B}") && !pty.text.contains("\u{7}"))
      #expect(!pty.text.contains("\u{202E}") && !pty.text.contains("\u{9B}"))
    }
  }

  @Test func markupInTextsIsEscapedInHTML() throws {
    try fill(["<script>alert('x')</script> & \"q\" \u{202E}"])
    let page = try run(["export", "--format", "html"]).output.joined(separator: "\n")
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("</html>"))
    #expect(!page.contains("<script") && !page.contains("\u{202E}"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;"))
  }

  @Test func pruningDeletesWhatIsOldAndItIsNotInTheFileAnyMore() throws {
    try fill(["a secret of long ago", "another of long ago"])
    #expect(try run(["stats", "--json"]).output[0].contains("\"messages\":2"))
    #expect(try run(["search", "secret"]).output.count == 1)
    let pruned = try run(["prune", "--older-than", "1d"])
    #expect(pruned.output == ["2 messages deleted."] && pruned.status == 0)
    #expect(try run(["search", "secret"]).output == [])
    let data = try Data(contentsOf: URL(filePath: state.path + "/parlour/history.sqlite"))
    #expect(data.range(of: Data("long ago".utf8)) == nil)
    #expect(data.range(of: Data("sec".utf8)) == nil)
  }

  @Test func wrongInputsAreSentencesWithTheirCodes() throws {
    let cases: [(arguments: [String], input: String, status: Int32, part: String)] = [
      ([], "", 64, "What to do is missing"), (["look"], "", 64, "look is none of"),
      (["search"], "", 64, "TEXT is missing"), (["search", " "], "", 64, "is empty"),
      (["search", "x", "--since", "noon"], "", 64, "noon is no time"),
      (["export", "--format", "pdf"], "", 64, "pdf is none of"),
      (["export", "--json"], "", 64, "takes no --json"),
      (["prune", "--older-than", "3"], "", 64, "3 is no age"),
      (["import", "/nonexistent/file"], "", 78, "/nonexistent/file cannot be read"),
      (["import", "-"], try Self.line(1, "x") + "{}\n", 78, "standard input:2 is no message"),
      (["import", "-"], "{\"text\":", 78, "-:1 is no message"),
    ]
    for (arguments, input, status, part) in cases {
      let result = try run(arguments, input: input)
      #expect(result.status == status, "\(arguments)")
      let said = result.errors.joined().replacing("standard input", with: "-")
      #expect(
        said.contains(part.replacing("standard input", with: "-")), "\(arguments): \(said)")
    }
  }

  @Test func aFileOfANewerVersionEndsWithItsSentence() throws {
    try fill(["x"])
    let sqlite = try Running(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')",
        state.path + "/parlour/history.sqlite",
      ])
    #expect(try sqlite.finish().status == 0)
    let result = try run(["stats"])
    #expect(result.status == 78)
    #expect(result.errors.joined().contains("newer parlour"))
  }

  @Test func aDiskThatTakesNoMoreIsToldOnceAndTheChatGoesOn() throws {
    let server = try PeerServer.embedded()
    try fill(["x"])
    // The log of the store may not grow beyond some pages. What is asked is what stands on the screen: rows are full
    // of other text, of which drawing keeps what it can.
    let told = "cannot be read or written"
    let terminal = try Tmux(
      "ulimit -f 200; \(Programs.parlour) --nick me --dialect graphql \(server.url); echo ended $?",
      name: "full-disk", environment: state.variables, height: 120)
    #expect(terminal.wait { $0.contains("online") }.held)
    // Each line is waited for until the server has it: what a slow disk keeps back stands below what is told, pushes it
    // off the screen, and makes `/quit` ask first.
    func say(_ text: String) -> (screen: String, held: Bool) {
      terminal.type(text)
      terminal.press("Enter")
      return terminal.wait {
        $0.contains("│ \(text.prefix(10))") && !$0.contains("… sending")
          && !$0.contains("… pending")
      }
    }
    let long = String(repeating: "long ", count: 300)
    var shown = terminal.wait(rounds: 1) { $0.contains(told) }
    for number in 1...40 where !shown.screen.contains(told) {
      shown = say("\(number) \(long)")
      #expect(shown.held, "\(shown.screen)")
    }
    #expect(shown.screen.ranges(of: told).count == 1, "\(shown.screen)")
    shown = say("still here")
    #expect(shown.held, "\(shown.screen)")
    #expect(shown.screen.ranges(of: told).count == 1, "\(shown.screen)")
    terminal.type("/quit")
    terminal.press("Enter")
    let ended = terminal.wait { $0.contains("ended ") }
    #expect(ended.screen.contains("ended 0"), "\(ended.screen)")
    // The next run asks the server for what the disk did not take.
    let later = try Pty(
      Programs.parlour, ["--nick", "me", "--dialect", "graphql", server.url],
      environment: state.variables)
    #expect(later.read(untilOutput: "online"))
    // The second one is for a post that the server has not been asked about yet.
    later.type("/quit\r/quit\r")
    #expect(later.waitForEnd() == .exited(0))
    let texts = try run(["export", "--format", "text"]).output
    #expect(texts.count { $0.hasSuffix("still here") } == 1)
    #expect(texts.count { $0.contains("  1 long long") } == 1)
  }

  /// Another program that has the store for itself until something is written to it.
  private func lock() throws -> Running {
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute('BEGIN IMMEDIATE'); print('locked', flush=True); sys.stdin.readline()
      store.execute('ROLLBACK')
      """
    let running = try Running(
      "/usr/bin/env", ["python3", "-u", "-c", program, state.path + "/parlour/history.sqlite"])
    return running
  }

  @Test(arguments: [true, false])
  func whatIsTypedWhileAnotherProgramWritesIsKeptAtTheEndOrSaidToBeLost(isFreed: Bool) throws {
    try fill(["x"])
    let pty = try Pty(
      Programs.parlour, ["--nick", "me", "ws://127.0.0.1:9/"], environment: state.variables)
    #expect(pty.read(untilOutput: "127.0.0.1:9"))
    let other = try lock()
    _ = try other.line(containing: "locked")
    pty.type("typed under the lock\r/quit\r")
    _ = pty.read(rounds: 100) { _ in false }
    if isFreed { other.write("\n") }
    pty.type("/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
    #expect(pty.text.contains("1 message that was not sent could not be kept") == !isFreed)
    if !isFreed { other.write("\n") }
    #expect(try other.finish().status == 0)
    let stats = try run(["stats", "--json"]).output[0]
    #expect(stats.contains("\"outbox\":\(isFreed ? 1 : 0)"), "\(stats)")
  }
}
