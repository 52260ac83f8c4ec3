import Room
import Testing
import Text

@testable import Screen

@Suite struct InputAreaTests {
  private func draw(_ text: String, caret: Int, width: Int = 40) -> Grid {
    var view = ViewState()
    view.editor.setText(text)
    _ = view.editor.perform(.messageStart)
    for _ in 0..<caret { _ = view.editor.perform(.forwardCharacter) }
    return Fixture.screen(Fixture.lobby, view, input: InputText(text, caret: caret))
      .grid(width: width, height: 12)
  }

  /// irssi/irssi#1154 (report 11).
  @Test func aMarkInAnEmptyInputIsShownOnADottedCircle() {
    var editor = LineEditor()
    #expect(editor.handle(.character("\u{301}")) == .edited)
    #expect(editor.text == "\u{301}")
    let grid = draw(editor.text, caret: 1)
    #expect(grid.text.contains("you> \u{25CC}\u{301}"))
    #expect(grid.cursor?.column == 6)
    #expect(editor.handle(.control("a")) == .edited)
    #expect(editor.handle(.delete) == .edited)
    #expect(editor.isEmpty)
    // What joins or selects has nothing to do there.
    #expect(editor.handle(.character("\u{200D}")) == .ignored)
    #expect(editor.handle(.character("\u{FE0F}")) == .ignored)
  }

  @Test func textBehindTheLimitOfAMessageIsMarkedAndCounted() throws {
    let limit = RoomModel.largestMessage
    let near = String(repeating: "a", count: limit - 5)
    let grid = draw(near, caret: limit - 5)
    #expect(grid.text.contains("5 B left"))
    let over = String(repeating: "a", count: limit) + "bcd"
    let full = draw(over, caret: limit + 3)
    #expect(full.text.contains("3 B too long"))
    let row = try #require(full.cursor?.row)
    let overflow = Theme.fallback["input.overflow"]
    let marked = (0..<20).filter {
      ["b", "c", "d"].contains(full[row: row, column: $0].text)
        && full[row: row, column: $0].style == overflow
    }
    #expect(marked.count == 3)
    let plain = (0..<20).filter {
      full[row: row, column: $0].text == "a" && full[row: row, column: $0].style == overflow
    }
    #expect(plain.isEmpty)
    #expect(!draw("short", caret: 5).text.contains("B left"))
    #expect(MessageRoom("/" + over, limit: limit) == nil)
    #expect(MessageRoom(String(repeating: "é", count: 6), limit: 11)?.overflow == 5)
  }

  @Test(arguments: [80, 60, 40, 20, 12, 6, 2, 1])
  func theQuestionAboutAPasteFitsEveryScreen(width: Int) throws {
    var view = ViewState()
    view.pasteQuestion = PasteQuestion(String(repeating: "line\n", count: 34), lines: 5)
    let grid = Fixture.screen(Fixture.lobby, view).grid(width: width, height: 10)
    #expect(brokenPromise(of: grid) == nil)
    #expect(grid.text.contains("?"))
    #expect(grid.cursor != nil)
  }

  @Test(arguments: [6, 34, 480, 1_234])
  func theQuestionAboutAPasteNamesEveryKeyWithWhatItDoesAt40Columns(lines: Int) {
    var view = ViewState()
    view.pasteQuestion = PasteQuestion(String(repeating: "x\n", count: lines), lines: 5)
    let text = Fixture.screen(Fixture.lobby, view).grid(width: 40, height: 10).text
    for words in ["\(lines) lines", "Enter edit", "s send", "Esc "] {
      #expect(text.contains(words), "\(text)")
    }
  }

  /// There is no row of keys on a low screen.
  @Test(arguments: [
    ViewState.Overlay.help(topic: nil, scroll: 0), .settings(group: "", scroll: 0),
    .connection(scroll: 0), .frames(FramesView()), .bindings(scroll: 0),
  ])
  func everyPageSaysHowItIsLeftAt40By10(overlay: ViewState.Overlay) {
    var view = ViewState()
    view.overlay = overlay
    for (width, height) in [(40, 10), (80, 10), (80, 24)] {
      let grid = Fixture.screen(Fixture.lobby, view).grid(width: width, height: height)
      #expect(grid.text.contains("Esc"), "\(grid.text)")
      #expect(brokenPromise(of: grid) == nil)
    }
  }

  @Test func theSizesAreSaidInDecimalUnits() {
    func form(_ count: Int) -> String? {
      PasteQuestion(String(repeating: "x", count: count), lines: 5)?.forms.first
    }
    #expect(form(4_096) == nil)
    #expect(form(4_150)?.contains("4.2 kB") == true)
    #expect(form(999_949)?.contains("999.9 kB") == true)
    #expect(form(999_950)?.contains("1.0 MB") == true)
    #expect(PasteQuestion(String(repeating: "a\n", count: 500), lines: 0) == nil)
  }
}

