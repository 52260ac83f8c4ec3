import Foundation
import TestKit
import Testing

/// Reports 29 to 47 of the research on terminal chats, by number, with the built program on a pseudo-terminal.
@Suite(.ownThreads, .serialized) struct TerminalReports {
  private let server: PeerServer

  init() throws {
    server = try PeerServer.embedded()
  }

  private func start(_ more: [String] = [], width: Int = 80, height: Int = 24) throws -> Pty {
    let pty = try Pty(
      Programs.parlour, ["--nick", "me", "--no-history"] + more + [server.url], width: width,
      height: height)
    #expect(pty.read(untilOutput: "online"))
    return pty
  }

  private func leave(_ pty: Pty) {
    pty.type("\u{15}/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
    #expect(pty.isCooked)
  }

  /// What the room has, as another client sees it.
  private func said() throws -> [String] {
    let cat = try Running(
      Programs.parlour, ["cat", "--history", "200", "--nick", "you", server.url])
    let result = try cat.finish()
    return result.output
  }

  private func waitUntilSaid(_ text: String) throws -> [String] {
    for _ in 0..<60 {
      let lines = try said()
      if lines.contains(where: { $0.hasSuffix(text) }) { return lines }
    }
    return try said()
  }

  @Test("report 29: a paste whose end never comes leaves the keyboard alive") func report29() throws
  {
    let pty = try start()
    pty.type("\u{1B}[200~abc")
    #expect(pty.read(untilOutput: "abc"))
    pty.type("\u{3}")
    leave(pty)
  }

  @Test(
    "reports 30 and 38: no mode outlives the program, whatever ends it",
    arguments: [0, SIGTERM, SIGHUP, SIGSEGV])
  func reports30And38(signal: Int32) throws {
    let pty = try Pty(
      Programs.parlour, ["--nick", "me", server.url], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(pty.read(untilOutput: "online"))
    if signal == 0 { pty.type("/quit\r") } else { pty.signal(signal) }
    #expect(pty.waitForEnd() != nil)
    #expect(pty.isCooked)
    let text = pty.text
    for mode in [2004, 1004, 1049, 1000, 1002, 1003, 1006, 2026, 1] {
      let on = text.ranges(of: "\u{1B}[?\(mode)h").last?.lowerBound
      let off = text.ranges(of: "\u{1B}[?\(mode)l").last?.lowerBound
      guard let on else { continue }
      #expect(off.map { $0 > on } == true, "mode \(mode) is left on")
    }
    // The cursor shows again.
    let hidden = text.ranges(of: "\u{1B}[?25l").last?.lowerBound ?? text.startIndex
    #expect(text[hidden...].contains("\u{1B}[?25h") || text[hidden...].contains("\u{1B}[34h"))
  }

  @Test("report 31: a pasted line is not sent by its end") func report31() throws {
    let pty = try start()
    pty.type("\u{1B}[200~secret\n\u{1B}[201~")
    #expect(pty.read(untilOutput: "secret"))
    pty.type("\u{15}\u{15}\u{15}public\r")
    let lines = try waitUntilSaid("public")
    #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
    leave(pty)
  }

  @Test("report 32: five lines typed quickly are five messages") func report32() throws {
    let pty = try start()
    pty.type("one\rtwo\rthree\rfour\rfive\r")
    let lines = try waitUntilSaid("five")
    #expect(
      ["one", "two", "three", "four", "five"].allSatisfy { word in
        lines.contains { $0.hasSuffix(word) }
      })
    leave(pty)
  }

  @Test("report 33: characters that come byte by byte are whole") func report33() throws {
    let pty = try start()
    for byte in Array("é한🙂\r".utf8) {
      pty.write([byte])
      pty.readWhatIsThere()
    }
    let lines = try waitUntilSaid("é한🙂")
    #expect(lines.contains { $0.hasSuffix("é한🙂") }, "\(lines)")
    leave(pty)
  }

  @Test("report 35: a paste of 100 kB is one edit, undone by one key") func report35() throws {
    let pty = try start()
    let text = String(repeating: "0123456789", count: 10_000)
    pty.type("\u{1B}[200~" + text + "END\u{1B}[201~")
    #expect(pty.read(untilOutput: "? paste of"))
    pty.type("\r")
    #expect(pty.read(untilOutput: "END"))
    pty.forgetOutput()
    pty.type("\u{1F}after\r")
    let lines = try waitUntilSaid("after")
    #expect(lines.contains { $0.hasSuffix("after") && !$0.contains("0123456789") }, "\(lines)")
    leave(pty)
  }

  @Test("report 43: down to one cell and back in the middle of a flood") func report43() throws {
    let pty = try start()
    let flood = try Running(
      Programs.parlour, ["cat", "--history", "0", "--nick", "you", server.url])
    for number in 0..<400 { flood.write("line \(number)\n") }
    for (width, height) in [(5, 3), (1, 1), (2, 1), (1, 9), (200, 50), (3, 2), (80, 24)] {
      pty.resize(width: width, height: height)
      pty.readWhatIsThere()
    }
    flood.endInput()
    _ = try flood.finish()
    pty.forgetOutput()
    pty.type("still here")
    #expect(pty.read(untilOutput: "here"))
    leave(pty)
  }

  @Test("report 47: what comes in draws the difference and never clears the screen") func report47()
    throws
  {
    let pty = try start()
    pty.forgetOutput()
    let flood = try Running(
      Programs.parlour, ["cat", "--history", "0", "--nick", "you", server.url])
    // Only what differs is written: the last line has no letter where the one that it takes the place of has the same.
    for number in 0..<100 { flood.write("line number \(number)\n") }
    flood.write("QQQQ\n")
    flood.endInput()
    _ = try flood.finish()
    #expect(pty.read(untilOutput: "QQQQ"))
    #expect(!pty.text.contains("\u{1B}[2J") && !pty.text.contains("\u{1B}[J"))
    leave(pty)
  }

  @Test("the end of the terminal is the end of the program") func theTerminalEnds() throws {
    let pty = try start()
    pty.hangUp()
    let ending = pty.child.ending(rounds: 500)
    #expect(ending == .exited(129) || ending == .exited(74), "\(String(describing: ending))")
  }
}

/// Who does not look is told by the terminal or by the desktop.
@Suite(.ownThreads, .serialized) struct NoticeReports {
  private func tellMe(_ environment: [String: String]) throws -> (Pty, PeerServer) {
    let server = try PeerServer.embedded()
    var variables = ["TMUX": "", "KITTY_WINDOW_ID": "", "TERM_PROGRAM": "", "WEZTERM_PANE": ""]
    variables.merge(environment) { $1 }
    let pty = try Pty(
      Programs.parlour, ["--nick", "me", "--no-history", server.url], environment: variables)
    #expect(pty.read(untilOutput: "online"))
    pty.type("\u{1B}[O")
    let cat = try Running(Programs.parlour, ["cat", "--history", "0", "--nick", "you", server.url])
    cat.write("me: <b>look</b> & see $(id)\n")
    cat.endInput()
    _ = try cat.finish()
    #expect(pty.read(untilOutput: "\u{7}"))
    return (pty, server)
  }

