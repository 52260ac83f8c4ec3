import Screen
import Testing

@Suite struct KeyTableTests {
  private static let rows = KeyTable.sections.flatMap(\.rows)

  @Test func everyActionStandsInTheTableOnce() {
    let listed = Self.rows.compactMap(\.action)
    #expect(Set(listed) == Set(KeyAction.all))
    #expect(listed.count == Set(listed).count)
  }

  @Test func everyKeyOfTheTableIsOneAndDoesOneThing() throws {
    var seen: [[Key]: KeyAction] = [:]
    for row in Self.rows {
      guard let action = row.action else { continue }
      for name in row.keys {
        let keys = try #require(KeyName.read(name), "\(name)")
        #expect(KeyName.write(keys) == name)
        if let other = seen[keys] {
          // Only where the caret tells which of them is meant.
          #expect(action.yieldsToLine != other.yieldsToLine, "\(name) is bound twice")
        }
        seen[keys] = action
        #expect(
          KeyMap.standard.lookUp(keys, isAtLineEnd: action.yieldsToLine) == .action(action))
        for count in 1..<keys.count {
          #expect(KeyMap.standard.lookUp(Array(keys.prefix(count))) == .begins)
        }
      }
    }
  }

  @Test func everyEntryFitsAnEightyColumnScreen() {
    for row in Self.rows {
      #expect(row.keys.joined(separator: ", ").count <= 16)
      #expect(!row.does.isEmpty && row.does.count <= 60)
    }
  }

  @Test func everyActionOfTheEditorDoesSomething() {
    for action in EditorAction.allCases {
      var editor = LineEditor()
      for key in "one two".map(Key.character) { _ = editor.handle(key) }
      _ = editor.perform(.backwardWord)
      #expect(editor.perform(action) != .ignored, "\(action.rawValue)")
    }
  }
}

@Suite struct KeyNameTests {
  @Test(arguments: [
    ("^K", [Key.control("k")]), ("C-k", [.control("k")]), ("Ctrl-K", [.control("k")]),
    ("ctrl+k", [.control("k")]), ("^_", [.control("_")]), ("C-/", [.control("_")]),
    ("^Space", [.control("@")]), ("C-@", [.control("@")]), ("^I", [.tab]), ("^M", [.enter]),
    ("M-f", [.alt("f")]), ("Alt-f", [.alt("f")]), ("M-F", [.alt("F")]), ("M-S-f", [.alt("F")]),
    ("M-<", [.alt("<")]), ("M--", [.alt("-")]), ("M-+", [.alt("+")]), ("M-.", [.alt(".")]),
    ("M-\\", [.alt("\\")]), ("M-^", [.alt("^")]),
    ("M-Space", [.alt(" ")]), ("M-1", [.alt("1")]), ("M-é", [.alt("é")]),
    ("C-M-k", [.altControl("k")]), ("M-^K", [.altControl("k")]), ("M-C-k", [.altControl("k")]),
    ("F5", [.function(5)]), ("f12", [.function(12)]), ("Enter", [.enter]), ("RET", [.enter]),
    ("M-Enter", [.altEnter]), ("S-Enter", [.altEnter]), ("S-Tab", [.backTab]), ("Tab", [.tab]),
    ("pgup", [.pageUp]), ("PageDown", [.pageDown]), ("^PgUp", [.controlPageUp]),
    ("^Left", [.controlLeft]), ("M-Left", [.controlLeft]), ("M-Up", [.altUp]),
    ("Esc", [.escape]), ("M-Backspace", [.altBackspace]), ("WheelUp", [.wheelUp]),
    ("^X^E", [.control("x"), .control("e")]), ("C-x C-e", [.control("x"), .control("e")]),
    ("^Xe", [.control("x"), .character("e")]), ("^X e", [.control("x"), .character("e")]),
    ("^X^E^A", [.control("x"), .control("e"), .control("a")]),
    ("^X F5", [.control("x"), .function(5)]), ("M-x M-y", [.alt("x"), .alt("y")]),
  ])
  func aNameIsReadAndWrittenAgain(name: String, keys: [Key]) {
    #expect(KeyName.read(name) == keys)
    let written = KeyName.write(keys)
    #expect(KeyName.read(written) == keys, "\(written)")
  }

  @Test(arguments: [
    "", " ", "C-é", "^é", "F0", "F21", "F99999999999999999999", "C-F5", "Nosuch", "abc", "C-M-Left",
    "^A^B^C^D", "\u{1B}", "M-\u{7F}", String(repeating: "^A", count: 40),
  ])
  func whatIsNoKeyIsNotRead(name: String) {
    #expect(KeyName.read(name) == nil)
  }

