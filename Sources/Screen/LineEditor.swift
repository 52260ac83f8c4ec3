/// The input line as a value: text, caret, kill ring, undo, history. The keys are those of readline and
/// emacs; `KeyTable` lists them. It never sends by itself: a pasted line end is text, only Enter submits.
package struct LineEditor: Equatable, Sendable {
  /// The text is kept to this many bytes of UTF-8; what would go beyond is refused.
  package static let limit = 1_048_576

  /// May hold "\n" after a multi-line paste or Alt-Enter.
  package internal(set) var text: String = ""
  /// The caret as a number of characters (grapheme clusters) from the start.
  package internal(set) var caret: Int = 0
  /// Whether the latest edit had to leave something out because the text would have become too long.
  package internal(set) var wasRefused = false

  /// The clusters of `text`: the caret counts them, and every motion and edit works on them.
  var characters: [Character] = []
  var undoLog = UndoLog()
  var killRing = KillRing()
  var pastLines = InputHistory()
  /// What the latest key did, for the keys that go on from it.
  var latest = Latest.other

  enum Latest: Equatable {
    case other
    /// One character was typed: the next one belongs to the same step of undo.
    case typed
    /// The next kill joins the same entry of the kill ring.
    case killed
    /// Text from the kill ring stands in this range: M-y may replace it.
    case yanked(Range<Int>)
    /// The last word of an earlier line stands in this range: M-. again takes that of an older one.
    case yankedWord(Range<Int>, line: Int)
    /// The caret moves by lines and aims at this column.
    case movedByLine(column: Int)
    /// The next key is taken as text.
    case quoting
  }

  package enum Outcome: Equatable, Sendable {
    /// The key is not the editor's, or it had nothing to work on.
    case ignored
    case edited
    /// Enter on text: the line is now empty and in the history.
    case submitted(String)
  }

  package init() {}

  package var isEmpty: Bool { characters.isEmpty }

  /// Nothing stands behind the caret.
  package var isAtEnd: Bool { caret == characters.count }

  /// The lines that were submitted, oldest first.
  package var history: [String] { pastLines.lines }

  /// A key by the table's own bindings: what a text field without rebinding does.
  package mutating func handle(_ key: Key) -> Outcome {
    if isQuoting { return insertQuoted(key) }
    switch key {
    case .character(let character): return type(character)
    case .paste(let text): return paste(text)
    default: break
    }
    for one in [key] + key.plainer {
      if case .action(.editor(let action)) = KeyMap.standard.lookUp([one], isAtLineEnd: false) {
        return perform(action)
      }
    }
    return .ignored
  }

  /// The caret goes there, counted in characters.
  package mutating func place(caret place: Int) {
    _ = begin()
    caret = min(max(0, place), characters.count)
  }

  /// One character that was typed.
  package mutating func type(_ character: Character) -> Outcome {
    let previous = begin()
    return type(String(character), after: previous)
  }

  /// Text that was pasted: its line ends are text, its control characters are shown and never obeyed.
  package mutating func paste(_ text: String) -> Outcome {
    _ = begin()
    return insert(typedText(from: text))
  }

  package mutating func perform(_ action: EditorAction) -> Outcome {
    let previous = begin()
    switch action {
    case .send: return submit()
    case .newLine: return insert("\n")
    case .up: return moveUp(after: previous, isFiltered: true)
    case .down: return moveDown(after: previous, isFiltered: true)
    case .previousLine: return moveUp(after: previous, isFiltered: false)
    case .nextLine: return moveDown(after: previous, isFiltered: false)
    case .backwardCharacter: return move(to: caret - 1)
    case .forwardCharacter: return move(to: caret + 1)
    case .backwardWord: return move(to: wordStart(before: caret))
    case .forwardWord: return move(to: wordEnd(after: caret))
    case .lineStart: return move(to: lineStart(of: caret))
    case .lineEnd: return move(to: lineEnd(of: caret))
    case .messageStart: return move(to: 0)
    case .messageEnd: return move(to: characters.count)
    case .deleteBackward: return delete(caret - 1..<caret)
    case .deleteForward, .deleteOrLeave: return delete(caret..<caret + 1)
    case .deleteBlanks: return replaceBlanks(with: "")
    case .oneSpace: return replaceBlanks(with: " ")
    case .killWordBackward:
      return kill(wordStart(before: caret)..<caret, .backward, after: previous)
    case .killWord: return kill(caret..<wordEnd(after: caret), .forward, after: previous)
    case .killBlankWord:
      return kill(blankWordStart(before: caret)..<caret, .backward, after: previous)
    case .killLine:
      let end = lineEnd(of: caret)
      return kill(caret..<(end == caret ? caret + 1 : end), .forward, after: previous)
    case .killLineBackward:
      let start = lineStart(of: caret)
      return kill((start == caret ? caret - 1 : start)..<caret, .backward, after: previous)
    case .yank: return yank()
    case .yankPop: return yankPop(after: previous)
    case .yankLastWord: return yankLastWord(after: previous)
    case .transposeCharacters: return transposeCharacters()
    case .transposeWords: return transposeWords()
    case .upcaseWord: return changeWord { $0.uppercased() }
    case .downcaseWord: return changeWord { $0.lowercased() }
    case .capitalizeWord: return changeWord(capitalized)
    case .undo: return undo()
    case .redo: return redo()
    case .revert: return revert()
    case .quote:
      latest = .quoting
      return .edited
    }
  }

  /// Begins a step: gives what the step before did, which is forgotten.
  private mutating func begin() -> Latest {
    defer {
      latest = .other
      wasRefused = false
    }
    return latest
  }

  private mutating func submit() -> Outcome {
    guard characters.contains(where: { !$0.isWhitespace }) else { return .ignored }
    let line = text
    pastLines.submit(line)
    characters = []
    text = ""
    caret = 0
    undoLog = UndoLog()
    return .submitted(line)
  }

  // MARK: From outside

  /// Replaces everything, the caret at the end (a draft that is restored). Control characters are left
  /// out as in a paste; undo begins anew.
  package mutating func setText(_ newText: String) {
    characters = []
    text = ""
    caret = 0
    latest = .other
    wasRefused = false
    pastLines.leave()
    _ = insert(typedText(from: newText))
    undoLog = UndoLog()
  }

  /// Empties the line as one step that C-_ takes back.
  package mutating func clear() {
    latest = .other
    replace(0..<characters.count, with: "")
    pastLines.leave()
  }

  /// Puts text in place of a range of characters, the caret after it: completion. One step of undo. The
  /// range is cut to the text.
  package mutating func complete(_ range: Range<Int>, with replacement: String) {
    latest = .other
    wasRefused = false
    replace(range.clamped(to: 0..<characters.count), with: typedText(from: replacement))
  }

  /// Shows a line of the history with the caret at a place in it, as one step of undo.
  mutating func bring(_ line: String, caret newCaret: Int) {
    complete(0..<characters.count, with: line)
    caret = min(max(0, newCaret), characters.count)
  }

  /// Replaces everything as one step that undo takes back: what an editor outside made of the text.
  package mutating func rewrite(_ newText: String) {
    complete(0..<characters.count, with: newText)
  }

  /// Takes over what belongs to the person whatever is being written: what was cut, and the lines that were entered.
  package mutating func takeMemory(of other: LineEditor) {
    killRing = other.killRing
    pastLines = other.pastLines
    pastLines.leave()
    latest = .other
  }

  /// A line that was not entered here and is to be brought back by Up all the same.
  package mutating func remember(_ line: String) {
    pastLines.add(typedText(from: line))
  }

  /// The lines that Up brings back, oldest first, as an earlier run left them.
  package mutating func restoreHistory(_ lines: [String]) {
    pastLines = InputHistory()
    for line in lines { pastLines.submit(typedText(from: line)) }
  }
}
