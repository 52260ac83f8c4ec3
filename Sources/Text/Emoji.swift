/// How pictures that take several code points are drawn. What is stored and sent never changes.
package enum EmojiPolicy: String, CaseIterable, Sendable {
  /// One sign of two columns, which every terminal draws alike: without skin tones and what was joined to it.
  case safe
  /// As it came, counted two columns: for terminals that join such pictures.
  case native
  /// Its name between colons, for terminals and people without emoji.
  case text
}

/// The longest picture of Unicode's list: two people with their skin tones, and what joins them.
private let longestPicture = 10

/// Whether the character is drawn as a picture of its own.
func isPicture(_ character: Character) -> Bool {
  let scalars = character.unicodeScalars
  guard let first = scalars.first, first.value >= 0xA9, !isRegionalIndicator(first) else {
    return isKeycap(character) || isFlag(character)
  }
  guard first.properties.isEmoji, scalars.count <= longestPicture else { return false }
  var isColoured = first.properties.isEmojiPresentation
  for scalar in scalars.dropFirst() {
    switch scalar.value {
    case 0xFE0F, 0x200D: isColoured = true
    case 0xFE0E: return false
    default:
      guard scalar.properties.isEmoji else { return false }
      isColoured = true
    }
  }
  return isColoured
}

private func isKeycap(_ character: Character) -> Bool {
  let scalars = Array(character.unicodeScalars)
  return scalars.count == 3 && scalars[0].isASCII && scalars[0].properties.isEmoji
    && scalars[1].value == 0xFE0F && scalars[2].value == 0x20E3
}

private func isFlag(_ character: Character) -> Bool {
  character.unicodeScalars.count == 2 && character.unicodeScalars.allSatisfy(isRegionalIndicator)
}

/// The name of a picture between colons, in ASCII: that which people type for it, else that of Unicode for its first
/// code point.
func pictureName(_ character: Character) -> String {
  let plain = withoutVariants(character)
  if let name = EmojiNames.name(of: plain) { return ":\(name):" }
  guard let first = character.unicodeScalars.first else { return "" }
  if isRegionalIndicator(first) {
    let letters = character.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x1F1E6 + 0x61) }
    return ":flag_" + letters.map(String.init).joined() + ":"
  }
  if let name = EmojiNames.name(of: String(first)) { return ":\(name):" }
  let name = first.properties.name ?? "emoji"
  return ":" + name.lowercased().map { $0 == " " ? "_" : String($0) }.joined() + ":"
}

/// Without skin tones and the selectors of how it is drawn: what has a name.
func withoutVariants(_ picture: Character) -> String {
  var kept = String.UnicodeScalarView()
  for (index, scalar) in picture.unicodeScalars.enumerated()
  where scalar.value != 0xFE0F && (index == 0 || !isSkinTone(scalar)) {
    kept.append(scalar)
  }
  return String(kept)
}
