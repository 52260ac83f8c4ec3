/// An extended grapheme cluster (UAX #29) as it is drawn: what goes into one or two cells.
package struct Cluster: Equatable, Sendable {
  /// At most one base and four marks, since a cell of ncurses holds no more. With the `safe` emoji policy
  /// variation selectors, skin tones and ZWJ tails are left out, flags stay a pair; with `native` a picture is all
  /// there.
  package var text: String
  /// 1 or 2 columns; never 0.
  package var width: Int

  package init(text: String, width: Int) {
    self.text = text
    self.width = width
  }
}

/// The clusters of text that was made safe, in order; line breaks must have been split off before.
/// What would draw nothing gives no cluster; a control character that was let in gives U+25A1.
package func clusters(of safe: String, emoji: EmojiPolicy = .safe) -> [Cluster] {
  var result: [Cluster] = []
  result.reserveCapacity(safe.utf8.count)
  forEachCluster(of: safe, emoji) { cluster, _ in result.append(cluster) }
  return result
}

/// The same, and for each cluster the offset in UTF-8 of the character that it comes from.
package func placedClusters(
  of safe: String, emoji: EmojiPolicy = .safe
) -> (clusters: [Cluster], offsets: [Int]) {
  var result: [Cluster] = []
  var offsets: [Int] = []
  result.reserveCapacity(safe.utf8.count)
  offsets.reserveCapacity(safe.utf8.count)
  forEachCluster(of: safe, emoji) { cluster, offset in
    result.append(cluster)
    offsets.append(offset)
  }
  return (result, offsets)
}

/// The columns that safe text takes on the screen.
package func columns(of safe: String, emoji: EmojiPolicy = .safe) -> Int {
  // Most text has a byte for each column.
  let isPlain = safe.utf8.withContiguousStorageIfAvailable { bytes in
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x80 }
  }
  if isPlain == true { return safe.utf8.count }
  var total = 0
  forEachCluster(of: safe, emoji) { cluster, _ in total += cluster.width }
  return total
}

private let asciiClusters: [Cluster] = (UInt8(0)..<0x80).map { byte in
  (0x20..<0x7F).contains(byte)
    ? Cluster(text: String(Unicode.Scalar(byte)), width: 1) : Cluster(text: standIn, width: 1)
}

/// U+2500–257F, which rules and borders are made of.
private let boxClusters: [Cluster] = (UInt32(0x2500)..<0x2580).map { value in
  Cluster(text: Unicode.Scalar(value).map { String($0) } ?? standIn, width: 1)
}

/// Before and behind ASCII and box drawing there is always a boundary once CR LF is gone, unless a mark follows, so that
/// only the runs of other characters need the rules of UAX #29.
private func forEachCluster(
  of safe: String, _ emoji: EmojiPolicy, _ body: (Cluster, _ offset: Int) -> Void
) {
  var safe = safe
  safe.withUTF8 { bytes in
    func isBox(_ index: Int) -> Bool {
      index + 2 < bytes.count && bytes[index] == 0xE2 && bytes[index + 1] & 0xFE == 0x94
    }
    func isBoundary(_ index: Int) -> Bool {
      index >= bytes.count || bytes[index] < 0x80 || isBox(index)
    }
    func isPlain(_ index: Int) -> Bool {
      bytes[index] < 0x80 ? isBoundary(index + 1) : isBox(index) && isBoundary(index + 3)
    }
    var index = 0
    while index < bytes.count {
      if isPlain(index) {
        if bytes[index] < 0x80 {
          body(asciiClusters[Int(bytes[index])], index)
          index += 1
        } else {
          body(boxClusters[Int(bytes[index + 1] & 1) << 6 | Int(bytes[index + 2] & 0x3F)], index)
          index += 3
        }
        continue
      }
      var end = index + 1
      while end < bytes.count && !isPlain(end) { end += 1 }
      for character in String(decoding: bytes[index..<end], as: UTF8.self) {
        if emoji == .safe || !isPicture(character) {
          splitCells(of: character) { body($0, index) }
        } else if emoji == .native {
          body(Cluster(text: String(character), width: 2), index)
        } else {
          for byte in pictureName(character).utf8 where byte < 0x80 {
            body(asciiClusters[Int(byte)], index)
          }
        }
        index += character.utf8.count
      }
      index = end
    }
  }
}

/// One `Character` may hold several spacing code points, as the conjuncts of Indic scripts do; a cell
/// holds one of them.
private func splitCells(of character: Character, _ body: (Cluster) -> Void) {
  var cell = PendingCell()
  for scalar in character.unicodeScalars {
    if scalar.value == 0x200D {
      if cell.base?.properties.isEmoji == true { break }
      continue
    }
    if isSkinTone(scalar), cell.base != nil { continue }
    if isRegionalIndicator(scalar), let base = cell.base, isRegionalIndicator(base), !cell.isFlag {
      cell.completeFlag(with: scalar)
      continue
    }
    switch role(of: scalar) {
    case .invisible: continue
    case .mark: cell.add(mark: scalar)
    case .base(let width):
      cell.flush(to: body)
      cell = PendingCell(base: scalar, text: String(scalar), width: width)
    case .missing:
      cell.flush(to: body)
      cell = PendingCell(base: scalar, text: standIn, width: 1)
    }
  }
  cell.flush(to: body)
}

private struct PendingCell {
  var base: Unicode.Scalar?
  var text = ""
  var width = 1
  var marks = 0
  var isFlag = false

  mutating func add(mark: Unicode.Scalar) {
    guard marks < 4 else { return }
    if base == nil, marks == 0 { text = dottedCircle }
    text.unicodeScalars.append(mark)
    marks += 1
  }

  mutating func completeFlag(with second: Unicode.Scalar) {
    text.unicodeScalars.append(second)
    width = 2
    isFlag = true
  }

  func flush(to body: (Cluster) -> Void) {
    guard !text.isEmpty else { return }
    body(Cluster(text: marks > 0 ? composed(text) : text, width: width))
  }
}
