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
        ("M-<", "go to the oldest message, of those on disk too"),
        ("M->", "go to the newest message and follow"),
        ("M-u", "go to the first new message (at the end of the line)"),
        ("M-p, M-n", "go to the mention of you before, behind"),
        ("^F", "search what is on the screen and above (at the end of the line)"),
        ("M-s", "choose a message: copy, quote, open its links and more"),
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
      "While searching",
      [
        ("Up, ^R", "an older match"),
        ("Down, ^S", "a newer match"),
        ("M-c", "with or without regard to capitals"),
        ("M-r", "a regular expression or plain text"),
        ("^G", "search all rooms on disk instead"),
        ("Enter", "stay at the match; Esc later takes the marks away"),
        ("Esc", "back to where one was"),
      ]),
    KeySection(
      "A chosen message",
      [
        ("Up, Down", "choose another one"),
        ("c", "copy its text (OSC 52)"),
        ("q", "quote it in the input"),
        ("o, l", "open its link, list its links"),
        ("s", "save its text in a file"),
        ("i", "details: exact time, id and what was sent along"),
        ("a", "show all of a long message, and what || || hides"),
        ("r, d", "send again or drop what failed"),
        ("Enter, Esc", "stay there, go back"),
      ]),
    KeySection(
      "Windows",
      [
        ("M-1 … M-9, M-0", "go to window 1 to 9, or 10"),
        ("F5, F6", "go to the window before or after this one"),
        (
          "M-a",
          "go where something was said: to you, then to others, then back to where you were"
        ),
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
