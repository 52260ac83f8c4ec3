import Text

/// Text cut into rows of a width.
struct WrappedText: Equatable {
  var rows: [String]
  /// Rows that were left out behind the last one.
  var hiddenRows: Int
}

/// Wraps safe text: at spaces, before and after wide clusters, and in the middle of words that are longer
/// than a row. A wide cluster is moved whole; in a single column it counts one and is drawn as a stand-in.
/// Every row takes at least one cluster, so that it always ends. Time is linear in the text.
func wrap(
  _ safe: String, width: Int, most: Int = .max, emoji: EmojiPolicy = .safe
) -> WrappedText {
  let width = max(1, width)
  var result = WrappedText(rows: [], hiddenRows: 0)
  for line in lines(of: safe) {
    if let ascii = ASCIIUnits(line) {
      append(ascii, width: width, most: most, to: &result)
    } else {
      append(ClusterUnits(line, emoji), width: width, most: most, to: &result)
    }
  }
  return result
}

private func append(
  _ units: some MeasuredUnits, width: Int, most: Int, to result: inout WrappedText
) {
  units.forEachRow(width: width) { row in
    if result.rows.count < most {
      result.rows.append(units.text(row))
    } else {
      result.hiddenRows += 1
    }
  }
}

/// The lines of a text, without empty ones at its end. Safe text has no line break but the line feed, which no cluster
/// holds.
private func lines(of safe: String) -> [Substring] {
  var lines = safe.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { Substring($0) }
  while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
  return lines
}

/// The same for text with looks: each row as its pieces.
func wrap(
  _ looked: LookedText, width: Int, most: Int = .max, emoji: EmojiPolicy = .safe
) -> (rows: [[LookedPiece]], hiddenRows: Int) {
  guard looked.hasLooks else {
    let plain = wrap(looked.text, width: width, most: most, emoji: emoji)
    return (plain.rows.map { [LookedPiece(text: $0)] }, plain.hiddenRows)
  }
  var rows: [[LookedPiece]] = []
  var hiddenRows = 0
  var base = 0
  for line in lines(of: looked.text) {
    let units = ClusterUnits(line, emoji)
    units.forEachRow(width: max(1, width)) { row in
      if rows.count < most {
        rows.append(units.pieces(row, of: looked, base: base))
      } else {
        hiddenRows += 1
      }
    }
    base += line.utf8.count + 1
  }
  return (rows, hiddenRows)
}

/// What wrapping needs to know of a line's clusters.
private protocol MeasuredUnits {
  var count: Int { get }
  /// Known to take a column each.
  var isNarrow: Bool { get }
  func width(at index: Int) -> Int
  func isSpace(at index: Int) -> Bool
  func mayBeginRow(at index: Int) -> Bool
  func text(_ range: Range<Int>) -> String
}

extension MeasuredUnits {
  /// Hands out the units of each row.
  fileprivate func forEachRow(width: Int, _ body: (Range<Int>) -> Void) {
    if isNarrow, count <= width { return body(0..<count) }
    var start = 0
    repeat {
      let cut = rowEnd(from: start, width: width)
      body(start..<cut.end)
      start = cut.next
    } while start < count
  }

  /// Where the row that begins at `start` ends, and where the next one begins.
  fileprivate func rowEnd(from start: Int, width: Int) -> (end: Int, next: Int) {
    var column = 0
    var index = start
    var chance: (end: Int, next: Int)?
    var hasWord = false
    while index < count {
      let own = min(self.width(at: index), width)
      if column + own > width { break }
      column += own
      if isSpace(at: index) {
        // The whole run of spaces is left out between two rows.
        if hasWord { chance = (isSpace(at: index - 1) ? chance?.end ?? index : index, index + 1) }
      } else {
        if hasWord, own == 2, mayBeginRow(at: index) { chance = (index, index) }
        hasWord = true
        if own == 2, index + 1 < count, mayBeginRow(at: index + 1) {
          chance = (index + 1, index + 1)
        }
      }
      index += 1
    }
    guard index < count else { return (count, count) }
    if isSpace(at: index), hasWord {
      var (end, next) = (index, index)
      while end > start, isSpace(at: end - 1) { end -= 1 }
      while next < count, isSpace(at: next) { next += 1 }
      return (end, next)
    }
    return chance ?? (index, index)
  }
}

private struct ASCIIUnits: MeasuredUnits {
  private let bytes: [UInt8]

  init?(_ line: Substring) {
    let bytes = line.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 < 0x80 } ? Array(bytes) : nil
    }
    guard let bytes = bytes ?? nil else { return nil }
    self.bytes = bytes
  }

  var count: Int { bytes.count }
  var isNarrow: Bool { true }
  func width(at index: Int) -> Int { 1 }
  func isSpace(at index: Int) -> Bool { bytes[index] == 0x20 }
  func mayBeginRow(at index: Int) -> Bool { true }
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

private struct ClusterUnits: MeasuredUnits {
  private let clusters: [Cluster]
  private let offsets: [Int]

  init(_ line: Substring, _ emoji: EmojiPolicy) {
    (clusters, offsets) = placedClusters(of: String(line), emoji: emoji)
  }

  func pieces(_ range: Range<Int>, of looked: LookedText, base: Int) -> [LookedPiece] {
    var pieces: [LookedPiece] = []
    for index in range {
      let looks = looked.looks(at: base + offsets[index])
      // Where a hidden link leads is not to be seen either.
      let link = looks.contains(.spoiler) ? nil : looked.link(at: base + offsets[index])
      if pieces.isEmpty || pieces[pieces.count - 1].looks != looks
        || pieces[pieces.count - 1].link != link
      {
        pieces.append(LookedPiece(text: "", looks: looks, link: link))
      }
      pieces[pieces.count - 1].text += looks.drawn(clusters[index])
    }
    return pieces.isEmpty ? [LookedPiece(text: "")] : pieces
  }

  var count: Int { clusters.count }
  var isNarrow: Bool { false }
  func width(at index: Int) -> Int { clusters[index].width }
  func isSpace(at index: Int) -> Bool { clusters[index].text == " " }
  /// Closing punctuation of Chinese and Japanese stays with what it closes.
  func mayBeginRow(at index: Int) -> Bool { !closingPunctuation.contains(clusters[index].text) }
  func text(_ range: Range<Int>) -> String { clusters[range].map(\.text).joined() }
}

private let closingPunctuation = Set("、。，．！？：；）」』】〉》〕］｝ー々".map(String.init))

/// The text in at most that many columns; an ellipsis in the last of them says that something is missing.
func cut(_ safe: String, to width: Int) -> String {
  guard width > 0 else { return "" }
  guard safe.utf8.count > width, columns(of: safe) > width else { return safe }
  var result = ""
  var column = 0
  for cluster in clusters(of: safe) {
    guard column + cluster.width <= width - 1 else { break }
    column += cluster.width
    result += cluster.text
  }
  return result + "…"
}
