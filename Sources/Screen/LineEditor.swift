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
    /// The caret moves by lines and aims at this column.
    case movedByLine(column: Int)
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

  package mutating func handle(_ key: Key) -> Outcome {
    let previous = latest
    latest = .other
    wasRefused = false
    switch key {
    case .character(let character): return type(String(character), after: previous)
    case .paste(let pasted): return insert(typedText(from: pasted))
    case .altEnter, .control("j"): return insert("\n")
    case .enter: return submit()
    case .control(let letter): return handleControl(letter, after: previous)
    case .alt(let character): return handleAlt(character, after: previous)
    case .left: return move(to: caret - 1)
    case .right: return move(to: caret + 1)
    case .controlLeft: return move(to: wordStart(before: caret))
    case .controlRight: return move(to: wordEnd(after: caret))
    case .home: return move(to: lineStart(of: caret))
    case .end: return move(to: lineEnd(of: caret))
    case .controlHome: return move(to: 0)
    case .controlEnd: return move(to: characters.count)
    case .up: return moveUp(after: previous)
    case .down: return moveDown(after: previous)
    case .backspace: return delete(caret - 1..<caret)
    case .delete: return delete(caret..<caret + 1)
    case .altBackspace:
      return kill(wordStart(before: caret)..<caret, .backward, after: previous)
    case .tab, .backTab, .escape, .pageUp, .pageDown, .insert, .function, .focusIn, .focusOut,
      .wheelUp, .wheelDown, .background:
      latest = previous
      return .ignored
    }
  }

  private mutating func handleControl(_ letter: Character, after previous: Latest) -> Outcome {
    switch letter {
    case "a": return move(to: lineStart(of: caret))
    case "e": return move(to: lineEnd(of: caret))
    case "b": return move(to: caret - 1)
    case "f": return move(to: caret + 1)
    case "p": return moveUp(after: previous)
    case "n": return moveDown(after: previous)
    case "h": return delete(caret - 1..<caret)
    // On an empty line it is the program's, which leaves.
    case "d": return delete(caret..<caret + 1)
    case "k":
      let end = lineEnd(of: caret)
      return kill(caret..<(end == caret ? caret + 1 : end), .forward, after: previous)
    case "u":
      let start = lineStart(of: caret)
      return kill((start == caret ? caret - 1 : start)..<caret, .backward, after: previous)
    case "w": return kill(blankWordStart(before: caret)..<caret, .backward, after: previous)
    case "y": return yank()
    case "t": return transposeCharacters()
    case "_": return undo()
    default: return .ignored
    }
  }

  private mutating func handleAlt(_ character: Character, after previous: Latest) -> Outcome {
    switch character {
    case "b", "B": return move(to: wordStart(before: caret))
    case "f", "F": return move(to: wordEnd(after: caret))
    case "d", "D": return kill(caret..<wordEnd(after: caret), .forward, after: previous)
    case "y", "Y": return yankPop(after: previous)
    case "t", "T": return transposeWords()
    case "u", "U": return changeWord { $0.uppercased() }
    case "l", "L": return changeWord { $0.lowercased() }
    case "c", "C": return changeWord(capitalized)
    case "_": return redo()
    default: return .ignored
    }
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

  /// Takes over what belongs to the person whatever is being written: what was cut, and the lines that were entered.
  package mutating func takeMemory(of other: LineEditor) {
    killRing = other.killRing
    pastLines = other.pastLines
    pastLines.leave()
    latest = .other
  }

  /// The lines that Up brings back, oldest first, as an earlier run left them.
  package mutating func restoreHistory(_ lines: [String]) {
    pastLines = InputHistory()
    for line in lines { pastLines.submit(typedText(from: line)) }
  }
}
