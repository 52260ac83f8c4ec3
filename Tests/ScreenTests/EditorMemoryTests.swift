import Screen
import Testing

private func editor(after keys: [Key]) -> LineEditor {
  var editor = LineEditor()
  for key in keys { _ = editor.handle(key) }
  return editor
}

private func typed(_ text: String) -> [Key] { text.map { .character($0) } }

private let undo = Key.control("_")
private let redo = Key.alt("_")

/// Kill ring, undo, history, limits.
@Suite struct EditorMemoryTests {
  @Test func killsInARowJoinInTheOrderOfTheText() {
    var editor = editor(after: typed("one two three four"))
    for key in [Key.alt("b"), .alt("b"), .alt("d"), .control("w"), .control("k")] {
      _ = editor.handle(key)
    }
    #expect(editor.text == "one ")
    _ = editor.handle(.control("y"))
    #expect(editor.text == "one two three four")
  }

  @Test func aMotionEndsARowOfKills() {
    var editor = editor(
      after: typed("a b") + [.control("w"), .left, .right, .control("w"), .control("y")])
    #expect(editor.text == "a ")
    #expect(editor.handle(.alt("y")) == .edited)
    #expect(editor.text == "b")
    _ = editor.handle(.alt("y"))
    #expect(editor.text == "a ")
    _ = editor.handle(.left)
    _ = editor.handle(.alt("y"))
    #expect(editor.text == "a ", "M-y means nothing after another key")
  }

  @Test func theKillRingIsBounded() {
    var editor = LineEditor()
    for number in 0..<40 {
      for key in typed("\(number)") + [.control("u"), .left] { _ = editor.handle(key) }
    }
    _ = editor.handle(.control("y"))
    var seen = [editor.text]
    for _ in 0..<20 {
      _ = editor.handle(.alt("y"))
      seen.append(editor.text)
    }
    #expect(seen[..<16] == (24..<40).reversed().map { "\($0)" }[...])
    #expect(seen[16] == "39")
  }

  @Test func undoTakesBackAWordAndRedoBringsItAgain() {
    var editor = editor(after: typed("hello big world"))
    _ = editor.handle(undo)
    #expect(editor.text == "hello big ")
    _ = editor.handle(undo)
    #expect(editor.text == "hello ")
    _ = editor.handle(undo)
    #expect(editor.text == "")
    #expect(editor.handle(undo) == .ignored)
    for _ in 0..<5 { _ = editor.handle(redo) }
    #expect(editor.text == "hello big world")
    #expect(editor.caret == 15)
    _ = editor.handle(undo)
    for key in typed("x") + [redo] { _ = editor.handle(key) }
    #expect(editor.text == "hello big x", "a new edit ends what could be made again")
  }

  @Test func undoPutsTheCaretWhereTheEditWas() {
    var editor = editor(after: typed("aabb") + [.left, .left, .character("a"), .controlEnd, undo])
    #expect(editor.text == "aabb")
    #expect(editor.caret == 2)
    _ = editor.handle(redo)
    #expect(editor.caret == 3)
  }

  @Test func aCombiningMarkIsTakenBackWithItsWord() {
    var editor = editor(after: typed("cafe") + [.character("\u{301}"), .character("s")])
    #expect(editor.text == "cafe\u{301}s")
    _ = editor.handle(undo)
    #expect(editor.text == "")
    _ = editor.handle(redo)
    #expect(editor.text == "cafe\u{301}s")
  }

  @Test func aLargePasteIsOneEditAndOneUndo() {
    let pasted = String(repeating: "zażółć 日本\n", count: 6_000)
    var editor = editor(after: typed("a "))
    #expect(editor.handle(.paste(pasted)) == .edited)
    #expect(editor.text == "a " + pasted)
    #expect(editor.caret == 2 + 10 * 6_000)
    _ = editor.handle(undo)
    #expect(editor.text == "a ")
    _ = editor.handle(redo)
    #expect(editor.text == "a " + pasted)
  }

  @Test func textBeyondTheLimitIsRefused() {
    var editor = LineEditor()
    let pasted = String(repeating: "a", count: 1_048_574)
    _ = editor.handle(.paste(pasted))
    #expect(!editor.wasRefused)
    _ = editor.handle(.paste("中x"))
    #expect(editor.wasRefused)
    #expect(editor.text == pasted, "中 takes three bytes and only two are free")
    _ = editor.handle(.paste("xyz"))
    #expect(editor.text.utf8.count == 1_048_576)
    #expect(editor.text.hasSuffix("xy"))
    #expect(editor.handle(.character("q")) == .edited)
    #expect(editor.wasRefused)
    _ = editor.handle(.backspace)
    #expect(!editor.wasRefused)
    #expect(editor.text.hasSuffix("ax"))
  }

  @Test func upAndDownGoThroughTheHistoryAndKeepTheDraft() {
    var editor = editor(after: typed("one") + [.enter] + typed("two") + [.enter] + typed("dra"))
    let walk: [(Key, String)] = [
      (.control("p"), "two"), (.up, "one"), (.control("p"), "one"), (.down, "two"),
      (.control("n"), "dra"), (.down, "dra"),
    ]
    for (key, text) in walk {
      #expect(editor.handle(key) == .edited)
      #expect(editor.text == text)
      #expect(editor.caret == text.count)
    }
  }

  @Test func aChangedHistoryLineIsKeptUntilSomethingIsSubmitted() {
    var editor = editor(after: typed("one") + [.enter] + typed("two") + [.enter])
    for key in [Key.up, .character("!"), .control("p"), .control("n")] { _ = editor.handle(key) }
    #expect(editor.text == "two!")
    #expect(editor.handle(.enter) == .submitted("two!"))
    #expect(editor.history == ["one", "two", "two!"])
    for key in [Key.up, .up] { _ = editor.handle(key) }
    #expect(editor.text == "two")
  }

  @Test func aRecalledTextOfSeveralLinesIsWalkedThroughFirst() {
    var editor = editor(after: typed("first") + [.enter, .paste("a\nb"), .enter])
    let walk: [(Key, String, Int)] = [
      (.up, "a\nb", 3), (.up, "a\nb", 1), (.up, "first", 5), (.down, "a\nb", 3), (.down, "", 0),
    ]
    for (key, text, caret) in walk {
      _ = editor.handle(key)
      #expect(editor.text == text)
      #expect(editor.caret == caret)
    }
  }

  @Test func theSameLineTwiceIsOneLineOfHistory() {
    var editor = LineEditor()
    for line in ["a", "a", "b", "a"] {
      for key in typed(line) + [.enter] { _ = editor.handle(key) }
    }
    #expect(editor.history == ["a", "b", "a"])
  }

  @Test func theHistoryOfAnEarlierRunComesBackBounded() {
    var editor = LineEditor()
    editor.restoreHistory((0..<700).map { "line \($0)" } + ["", "bad\u{1B}[2J"])
    #expect(editor.history.count == 500)
    #expect(editor.history.first == "line 201")
    _ = editor.handle(.up)
    #expect(editor.text == "bad␛[2J")
  }

  @Test func clearingIsAnEditThatCanBeTakenBack() {
    var editor = editor(after: typed("oops"))
    editor.clear()
    #expect(editor.isEmpty)
    _ = editor.handle(undo)
    #expect(editor.text == "oops")
  }
}
