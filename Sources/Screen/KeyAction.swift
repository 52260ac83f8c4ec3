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
  case help = "program.help"
  case connection = "line.connection"
  case frames = "line.frames"
  case redraw = "program.redraw"
  case interrupt = "program.interrupt"
  case suspend = "program.suspend"
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

  package var name: String {
    switch self {
    case .editor(let action): action.rawValue
    case .program(let action): action.rawValue
    }
  }

  package static let all: [KeyAction] =
    EditorAction.allCases.map(KeyAction.editor) + ProgramAction.allCases.map(KeyAction.program)
}
