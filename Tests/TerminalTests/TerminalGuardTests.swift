import CNcurses
import Glibc
import Terminal
import TestKit
import Testing

private let rescue = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

extension TerminalTests {
  @Suite struct TerminalGuardTests {
    /// Takes a fresh pseudo-terminal out of its line mode, as the program does, with the guard armed.
    private func onRawTerminal(_ body: (_ main: Int32, _ second: Int32) throws -> Void) throws {
      let terminal = try openTerminal(width: 80, height: 24)
      defer {
        close(terminal.main)
        close(terminal.second)
      }
      // A crash of a child shall be a plain one: the backtraces that the test runner asks for take seconds.
      let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
      var plain = sigaction()
      plain.__sigaction_handler.sa_handler = SIG_DFL
      var runners = signals.map { _ in sigaction() }
      for (index, signal) in signals.enumerated() { sigaction(signal, &plain, &runners[index]) }
      defer {
        for (index, signal) in signals.enumerated() { sigaction(signal, &runners[index], nil) }
      }
      TerminalGuard.arm(input: terminal.second, output: terminal.second, rescue: Array(rescue.utf8))
      defer { TerminalGuard.disarm() }
      var modes = termios()
      tcgetattr(terminal.second, &modes)
      cfmakeraw(&modes)
      tcsetattr(terminal.second, TCSANOW, &modes)
      #expect(!terminalIsCooked(terminal.second))
      try body(terminal.main, terminal.second)
    }

    @Test func restoringWritesTheRescueOnceAndPutsTheModesBack() throws {
      try onRawTerminal { main, second in
        TerminalGuard.restore()
        TerminalGuard.restore()
        #expect(terminalIsCooked(second))
        #expect(readWritten(main: main, second: second) == rescue)
      }
    }

    @Test func afterAnOrderlyEndNothingIsWritten() throws {
      try onRawTerminal { main, second in
        TerminalGuard.disarm()
        TerminalGuard.restore()
        #expect(terminalIsCooked(second))
        #expect(readWritten(main: main, second: second) == "")
      }
    }

    @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT])
    func aCrashLeavesTheTerminalWholeAndIsStillACrash(signal: Int32) throws {
      try onRawTerminal { main, second in
        // The child has the handlers and the descriptors of this process, and does nothing but crash. The
        // terminal that forkpty makes for it is not used.
        var unused: Int32 = -1
        let child = forkpty(&unused, nil, nil, nil)
        if child == 0 {
          // abort(3) lets its signal through where the thread blocks it.
          if signal == SIGABRT { abort() }
          raise(signal)
          _exit(99)
        }
        defer { close(unused) }
        #expect(child.ending() == .signalled(signal))
        #expect(terminalIsCooked(second))
        #expect(readWritten(main: main, second: second) == rescue)
      }
    }

    @Test("report 39: a real trap and an overflow of the stack are crashes too")
    func report39() throws {
      for crash in [trapByIndex, overflowTheStack] {
        try onRawTerminal { main, second in
          var unused: Int32 = -1
          let child = forkpty(&unused, nil, nil, nil)
          if child == 0 {
            crash()
            _exit(99)
          }
          defer { close(unused) }
          let ending = child.ending()
          #expect([.signalled(SIGILL), .signalled(SIGTRAP), .signalled(SIGSEGV)].contains(ending))
          #expect(terminalIsCooked(second))
          #expect(readWritten(main: main, second: second) == rescue)
        }
      }
    }

    @Test func anExitWithoutLeavingIsRescued() throws {
      try onRawTerminal { main, second in
        var unused: Int32 = -1
        let child = forkpty(&unused, nil, nil, nil)
        // The handlers of exit(3) run, the one of the guard among them.
        if child == 0 { exit(5) }
        defer { close(unused) }
        #expect(child.ending() == .exited(5))
        #expect(terminalIsCooked(second))
        #expect(readWritten(main: main, second: second) == rescue)
      }
    }

    @Test func inAnOrphanedGroupStoppingReturnsAtOnce() throws {
      // forkpty makes the child the leader of a session whose parent is in another: its group is orphaned.
      var unused: Int32 = -1
      let child = forkpty(&unused, nil, nil, nil)
      if child == 0 { _exit(TerminalGuard.stopProcess() ? 1 : 0) }
      defer { close(unused) }
      #expect(child.ending() == .exited(0))
    }
  }
}

private func trapByIndex() {
  let none: [Int] = []
  print(none[Int(getpid())])
}

private func overflowTheStack() {
  _ = deeper(1)
}

private func deeper(_ depth: Int) -> Int {
  depth < 0 ? 0 : deeper(depth + 1) &+ deeper(depth + 2)
}
