/// What SQLite is asked for the words of a search: it knows the case of fewer letters than we do, so that it is asked for each
/// way to write them.
extension TextMatcher {
  /// What the index is asked: all trigrams of all words that are long enough. Nil where none is.
  package var indexQuery: String? {
    var trigrams: [String] = []
    for word in words {
      let scalars = Array(word.unicodeScalars.prefix(Self.mostScalars))
      guard scalars.count >= 3 else { continue }
      for start in 0...scalars.count - 3 {
        let forms = Self.products(scalars[start..<start + 3].map(Self.indexed)).map(Self.quoted)
        let trigram =
          forms.count > 1 ? "(" + forms.joined(separator: " OR ") + ")" : forms.joined()
        if !trigrams.contains(trigram) { trigrams.append(trigram) }
      }
    }
    return trigrams.isEmpty ? nil : trigrams.joined(separator: " AND ")
  }

  /// Longer words are told apart by their text.
  private static let mostScalars = 40

  /// How the longest word may be written, but for the case of a to z, which LIKE does not look at. With `areFew` texts to look at
  /// nothing more than an empty pattern where there are many ways.
  func spellings(areFew: Bool) -> [String] {
    let word = words.max { $0.utf8.count < $1.utf8.count } ?? ""
    if word.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "i") }) { return [word] }
    guard !areFew, word.unicodeScalars.count < 3 else { return [""] }
    return Self.products(
      word.unicodeScalars.map { scalar in
        Self.spellings(of: scalar).filter { $0 == scalar || !$0.isASCII }
      })
  }

  /// A folded letter as it may stand in a text.
  private static func spellings(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var found = [scalar]
    let mappings = [scalar.properties.uppercaseMapping, scalar.properties.titlecaseMapping]
    let others: String =
      switch scalar {
      case "i": "\u{130}\u{131}"
      case "\u{3C3}": "\u{3C2}"
      case "\u{DF}": "\u{1E9E}"
      default: ""
      }
    for mapping in mappings where mapping.unicodeScalars.count == 1 {
      found += mapping.unicodeScalars.filter { !found.contains($0) }
    }
    return found + others.unicodeScalars
  }

  /// A folded letter as it may stand in the index, whose tokenizer folds case by a table of its own.
  private static func indexed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    spellings(of: scalar).filter { $0 == scalar || !isFoldedByTheIndex($0) }
  }

  /// ASCII, Latin letters with marks, Greek, Cyrillic: those of which it is certain.
  private static func isFoldedByTheIndex(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x130, 0x131, 0x17F, 0x3C2: false
    case ..<0x180, 0x386...0x3CE, 0x400...0x45F: true
    default: false
    }
  }

  private static func products(_ choices: [[Unicode.Scalar]]) -> [String] {
    choices.reduce([""]) { starts, choice in
      starts.flatMap { start in choice.map { start + String($0) } }
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
