import Foundation
import TestKit
import Testing

/// What the disk does not take, as the person sees it.
@Suite(.ownThreads, .serialized) struct HistoryDiskTests {
  private let state = StateFolder()

  private func run(_ arguments: [String]) throws -> Running.Result {
    try Running(Programs.parlour, ["history"] + arguments, environment: state.variables).finish()
  }

  private func say(_ texts: [String], in terminal: Tmux) {
    for text in texts {
      terminal.type(text)
      terminal.press("Enter")
      let shown = terminal.wait {
        $0.contains("│ \(text)") && !$0.contains("… sending") && !$0.contains("… pending")
      }
      #expect(shown.held, "\(shown.screen)")
    }
  }

  /// SQLite makes files beside that of the history, for which there is no room; or for the history itself.
  @Test(arguments: [true, false])
  func aStartOnAFullDiskKeepsInMemoryUntilThereIsRoom(hasTranscript: Bool) throws {
    let server = try PeerServer.embedded()
    let command = "\(Programs.parlour) --nick me --dialect graphql --history 0 \(server.url)"
    if hasTranscript {
      let first = try Tmux(
        command, name: "full-before", environment: state.variables)
      #expect(first.wait { $0.contains("online") }.held)
      say(["old 1", "old 2"], in: first)
      first.type("/quit")
      first.press("Enter")
      let runs = state.path + "/parlour/runs"
      #expect(
        first.wait { _ in (try? FileManager.default.contentsOfDirectory(atPath: runs)) == [] }.held)
      let files = try FileManager.default.contentsOfDirectory(atPath: state.path + "/parlour")
      #expect(files.sorted() == ["history.sqlite", "runs"])
    } else {
      try FileManager.default.createDirectory(
        atPath: state.path, withIntermediateDirectories: true)
    }
    let note = state.path + "/pid"
    let terminal = try Tmux(
      "ulimit -S -f 16; echo $$ >\(note); exec \(command)", name: "full-start-\(hasTranscript)",
      environment: state.variables, height: 50)
    let told = "The chat goes on; what is said waits"
    let shown = terminal.wait {
      $0.contains(told) && $0.contains("online") && (!hasTranscript || $0.contains("old 2"))
    }
    #expect(shown.held, "\(shown.screen)")
    say(["new 1", "new 2"], in: terminal)
    #expect(terminal.screen().ranges(of: told).count == 1, "\(terminal.screen())")
    let pid = try String(contentsOfFile: note, encoding: .utf8).filter(\.isNumber)
    let room = try Running("/usr/bin/env", ["prlimit", "--pid", pid, "--fsize=unlimited"]).finish()
    #expect(room.status == 0, "\(room.errors)")
    let written = terminal.wait { $0.contains("The history is written again; nothing is missing") }
    #expect(written.held, "\(written.screen)")
    kill(try #require(pid_t(pid)), SIGKILL)
    // One that nobody has waited for yet has no command line any more.
    let line = "/proc/\(pid)/cmdline"
    let ended = terminal.wait { _ in
      FileManager.default.contents(atPath: line)?.isEmpty ?? true
    }
    #expect(ended.held)
    let texts = try run(["export", "--format", "text"]).output.compactMap {
      $0.components(separatedBy: "  me  ").dropFirst().first
    }
    #expect(texts == (hasTranscript ? ["old 1", "old 2"] : []) + ["new 1", "new 2"])
  }

  @Test(arguments: ["history.sqlite", "history.sqlite-wal", "history.sqlite-journal"])
  func aPipeInThePlaceOfAFileIsRefusedByAll(name: String) throws {
    let folder = state.path + "/parlour"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(mkfifo(folder + "/" + name, 0o600) == 0)
    for arguments in [
      ["stats"], ["search", "x"], ["export"], ["prune", "--older-than", "1d"], ["forget", "--all"],
      ["import", "/dev/null"],
    ] {
      let result = try run(arguments)
      #expect(result.status == 78 && result.output == [], "\(arguments)")
      #expect(
        result.errors.count == 1 && result.errors[0].contains("\(name): it is a pipe"),
        "\(result.errors)")
    }
    let chat = try Pty(
      Programs.parlour, ["--nick", "me", "ws://127.0.0.1:9/"], environment: state.variables)
    #expect(chat.read(untilOutput: "Nothing of this chat is kept"))
    chat.type("/quit\r")
    #expect(chat.waitForEnd() == .exited(0))
  }
}