  @Test func aTerminalThatShowsNoticesIsAsked() throws {
    let (pty, _) = try tellMe(["KITTY_WINDOW_ID": "1"])
    #expect(pty.read(untilOutput: "\u{1B}]99;i=parlour:d=0:p=title;you in #lobby\u{1B}\\"))
    pty.type("/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
  }

  /// The desktop's program gets words, never a line for a shell, and leaves no zombie behind.
  @Test func elseTheDesktopIsAsked() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "parlour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = folder.appending(path: "notify-send")
    let (part, whole) = ("\(folder.path())/part", "\(folder.path())/said")
    try writeProgram(
      """
      #!/bin/sh
      for word; do printf '%s\\n' "$word"; done >\(part)
      mv \(part) \(whole)
      """, at: script.path())
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let (pty, _) = try tellMe(["PATH": "\(folder.path()):\(path)", "DISPLAY": ":9"])
    let file = folder.appending(path: "said")
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: file.path()) {
      pty.readWhatIsThere()
      letOthersWork()
    }
    let said = try String(contentsOf: file, encoding: .utf8)
    #expect(
      said == "--app-name=parlour\n--\nyou in #lobby\nme: &lt;b&gt;look&lt;/b&gt; &amp; see $(id)\n"
    )
    pty.type("/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
  }
}

