import Foundation
import TestKit
import Testing

/// The chat without a screen, as the built program.
@Suite(.ownThreads, .serialized) struct PlainChatTests {
  /// What a terminal would obey, but for the line end, the bell and the backspace.
  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F
        || ["\n", "\r", "\u{8}", "\u{7}"].contains(scalar)
    }
  }

  @Test func aPipeTalksInFinishedLines() throws {
    let server = try PeerServer.embedded()
    let other = try Running(Programs.parlour, ["cat", "--nick", "ko", "--wait", "60s", server.url])
    let chat = try Running(Programs.parlour, ["--plain", "--nick", "ann", server.url])
    _ = try chat.line(containing: "* connecting to ")
    _ = try chat.line(containing: "* connected to ")
    chat.write("hello from ann\n")
    let own = try chat.line(containing: "hello from ann")
    #expect(own.contains(/^\d\d:\d\d ann: hello from ann$/))
    _ = try other.line(containing: "ann: hello from ann")
    other.write("ann, look\n")
    let answer = try chat.line(containing: "look")
    #expect(answer.contains(/^\d\d:\d\d ko \(to you\): ann, look$/))
    chat.write("/nick eve\n/frobnicate\n/help connect\n/theme\n")
    _ = try chat.line(containing: "* You are called eve now.")
    _ = try chat.line(containing: "* ! There is no command /frobnicate")
    _ = try chat.line(containing: "  /connect [URL]: connect now")
    _ = try chat.line(containing: "* There are no colours without a screen.")
    chat.write("last words")
    let result = try chat.finish()
    #expect(result.status == 0)
    #expect(result.output.contains { $0.hasSuffix("eve: last words") }, "\(result.output)")
    #expect(result.output.allSatisfy(Self.isPlain))
  }

  @Test func whatAPipeBringsAtOnceIsSentBeforeItLeaves() throws {
    let server = try PeerServer.embedded()
    let chat = try Running(Programs.parlour, ["--plain", "--nick", "ann", server.url])
    chat.write("one\ntwo\n")
    let result = try chat.finish()
    #expect(result.status == 0)
    for text in ["ann: one", "ann: two"] {
      #expect(result.output.count { $0.hasSuffix(text) } == 1, "\(result.output)")
    }
  }

  @Test func severalRoomsAreToldByTheirNames() throws {
    let server = try PeerServer.embedded()
    let other = try Running(
      Programs.parlour, ["cat", "--nick", "ko", "--room", "dev", "--wait", "60s", server.url])
    let chat = try Running(
      Programs.parlour,
      ["--plain", "--nick", "ann", "--room", "lobby", "--room", "ops", server.url])
    _ = try chat.line(containing: "#ops * connected to ")
    chat.write("/join dev\n")
    _ = try chat.line(containing: "* you are in #dev now")
    _ = try chat.line(containing: "#dev * connected to ")
    chat.write("from ann\n")
    _ = try other.line(containing: "ann: from ann")
    other.write("from ko\n")
    let line = try chat.line(containing: "ko: from ko")
    #expect(line.contains(/^#dev \d\d:\d\d ko: from ko$/), "\(line)")
    chat.write("/list\n")
    _ = try chat.line(containing: "1 #lobby on ")
    _ = try chat.line(containing: "3 #dev on ")
    chat.write("/window lobby\n/part\n")
    _ = try chat.line(containing: "* you are in #lobby now")
    let result = try chat.finish()
    #expect(result.status == 0)
  }

  @Test func everyLineOfSeveralRoomsBeginsWithTheRoomFromTheFirstOn() throws {
    let server = try PeerServer.embedded()
    for _ in 0..<2 {
      let chat = try Running(
        Programs.parlour,
        [
          "--plain", "--nick", "ann", "--room", "lobby", "--room", "dev", "--room", "ops",
          server.url,
        ])
      chat.write("hello\n")
      let result = try chat.finish()
      #expect(result.status == 0)
      #expect(result.output.first?.hasPrefix("#lobby * ") == true, "\(result.output)")
      #expect(
        result.output.allSatisfy { line in
          ["lobby", "dev", "ops"].contains { line.hasPrefix("#\($0) ") }
        }, "\(result.output)")
    }
  }

  @Test func thatItGoesOnInLinesStandsBeforeTheTranscript() throws {
    let server = try PeerServer.embedded()
    let state = NSTemporaryDirectory() + "parlour-plain-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let variables = ["TERM": "dumb", "XDG_STATE_HOME": state]
    let first = try Running(
      Programs.parlour, ["--plain", "--nick", "ann", server.url], environment: variables)
    first.write("said before\n")
    #expect(try first.finish().status == 0)
    let pty = try Pty(
      Programs.parlour, ["--nick", "ann", server.url], environment: variables)
    #expect(pty.read(untilOutput: "ann: said before"))
    #expect(String(decoding: pty.output, as: UTF8.self).hasPrefix("* TERM is dumb: "))
  }

  @Test func whereNobodyListensTheEndIsToldByTheCode() throws {
    let chat = try Running(
      Programs.parlour, ["--plain", "--no-reconnect", "--no-history", "ws://127.0.0.1:1/"])
    chat.write("lost\n")
    let result = try chat.finish()
    #expect(result.status == 69)
    #expect(result.output.contains { $0.hasPrefix("* ! gave up after 1 attempt") })
  }

  @Test func atATerminalALineThatArrivesStandsBeforeWhatIsTyped() throws {
    let server = try PeerServer.embedded()
    let pty = try Pty(
      Programs.parlour, ["--plain", "--nick", "ann", "--no-history", server.url])
    #expect(pty.read(untilOutput: "* connected to "))
    #expect(!pty.isCooked)
    pty.type("half a wrod")
    pty.write([0x7F, 0x7F, 0x7F])
    pty.type("ord")
    #expect(pty.read(untilOutput: "\u{8} \u{8}ord"))
    let other = try Running(
      Programs.parlour,
      ["cat", "--nick", "ko", "--send", "in between", "--count", "1", "--history", "0", server.url])
    #expect(pty.read(untilOutput: "ko: in between\r\nhalf a word"))
    pty.forgetOutput()
    pty.type(" more\r")
    #expect(pty.read(untilOutput: "ann: half a word more"))
    pty.type("/qui")
    pty.write([0x09])
    pty.type("\r")
    #expect(pty.waitForEnd() == .exited(0))
    #expect(pty.isCooked)
    pty.readWhatIsThere()
    #expect(Self.isPlain(pty.text), "\(pty.text)")
    _ = try other.finish(endingInput: false)
  }

  @Test func ctrlCAndCtrlDDoWhatTheyDoInTheChat() throws {
    let pty = try Pty(Programs.parlour, ["demo", "--plain"])
    #expect(pty.read(untilOutput: "* connected to "))
    pty.type("not sent")
    pty.write([0x03])
    #expect(pty.read(untilOutput: String(repeating: "\u{8}", count: 8)))
    pty.write([0x03])
    #expect(pty.read(untilOutput: "Ctrl-C again"))
    pty.write([0x04])
    #expect(pty.waitForEnd() == .exited(0))
    #expect(pty.isCooked)
  }

  @Test("report 44: a dumb terminal gets lines by itself") func report44() throws {
    let pty = try Pty(Programs.parlour, ["demo"], environment: ["TERM": "dumb"])
    #expect(pty.read(untilOutput: "* TERM is dumb: the chat goes on in lines"))
    #expect(pty.read(untilOutput: "* Nothing of this demo is kept"))
    #expect(pty.read(untilOutput: "* connected to "))
    // The kernel collects the lines there, and echoes.
    #expect(pty.isCooked)
    pty.type("hello\r")
    #expect(pty.read(untilOutput: ": hello"))
    pty.write([0x04])
    #expect(pty.waitForEnd() == .exited(0))
    pty.readWhatIsThere()
    #expect(Self.isPlain(pty.text))
  }

  /// With a terminal on one side only there is no screen either, whichever side it is.
  @Test func withoutATerminalTheWaysToGoAreNamed() throws {
    let bare = try Running(Programs.parlour, ["ws://127.0.0.1:1/"]).finish()
    #expect(bare.status == 64 && bare.output == [] && bare.errors.count == 1)
    #expect(bare.errors.first?.contains("use --plain, or `parlour cat` in scripts") == true)
    let pty = try Pty("/bin/sh", ["-c", "\(Programs.parlour) ws://127.0.0.1:1/ | cat; echo ended"])
    #expect(pty.read(untilOutput: "Standard output is not a terminal"))
    #expect(pty.read(untilOutput: "ended"))
    #expect(Self.isPlain(pty.text), "\(pty.text)")
    _ = pty.waitForEnd()
  }

  @Test func aCrashGivesTheLineModeBack() throws {
    let pty = try Pty(
      Programs.parlour, ["demo", "--plain"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(pty.read(untilOutput: "* connected to "))
    pty.signal(SIGSEGV)
    #expect(pty.waitForEnd() == .signalled(SIGSEGV))
    #expect(pty.isCooked)
  }
}
