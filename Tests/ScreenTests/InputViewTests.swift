import Testing
import Text

@testable import Screen

@Suite struct InputViewTests {
  private static func draw(
    _ text: String, caret: Int, width: Int, rows: Int = 1, prompt: String = "me> "
  ) -> Grid {
    var canvas = Canvas(width: width, height: rows, style: .plain)
    InputView(
      input: InputText(text, caret: caret), prompt: prompt, hint: "", theme: .fallback
    ).draw(on: &canvas, rows: 0..<rows)
    return canvas.grid
  }

  @Test(arguments: [
    ("hello", 0, "me> hello", 4), ("hello", 5, "me> hello", 9),
    ("日本語", 2, "me> 日本語", 8), ("a\tb", 2, "me> a␉b", 6),
    ("e\u{301}x", 1, "me> \u{E9}x", 5), ("a\u{202E}b", 3, "me> ab", 6),
    // Twelve columns of text: pages of six.
    ("abcdefghijkl", 0, "me> abcdefghijkl", 4), ("abcdefghijkl", 12, "me> ‹hijkl", 10),
    ("abcdefghijklmnopqrst", 0, "me> abcdefghijk›", 4),
    ("abcdefghijklmnopqrst", 13, "me> ‹hijklmnopq›", 11),
    ("日本語日本語日", 7, "me> ‹ 日本語日", 14),
  ]) func theCaretIsInSight(text: String, caret: Int, shown: String, column: Int) {
    let grid = Self.draw(text, caret: caret, width: 16)
    #expect(brokenPromise(of: grid) == nil)
    #expect(grid.cursor == Grid.Position(row: 0, column: column))
    #expect(grid.text == shown)
  }

  @Test func everyCaretOfEveryTextIsOnTheScreen() {
    var dice = Dice(seed: 3)
    for _ in 0..<200 {
      let text = dice.text(length: dice.below(30))
      let caret = dice.below(text.count + 1)
      let (width, rows) = (5 + dice.below(30), 1 + dice.below(4))
      let grid = Self.draw(text, caret: caret, width: width, rows: rows)
      #expect(brokenPromise(of: grid) == nil)
      #expect(grid.cursor != nil, "“\(text)” \(caret) \(width)×\(rows)")
    }
  }

  /// A line of ASCII is shown without looking at its characters; behind the window stands one here that has to be looked at.
  @Test func aLineOfASCIIIsShownAsAnyOther() {
    let text = String((0..<60).map { Character(Unicode.Scalar(UInt8(0x21 + $0 % 90))) })
    for length in 0...40 {
      let line = text.prefix(length)
      for width in 1...30 {
        for caret in [nil] + (0...length).map(Optional.some) {
          let quick = InputWindow(line: line, caret: caret, width: width)
          #expect(quick.plain == quick.cells.map { $0.clusters.map(\.text).joined() }.joined())
          let other = InputWindow(line: line + "é", caret: caret, width: width)
          #expect(other.plain == nil)
          #expect(
            Array(other.cells.prefix(quick.cells.count)) == quick.cells,
            "\(length) \(width) \(String(describing: caret))")
          #expect(quick.isCutLeft == other.isCutLeft)
          if quick.isCutRight { #expect(other.isCutRight) }
          #expect(quick.caretColumn == other.caretColumn)
        }
      }
    }
  }

  @Test(arguments: [
    (4, "↑ 3"), (10, "↑ 9"), (11, "↑ 10"), (101, "↑100"), (197, "↑196"), (1000, "↑999"),
    (1001, "↑1k"),
    (40_000, "↑39k"), (1_000_001, "↑"),
  ])
  func aBlankStandsBetweenTheCounterAndTheText(lines: Int, counter: String) {
    let text = String(repeating: "a\n", count: lines - 1) + "pasted"
    let grid = Self.draw(text, caret: text.count, width: 20, prompt: "you> ")
    #expect(grid.text == counter.padding(to: 5) + "pasted")
  }

  @Test func linesAboveAndBelowAreCounted() {
    let text = "one\ntwo\nthree\nfour\nfive"
    let grid = Self.draw(text, caret: 9, width: 20, rows: 2, prompt: "you> ")
    #expect(grid.text == "↑ 1  two\n↓ 2  three")
    #expect(grid.cursor == Grid.Position(row: 1, column: 6))
    let end = Self.draw(text, caret: 23, width: 20, rows: 2, prompt: "you> ")
    #expect(end.text == "↑ 3  four\n     five")
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: width - count)
  }
}
