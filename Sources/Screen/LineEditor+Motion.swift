/// Where the caret goes. Lines are those that "\n" separates; how the screen wraps them is not known here.
extension LineEditor {
  mutating func move(to position: Int) -> Outcome {
    guard !characters.isEmpty else { return .ignored }
    caret = min(max(0, position), characters.count)
    return .edited
  }

  func lineStart(of position: Int) -> Int {
    var start = position
    while start > 0, characters[start - 1] != "\n" { start -= 1 }
    return start
  }

  func lineEnd(of position: Int) -> Int {
    var end = position
    while end < characters.count, characters[end] != "\n" { end += 1 }
    return end
  }

  /// A word is a run of letters, digits and what hangs on them, in any script.
  func wordStart(before position: Int) -> Int {
    var start = position
    while start > 0, !isOfWord(characters[start - 1]) { start -= 1 }
    while start > 0, isOfWord(characters[start - 1]) { start -= 1 }
    return start
  }

  func wordEnd(after position: Int) -> Int {
    var end = position
    while end < characters.count, !isOfWord(characters[end]) { end += 1 }
    while end < characters.count, isOfWord(characters[end]) { end += 1 }
    return end
  }

  /// C-w takes what stands between blanks, whatever it is made of.
  func blankWordStart(before position: Int) -> Int {
    var start = position
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  func isOfWord(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    switch first.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      return true
    default:
      return false
    }
  }

  /// Within the text first; from its first line on, the history. `isFiltered` shows only lines that begin as
  /// the text before the caret did when the walk through the history began.
  mutating func moveUp(after previous: Latest, isFiltered: Bool) -> Outcome {
    let start = lineStart(of: caret)
    if start == 0 {
      return recall(
        pastLines.older(leaving: text, beginning: isFiltered ? beforeCaret : ""))
    }
    let column = aim(after: previous, lineStart: start)
    let target = lineStart(of: start - 1)
    caret = min(target + column, start - 1)
    latest = .movedByLine(column: column)
    return .edited
  }

  mutating func moveDown(after previous: Latest, isFiltered: Bool) -> Outcome {
    let end = lineEnd(of: caret)
    if end == characters.count {
      return recall(
        pastLines.newer(leaving: text, beginning: isFiltered ? beforeCaret : ""))
    }
    let column = aim(after: previous, lineStart: lineStart(of: caret))
    caret = min(end + 1 + column, lineEnd(of: end + 1))
    latest = .movedByLine(column: column)
    return .edited
  }

  private func aim(after previous: Latest, lineStart: Int) -> Int {
    if case .movedByLine(let column) = previous { return column }
    return caret - lineStart
  }

  private var beforeCaret: String { String(characters[..<caret]) }

  private mutating func recall(_ line: String?) -> Outcome {
    guard let line else { return characters.isEmpty ? .ignored : .edited }
    replace(0..<characters.count, with: line)
    return .edited
  }
}
