/// Finds a nick as a word of its own in a text: `mark` is not mentioned by "marker", but by "Mark:".
///
/// Compared without regard to case. A word ends where UAX #29 would end it, in so far as that matters for
/// names: letters, digits and "_" hold together; ideographs and hiragana stand for themselves, since
/// no space separates them from a name.
package struct Mention: Equatable, Sendable {
  private let word: [Character]
  private let asciiWord: [UInt8]?

  package init(of nick: String) {
    word = Self.folded(nick)
    let bytes = Array(String(word).utf8)
    asciiWord = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// Looks at the first 65 536 scalars of the text.
  package func isIn(_ text: String) -> Bool {
    guard !word.isEmpty else { return false }
    var text = text
    if text.utf8.count > 65_536 {
      text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(65_536)))
    }
    // Most lines are ASCII, and a flood of them should not pay for grapheme breaking.
    let quick = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      guard let asciiWord else { return false }
      return Self.find(
        asciiWord, count: bytes.count, at: { Self.lower(bytes[$0]) }, isJoined: Self.isJoined)
    }
    if case .some(.some(let found)) = quick { return found }
    let characters = Self.folded(text)
    return Self.find(
      word, count: characters.count, at: { characters[$0] }, isJoined: Self.isJoined)
  }

  private static func find<Unit: Equatable>(
    _ word: [Unit], count: Int, at: (Int) -> Unit, isJoined: (Unit, Unit) -> Bool
  ) -> Bool {
    guard let first = word.first, let last = word.last, word.count <= count else { return false }
    for start in 0...(count - word.count) where at(start) == first {
      let end = start + word.count
      guard (1..<word.count).allSatisfy({ at(start + $0) == word[$0] }) else { continue }
      if start > 0, isJoined(at(start - 1), first) { continue }
      if end < count, isJoined(last, at(end)) { continue }
      return true
    }
    return false
  }

  /// Folds case by way of the upper case, so that "ß" meets "SS" and a final sigma its like.
  private static func folded(_ text: String) -> [Character] {
    Array(text.uppercased().lowercased())
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Whether two neighbours are parts of one word.
  private static func isJoined(_ left: UInt8, _ right: UInt8) -> Bool {
    isWordPart(left) && isWordPart(right)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  private static func isJoined(_ left: Character, _ right: Character) -> Bool {
    isWordPart(left) && isWordPart(right)
  }

  private static func isWordPart(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    if scalar.properties.isIdeographic || (0x3040...0x309F).contains(scalar.value) { return false }
    return character.isLetter || character.isNumber || character == "_"
  }
}
