import CNcurses
import Screen
import Terminal
import Testing

extension TerminalTests {
  /// What ncurses holds after a grid was presented.
  @MainActor @Suite struct PresenterTests {
    @Test(arguments: [
      ("abc  ", "abc  "), ("é中x", "é中x "), ("e\u{301}\u{327}abc", "e\u{301}\u{327}abc "),
      ("🙂한x", "🙂한x"), ("a🇩🇪b ", "a🇩🇪b "), ("-❤️-  ", "-❤ - "),
      // The family is one cluster of two columns: its first person is what a cell can hold.
      ("👩‍👩‍👧x  ", "👩x  "),
      // Not in the tables of libc, and a mark without a base.
      ("\u{378}x", "□x   "), ("\u{301}x", " \u{301}x   "),
      // A base and five marks: the fifth has no room.
      ("a\u{300}\u{301}\u{302}\u{303}\u{304}b", "a\u{300}\u{301}\u{302}\u{303}b   "),
      // What must never get through leaves its cell blank.
      ("a\u{202E}b\u{1B}c", "a b c"),
    ])
    func textIsShownClusterByCluster(text: String, row: String) throws {
      try withPresenter(width: 5, height: 1) { presenter in
        presenter.present(grid([text], width: 5))
        #expect(readRow(0, width: 5) == row)
      }
    }

    @Test func aWideClusterIsWrittenOverAndOverWritten() throws {
      let steps = ["中文x", "a中文", "中文x", "ab文y", "中cde", "xy中z", "abcde", "中中z", "a    "]
      try withPresenter(width: 5, height: 1) { presenter in
        for text in steps {
          let wanted = grid([text], width: 5)
          presenter.present(wanted)
          #expect(readRow(0, width: 5) == wanted.cells.map(\.text).joined())
        }
      }
    }

    @Test func aWideClusterAtTheEdgeBecomesAStandIn() throws {
      try withPresenter(width: 3, height: 1) { presenter in
        var cut = grid(["ab"], width: 3)
        cut[row: 0, column: 2] = Cell("中", .plain)
        presenter.present(cut)
        #expect(readRow(0, width: 3) == "ab□")
        presenter.present(grid(["中中"], width: 4))
        #expect(readRow(0, width: 3) == "中□")
      }
    }

    @Test func onlyChangedCellsAreWritten() throws {
      try withPresenter(width: 10, height: 3) { presenter in
        let first = grid(["hello", "中x", ""], width: 10)
        presenter.present(first)
        // Five letters, and of the wide one two blanks and itself, and the x.
        #expect(presenter.cellsWritten == 9)
        presenter.present(first)
        #expect(presenter.cellsWritten == 9)
        var second = first
        second[row: 0, column: 4] = Cell("p", .plain)
        second.cursor = Grid.Position(row: 2, column: 1)
        presenter.present(second)
        #expect(presenter.cellsWritten == 10)
        presenter.repaint()
        presenter.present(second)
        #expect(presenter.cellsWritten == 19)
        #expect(readRow(0, width: 10) == "hellp     ")
      }
    }

    @Test func whatWasErasedBeforeARepaintIsGone() throws {
      try withPresenter(width: 5, height: 1) { presenter in
        presenter.present(grid(["abcde"], width: 5))
        presenter.repaint()
        presenter.present(grid(["x"], width: 5))
        #expect(readRow(0, width: 5) == "x    ")
      }
    }

    @Test func resizingGoesDownToOneCellAndBack() throws {
      try withPresenter(width: 10, height: 2) { presenter in
        presenter.present(grid(["0123456789", "中文中文中"], width: 10))
        for (width, height) in [(5, 1), (1, 1), (0, 0), (-3, 7), (1, 5), (100_000, 1), (10, 2)] {
          presenter.resize(width: width, height: height)
          #expect((1...1_000).contains(presenter.width))
          let wanted = grid(
            Array(repeating: "中a", count: presenter.height), width: presenter.width)
          presenter.present(wanted)
          #expect(readRow(0, width: 1).hasPrefix(presenter.width == 1 ? "□" : "中"))
        }
        presenter.present(grid(["0123456789", "中文中文中"], width: 10))
        #expect(readRow(1, width: 10) == "中文中文中")
      }
    }