@Suite struct EmojiNameTests {
  @Test func theTableIsWhole() {
    #expect(EmojiNames.count > 1_500)
    #expect(EmojiNames.matching("thinking", most: 5).first?.emoji == "🤔")
    #expect(EmojiNames.matching("+1", most: 5).first?.emoji == "👍")
    #expect(EmojiNames.matching("nosuchname", most: 5).isEmpty)
    let found = EmojiNames.matching("smi", most: 500)
    #expect(found.first?.name == "smile")
    #expect(found.contains { $0.name == "sweat_smile" })
    #expect(EmojiNames.matching("fla", most: 7).count == 7)
    for entry in EmojiNames.matching("", most: 5_000) {
      #expect(
        entry.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) })
      #expect(!entry.emoji.unicodeScalars.contains("\u{200D}"))
      #expect(entry.emoji.count == 1, "\(entry.name)")
    }
  }
}

@Suite struct ReadlineTests {
  private func editor(_ lines: String..., typed: String = "") -> LineEditor {
    var editor = LineEditor()
    for line in lines {
      _ = editor.paste(line)
      _ = editor.perform(.send)
    }
    for character in typed { _ = editor.type(character) }
    return editor
  }

  @Test func upWalksThroughLinesThatBeginAsWhatStandsBeforeTheCaret() {
    var editor = editor("make test", "git log", "make", "make build", "make build", typed: "make ")
    for (action, text) in [
      (EditorAction.up, "make build"), (.up, "make test"), (.up, "make test"),
      (.down, "make build"),
      (.down, "make "), (.previousLine, "make build"), (.previousLine, "make"),
      (.previousLine, "git log"),
    ] {
      _ = editor.perform(action)
      #expect(editor.text == text)
    }
  }

  @Test func aChangeOfALineBeginsANewWalk() {
    var editor = editor("abc", "xyz", "ab", typed: "")
    _ = editor.perform(.up)
    #expect(editor.text == "ab")
    _ = editor.perform(.deleteBackward)
    _ = editor.perform(.up)
    #expect(editor.text == "abc")
    _ = editor.perform(.down)
    _ = editor.perform(.down)
    #expect(editor.text == "")
  }

  @Test func theLastWordsOfEarlierLinesComeOneAfterTheOther() {
    var editor = editor("see one", "two  ", "and three", typed: "x ")
    for text in ["x three", "x two", "x one", "x one"] {
      _ = editor.perform(.yankLastWord)
      #expect(editor.text == text)
    }
    _ = editor.type("!")
    _ = editor.perform(.yankLastWord)
    #expect(editor.text == "x one!three")
  }

  @Test(arguments: [
    (EditorAction.deleteBlanks, "ab"), (.oneSpace, "a b"),
  ])
  func blanksAroundTheCaret(action: EditorAction, text: String) {
    var editor = editor(typed: "a \t  b")
    for _ in 0..<3 { _ = editor.perform(.backwardCharacter) }
    _ = editor.perform(action)
    #expect(editor.text == text)
    #expect(editor.caret == text.count - 1)
  }

  @Test func revertTakesEverythingBack() {
    var editor = editor("one", typed: "two words ")
    _ = editor.perform(.killBlankWord)
    _ = editor.perform(.up)
    _ = editor.perform(.revert)
    #expect(editor.text == "")
    _ = editor.perform(.redo)
    #expect(!editor.text.isEmpty)
  }

  @Test(arguments: [
    (Key.tab, "a\t"), (.enter, "a\n"), (.control("c"), "a␃"), (.escape, "a␛"),
    (.character("q"), "aq"), (.pageUp, "a"), (.paste("x\u{1B}y"), "ax␛y"),
  ])
  func aQuotedKeyIsText(key: Key, text: String) {
    var editor = editor(typed: "a")
    _ = editor.perform(.quote)
    #expect(editor.isQuoting)
    _ = editor.handle(key)
    #expect(editor.text == text)
    #expect(!editor.isQuoting)
  }

  @Test func repeatedKillsJoinInEitherDirection() {
    var editor = editor(typed: "one two three four")
    _ = editor.perform(.backwardWord)
    _ = editor.perform(.backwardWord)
    _ = editor.perform(.killWord)
    _ = editor.perform(.killWord)
    #expect(editor.text == "one two ")
    _ = editor.perform(.killBlankWord)
    #expect(editor.text == "one ")
    _ = editor.perform(.yank)
    #expect(editor.text == "one two three four")
  }
}
