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

  private func fill(_ rooms: [(server: String, room: String)]) throws {
    let running = try Running(
      Programs.parlour, ["history", "import", "-"], environment: state.variables)
    for (number, place) in rooms.enumerated() {
      running.write(
        """
        {"server":"\(place.server)","room":"\(place.room)","id":"m\(number)","text":"xylophone",\
        "time":"2026-01-01T00:00:00Z"}

        """)
    }
    running.endInput()
    #expect(try running.finish().status == 0)
  }

  @Test(arguments: [
    "stats", "stats --json", "search xylo", "search xylo --json", "export", "export --format html",
    "import /dev/null", "prune --older-than 1d", "forget --all", "forget --room none",
  ])
  func anOutputThatTakesNothingIsAFaultAndAReaderThatIsGoneIsNone(words: String) throws {
    try fill([("ws://a.example/", "lobby")])
    for (output, status) in [(">/dev/full", 74), ("| true", 0)] as [(String, Int32)] {
      let result = try Running(
        "/bin/sh", ["-c", "\(Programs.parlour) history \(words) \(output)"],
        environment: state.variables
      ).finish()
      #expect(result.status == status, "\(output)")
      let said = result.errors.joined()
      #expect(
        said.contains("Standard output cannot be written: No space") == (status == 74), "\(said)")
    }
  }

  @Test func figuresNameTheServersAsForgettingTakesThem() throws {
    try fill([("ws://a.example/", "lobby")])
    var lines = try run(["stats"]).output
    #expect(lines[1] == "1 message in 1 room of 1 server")
    #expect(lines[3] == "ws://a.example/  1 message in 1 room")
    let long = "ws://c.example/\(String(repeating: "long/", count: 30))"
    try fill([
      ("ws://a.example/", "lobby"), ("ws://b.example/ws", "lobby"), ("ws://b.example/ws", "tea"),
      ("ws://b.example/ws", "tea"), (long, "lobby"),
    ])
    lines = try run(["stats"]).output
    #expect(lines[1] == "5 messages in 4 rooms of 3 servers")
    #expect(
      lines[3...] == [
        "ws://a.example/  1 message in 1 room", "ws://b.example/ws  3 messages in 2 rooms",
        "\(long)  1 message in 1 room",
      ])
    #expect(
      try run(["stats", "--json"]).output[0].contains(
        #""by_server":[{"url":"ws://a.example/","rooms":1,"messages":1},"#))
    let url = try #require(lines[4].split(separator: " ").first)
    #expect(
      try run(["forget", "--server", String(url)]).output == ["3 messages forgotten."])
  }

  @Test func whatWasSetAsideAsDamagedIsNamedAndGoesWithAll() throws {
    try fill([("ws://a.example/", "lobby")])
    let folder = state.path + "/parlour"
    let file = folder + "/history.sqlite"
    let aside = file + ".damaged-1767225600000"
    for path in [aside, aside + "-wal", file + ".damaged-7"] {
      try "xylophone".write(toFile: path, atomically: false, encoding: .utf8)
    }
    let room = try run(["forget", "--room", "lobby"])
    #expect(room.output == ["1 message forgotten."] && room.status == 0)
    #expect(room.errors.count == 2 && room.errors[0].contains("\(aside) is damaged and was left"))
    // The history itself is damaged as well, and set aside only now.
    try "xylophone, no history".write(toFile: file, atomically: false, encoding: .utf8)
    let all = try run(["forget", "--all"])
    #expect(
      all.output == ["0 messages forgotten, and 3 damaged files that had been set aside."])
    #expect(all.status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.sorted() == ["history.sqlite", "runs"])
  }

  /// The beginning of the file is whole, so that it is opened; pages behind it are not.
  @Test(arguments: [
    "stats", "search topic3", "export", "prune --older-than 1d", "forget --room lobby", "import -",
    "forget --all",
  ]) func damageInTheMiddleOfTheFileIsSaidWithAWayOut(words: String) throws {
    let text = String(repeating: "a message about a topic ", count: 20)
    let filling = try Running(
      Programs.parlour, ["history", "import", "-"], environment: state.variables)
    func write(_ count: Int, to running: Running) {
      for number in 0..<count {
        running.write(
          #"{"server":"ws://a.example/","room":"lobby","id":"m\#(number)","text":"topic\#(number) \#(text)","#
            + #""time":"2026-01-01T00:00:00Z"}"# + "\n")
      }
      running.endInput()
    }
    write(2_000, to: filling)
    #expect(try filling.finish().status == 0)
    let folder = state.path + "/parlour"
    let file = folder + "/history.sqlite"
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seek(toOffset: 60 * 4096)
    handle.write(Data(repeating: 0, count: 100 * 4096))
    try handle.close()
    let running = try Running(
      Programs.parlour, ["history"] + words.split(separator: " ").map(String.init),
      environment: state.variables)
    if words == "import -" { write(3_000, to: running) }
    let result = try running.finish()
    let said = result.errors.joined(separator: "\n")
    let asides = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    switch words.split(separator: " ")[0] {
    case "stats", "search", "export":
      #expect(result.status == 78 && asides.isEmpty)
      #expect(said.contains("sqlite3 \(file) .recover may bring back what it holds"), "\(said)")
      #expect(said.contains("forget --all deletes it"))
    case _ where words == "forget --all":
      #expect(result.status == 0 && asides.isEmpty, "\(said)")
      #expect(result.output == ["1 damaged file deleted, with all that stood there."])
      #expect(try run(["stats"]).output.contains("0 messages in 0 rooms of 0 servers"))
    default:
      #expect(result.status == 78 && asides.count == 1, "\(said)")
      #expect(said.contains("was set aside as \(folder)/\(asides.first ?? "-")"), "\(said)")
      #expect(said.contains("Give the command again"))
    }
  }

  @Test func theEndOfTheInputIsNoLineThatWasEntered() throws {
    let server = try PeerServer.embedded()
    let chat = try Running(
      Programs.parlour, ["--plain", "--nick", "ann", server.url], environment: state.variables)
    _ = try chat.line(containing: "* connected to ")
    chat.write("hello\n")
    #expect(try chat.finish().status == 0)
    let program =
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT line FROM inputs').fetchall())"
    let inputs = try Running(
      "/usr/bin/env", ["python3", "-c", program, state.path + "/parlour/history.sqlite"])
    #expect(try inputs.finish().output == ["[('hello',)]"])
  }

  @Test func anImportedServerIsCalledAsTheChatCallsIt() throws {
    try fill([
      ("ws://u:IMPPW@h.example/?access_token=IMPTOK", "lobby"), ("ws://H.example:80/", "tea"),
    ])
    let stats = try run(["stats"]).output
    #expect(stats[1] == "2 messages in 2 rooms of 1 server")
    #expect(stats[3] == "ws://h.example/  2 messages in 2 rooms")
    let file = try Data(contentsOf: URL(filePath: state.path + "/parlour/history.sqlite"))
    for secret in ["IMPPW", "IMPTOK"] { #expect(file.range(of: Data(secret.utf8)) == nil) }
    let odd = try Running(
      Programs.parlour, ["history", "import", "-"], environment: state.variables)
    odd.write(
      #"{"server":"not a url","room":"lobby","id":"m","text":"x","time":"2026-01-01T00:00:00Z"}"#
        + "\n")
    odd.endInput()
    let result = try odd.finish()
    #expect(
      result.status == 78 && result.errors.joined().contains("-:1 is no message"))
  }

  @Test func aReaderThatKeepsWhatWasDeletedIsTold() throws {
    try fill([("ws://a.example/", "lobby")])
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute('BEGIN'); store.execute('SELECT * FROM messages').fetchone()
      print('reads', flush=True); sys.stdin.readline()
      """
    let reader = try Running(
      "/usr/bin/env", ["python3", "-u", "-c", program, state.path + "/parlour/history.sqlite"])
    _ = try reader.line(containing: "reads")
    let held = try run(["forget", "--all"])
    #expect(held.output == ["1 message forgotten."] && held.status == 69)
    #expect(held.errors.joined().contains("history.sqlite-wal until it ends"), "\(held.errors)")
    reader.write("\n")
    _ = try reader.finish()
    let again = try run(["forget", "--all"])
    #expect(again.output == ["0 messages forgotten."] && again.errors == [] && again.status == 0)
  }
}
