import Glibc
import Screen
import Terminal
import TestKit
import Testing

extension TerminalTests {
  /// What no cell of ncurses can hold, as it reaches the terminal.
  @MainActor @Suite struct OverwritingTests {
    private static let close = "\u{1B}]8;;\u{1B}\\"

    private func withStage(
      type: String = "xterm-256color", _ body: (Presenter, () -> String) throws -> Void
    ) throws {
      _ = TextEncoding.adopt()
      let (main, second, _) = try openTerminal(width: 30, height: 3)
      let presenter = try Presenter(
        kind: TerminalKind(type: type), encoding: .utf8, depth: .indexed256, input: second,
        output: second)
      defer {
        presenter.leave()
        Glibc.close(main)
        Glibc.close(second)
      }
      presenter.tellsLinks = true
      try body(presenter) { readWritten(main: main, second: second) }
    }

    private func linked(
      _ rows: [String], row: Int, _ columns: Range<Int>, _ link: String = "https://a.example/x"
    ) throws -> Grid {
      var grid = grid(rows, width: 30)
      let target = try #require(LinkTarget(link, id: "1-0"))
      grid.links = [GridLink(row: row, columns: columns, target: target)]
      return grid
    }

    @Test func theCellsOfALinkStandBetweenItsSequences() throws {
      try withStage { presenter, written in
        let rows = ["go a.example now", "other", ""]
        let shown = try linked(rows, row: 0, 3..<12)
        presenter.present(shown)
        let opening = "\u{1B}]8;id=1-0;https://a.example/x\u{1B}\\"
        #expect(written().contains(opening + "a.example" + Self.close))
        presenter.present(shown)
        #expect(written() == "")
        // Another row is no reason to write it again; its own is.
        presenter.present(try linked(["go a.example now", "another", ""], row: 0, 3..<12))
        #expect(!written().contains("]8;"))
        presenter.present(try linked(["no a.example now", "another", ""], row: 0, 3..<12))
        #expect(written().contains(opening + "a.example" + Self.close))
        // The same letters without a link are written once more, without one.
        presenter.present(grid(["no a.example now", "another", ""], width: 30))
        let plain = written()
        #expect(plain.contains("a.example") && !plain.contains("]8;"))
        presenter.present(try linked(["no a.example now", "another", ""], row: 0, 3..<12))
        #expect(written().contains(opening))
        presenter.tellsLinks = false
        presenter.present(try linked(["no a.example now", "another", ""], row: 0, 3..<12))
        let off = written()
        #expect(off.contains("a.example") && !off.contains("]8;"))
      }
    }

    @Test func aRepaintAndAResizeBringLinksBack() throws {
      try withStage { presenter, written in
        let shown = try linked(["a.example", "", ""], row: 0, 0..<9)
        presenter.present(shown)
        _ = written()
        presenter.repaint()
        presenter.present(shown)
        #expect(written().contains("]8;id=1-0;"))
        // A grid of another size is on its way out.
        presenter.resize(width: 12, height: 2)
        presenter.present(shown)
        #expect(!written().contains("]8;id"))
      }
    }

    /// Report 20 of the research: marks around what is written from right to left, each with the cell before it.
    @Test func whatIsWrittenFromRightToLeftIsKeptApart() throws {
      try withStage { presenter, written in
        presenter.isolatesText = true
        var shown = grid(["09:12 רון | שלום", "other", ""], width: 30)
        shown.isolates = [
          GridIsolate(row: 0, columns: 6..<9),
          GridIsolate(row: 0, columns: 12..<16),
        ]
        presenter.present(shown)
        #expect(
          written().contains("09:12 \u{2068}רון\u{2069} | \u{2068}שלום\u{2069}"))
        presenter.present(shown)
        #expect(written() == "")
        // The same letters without them, and with a link over them.
        shown.isolates = []
        presenter.present(shown)
        let bare = written()
        #expect(bare.contains("ן") && !bare.contains("\u{2068}"), "\(bare.debugDescription)")
        shown.isolates = [GridIsolate(row: 0, columns: 12..<16)]
        let target = try #require(LinkTarget("https://a.example/x", id: "1-0"))
        shown.links = [GridLink(row: 0, columns: 0..<5, target: target)]
        presenter.present(shown)
        #expect(written().contains(" \u{2068}"))
        // In the first column there is no cell before it.
        shown.isolates = [GridIsolate(row: 0, columns: 0..<9)]
        presenter.present(shown)
        #expect(!written().contains("\u{2068}"))
        presenter.isolatesText = false
        shown.isolates = [GridIsolate(row: 0, columns: 6..<9)]
        presenter.present(shown)
        #expect(!written().contains("\u{2068}"))
      }
    }

    /// ncurses goes on as if nothing had been written: its cursor and its rendition are where it left them.
    @Test func theCursorIsBackInItsPlace() throws {
      try withStage { presenter, written in
        var shown = try linked(["a.example", "", ""], row: 0, 0..<9)
        shown.cursor = Grid.Position(row: 2, column: 5)
        presenter.present(shown)
        #expect(written().hasSuffix("\u{1B}[3;6H"))
      }
    }

    @Test func aPictureOfSeveralCodePointsIsWholeAndNothingShifts() throws {
      try withStage { presenter, written in
        var shown = grid(["a👩‍👩‍👧b", "", ""], width: 30)
        presenter.present(shown)
        let text = written()
        // Blank first, the picture from its column on, and what follows at a column of its own.
        #expect(text.contains("  \u{1B}[1;2H👩‍👩‍👧\u{1B}[1;4Hb"), "\(text.debugDescription)")
        shown = grid(["a👩b", "", ""], width: 30)
        shown[row: 0, column: 1] = Cell("🙂", .plain)
        shown[row: 0, column: 2] = Cell("", .plain)
        shown[row: 0, column: 3] = Cell("b", .plain)
        presenter.present(shown)
        #expect(!written().contains("\u{200D}"))
      }
    }

    @Test(arguments: ["vt100", "linux"]) func othersAreToldNothing(type: String) throws {
      try withStage(type: type) { presenter, written in
        presenter.present(try linked(["a.example", "", ""], row: 0, 0..<9))
        presenter.takeMouse(true)
        #expect(!written().contains("]8;") && !written().contains("1000h"))
      }
    }

    @Test func theMouseIsTakenAndGivenBack() throws {
      try withStage { presenter, written in
        _ = written()
        presenter.takeMouse(true)
        presenter.takeMouse(true)
        #expect(written() == "\u{1B}[?1000h\u{1B}[?1006h")
        presenter.suspend()
        #expect(written().contains("\u{1B}[?1006l\u{1B}[?1000l"))
        presenter.resume()
        #expect(written().contains("\u{1B}[?1000h\u{1B}[?1006h"))
        presenter.takeMouse(false)
        #expect(written() == "\u{1B}[?1006l\u{1B}[?1000l")
        presenter.suspend()
        #expect(!written().contains("1000"))
      }
    }
  }
}
