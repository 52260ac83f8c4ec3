/// What the input line can be told to do. The raw value is the name that people bind keys to.
package enum EditorAction: String, CaseIterable, Sendable {
  case send = "editor.send"
  case newLine = "editor.new-line"
  case up = "editor.up"
  case down = "editor.down"
  case previousLine = "history.previous"
  case nextLine = "history.next"
  case backwardCharacter = "editor.backward-char"
  case forwardCharacter = "editor.forward-char"
  case backwardWord = "editor.backward-word"
  case forwardWord = "editor.forward-word"
  case lineStart = "editor.start-of-line"
  case lineEnd = "editor.end-of-line"
  case messageStart = "editor.start-of-message"
  case messageEnd = "editor.end-of-message"
  case deleteBackward = "editor.delete-backward-char"
  case deleteForward = "editor.delete-char"
  /// On an empty line it is the program's, which leaves.
  case deleteOrLeave = "editor.delete-char-or-leave"
  case deleteBlanks = "editor.delete-blanks"
  case oneSpace = "editor.just-one-space"
  case killWordBackward = "editor.backward-kill-word"
  case killWord = "editor.kill-word"
  case killBlankWord = "editor.kill-blank-word"
  case killLine = "editor.kill-line"
  case killLineBackward = "editor.backward-kill-line"
  case yank = "editor.yank"
  case yankPop = "editor.yank-pop"
  case yankLastWord = "editor.yank-last-word"
  case transposeCharacters = "editor.transpose-chars"
  case transposeWords = "editor.transpose-words"
  case upcaseWord = "editor.upcase-word"
  case downcaseWord = "editor.downcase-word"
  case capitalizeWord = "editor.capitalize-word"
  case undo = "editor.undo"
  case redo = "editor.redo"
  case revert = "editor.revert"
  case quote = "editor.quote"
}

/// What the rest of the program can be told to do.
package enum ProgramAction: String, CaseIterable, Sendable {
  case complete = "input.complete"
  case completeBackward = "input.complete-backward"
  case externalEditor = "input.external-editor"
  case searchHistory = "history.search"
  case searchHistoryForward = "history.search-forward"
  case pageUp = "scroll.page-up"
  case pageDown = "scroll.page-down"
  case scrollUp = "scroll.up"
  case scrollDown = "scroll.down"
  case oldest = "scroll.oldest"
  case newest = "scroll.newest"
  case searchTranscript = "transcript.search"
  case firstUnread = "transcript.first-unread"
  case mentionBefore = "transcript.previous-mention"
  case mentionAfter = "transcript.next-mention"
  case chooseMessage = "transcript.choose"
  case help = "program.help"
  case connection = "line.connection"
  case frames = "line.frames"
  case windowBefore = "window.previous"
  case windowAfter = "window.next"
  case windowNextActive = "window.next-active"
  case window1 = "window.1"
  case window2 = "window.2"
  case window3 = "window.3"
  case window4 = "window.4"
  case window5 = "window.5"
  case window6 = "window.6"
  case window7 = "window.7"
  case window8 = "window.8"
  case window9 = "window.9"
  case window10 = "window.10"
  case redraw = "program.redraw"
  case interrupt = "program.interrupt"
  case suspend = "program.suspend"

  /// Those that go to a window by its number, from 1.
  package static let windows: [ProgramAction] = [
    .window1, .window2, .window3, .window4, .window5, .window6, .window7, .window8, .window9,
    .window10,
  ]
}

/// What a key does, by its name.
package enum KeyAction: Hashable, Sendable {
  case editor(EditorAction)
  case program(ProgramAction)

  package init?(name: String) {
    if let action = EditorAction(rawValue: name) {
      self = .editor(action)
    } else if let action = ProgramAction(rawValue: name) {
      self = .program(action)
    } else {
      return nil
    }
  }

  /// It has a key only where the caret is at the end of the line; elsewhere the key is the line's, if it does
  /// something there.
  package var yieldsToLine: Bool {
    self == .program(.searchTranscript) || self == .program(.firstUnread)
  }

  /// Two actions may have one key where the caret tells which of them is meant.
  func mayShareKey(with other: KeyAction) -> Bool {
    yieldsToLine && other.isOfLine || other.yieldsToLine && isOfLine
  }

  private var isOfLine: Bool {
    if case .editor = self { true } else { false }
  }

  package var name: String {
    switch self {
    case .editor(let action): action.rawValue
    case .program(let action): action.rawValue
    }
  }

  package static let all: [KeyAction] =
    EditorAction.allCases.map(KeyAction.editor) + ProgramAction.allCases.map(KeyAction.program)
}
