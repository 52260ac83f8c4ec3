import CNcurses
import Glibc
import Screen
import Terminal
import TestKit
import Testing

/// A presenter on a pseudo-terminal of this process, and what it wrote there.
@MainActor
private final class Stage {
  let main: Int32
  let second: Int32
  let presenter: Presenter

  init(type: String = "xterm-256color", width: Int = 20, height: Int = 3) throws {
    _ = TextEncoding.adopt()
    let terminal = try openTerminal(width: width, height: height)
    main = terminal.main
    second = terminal.second
    presenter = try Presenter(
      kind: TerminalKind(type: type), encoding: .utf8, depth: .indexed256, input: second,
      output: second)
  }

  func close() {
    presenter.leave()
    Glibc.close(main)
    Glibc.close(second)
  }

  /// What was written since the last call.
  func written() -> String { readWritten(main: main, second: second) }

  func setSize(width: Int, height: Int) {
    var size = winsize()
    size.ws_col = UInt16(width)
    size.ws_row = UInt16(height)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }
}

/// What was written to the second end of a pseudo-terminal since the last call. The kernel hands bytes on in its
/// own time, so a mark is written behind them and read up to.
func readWritten(main: Int32, second: Int32) -> String {
  let mark = Array("\u{1}mark".utf8)
  guard write(second, mark, mark.count) == mark.count else {
    return "the mark could not be written"
  }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
  while !bytes.suffix(mark.count).elementsEqual(mark), poll(&entry, 1, 10_000) > 0 {
    let count = read(main, &buffer, buffer.count)
    if count <= 0 { break }
    bytes += buffer[..<count]
  }
  return String(decoding: bytes.dropLast(mark.count), as: UTF8.self)
}

/// Whether the parts stand in the text in this order.
private func inOrder(_ text: String, _ parts: [String]) -> Bool {
  var rest = Array(text.utf8)[...]
  for part in parts.map({ Array($0.utf8) }) {
    guard let start = rest.indices.first(where: { rest[$0...].starts(with: part) }) else {
      return false
    }
    rest = rest[(start + part.count)...]
  }
  return true
}

private let entering = ["\u{1B}[?1049h", "\u{1B}[?2004h", "\u{1B}[?1004h", "\u{1B}[22;2t"]
private let leaving = ["\u{1B}[23;2t", "\u{1B}[?1004l", "\u{1B}[?2004l", "\u{1B}[?1049l"]

extension TerminalTests {
  @MainActor @Suite struct PresenterTerminalTests {
    @Test func modesAreEnteredAndLeftInReverseOrder() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(inOrder(stage.written(), entering))
      stage.presenter.leave()
      #expect(inOrder(stage.written(), leaving))
      stage.presenter.leave()
      #expect(stage.written() == "")
    }