  @Test func everyKeyThatHasANameIsReadBack() {
    let keys: [Key] =
      [
        .enter, .tab, .backTab, .backspace, .delete, .escape, .up, .down, .left, .right, .home,
        .end, .pageUp, .pageDown, .insert, .altEnter, .altBackspace, .controlLeft, .controlRight,
        .controlHome, .controlEnd, .controlUp, .controlDown, .altUp, .altDown, .controlPageUp,
        .controlPageDown, .wheelUp, .wheelDown,
      ] + (1...20).map(Key.function) + "abcdefghjklnopqrstuvwxyz@\\]^_".map(Key.control)
      + "abcXYZ019<>.,\\ ^-+".map(Key.alt) + "abz_@".map(Key.altControl)
    for key in keys { #expect(KeyName.read(KeyName.write([key])) == [key]) }
  }
}

@Suite struct KeyMapTests {
  @Test func aKeyThatIsBoundDoesThatAndNotWhatItDidBefore() throws {
    var map = KeyMap.standard
    try map.bind("^K", to: "editor.undo")
    #expect(map.lookUp([.control("k")]) == .action(.editor(.undo)))
    #expect(map.keys(of: .editor(.killLine)) == [])
    #expect(map.keys(of: .editor(.undo)) == ["^_", "^X^U", "^K"])
    try map.unbind("^K")
    #expect(map.lookUp([.control("k")]) == .nothing)
  }

  @Test(arguments: [
    ("^Q^Q^Q^Q", "editor.undo", "is no key that a terminal can send"),
    ("a", "editor.undo", "begins with a character that is typed"),
    ("^K", "editor.udno", "There is no action “editor.udno”"),
    ("^K", "kill-word", "did you mean editor.kill-word?"),
    ("^X", "editor.undo", "^X is the beginning of ^X^E (input.external-editor)"),
    ("^A^B", "editor.undo", "^A^B begins with ^A, which is editor.start-of-line already"),
    ("\u{1B}[2J", "editor.undo", "“␛[2J” is no key"),
  ])
  func whatCannotBeBoundIsSaidInASentence(key: String, action: String, words: String) {
    var map = KeyMap.standard
    let error = #expect(throws: KeyMapError.self) { try map.bind(key, to: action) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(map == .standard)
  }

  @Test func theConfigurationReplacesTheKeysOfTheActionsItNames() {
    var map = KeyMap.standard
    let faults = map.apply([
      ("editor.kill-line", "M-k"), ("editor.kill-line", "F9"), ("editor.undo", "none"),
      ("scroll.page-up", "^K"), ("editor.redo", "M-k"), ("nonsense", "F8"), ("program.help", "zz"),
    ])
    #expect(map.keys(of: .editor(.killLine)) == ["M-k", "F9"])
    #expect(map.keys(of: .editor(.undo)) == [])
    #expect(map.keys(of: .program(.pageUp)) == ["^K"])
    #expect(map.lookUp([.control("_")]) == .nothing)
    #expect(faults.map(\.pair) == [4, 5, 6])
    #expect(faults.first?.error.message.contains("M-k is bound twice") == true)
  }

  @Test func theCaretTellsWhichOfTwoActionsAKeyIsFor() throws {
    var map = KeyMap.standard
    let (search, forward) = (
      KeyAction.program(.searchTranscript), KeyAction.editor(.forwardCharacter)
    )
    #expect(map.lookUp([.control("f")], isAtLineEnd: true) == .action(search))
    #expect(map.lookUp([.control("f")], isAtLineEnd: false) == .action(forward))
    #expect(
      try map.words(of: "^F")
        == "^F is transcript.search: search the transcript (at the end of the line); and "
        + "editor.forward-char: one character forward.")
    // A key of its own is that everywhere, and what the line does with another one stays.
    try map.bind("F7", to: "transcript.search")
    try map.bind("^K", to: "transcript.search")
    #expect(map.lookUp([.function(7)], isAtLineEnd: false) == .action(search))
    #expect(map.lookUp([.control("k")], isAtLineEnd: true) == .action(search))
    #expect(map.lookUp([.control("k")], isAtLineEnd: false) == .action(.editor(.killLine)))
    var again = KeyMap.standard
    #expect(again.apply(map.changes).isEmpty)
    #expect(again.keys(of: search) == ["^F", "F7", "^K"])
    #expect(again.keys(of: forward) == ["^F", "Right"])
    // What is not of the line takes the key from both.
    try map.bind("^F", to: "program.help")
    #expect(map.keys(of: forward) == ["Right"])
    #expect(map.keys(of: search) == ["F7", "^K"])
    #expect(map.lookUp([.control("f")], isAtLineEnd: false) == .action(.program(.help)))
  }

  @Test func twoActionsMayChangeKeys() {
    var map = KeyMap.standard
    let faults = map.apply([("editor.send", "M-Enter"), ("editor.new-line", "Enter")])
    #expect(faults.isEmpty)
    #expect(map.lookUp([.enter]) == .action(.editor(.newLine)))
    #expect(map.lookUp([.altEnter]) == .action(.editor(.send)))
    #expect(
      map.changes.map { [$0.action, $0.key] }
        == [["editor.send", "M-Enter"], ["editor.new-line", "Enter"]])
    var again = KeyMap.standard
    #expect(again.apply(map.changes).isEmpty)
    #expect(again.lookUp([.enter]) == .action(.editor(.newLine)))
  }
}
