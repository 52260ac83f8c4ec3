import Text

/// Whether a nick is named in a text, as a word of its own and whatever the case: "mark" is not named in
/// "marker". Only the beginning of very long texts is looked at.
func isMentioned(_ nick: String, in text: UntrustedText) -> Bool {
  let wanted = Array(nick.lowercased().utf8)
  guard !wanted.isEmpty, text.raw.utf8.count >= wanted.count else { return false }
  var lowered = String(text.raw.prefix(2000)).lowercased()
  let candidates = lowered.withUTF8 { bytes in
    bytes.indices.filter { start in
      bytes[start] == wanted[0] && start + wanted.count <= bytes.count
        && bytes[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
  return candidates.contains { start in
    let utf8 = lowered.utf8
    let from = utf8.index(utf8.startIndex, offsetBy: start)
    let to = utf8.index(from, offsetBy: wanted.count)
    let scalars = lowered.unicodeScalars
    let before = from > scalars.startIndex ? scalars[scalars.index(before: from)] : nil
    let after = to < scalars.endIndex ? scalars[to] : nil
    return !isPartOfWord(before) && !isPartOfWord(after)
  }
}

private func isPartOfWord(_ scalar: Unicode.Scalar?) -> Bool {
  guard let scalar else { return false }
  switch scalar.properties.generalCategory {
  case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
    .connectorPunctuation:
    return true
  default:
    return false
  }
}
