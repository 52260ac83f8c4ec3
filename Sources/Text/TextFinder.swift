/// Finds pieces of text: literal words, with or without regard to case, or a pattern. Time is linear in the text, and
/// in the length of a pattern.
package struct TextFinder: Equatable, Sendable {
  private enum Kind: Equatable, Sendable {
    case words([Word])
    case pattern(TextPattern)
  }

  /// A word as bytes where it is ASCII, and as scalars for other text.
  private struct Word: Equatable, Sendable {
    var bytes: [UInt8]?
    var scalars: [UInt32]
  }

  /// The most scalars of what is looked for; more are left out.
  package static let longest = 256

  private let kind: Kind
  private let matchesCase: Bool

  /// Finds each of the words, wherever it stands; nil where there is none.
  package init?(words: [String], matchesCase: Bool = false) {
    let words = words.filter { !$0.isEmpty }.prefix(16).map { word in
      let bounded = String(String.UnicodeScalarView(word.unicodeScalars.prefix(Self.longest)))
      let scalars = Self.folded(bounded, matchesCase: matchesCase).scalars
      let isASCII = scalars.allSatisfy { $0 < 0x80 }
      return Word(
        bytes: isASCII ? scalars.map { UInt8(truncatingIfNeeded: $0) } : nil, scalars: scalars)
    }
    guard !words.isEmpty else { return nil }
    kind = .words(words)
    self.matchesCase = matchesCase
  }

  /// Finds a regular expression (see `TextPattern`); nil where it is none or empty.
  package init?(pattern: String, matchesCase: Bool = false) {
    guard !pattern.isEmpty, let pattern = TextPattern(pattern, matchesCase: matchesCase) else {
      return nil
    }
    kind = .pattern(pattern)
    self.matchesCase = matchesCase
  }

  /// How much work a byte of text is, beside that of a literal word.
  package var costPerByte: Int {
    switch kind {
    case .words(let words): words.count
    case .pattern(let pattern): max(4, pattern.size)
    }
  }

  package func isIn(_ text: String) -> Bool { !ranges(in: text, most: 1).isEmpty }

  /// Where it stands, as ranges of UTF-8 offsets that do not overlap, in order; at most so many for each word.
  package func ranges(in text: String, most: Int = 1_000) -> [Range<Int>] {
    switch kind {
    case .pattern(let pattern):
      let text = Self.folded(text, matchesCase: true)
      return pattern.matches(in: text.scalars, most: most).map {
        text.offsets[$0.lowerBound]..<text.offsets[$0.upperBound]
      }
    case .words(let words):
      var found: [Range<Int>] = []
      for word in words { found += ranges(of: word, in: text, most: most) }
      guard words.count > 1 else { return found }
      return Self.merged(found)
    }
  }

  private func ranges(of word: Word, in text: String, most: Int) -> [Range<Int>] {
    var text = text
    let ascii: [Range<Int>]?? = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      guard let needle = word.bytes else { return .some([]) }
      return .some(
        find(needle, count: bytes.count, most: most) { index in
          let byte = bytes[index]
          return !matchesCase && byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
        })
    }
    if case .some(.some(let found)) = ascii { return found }
    let folded = Self.folded(text, matchesCase: matchesCase)
    return find(word.scalars, count: folded.scalars.count, most: most) { folded.scalars[$0] }
      .map { folded.offsets[$0.lowerBound]..<folded.offsets[$0.upperBound] }
  }

  /// Overlapping ranges become one.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound < last.upperBound {
        result[result.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// The scalars in small letters, and for each, and for the end, the offset of what it comes from.
  private static func folded(
    _ text: String, matchesCase: Bool
  ) -> (scalars: [UInt32], offsets: [Int]) {
    var scalars: [UInt32] = []
    var offsets: [Int] = []
    scalars.reserveCapacity(text.utf8.count)
    offsets.reserveCapacity(text.utf8.count + 1)
    var offset = 0
    for scalar in text.unicodeScalars {
      if matchesCase {
        scalars.append(scalar.value)
        offsets.append(offset)
      } else if scalar.value < 0x80 {
        let value = scalar.value
        scalars.append(value >= 0x41 && value <= 0x5A ? value | 0x20 : value)
        offsets.append(offset)
      } else {
        for small in scalar.properties.lowercaseMapping.unicodeScalars {
          scalars.append(small.value)
          offsets.append(offset)
        }
      }
      offset += UTF8.width(scalar)
    }
    offsets.append(offset)
    return (scalars, offsets)
  }
}

/// All places of a needle that do not overlap (Knuth, Morris and Pratt): every unit of the text is looked at once.
private func find<Unit: Equatable>(
  _ needle: [Unit], count: Int, most: Int, at unit: (Int) -> Unit
) -> [Range<Int>] {
  guard !needle.isEmpty, needle.count <= count, most > 0 else { return [] }
  var borders = [0]
  var length = 0
  for index in 1..<max(1, needle.count) {
    while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
    if needle[index] == needle[length] { length += 1 }
    borders.append(length)
  }
  var found: [Range<Int>] = []
  var matched = 0
  for index in 0..<count {
    let current = unit(index)
    while matched > 0, current != needle[matched] { matched = borders[matched - 1] }
    guard current == needle[matched] else { continue }
    matched += 1
    guard matched == needle.count else { continue }
    found.append(index + 1 - needle.count..<index + 1)
    if found.count == most { break }
    matched = 0
  }
  return found
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    scalar.value < 0x80 ? 1 : scalar.value < 0x800 ? 2 : scalar.value < 0x1_0000 ? 3 : 4
  }
}
