import Foundation
import TestKit
import Testing

/// The built program on a pseudo-terminal: the terminal is whole again whatever ends it.
@Suite(.ownThreads) struct TerminalLifeTests {
  private func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Pty {
    try Pty(Programs.parlour, arguments, environment: environment)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
  func aSignalGivesTheTerminalBack(signal: Int32, status: Int32) throws {
    let pty = try start(["demo"])
    #expect(pty.read(untilOutput: "online"))
    #expect(!pty.isCooked)
    pty.signal(signal)
    #expect(pty.waitForEnd() == .exited(status))
    pty.readWhatIsThere()
    #expect(pty.isCooked)
    for sequence in ["\u{1B}[?1049h", "\u{1B}[?2004h", "\u{1B}[?1004h"] {
      let undone = sequence.replacing("h", with: "l")
      #expect(pty.text.contains(sequence) && pty.text.contains(undone), "\(sequence.dropFirst())")
    }
  }

  @Test(
    "report 39: a crash gives the terminal back",
    arguments: [SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU])
  func report39(signal: Int32) throws {
    let pty = try start(["demo"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(pty.read(untilOutput: "online"))
    pty.signal(signal)
    #expect(pty.waitForEnd() == .signalled(signal))
    pty.readWhatIsThere()
    #expect(pty.isCooked)
    #expect(pty.text.contains("\u{1B}[?1049l"))
    #expect(!pty.text.contains("Backtrace") && !pty.text.contains("Press space"))
  }

  /// TERM=dumb is the chat in lines: see `PlainChatTests`.
  @Test(
    "report 44: a terminal that cannot show the screen is said in a sentence",
    arguments: [["TERM": "nosuch-terminal"], ["TERM": ""]])
  func report44(environment: [String: String]) throws {
    let pty = try start(["demo"], environment: environment)
    let ending = pty.waitForEnd()
    pty.readWhatIsThere()
    #expect(ending == .exited(64))
    #expect(pty.text.contains("TERM"))
    #expect(pty.text.contains("--plain"))
    #expect(pty.isCooked)
  }

  @Test("report 42: a storm of resizes at the start hurts nobody") func report42() throws {
    let pty = try start(["demo"])
    for step in 0..<60 {
      pty.resize(width: 1 + step * 7 % 120, height: 1 + step * 5 % 40)
      pty.readWhatIsThere()
    }
    pty.resize(width: 80, height: 24)
    #expect(pty.read(untilOutput: "online"))
    pty.type("/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
    #expect(pty.isCooked)
  }

  @Test(
    "report 46: without a locale of UTF-8 the chat runs, shows letters, and warns once",
    arguments: [["LC_ALL": "C", "LANG": "C"], ["LC_ALL": "", "LANG": "xx_YY"]])
  func report46(environment: [String: String]) throws {
    let pty = try start(["demo"], environment: environment)
    #expect(pty.read(untilOutput: "is not UTF-8"))
    #expect(pty.read(untilOutput: "online"))
    pty.type("é")
    #expect(pty.read(untilOutput: "é"))
    pty.type("\u{7F}")
    pty.type("/quit\r")
    #expect(pty.waitForEnd() == .exited(0))
  }
}
