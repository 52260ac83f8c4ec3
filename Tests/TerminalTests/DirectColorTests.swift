import CNcurses
import Glibc
import Screen
import TestKit
import Testing

@testable import Terminal

extension TerminalTests {
  /// What real ncurses sends for 24-bit colours.
  @MainActor @Suite struct DirectColorTests {
    /// The bytes of one screen with these cells, by way of a pseudo terminal.
    private func bytes(_ styles: [Style], type: String = "xterm-256color") throws -> String {
      var main: Int32 = -1
      var second: Int32 = -1
      try #require(openpty(&main, &second, nil, nil, nil) == 0)
      defer {
        close(main)
        close(second)
      }
      _ = TextEncoding.adopt()
      let presenter = try Presenter(
        kind: TerminalKind(type: type), encoding: .utf8, depth: .full, input: second,
        output: second)
      presenter.resize(width: styles.count, height: 2)
      var grid = Grid(width: styles.count, height: 2)
      for (column, style) in styles.enumerated() {
        grid[row: 0, column: column] = Cell("x", style)
      }
      presenter.present(grid)
      presenter.leave()
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // Everything was written before: it is there, in as many pieces as the kernel likes.
      while true {
        var entry = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 100) > 0 else { break }
        let count = read(main, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["xterm-256color", "tmux-256color", "xterm", "screen-256color"])
    func redGreenAndBlueGoOutAsTheyAre(type: String) throws {
      let text = try bytes(
        [Style(.rgb(0xFF8710, indexed: 208, ansi: 3), on: .rgb(0x1D2021, indexed: 234, ansi: 0))],
        type: type)
      #expect(text.contains("\u{1B}[38;2;255;135;16m") || text.contains("38;2;255;135;16"))
      #expect(text.contains("48;2;29;32;33"))
      #expect(!text.contains("38;5;208"))
      // The palette of the terminal is not touched: no OSC 4, no OSC 104.
      #expect(!text.contains("\u{1B}]4;") && !text.contains("\u{1B}]104"))
    }

    @Test func theSixteenColoursStayThoseOfTheTerminal() throws {
      let text = try bytes([
        Style(.ansi(1), on: .standard), Style(.ansi(12), on: .ansi(9)),
        Style(.rgb(0x000000, indexed: 16, ansi: 0), on: .rgb(0x000007, indexed: 16, ansi: 0)),
      ])
      #expect(text.contains("\u{1B}[31m"))
      #expect(text.contains("\u{1B}[94m"))
      #expect(text.contains("\u{1B}[101m"))
      // Black and nearly black are nudged past what means the palette.
      #expect(text.contains("38;2;0;0;16") && text.contains("48;2;0;0;16"))
    }

    @Test func theEnvironmentIsAsItWasAfterwards() throws {
      setenv("TERMINFO", "/nowhere", 1)
      defer { unsetenv("TERMINFO") }
      _ = try bytes([Style(.rgb(0x123456, indexed: 23, ansi: 4), on: .standard)])
      #expect(getenv("TERMINFO").map { String(cString: $0) } == "/nowhere")
    }
  }
}
