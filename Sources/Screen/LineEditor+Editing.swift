/// Every change of the text goes through `replace`, which keeps the clusters, the caret, the limit and the
/// undo log right.
extension LineEditor {
  mutating func type(_ typed: String, after previous: Latest) -> Outcome {
    // A joiner or selector has nothing to join at the start of a line. A mark is shown on a dotted circle.
    if caret == 0 || characters[caret - 1] == "\n", let first = typed.unicodeScalars.first,
      first.properties.isVariationSelector || first.properties.generalCategory == .format
    {
      return .ignored
    }
    // An undo takes back a word at a time, so a word begins a new step.
    let goesOn = previous == .typed && !(typed != " " && caret > 0 && characters[caret - 1] == " ")
    guard replace(caret..<caret, with: typed, joiningUndo: goesOn) else { return .edited }
    latest = .typed
    return .edited
  }

  mutating func insert(_ inserted: String) -> Outcome {
    guard !inserted.isEmpty else { return .ignored }
    replace(caret..<caret, with: inserted)
    return .edited
  }

  /// Takes characters away without keeping them in the kill ring.
  mutating func delete(_ range: Range<Int>) -> Outcome {
    guard !characters.isEmpty else { return .ignored }
    replace(range.clamped(to: 0..<characters.count), with: "")
    return .edited
  }

  mutating func transposeCharacters() -> Outcome {
    guard characters.count >= 2, caret > 0 else { return isEmpty ? .ignored : .edited }
    let second = min(caret, characters.count - 1)
    let swapped = String(characters[second]) + String(characters[second - 1])
    replace(second - 1..<second + 1, with: swapped)
    return .edited
  }

  mutating func transposeWords() -> Outcome {
    guard !isEmpty else { return .ignored }
    let secondEnd = wordEnd(after: caret)
    let secondStart = wordStart(before: secondEnd)
    let firstStart = wordStart(before: secondStart)
    let firstEnd = wordEnd(after: firstStart)
    guard firstEnd <= secondStart, firstStart < firstEnd, isOfWord(characters[secondStart]) else {
      return .edited
    }
    let swapped =
      String(characters[secondStart..<wordEnd(after: secondStart)])
      + String(characters[firstEnd..<secondStart]) + String(characters[firstStart..<firstEnd])
    replace(firstStart..<wordEnd(after: secondStart), with: swapped)
    return .edited
  }

  /// Changes the letters from the caret to the end of the word.
  mutating func changeWord(_ change: (String) -> String) -> Outcome {
    guard !isEmpty else { return .ignored }
    let end = wordEnd(after: caret)
    let before = String(characters[caret..<end])
    replace(caret..<end, with: change(before))
    return .edited
  }

  func capitalized(_ word: String) -> String {
    guard let first = word.firstIndex(where: isOfWord) else { return word }
    return word[..<first] + word[first].uppercased()
      + word[word.index(after: first)...].lowercased()
  }

  /// Puts text in place of the blanks on both sides of the caret.
  mutating func replaceBlanks(with replacement: String) -> Outcome {
    guard !isEmpty else { return .ignored }
    var start = caret
    while start > 0, isBlank(characters[start - 1]) { start -= 1 }
    var end = caret
    while end < characters.count, isBlank(characters[end]) { end += 1 }
    if String(characters[start..<end]) != replacement { replace(start..<end, with: replacement) }
    return .edited
  }

  private func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  mutating func undo() -> Outcome {
    guard let step = undoLog.takeBack() else { return isEmpty ? .ignored : .edited }
    characters.replaceSubrange(step.start..<step.start + step.new.count, with: step.old)
    text = String(characters)
    caret = step.caretBefore
    return .edited
  }

  /// Takes back every step of the line.
  mutating func revert() -> Outcome {
    guard !isEmpty || undoLog.canTakeBack else { return .ignored }
    while undoLog.canTakeBack { _ = undo() }
    return .edited
  }

  mutating func redo() -> Outcome {
    guard let step = undoLog.repeatTakenBack() else { return isEmpty ? .ignored : .edited }
    characters.replaceSubrange(step.start..<step.start + step.old.count, with: step.new)
    text = String(characters)
    caret = step.caretAfter
    return .edited
  }

  /// Puts text in place of a range, with the caret after it. False if nothing of it had room.
  @discardableResult
  mutating func replace(
    _ range: Range<Int>, with inserted: String, joiningUndo: Bool = false
  ) -> Bool {
    let removedSize = characters[range].reduce(0) { $0 + $1.utf8.count }
    let inserted = fitting(inserted, room: Self.limit - (text.utf8.count - removedSize))
    guard !inserted.isEmpty || !range.isEmpty else { return false }

    // What is typed may join the clusters beside it (marks, flags, ZWJ), so they are split anew.
    let window = unsettled(around: range)
    let head = String(characters[window.lowerBound..<range.lowerBound]) + inserted
    let renewed = Array(head + String(characters[range.upperBound..<window.upperBound]))
    var caretAfter = window.lowerBound
    var position = 0
    for character in renewed where position < head.utf8.count {
      position += character.utf8.count
      caretAfter += 1
    }

    let old = characters[window]
    let headCount = range.lowerBound - window.lowerBound
    let tailCount = window.upperBound - range.upperBound
    var same = 0
    while same < headCount, same < renewed.count, old[window.lowerBound + same] == renewed[same] {
      same += 1
    }
    var sameAtEnd = 0
    while sameAtEnd < tailCount, sameAtEnd < renewed.count - same,
      old[window.upperBound - 1 - sameAtEnd] == renewed[renewed.count - 1 - sameAtEnd]
    {
      sameAtEnd += 1
    }
    undoLog.add(
      UndoLog.Step(
        start: window.lowerBound + same,
        old: Array(old[window.lowerBound + same..<window.upperBound - sameAtEnd]),
        new: Array(renewed[same..<renewed.count - sameAtEnd]),
        caretBefore: caret, caretAfter: caretAfter),
      joining: joiningUndo)

    let appends = window.upperBound == characters.count && tailCount == 0 && range.isEmpty
    characters.replaceSubrange(window, with: renewed)
    if appends {
      text += inserted
    } else {
      text = String(characters)
    }
    caret = caretAfter
    return true
  }

  /// The part that has room, cut between characters.
  private mutating func fitting(_ inserted: String, room: Int) -> String {
    guard inserted.utf8.count > room else { return inserted }
    wasRefused = true
    var size = 0
    return String(
      inserted.prefix { character in
        size += character.utf8.count
        return size <= room
      })
  }

  /// The range with the neighbours that its change may join or split: up to an ASCII character on either
  /// side, that one included, since nothing but what follows directly can join it.
  private func unsettled(around range: Range<Int>) -> Range<Int> {
    var lower = range.lowerBound
    while lower > 0 {
      lower -= 1
      if characters[lower].unicodeScalars.first?.isASCII == true { break }
    }
    var upper = range.upperBound
    while upper < characters.count {
      upper += 1
      if characters[upper - 1].unicodeScalars.first?.isASCII == true { break }
    }
    return lower..<upper
  }
}
