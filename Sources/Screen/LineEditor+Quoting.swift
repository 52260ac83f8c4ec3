/// Text that keys bring which do not type it: the last word of earlier lines, and any key taken as text.
extension LineEditor {
  package var isQuoting: Bool { latest == .quoting }

  /// The key behind ^Q as text. A control character comes as its picture, as in a paste: none is ever sent.
  package mutating func insertQuoted(_ key: Key) -> Outcome {
    latest = .other
    switch key {
    case .character(let character): return insert(String(character))
    case .paste(let text): return insert(typedText(from: text))
    case .enter, .control("j"), .altEnter: return insert("\n")
    case .tab: return insert("\t")
    case .escape: return insert("\u{241B}")
    case .backspace: return insert("\u{2421}")
    case .control(let letter):
      guard let value = letter.asciiValue,
        let picture = Unicode.Scalar(0x2400 + UInt32(value & 0x1F))
      else { return .ignored }
      return insert(String(Character(picture)))
    default: return .ignored
    }
  }

  /// Puts the last word of the newest line that was sent at the caret; called again, that of the line before.
  mutating func yankLastWord(after previous: Latest) -> Outcome {
    var line = pastLines.lines.count
    var range = caret..<caret
    if case .yankedWord(let earlier, let earlierLine) = previous {
      line = earlierLine
      range = earlier
    }
    while line > 0 {
      line -= 1
      let words = pastLines.lines[line].split(whereSeparator: \.isWhitespace)
      guard let word = words.last else { continue }
      replace(range, with: String(word))
      latest = .yankedWord(min(range.lowerBound, caret)..<caret, line: line)
      return .edited
    }
    latest = previous
    return isEmpty ? .ignored : .edited
  }
}
