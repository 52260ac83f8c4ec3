/// Every key of the program and what it does: the help page is made from it.
package enum KeyTable {
  package static let sections: [KeySection] = [
    KeySection(
      "Sending",
      [
        ("Enter", "send the line; on an empty line while off line, connect now"),
        ("M-Enter, C-j", "begin a new line in the message"),
        ("Tab", "complete a command or a nick"),
        ("Up, C-p", "line above, then earlier lines that were sent"),
        ("Down, C-n", "line below, then later lines and the draft"),
      ]),
    KeySection(
      "The room",
      [
        ("PgUp, PgDn", "scroll by a page"),
        ("M-<", "go to the oldest message"),
        ("M->", "go to the newest message and follow"),
        ("F1", "show or leave this page"),
        ("Esc", "leave this page"),
        ("C-l", "draw the screen anew"),
        ("C-c", "clear the line; on an empty line stop connecting, then leave"),
        ("C-d", "leave, on an empty line"),
        ("C-z", "suspend; fg brings it back"),
      ]),
    KeySection(
      "Moving in the line",
      [
        ("C-a, Home", "start of the line"),
        ("C-e, End", "end of the line"),
        ("C-b, Left", "one character back"),
        ("C-f, Right", "one character forward"),
        ("M-b, C-Left", "one word back"),
        ("M-f, C-Right", "one word forward"),
        ("C-Home", "start of the message"),
        ("C-End", "end of the message"),
      ]),
    KeySection(
      "Changing the line",
      [
        ("Backspace, C-h", "delete the character before the caret"),
        ("Delete, C-d", "delete the character at the caret"),
        ("M-Backspace", "cut the word before the caret"),
        ("M-d, C-Delete", "cut the word after the caret"),
        ("C-w", "cut back to the last blank"),
        ("C-k", "cut to the end of the line"),
        ("C-u", "cut to the start of the line"),
        ("C-y", "put back what was cut"),
        ("M-y", "after C-y: what was cut before that"),
        ("C-t", "swap two characters"),
        ("M-t", "swap two words"),
        ("M-u, M-l, M-c", "word in capitals, in small letters, with a capital"),
        ("C-_", "undo"),
        ("M-_", "redo"),
      ]),
  ]
}

/// Keys that belong together, under a title.
package struct KeySection: Equatable, Sendable {
  package var title: String
  package var entries: [Entry]

  package struct Entry: Equatable, Sendable {
    /// As people write them: C- for Ctrl, M- for Alt.
    package var keys: String
    package var does: String
  }

  init(_ title: String, _ entries: [(keys: String, does: String)]) {
    self.title = title
    self.entries = entries.map { Entry(keys: $0.keys, does: $0.does) }
  }
}
