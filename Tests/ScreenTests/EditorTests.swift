import Screen
import Testing

/// "text|caret" notation: the bar is the caret.
private func editor(_ notation: String) -> LineEditor {
  let characters = Array(notation)
  var editor = LineEditor()
  guard let bar = characters.firstIndex(of: "|") else {
    Issue.record("no caret in \(notation)")
    return editor
  }
  editor.setText(String(characters[..<bar] + characters[(bar + 1)...]))
  _ = editor.handle(.controlHome)
  for _ in 0..<bar { _ = editor.handle(.right) }
  return editor
}

private func notation(_ editor: LineEditor) -> String {
  var characters = Array(editor.text)
  characters.insert("|", at: editor.caret)
  return String(characters)
}

private func typed(_ text: String) -> [Key] { text.map { .character($0) } }

@Suite struct EditorTests {
  @Test(arguments: [
    ("foo bar|", Key.control("a"), "|foo bar"), ("fo|o\nbar", .control("e"), "foo|\nbar"),
    ("foo\nb|ar", .control("a"), "foo\n|bar"), ("foo\nb|ar", .home, "foo\n|bar"),
    ("foo\nb|ar", .end, "foo\nbar|"), ("foo\nb|ar", .controlHome, "|foo\nbar"),
    ("f|oo\nbar", .controlEnd, "foo\nbar|"), ("a|b", .control("b"), "|ab"),
    ("|ab", .control("b"), "|ab"), ("ab|", .right, "ab|"),
    ("foo, bar|", .alt("b"), "foo, |bar"), ("foo, |bar", .alt("b"), "|foo, bar"),
    ("fo|o, bar", .alt("f"), "foo|, bar"), ("foo|, bar", .controlRight, "foo, bar|"),
    ("żółć дом|", .controlLeft, "żółć |дом"), ("|日本 語x.", .alt("f"), "日本| 語x."),
    ("e\u{301}t|e\u{301} x", .alt("b"), "|e\u{301}te\u{301} x"),
    ("👨‍👩‍👧|x", .left, "|👨‍👩‍👧x"),
    ("abcd\nef|\ngh", .up, "ab|cd\nef\ngh"), ("abcd\nef\ng|h", .up, "abcd\ne|f\ngh"),
    ("abc|d\nef\ngh", .down, "abcd\nef|\ngh"), ("a\n|\nb", .down, "a\n\n|b"),
  ])
  func theCaretGoesTo(before: String, key: Key, after: String) {
    var editor = editor(before)
    #expect(editor.handle(key) == .edited)
    #expect(notation(editor) == after)
  }

  @Test(arguments: [
    ("a|b", Key.backspace, "|b"), ("a|b", .control("h"), "|b"), ("|ab", .backspace, "|ab"),
    ("a|b", .delete, "a|"), ("a|b", .control("d"), "a|"), ("ab|", .control("d"), "ab|"),
    ("a👨‍👩‍👧|b", .backspace, "a|b"), ("ae\u{301}|", .backspace, "a|"),
    ("foo bar-baz|", .control("w"), "foo |"), ("foo  |x", .control("w"), "|x"),
    ("foo bar-baz|", .altBackspace, "foo bar-|"), ("|foo bar", .alt("d"), "| bar"),
    ("foo| bar.", .alt("d"), "foo|."), ("fo|o bar\nx", .control("k"), "fo|\nx"),
    ("foo|\nx", .control("k"), "foo|x"), ("x\nfo|o", .control("u"), "x\n|o"),
    ("x\n|foo", .control("u"), "x|foo"), ("foo|", .control("k"), "foo|"),
    ("a|bc", .control("t"), "ba|c"), ("abc|", .control("t"), "acb|"), ("|ab", .control("t"), "|ab"),
    ("x foo,| bar y", .alt("t"), "x bar, foo| y"), ("foo bar|", .alt("t"), "bar foo|"),
    ("foo| ", .alt("t"), "foo| "), ("|", .alt("t"), "|"),
    ("|straße x", .alt("U"), "STRASSE| x"), ("f|OO x", .alt("l"), "foo| x"),
    ("| éCOLE x", .alt("c"), " École| x"), ("a|b", .altEnter, "a\n|b"),
    ("a|b", .control("j"), "a\n|b"),
    ("a|b", .paste("1\r\n2\u{7}\t3"), "a1\n2␇\t3|b"),
  ])
  func anEditChanges(before: String, key: Key, after: String) {
    var editor = editor(before)
    _ = editor.handle(key)
    #expect(notation(editor) == after)
  }

