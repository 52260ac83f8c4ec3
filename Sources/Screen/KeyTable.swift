/// Every key of the program and what it does: the help page is made from it.
package enum KeyTable {
  /// How the table writes keys, for those who did not grow up with it.
  static let notation = "^X is Ctrl-X, M-x is Alt-x."
  package static let sections: [KeySection] = [
    KeySection(
      "Sending",
      [
        ("Enter", "send the line; on an empty line while off line, connect now"),
        ("M-Enter, ^J", "begin a new line in the message"),
        ("Tab", "complete a command or a nick"),
        ("Up, ^P", "line above, then earlier lines that were sent"),
        ("Down, ^N", "line below, then later lines and the draft"),
      ]),
    KeySection(
      "The room",
      [
        ("PgUp, PgDn", "scroll by a page"),
        ("M-<", "go to the oldest message"),
        ("M->", "go to the newest message and follow"),
        ("F1", "show or leave this page"),
        ("F2", "show how the line fares"),
        ("F3", "show the frames that went over it"),
        ("Esc", "leave this page"),
        ("^L", "draw the screen anew"),
        ("^C", "clear the line; on an empty line stop connecting, then leave"),
        ("^D", "leave, on an empty line"),
        ("^Z", "suspend; fg brings it back"),
      ]),
    KeySection(
      "The frames (F3)",
      [
        ("Up, Down", "mark another frame; End follows the newest"),
        ("Enter", "show all of the marked frame"),
        ("Left, Right", "from one frame in full to the next"),
        ("Space", "stop, and go on"),
        ("/", "show frames that hold a text"),
        ("d", "show both directions, received, sent"),
        ("o", "show all kinds, text, binary, control, heads"),
        ("x", "show all frames"),
        ("s", "save what is shown to a file, a line of JSON each"),
      ]),
    KeySection(
      "Moving in the line",
      [
        ("^A, Home", "start of the line"),
        ("^E, End", "end of the line"),
        ("^B, Left", "one character back"),
        ("^F, Right", "one character forward"),
        ("M-b, ^Left", "one word back"),
        ("M-f, ^Right", "one word forward"),
        ("^Home", "start of the message"),
        ("^End", "end of the message"),
      ]),
    KeySection(
      "Changing the line",
      [
        ("Backspace, ^H", "delete the character before the caret"),
        ("Delete, ^D", "delete the character at the caret"),
        ("M-Backspace", "cut the word before the caret"),
        ("M-d, ^Delete", "cut the word after the caret"),
        ("^W", "cut back to the last blank"),
        ("^K", "cut to the end of the line"),
        ("^U", "cut to the start of the line"),
        ("^Y", "put back what was cut"),
        ("M-y", "after ^Y: what was cut before that"),
        ("^T", "swap two characters"),
        ("M-t", "swap two words"),
        ("M-u, M-l, M-c", "word in capitals, in small letters, with a capital"),
        ("^_", "undo"),
        ("M-_", "redo"),
      ]),
  ]
}

/// Keys that belong together, under a title.
package struct KeySection: Equatable, Sendable {
  package var title: String
  package var entries: [Entry]

  package struct Entry: Equatable, Sendable {
    /// As people write them: ^X for Ctrl-X, M- for Alt.
    package var keys: String
    package var does: String
  }

  init(_ title: String, _ entries: [(keys: String, does: String)]) {
    self.title = title
    self.entries = entries.map { Entry(keys: $0.keys, does: $0.does) }
  }
}