    @Test func aGridOfAnotherSizeIsCutAndFilledUp() throws {
      try withPresenter(width: 4, height: 2) { presenter in
        presenter.present(grid(["abcdef", "ghijkl", "mnopqr"], width: 6))
        #expect(readRow(0, width: 4) == "abcd")
        #expect(readRow(1, width: 4) == "ghij")
        presenter.present(grid(["xy"], width: 2))
        #expect(readRow(0, width: 4) == "xy  ")
        #expect(readRow(1, width: 4) == "    ")
        presenter.present(Grid(width: 0, height: 0))
        #expect(readRow(0, width: 4) == "    ")
      }
    }

    @Test func withoutUTF8LettersBecomeQuestionMarks() throws {
      try withPresenter(encoding: .ascii, width: 5, height: 1) { presenter in
        presenter.present(grid(["aé中z"], width: 5))
        #expect(readRow(0, width: 5) == "a?? z")
      }
    }

    @Test func withoutUTF8TheSignsOfTheScreenKeepTheirMeaning() throws {
      try withPresenter(encoding: .ascii, width: 12, height: 1) { presenter in
        presenter.present(grid(["●◌✕│─…▁▃█▒·x"], width: 12))
        #expect(readRow(0, width: 12) == "*.x|-._:#%.x")
      }
    }

    @Test(arguments: [
      (Color.rgb(0xFF8700, indexed: 208, ansi: 3), Theme.Depth.full, 0xFF8700 as Int32),
      // The lowest values would be the terminal's own colours.
      (.rgb(0, indexed: 16, ansi: 0), .full, 16),
      (.rgb(0xFF8700, indexed: 208, ansi: 3), .indexed256, 208),
      (.rgb(0xFF8700, indexed: 208, ansi: 3), .ansi16, 3),
      (.ansi(12), .ansi16, 12), (.ansi(12), .full, 12), (.standard, .full, -1),
    ])
    func aColorTakesTheFormThatTheTerminalShows(
      color: Color, depth: Theme.Depth, index: Int32
    ) throws {
      try withPresenter(depth: depth, width: 3, height: 1) { presenter in
        presenter.present(grid(["abc"], width: 3, style: Style(color, on: .ansi(4))))
        let cell = try #require(readCell(row: 0, column: 1))
        var foreground: Int32 = 0
        var background: Int32 = 0
        extended_pair_content(cell.pair, &foreground, &background)
        #expect(foreground == index)
        #expect(background == 4)
      }
    }

    @Test func onEightColorsTheBrightOnesAreBold() throws {
      try withPresenter(type: "linux", depth: .ansi16, width: 1, height: 1) { presenter in
        presenter.present(grid(["a"], width: 1, style: Style(.ansi(9), on: .ansi(12))))
        let cell = try #require(readCell(row: 0, column: 0))
        var foreground: Int32 = 0
        var background: Int32 = 0
        extended_pair_content(cell.pair, &foreground, &background)
        #expect(foreground == 1)
        #expect(background == 4)
        #expect(cell.attributes & pc_bold() != 0)
      }
    }

    @Test(arguments: ["xterm-256color", "vt100"])
    func withoutColorsOnlyAttributesAreLeft(type: String) throws {
      let style = Style(.ansi(1), on: .rgb(1, indexed: 2, ansi: 3), [.bold, .underline, .reverse])
      try withPresenter(type: type, depth: .none, width: 1, height: 1) { presenter in
        presenter.present(grid(["a"], width: 1, style: style))
        let cell = try #require(readCell(row: 0, column: 0))
        #expect(cell.pair == 0)
        for bit in [pc_bold(), pc_underline(), pc_reverse()] { #expect(cell.attributes & bit != 0) }
        for bit in [pc_dim(), pc_italic()] { #expect(cell.attributes & bit == 0) }
      }
    }

    @Test func pairsBeyondTheBoundFallBackToTheTerminalsOwn() throws {
      try withPresenter(width: 100, height: 50) { presenter in
        var many = Grid(width: 100, height: 50)
        for place in 0..<5_000 {
          let (front, back) = (UInt8(place % 256), UInt8(place / 256 + 16))
          let style = Style(
            .rgb(UInt32(front) << 8, indexed: front, ansi: 0),
            on: .rgb(UInt32(back) << 16, indexed: back, ansi: 0))
          many[row: place / 100, column: place % 100] = Cell("x", style)
        }
        presenter.present(many)
        #expect(readCell(row: 40, column: 95)?.pair == 4_096)
        #expect(readCell(row: 40, column: 96)?.pair == 0)
        #expect(readRow(49, width: 100) == String(repeating: "x", count: 100))
      }
    }
  }
}
