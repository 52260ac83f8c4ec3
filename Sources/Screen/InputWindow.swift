import Text

/// The part of a line that is seen: all of it where it fits, else pages of half a width, so that the text
/// does not move with every key.
struct InputWindow: Equatable {
  struct Shown: Equatable {
    /// Counted from the start of the line.
    var character: Int
    var clusters: [Cluster]
  }

  var cells: [Shown] = []
  var isCutLeft = false
  var isCutRight = false
  var caretColumn: Int?
  /// What is seen, where the line is printable ASCII: a byte for each column, one for each of the cells.
  private(set) var plain: String?
  let width: Int
  private let emoji: EmojiPolicy

  init(line: Substring, caret: Int?, width: Int, emoji: EmojiPolicy = .safe) {
    self.width = width
    self.emoji = emoji
    if isPrintableASCII(line) {
      show(ascii: line.utf8, caret: caret)
    } else {
      show(line, caret: caret)
    }
    // The mark of what is cut off may not hide the character under the caret.
    if isCutRight, let caretColumn, caretColumn >= width - 1 { isCutRight = false }
  }

  /// As `show(_:caret:)`, for a line with a byte for each character and each column: what a typed letter costs hardly
  /// depends on how long the line is.
  private mutating func show(ascii line: Substring.UTF8View, caret: Int?) {
    let before = caret ?? 0
    var skipped = 0
    if before >= width {
      let step = max(1, width / 2)
      skipped = max(0, (before / step - 1) * step, before - max(1, width - 1) + 1)
    }
    isCutLeft = skipped > 0 && width > 2
    let rest = line.dropFirst(skipped)
    let seen = rest.prefix(width)
    isCutRight = rest.count > width && width > 2
    cells.reserveCapacity(seen.count)
    for (offset, byte) in seen.enumerated() {
      cells.append(Shown(character: skipped + offset, clusters: Self.printable[Int(byte) - 0x20]))
    }
    plain = String(Substring(seen))
    if let caret, (0...seen.count).contains(caret - skipped) {
      caretColumn = min(caret - skipped, width - 1)
    }
  }

  private mutating func show(_ line: Substring, caret: Int?) {
    let before = caret ?? 0
    var skipped = 0
    if before >= width || line.prefix(before).reduce(0, { $0 + self.width(of: $1) }) >= width {
      let step = max(1, width / 2)
      skipped = max(0, (before / step - 1) * step)
      let widths = line.dropFirst(skipped).prefix(before - skipped).map(self.width(of:))
      var column = widths.reduce(0, +)
      for own in widths where column >= max(1, width - 1) {
        column -= own
        skipped += 1
      }
    }
    isCutLeft = skipped > 0 && width > 2
    var column = 0
    var position = skipped
    for character in line.dropFirst(skipped) {
      if position == caret { caretColumn = column }
      let own = shown(character)
      let ownWidth = own.reduce(0) { $0 + $1.width }
      guard column + ownWidth <= width else {
        isCutRight = width > 2
        break
      }
      cells.append(Shown(character: position, clusters: own))
      column += ownWidth
      position += 1
    }
    if position == caret { caretColumn = min(column, width - 1) }
  }

  private func width(of character: Character) -> Int {
    guard !character.isASCII else { return 1 }
    return shown(character).reduce(0) { $0 + $1.width }
  }

  /// A character as the input shows it; a tab as its picture, since it is sent as a tab, and a mark without a
  /// letter on a dotted circle, since it would hang on the prompt.
  private func shown(_ character: Character) -> [Cluster] {
    if character == "\t" { return [Cluster(text: "␉", width: 1)] }
    var text = String(character)
    if let first = character.unicodeScalars.first, Self.isMark(first) { text = "\u{25CC}" + text }
    return Text.clusters(of: UntrustedText(text).safe(for: .line, limit: 8), emoji: emoji)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The cells of U+0020 to U+007E.
  private static let printable: [[Cluster]] = (UInt8(0x20)..<0x7F).map {
    [Cluster(text: String(Unicode.Scalar($0)), width: 1)]
  }
}

/// A byte for each character and for each column.
func isPrintableASCII(_ text: Substring) -> Bool {
  text.utf8.withContiguousStorageIfAvailable { bytes in
    bytes.allSatisfy { (0x20..<0x7F).contains($0) }
  } ?? false
}
