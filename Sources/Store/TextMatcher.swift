/// The words of a search, and how well a text answers them.
///
/// A word is found wherever its letters stand, inside of other words too, since languages without spaces have
/// nothing else to go by; without regard to case.
package struct TextMatcher: Equatable, Sendable {
  /// Folded, without repeats.
  package let words: [String]
  private let folded: [[UInt8]]

  /// BM25's weight of repeats and of the text's length, as everywhere.
  private static let saturation = 1.2
  private static let lengthWeight = 0.75

  package init(_ text: String) {
    var words: [String] = []
    for part in text.split(whereSeparator: { $0.isWhitespace || $0 == "\0" }) {
      let word = String(decoding: Self.fold(String(part)), as: UTF8.self)
      if !words.contains(word) { words.append(word) }
    }
    self.words = words
    folded = words.map { Array($0.utf8) }
  }

  /// How often each word stands in the text, a whole word twice; nil where one does not. And the length.
  func counts(in text: String) -> (weights: [Int], length: Int)? {
    let bytes = Self.fold(text)
    var weights: [Int] = []
    for word in folded {
      let weight = Self.weight(of: word, in: bytes)
      guard weight > 0 else { return nil }
      weights.append(weight)
    }
    return (weights, bytes.count)
  }

  /// BM25 without the rarity of the words: as every text holds all of them, it is the same for all.
  static func score(_ counts: (weights: [Int], length: Int), averageLength: Double) -> Double {
    let length = 1 - lengthWeight + lengthWeight * Double(counts.length) / max(1, averageLength)
    return counts.weights.reduce(0) { sum, weight in
      sum + Double(weight) * (saturation + 1) / (Double(weight) + saturation * length)
    }
  }

  /// Lower case; besides, σ and ς are one letter, and so are i, ı and the capital of each.
  private static func fold(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 < 0x80 }) else {
      var lower: [UInt8] = []
      lower.reserveCapacity(bytes.count)
      for byte in text.lowercased().utf8 {
        switch (lower.last, byte) {
        case (0xCF, 0x82): lower.append(0x83)
        case (0xC4, 0xB1): lower[lower.count - 1] = UInt8(ascii: "i")
        // U+0130 in lower case is an i with U+0307.
        case (0xCC, 0x87) where lower.dropLast().last == UInt8(ascii: "i"): lower.removeLast()
        default: lower.append(byte)
        }
      }
      return lower
    }
    return bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }

  /// Longer texts are not given whole where an excerpt is asked for; in bytes.
  static let longestWhole = 2_000
  /// Of those, so much stands before the word that was found.
  private static let excerptLead = 300

  /// What stands around the first of the words; cut at scalars, with “…” where something is missing.
  package func excerpt(of text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count > Self.longestWhole else { return text }
    let looked = Self.fold(text)
    var place = folded.compactMap { Self.place(of: $0, in: looked) }.min() ?? 0
    // Some letters have another length in the other case.
    if looked.count != bytes.count {
      place = Int(Double(place) / Double(looked.count) * Double(bytes.count))
    }
    var start = min(max(0, place - Self.excerptLead), bytes.count - Self.longestWhole)
    var end = start + Self.longestWhole
    while start < end, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return (start > 0 ? "…" : "") + String(decoding: bytes[start..<end], as: UTF8.self)
      + (end < bytes.count ? "…" : "")
  }

  private static func place(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    guard let first = word.first, word.count <= bytes.count else { return nil }
    return (0...bytes.count - word.count).first { index in
      bytes[index] == first && bytes[index..<index + word.count].elementsEqual(word)
    }
  }

  private static func weight(of word: [UInt8], in bytes: [UInt8]) -> Int {
    guard let first = word.first, word.count <= bytes.count else { return 0 }
    var weight = 0
    var index = 0
    while index <= bytes.count - word.count {
      guard bytes[index] == first, bytes[index..<index + word.count].elementsEqual(word) else {
        index += 1
        continue
      }
      let end = index + word.count
      let isWhole =
        (index == 0 || !isLetter(bytes[index - 1])) && (end == bytes.count || !isLetter(bytes[end]))
      weight += isWhole ? 2 : 1
      index = end
    }
    return weight
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}