    @Test func ctrlCAndCtrlZAndReturnComeAsBytes() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(!terminalIsCooked(stage.second))
      write(stage.main, "\u{03}\u{1A}\r\u{13}\u{11}", 5)
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while bytes.count < 5, read(stage.second, &byte, 1) == 1 { bytes.append(byte) }
      #expect(bytes == [0x03, 0x1A, 0x0D, 0x13, 0x11])
      // Nothing is echoed.
      #expect(!stage.written().contains("^C"))
      stage.presenter.leave()
      #expect(terminalIsCooked(stage.second))
    }

    @Test func theCursorIsParkedOrHidden() throws {
      let stage = try Stage()
      defer { stage.close() }
      var shown = grid(["ab", "", ""], width: 20)
      stage.presenter.present(shown)
      #expect(stage.written().contains("\u{1B}[?25l"))
      shown.cursor = Grid.Position(row: 2, column: 7)
      stage.presenter.present(shown)
      let written = stage.written()
      #expect(written.contains("\u{1B}[3;8H"))
      #expect(written.contains("\u{1B}[?25h"))
      #expect(!written.contains("ab"))
      shown.cursor = Grid.Position(row: 3, column: 0)
      stage.presenter.present(shown)
      #expect(stage.written().contains("\u{1B}[?25l"))
    }

    @Test func nothingIsWrittenWhileSuspended() throws {
      let stage = try Stage()
      defer { stage.close() }
      stage.presenter.present(grid(["hello", "", ""], width: 20))
      stage.presenter.setTitle("room")
      _ = stage.written()
      stage.presenter.suspend()
      #expect(inOrder(stage.written(), leaving))
      #expect(terminalIsCooked(stage.second))
      stage.presenter.present(grid(["more", "", ""], width: 20))
      stage.presenter.setTitle("other")
      stage.presenter.ring()
      stage.presenter.repaint()
      TerminalGuard.restore()
      #expect(stage.written() == "")

      stage.setSize(width: 12, height: 2)
      stage.presenter.resume()
      #expect(stage.presenter.width == 12)
      #expect(stage.presenter.height == 2)
      #expect(!terminalIsCooked(stage.second))
      stage.presenter.present(grid(["more", ""], width: 12))
      #expect(inOrder(stage.written(), entering + ["\u{1B}]2;room\u{07}", "more"]))
    }

    @Test func afterBeingStoppedFromOutsideEverythingIsDrawnAnew() throws {
      let stage = try Stage()
      defer { stage.close() }
      let shown = grid(["hello", "", ""], width: 20)
      stage.presenter.present(shown)
      stage.presenter.present(shown)
      _ = stage.written()
      // A shell takes the line settings for itself.
      var modes = termios()
      tcgetattr(stage.second, &modes)
      modes.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
      tcsetattr(stage.second, TCSANOW, &modes)
      stage.presenter.resume()
      stage.presenter.present(shown)
      #expect(!terminalIsCooked(stage.second))
      #expect(inOrder(stage.written(), ["\u{1B}[?2004h", "hello"]))
    }

    @Test func theTitleIsMadeSafe() throws {
      let stage = try Stage()
      defer { stage.close() }
      _ = stage.written()
      stage.presenter.setTitle("a\u{1B}]0;b\u{07}\u{9C}\u{202E}\nc é中")
      #expect(stage.written() == "\u{1B}]2;a]0;bc é中\u{07}")
      stage.presenter.setTitle(String(repeating: "x", count: 9_999))
      #expect(stage.written().utf8.count == 205)
    }

    @Test func aTerminalUnlikeXtermGetsNoForeignModes() throws {
      let stage = try Stage(type: "linux")
      defer { stage.close() }
      stage.presenter.setTitle("x")
      stage.presenter.leave()
      let written = stage.written()
      for part in ["2004", "1004", ";2t", "\u{1B}]2"] { #expect(!written.contains(part)) }
    }

    @Test func ncursesTakesNoSignals() throws {
      func handlers() -> [[UInt8]] {
        [SIGINT, SIGTERM, SIGTSTP, SIGWINCH].map { signal in
          var action = sigaction()
          sigaction(signal, nil, &action)
          return withUnsafeBytes(of: &action.__sigaction_handler) { Array($0) }
        }
      }
      let before = handlers()
      let stage = try Stage()
      defer { stage.close() }
      #expect(handlers() == before)
      stage.presenter.suspend()
      stage.presenter.resume()
      stage.presenter.present(grid(["x"], width: 20))
      #expect(handlers() == before)
      stage.presenter.leave()
      #expect(handlers() == before)
    }

    @Test func theSizeIsReadFromTheTerminalAndBounded() throws {
      let stage = try Stage(width: 33, height: 7)
      defer { stage.close() }
      #expect(stage.presenter.width == 33)
      for (width, height, expected) in [
        (60, 9, (60, 9)), (5_000, 2_000, (1_000, 1_000)), (0, 0, (80, 24)),
      ] {
        stage.setSize(width: width, height: height)
        #expect(stage.presenter.size() == expected)
      }
    }

    @Test func colorsReachTheTerminal() throws {
      let stage = try Stage()
      defer { stage.close() }
      _ = stage.written()
      let style = Style(.rgb(0xFF8700, indexed: 208, ansi: 3), on: .ansi(4), .bold)
      stage.presenter.present(grid(["hi"], width: 20, style: style))
      let written = stage.written()
      for part in ["1m", "38;5;208m", "44m"] { #expect(written.contains(part)) }
    }

    @Test func theTitleIsKeptAsOftenAsItIsGivenBack() throws {
      let stage = try Stage()
      defer { stage.close() }
      stage.presenter.setTitle("own")
      var written = stage.written()
      stage.presenter.suspend()
      stage.presenter.resume()
      // SIGCONT arrives behind it.
      stage.presenter.resume()
      stage.presenter.leave()
      written += stage.written()
      #expect(written.ranges(of: "\u{1B}[22;2t").count == 2)
      #expect(written.ranges(of: "\u{1B}[23;2t").count == 2)
    }

    @Test func aTerminalThatNobodyReadsIsKnownAndGetsItsTitleLater() throws {
      let stage = try Stage()
      defer { stage.close() }
      _ = stage.written()
      #expect(stage.presenter.isWritable)
      let filler = [UInt8](repeating: 0x78, count: 1_024)
      let flags = fcntl(stage.second, F_GETFL)
      _ = fcntl(stage.second, F_SETFL, flags | O_NONBLOCK)
      while write(stage.second, filler, filler.count) > 0 {}
      _ = fcntl(stage.second, F_SETFL, flags)
      #expect(!stage.presenter.isWritable)
      // Neither of them may wait for a reader.
      stage.presenter.ring()
      stage.presenter.setTitle("later")
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !stage.presenter.isWritable { _ = read(stage.main, &buffer, buffer.count) }
      _ = stage.written()
      stage.presenter.present(grid(["x"], width: 20))
      #expect(stage.written().contains("]2;later\u{7}"))
    }

    @Test func aPipeIsNoTerminal() throws {
      var ends: [Int32] = [-1, -1]
      #expect(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      let stage = try Stage()
      defer { stage.close() }
      try Presenter.requireTerminal(input: stage.second, output: stage.second)
      #expect(throws: TerminalError.self) {
        try Presenter.requireTerminal(input: ends[0], output: stage.second)
      }
      #expect(throws: TerminalError.self) {
        try Presenter.requireTerminal(input: stage.second, output: ends[1])
      }
    }

    @Test func theTerminalIsAskedForSynchronizedOutputAndNobodyWaits() throws {
      let stage = try Stage()
      defer { stage.close() }
      #expect(stage.written().contains("\u{1B}[?2026$p"))
      let full = grid(
        Array(repeating: "a row without a blank".replacing(" ", with: "-"), count: 3), width: 20)
      stage.presenter.present(full)
      #expect(!stage.written().contains("\u{1B}[?2026h"))
      // The answer may come at any time.
      stage.presenter.take(ModeReport(mode: 2026, state: 2))
      stage.presenter.repaint()
      stage.presenter.present(full)
      let whole = stage.written()
      #expect(whole.hasPrefix("\u{1B}[?2026h") && whole.hasSuffix("\u{1B}[?2026l"))
      var typed = full
      typed[row: 0, column: 19] = Cell("x", .plain)
      stage.presenter.present(typed)
      #expect(!stage.written().contains("2026"))
    }

    @Test(arguments: [0, 4]) func aTerminalWithoutSynchronizedOutputIsLeftAlone(state: Int) throws {
      let stage = try Stage()
      defer { stage.close() }
      stage.presenter.take(ModeReport(mode: 2026, state: state))
      stage.presenter.take(ModeReport(mode: 2027, state: 2))
      #expect(!stage.presenter.isSynchronized)
    }
  }
}