/// Those that need a terminal that somebody looks at, or a shell that has jobs.
@Suite(.ownThreads, .serialized, .enabled(if: Tmux.isInstalled)) struct TerminalReportsInTmux {
  private static func rows(_ screen: String) -> [String] {
    screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("report 37: the cursor is at the caret after every frame") func report37() throws {
    let server = try PeerServer.embedded()
    let tmux = try Tmux("\(Programs.parlour) --nick me \(server.url)", name: "report37")
    #expect(tmux.wait { $0.contains("● online") }.held)
    tmux.type("abc")
    #expect(tmux.wait { $0.contains("me> abc") }.held)
    let cat = try Running(Programs.parlour, ["cat", "--history", "0", "--nick", "you", server.url])
    cat.write("hello there\n")
    cat.endInput()
    _ = try cat.finish()
    let seen = tmux.wait { $0.contains("hello there") }
    #expect(seen.held)
    let row = Self.rows(seen.screen).firstIndex { $0.hasPrefix("me> abc") }
    #expect(tmux.cursor?.row == row && tmux.cursor?.column == 7 && tmux.cursor?.isShown == true)
  }

  @Test("reports 40 and 41: Ctrl-Z stops, nothing is written meanwhile, fg brings back all of it")
  func reports40And41() throws {
    let server = try PeerServer.embedded()
    let tmux = try Tmux("env PS1='shell> ' bash --norc -i", name: "report40")
    #expect(tmux.wait { $0.contains("shell>") }.held)
    tmux.type("\(Programs.parlour) --nick me --no-history \(server.url)")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("● online") }.held)
    tmux.type("a draft")
    tmux.press("C-z")
    let stopped = tmux.wait { $0.contains("Stopped") }
    #expect(stopped.held, "\(stopped.screen)")
    #expect(tmux.value(of: "#{alternate_on}") == "0")
    let cat = try Running(Programs.parlour, ["cat", "--history", "0", "--nick", "you", server.url])
    cat.write("said meanwhile\n")
    cat.endInput()
    _ = try cat.finish()
    tmux.type("echo still the shell")
    tmux.press("Enter")
    let shell = tmux.wait { $0.contains("\nstill the shell") }
    #expect(shell.held && !shell.screen.contains("said meanwhile"))
    tmux.resize(width: 60, height: 20)
    tmux.type("fg")
    tmux.press("Enter")
    let back = tmux.wait { $0.contains("said meanwhile") && $0.contains("me> a draft") }
    #expect(back.held, "\(back.screen)")
    #expect(back.screen.contains("● online"))
    tmux.press("C-c")
    tmux.type("/quit")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("shell>") && !$0.contains("● online") }.held)
  }

  @Test("the pages about the line open, follow what happens, and save") func pages() throws {
    let server = try PeerServer.embedded()
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "parlour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tmux = try Tmux(
      "cd \(folder.path()) && \(Programs.parlour) --nick me --no-history \(server.url)",
      name: "pages")
    #expect(tmux.wait { $0.contains("● online") }.held)
    tmux.press("F2")
    let page = tmux.wait { $0.contains("── Connection") && $0.contains("round trip") }
    #expect(page.held, "\(page.screen)")
    #expect(page.screen.contains("127.0.0.1") && page.screen.contains("permessage-deflate"))
    tmux.press("F3")
    let frames = tmux.wait { $0.contains("── Frames") && $0.contains("connection_init") }
    #expect(frames.held, "\(frames.screen)")
    for (width, height) in [(40, 10), (1, 1), (200, 50), (80, 24)] {
      tmux.resize(width: width, height: height)
      #expect(tmux.wait { Self.rows($0).allSatisfy { $0.count <= width } }.held)
    }
    #expect(tmux.wait { $0.contains("connection_init") }.held)
    tmux.press("s")
    #expect(tmux.wait { $0.contains("save as: frames.ndjson") }.held)
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("lines are in frames.ndjson now") }.held)
    tmux.press("s")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("is there already") }.held)
    let text = try String(contentsOf: folder.appending(path: "frames.ndjson"), encoding: .utf8)
    for line in text.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(text.contains("connection_ack"))
  }
}
