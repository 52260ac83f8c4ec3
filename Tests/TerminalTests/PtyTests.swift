import Glibc
import TestKit
import Testing

/// The tools that the tests of the whole program stand on.
@Suite struct PtyTests {
  @Test func aProgramRunsOnItsOwnTerminal() throws {
    let shell = try Pty(
      "/bin/sh", ["-c", "tty; stty size; read line; echo \"got $line\"; exit 7"], width: 50,
      height: 9)
    #expect(shell.read(untilOutput: "9 50"))
    #expect(shell.text.hasPrefix("/dev/pts/"))
    #expect(shell.isCooked)
    shell.type("hé\r")
    #expect(shell.read(untilOutput: "got hé"))
    #expect(shell.waitForEnd() == .exited(7))
  }

  @Test func aNewSizeReachesTheProgram() throws {
    let shell = try Pty(
      "/bin/sh", ["-c", "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done"])
    #expect(shell.read(untilOutput: "ready"))
    shell.forgetOutput()
    shell.resize(width: 33, height: 11)
    #expect(shell.read(untilOutput: "11 33"))
    #expect(shell.waitForEnd() == .exited(0))
  }

  @Test func ctrlCIsASignalAndSilenceIsBounded() throws {
    let shell = try Pty("/bin/sh", ["-c", "stty -echo; echo ready; exec cat"])
    #expect(shell.read(untilOutput: "ready"))
    #expect(!shell.read(rounds: 2) { $0.text.contains("never") })
    shell.write([0x03])
    #expect(shell.waitForEnd() == .signalled(SIGINT))
  }

  @Test func aProgramThatIsNotThereIsAFailure() {
    #expect(throws: StartFailure.self) { try Pty("/nonexistent/program") }
  }

  @Test(.enabled(if: Tmux.isInstalled)) func tmuxShowsTheScreen() throws {
    let tmux = try Tmux(
      "printf 'one\\ntwo 中\\033[3;5H\\033[31mred\\033[0m'; read l; echo \"<$l>\"; read l; echo ended; read l",
      name: "pty-tests", width: 30, height: 6)
    let first = tmux.wait { $0.contains("red") }
    #expect(first.held)
    #expect(first.screen.hasPrefix("one\ntwo 中\n    red\n"))
    #expect(tmux.screen(styled: true).contains("\u{1B}[31mred"))
    #expect(tmux.cursor.map { [$0.row, $0.column] } == [2, 7])
    tmux.type("-a b;")
    tmux.press("Enter")
    let second = tmux.wait { $0.contains("<-a b;>") }
    #expect(second.held, "\(second.screen)")
    tmux.resize(width: 40, height: 5)
    #expect(tmux.value(of: "#{pane_width}x#{pane_height}") == "40x5")
    tmux.press("Enter")
    #expect(tmux.wait { $0.contains("ended") }.held)
    tmux.press("Enter")
    #expect(tmux.wait { _ in tmux.value(of: "#{pane_dead}") == "1" }.held)
  }
}
