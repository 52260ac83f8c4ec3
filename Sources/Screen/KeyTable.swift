/// Every key of the program and what it does. What a key does is looked up in the bindings made from it
/// (`KeyMap`), and the help page, `parlour help keys` and the manual are written from it.
package enum KeyTable {
  /// How the table writes keys, for those who did not grow up with it.
  package static let notation = "^X is Ctrl-X, M-x is Alt-x, ^X^E is one after the other."
  package static let sections: [KeySection] = [
    KeySection(
      "Sending",
      [
        row(.send, "Enter", "send the line; on an empty line while off line, connect now"),
        row(.newLine, "M-Enter", "^J", "begin a new line in the message"),
        row(.complete, "Tab", "complete a command, a name, a file or an :emoji"),
        row(.completeBackward, "S-Tab", "the same, from the last candidate on"),
        row(.up, "Up", "line above, then earlier lines that begin alike"),
        row(.down, "Down", "line below, then later lines and the draft"),
        row(.previousLine, "^P", "line above, then earlier lines that were sent"),
        row(.nextLine, "^N", "line below, then later lines and the draft"),
        row(.searchHistory, "^R", "search the lines that were sent; again: an older one"),
        row(.searchHistoryForward, "^S", "the same towards the newer ones"),
        row(.externalEditor, "^X^E", "write the message in $VISUAL or $EDITOR"),
      ]),
    KeySection(
      "The room",
      [
        row(.pageUp, "PgUp", "scroll up by a page"),
        row(.pageDown, "PgDn", "scroll down by a page"),
        row(.scrollUp, "WheelUp", "scroll up by three rows"),
        row(.scrollDown, "WheelDown", "scroll down by three rows"),
        row(.oldest, "M-<", "go to the oldest message, of those on disk too"),
        row(.newest, "M->", "go to the newest message and follow"),
        row(.firstUnread, "M-u", "go to the first new message (at the end of the line)"),
        row(.mentionBefore, "M-p", "go to the mention of you before"),
        row(.mentionAfter, "M-n", "go to the mention of you behind"),
        row(.searchTranscript, "^F", "search the transcript (at the end of the line)"),
        row(.chooseMessage, "M-s", "choose a message: copy, answer, edit, open links and more"),
        row(.help, "F1", "show or leave this page"),
        row(.connection, "F2", "show how the line fares"),
        row(.frames, "F3", "show the frames that went over it"),
        fixed("Esc", "leave this page, a search or the candidates"),
        row(.redraw, "^L", "draw the screen anew"),
        row(.interrupt, "^C", "clear the line; on an empty line stop connecting, then leave"),
        row(.suspend, "^Z", "suspend; fg brings it back"),
      ]),
    KeySection(
      "While searching",
      [
        fixed("Up, ^R", "an older match"),
        fixed("Down, ^S", "a newer match"),
        fixed("M-c", "with or without regard to capitals"),
        fixed("M-r", "a regular expression or plain text"),
        fixed("^G", "search all rooms on disk instead"),
        fixed("Enter", "stay at the match; Esc later takes the marks away"),
        fixed("Esc", "back to where one was"),
      ]),
    KeySection(
      "A chosen message",
      [
        fixed("Up, Down", "choose another one"),
        fixed("c", "copy its text (OSC 52)"),
        fixed("q", "quote it in the input"),
        fixed("r", "answer it; send again what failed"),
        fixed("e, d", "change or delete your own; d drops what failed"),
        fixed("+", "put an emoji to it, or take it back"),
        fixed("g", "go to the message that it answers"),
        fixed("o, l", "open its link, list its links"),
        fixed("s", "save its text in a file"),
        fixed("i", "details: exact time, id and what was sent along"),
        fixed("a", "show all of a long message, and what || || hides"),
        fixed("Enter, Esc", "stay there, go back"),
      ]),
    KeySection(
      "Windows",
      [fixed("M-1 … M-9, M-0", "go to window 1 to 9, or 10")]
        + ProgramAction.windows.enumerated().map { index, action in
          var row = row(action, "M-\((index + 1) % 10)", "go to window \(index + 1)")
          row.isListed = false
          return row
        } + [
          row(.windowBefore, "F5", "go to the window before this one"),
          row(.windowAfter, "F6", "go to the window after this one"),
          row(.windowNextActive, "M-a", "go where something was said, to you first; then back"),
        ]),
    KeySection(
      "The frames (F3)",
      [
        fixed("Up, Down", "mark another frame; End follows the newest"),
        fixed("Enter", "show all of the marked frame"),
        fixed("Left, Right", "from one frame in full to the next"),
        fixed("Space", "stop, and go on"),
        fixed("/", "show frames that hold a text"),
        fixed("d", "show both directions, received, sent"),
        fixed("o", "show all kinds, text, binary, control, heads"),
        fixed("x", "show all frames"),
        fixed("s", "save what is shown to a file, a line of JSON each"),
      ]),
    KeySection(
      "Moving in the line",
      [
        row(.lineStart, "^A", "Home", "start of the line"),
        row(.lineEnd, "^E", "End", "end of the line"),
        row(.backwardCharacter, "^B", "Left", "one character back"),
        row(.forwardCharacter, "^F", "Right", "one character forward"),
        row(.backwardWord, "M-b", "^Left", "one word back"),
        row(.forwardWord, "M-f", "^Right", "one word forward"),
        row(.messageStart, "^Home", "start of the message"),
        row(.messageEnd, "^End", "end of the message"),
      ]),
    KeySection(
      "Changing the line",
      [
        row(.deleteBackward, "Backspace", "^H", "delete the character before the caret"),
        row(.deleteForward, "Delete", "delete the character at the caret"),
        row(.deleteOrLeave, "^D", "the same; on an empty line leave"),
        row(.killWordBackward, "M-Backspace", "cut the word before the caret"),
        row(.killWord, "M-d", "cut the word after the caret"),
        row(.killBlankWord, "^W", "cut back to the last blank"),
        row(.killLine, "^K", "cut to the end of the line"),
        row(.killLineBackward, "^U", "cut to the start of the line"),
        row(.yank, "^Y", "put back what was cut"),
        row(.yankPop, "M-y", "after ^Y: what was cut before that"),
        row(.yankLastWord, "M-.", "the last word of the line before; again: of an older one"),
        row(.deleteBlanks, "M-\\", "delete the blanks around the caret"),
        row(.oneSpace, "M-Space", "make the blanks around the caret one"),
        row(.transposeCharacters, "^T", "swap two characters"),
        row(.transposeWords, "M-t", "swap two words"),
        row(.upcaseWord, "M-u", "M-U", "word in capitals"),
        row(.downcaseWord, "M-l", "word in small letters"),
        row(.capitalizeWord, "M-c", "word with a capital"),
        row(.quote, "^Q", "^V", "the next key as text: Tab and Enter too"),
        row(.undo, "^_", "^X^U", "undo"),
        row(.redo, "M-_", "redo"),
        row(.revert, "M-r", "undo everything since the line began"),
      ]),
  ]

  private static func row(_ action: EditorAction, _ words: String...) -> KeyRow {
    row(.editor(action), words)
  }

  private static func row(_ action: ProgramAction, _ words: String...) -> KeyRow {
    row(.program(action), words)
  }

  /// The last word says what the action does, those before are its keys.
  private static func row(_ action: KeyAction, _ words: [String]) -> KeyRow {
    KeyRow(action: action, keys: Array(words.dropLast()), does: words.last ?? "")
  }

  private static func fixed(_ key: String, _ does: String) -> KeyRow {
    KeyRow(action: nil, keys: [key], does: does)
  }

  /// What an action does, as the table says it.
  package static func summary(of action: KeyAction) -> String {
    sections.lazy.flatMap(\.rows).first { $0.action == action }?.does ?? ""
  }
}

/// Keys that belong together, under a title.
package struct KeySection: Equatable, Sendable {
  package var title: String
  package var rows: [KeyRow]

  init(_ title: String, _ rows: [KeyRow]) {
    self.title = title
    self.rows = rows
  }
}

/// One line of the table.
package struct KeyRow: Equatable, Sendable {
  /// Nil where the key has this meaning only in some place and cannot be bound.
  package var action: KeyAction?
  /// As they are bound without anybody's doing; see `KeyName`.
  package var keys: [String]
  /// One line, without a point at its end.
  package var does: String
  /// False where another row of the help page stands for this one too.
  package var isListed = true
}