  @Test(arguments: [
    Key.tab, .backTab, .escape, .pageUp, .pageDown, .insert, .function(1), .focusIn, .focusOut,
    .wheelUp, .wheelDown, .control("l"), .control("c"), .control("z"), .alt("<"), .alt(">"),
  ])
  func theProgramsKeysAreNotTheEditors(key: Key) {
    var editor = editor("ab|")
    #expect(editor.handle(key) == .ignored)
    #expect(notation(editor) == "ab|")
  }

  @Test(arguments: [
    Key.control("d"), .enter, .backspace, .delete, .up, .down, .home, .controlHome, .controlEnd,
    .control("y"), .control("_"), .control("u"), .alt("U"), .paste(""),
    .character("\u{200D}"),
  ])
  func onAnEmptyLineTheseAreLeftToTheProgram(key: Key) {
    var editor = LineEditor()
    #expect(editor.handle(key) == .ignored)
    #expect(editor.isEmpty)
  }

  @Test func aMarkJoinsTheCharacterBeforeIt() {
    var editor = LineEditor()
    for key in typed("e") + [.character("\u{301}"), .control("b"), .character("x")] {
      #expect(editor.handle(key) == .edited)
    }
    #expect(notation(editor) == "x|e\u{301}")
  }

  @Test func theCaretCountsClustersAsTheTextHasThem() {
    // Two flags; a third half in front makes other pairs of all that follow.
    var editor = editor("|🇩🇪🇫🇷x")
    _ = editor.handle(.character("🇦"))
    #expect(editor.text == "🇦🇩🇪🇫🇷x")
    #expect(editor.caret == 1)
    _ = editor.handle(.controlEnd)
    #expect(editor.caret == editor.text.count)
    // Taking the line break away lets the mark behind it join the letter in front.
    editor.setText("e\n\u{301}x")
    for key in [Key.controlHome, .right, .delete] { _ = editor.handle(key) }
    #expect(editor.text == "e\u{301}x")
    #expect(editor.caret == 1)
    _ = editor.handle(.controlEnd)
    #expect(editor.caret == 2)
  }

  @Test func randomEditsKeepCaretAndClustersTogether() {
    let keys: [Key] =
      [
        "a", " ", "é", "\u{301}", "🇩", "🇪", "\u{200D}", "👩", "中", "ᄀ", "ᅡ", "क", "\u{94D}",
        "\u{600}",
      ].map { .character($0) } + [
        .left, .right, .backspace, .delete, .control("k"), .control("y"), .alt("y"),
        .control("t"), .control("_"), .alt("_"), .control("j"), .up, .alt("t"), .control("w"),
        .controlLeft,
      ]
    var state: UInt64 = 7
    var editor = LineEditor()
    for step in 0..<5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      _ = editor.handle(keys[Int(state >> 33) % keys.count])
      let text = editor.text
      let caret = editor.caret
      #expect((0...text.count).contains(caret), "step \(step)")
      _ = editor.handle(.controlEnd)
      #expect(editor.caret == text.count, "step \(step): \(text.unicodeScalars.map(\.value))")
      _ = editor.handle(.controlHome)
      for _ in 0..<caret { _ = editor.handle(.right) }
    }
  }

  @Test func enterSubmitsTextButNotBlanks() {
    var editor = editor(" hi |")
    #expect(editor.handle(.enter) == .submitted(" hi "))
    #expect(notation(editor) == "|")
    editor.setText(" \n\t")
    #expect(editor.handle(.enter) == .ignored)
    #expect(editor.text == " \n\t")
    #expect(editor.history == [" hi "])
  }

  @Test func aPastedLineEndIsNeverSent() {
    var editor = LineEditor()
    #expect(editor.handle(.paste("secret\n")) == .edited)
    #expect(editor.text == "secret\n")
    #expect(editor.history.isEmpty)
  }

  @Test func aDraftIsRestoredWithTheCaretAtItsEnd() {
    var editor = editor("old|")
    editor.setText("one\r\ntwo\u{1B}[2J")
    #expect(notation(editor) == "one\ntwo␛[2J|")
    #expect(editor.handle(.control("_")) == .edited)
    #expect(notation(editor) == "one\ntwo␛[2J|")
  }

  @Test func completionIsOneStepOfUndo() {
    var editor = editor("hi ad|!")
    editor.complete(3..<5, with: "ada: ")
    #expect(notation(editor) == "hi ada: |!")
    _ = editor.handle(.control("_"))
    #expect(notation(editor) == "hi ad|!")
    editor.complete(90..<99, with: "?")
    #expect(notation(editor) == "hi ad!?|")
  }
}
