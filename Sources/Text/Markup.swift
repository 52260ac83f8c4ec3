/// A part of a text that people mark with signs, as in *bold*. The signs stay where they are: they are part of what was
/// said.
package struct MarkedText: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case bold, italic, code, quote, spoiler
  }

  /// UTF-8 offsets, the signs among them.
  package var range: Range<Int>
  package var kind: Kind
}

/// Finds *bold*, _italic_, `code`, blocks between rows of ```, > quotes and ||spoilers|| in safe text; nothing of it
/// within links, whose ranges are given in order. Linear in the text.
///
/// A sign opens behind white space or punctuation and before anything else, and closes the other way round, so that
/// 2*3*4 and snake_case_names are left alone.
package func markup(of safe: String, links: [TextLink] = []) -> [MarkedText] {
  var safe = safe
  return safe.withUTF8 { bytes in
    guard bytes.contains(where: isSign) else { return [] }
    var reader = MarkupReader(bytes: Array(bytes), links: links)
    reader.read()
    return reader.found
  }
}

private func isSign(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x2A, 0x3E, 0x5F, 0x60, 0x7C: true
  default: false
  }
}

private struct MarkupReader {
  let bytes: [UInt8]
  let links: [TextLink]
  var found: [MarkedText] = []

  init(bytes: [UInt8], links: [TextLink]) {
    self.bytes = bytes
    self.links = links
  }

  mutating func read() {
    var start = 0
    var block: Int?
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      if isFence(start..<end) {
        if let opening = block {
          found.append(MarkedText(range: opening..<end, kind: .code))
          block = nil
        } else {
          block = start
        }
      } else if block == nil {
        readLine(start..<end)
      }
      start = end + 1
    }
    // A block that is not closed goes on to the end, as people see it while it is written.
    if let block { found.append(MarkedText(range: block..<bytes.count, kind: .code)) }
  }

  private func isFence(_ line: Range<Int>) -> Bool {
    line.count >= 3 && bytes[line.lowerBound..<line.lowerBound + 3].allSatisfy { $0 == 0x60 }
      && !bytes[(line.lowerBound + 3)..<line.upperBound].contains(0x60)
  }

  private mutating func readLine(_ line: Range<Int>) {
    if line.count >= 2, bytes[line.lowerBound] == 0x3E, bytes[line.lowerBound + 1] == 0x20 {
      found.append(MarkedText(range: line, kind: .quote))
    }
    var open: [UInt8: Int] = [:]
    var link = links[...]
    var index = line.lowerBound
    while index < line.upperBound {
      while let first = link.first, first.range.upperBound <= index { link.removeFirst() }
      if let first = link.first, first.range.contains(index) {
        index = first.range.upperBound
        continue
      }
      let byte = bytes[index]
      guard byte == 0x2A || byte == 0x5F || byte == 0x60 || byte == 0x7C else {
        index += 1
        continue
      }
      let length = byte == 0x7C ? 2 : 1
      guard length == 1 || (index + 1 < line.upperBound && bytes[index + 1] == 0x7C) else {
        index += 1
        continue
      }
      if byte == 0x60 {
        // Within code nothing else counts.
        guard let end = bytes[(index + 1)..<line.upperBound].firstIndex(of: 0x60) else {
          open[0x60] = index
          index += 1
          continue
        }
        if end > index + 1 { found.append(MarkedText(range: index..<end + 1, kind: .code)) }
        index = end + 1
        continue
      }
      if let start = open[byte], closes(index, length, in: line, from: start) {
        found.append(MarkedText(range: start..<index + length, kind: Self.kind(of: byte)))
        open[byte] = nil
      } else if opens(index, length, in: line) {
        open[byte] = index
      }
      index += length
    }
  }

  private static func kind(of sign: UInt8) -> MarkedText.Kind {
    sign == 0x2A ? .bold : sign == 0x5F ? .italic : .spoiler
  }

  private func opens(_ index: Int, _ length: Int, in line: Range<Int>) -> Bool {
    let behind = index + length
    guard behind < line.upperBound, bytes[behind] != 0x20, bytes[behind] != bytes[index] else {
      return false
    }
    return length == 2 || index == line.lowerBound || !isWord(bytes[index - 1])
  }

  private func closes(_ index: Int, _ length: Int, in line: Range<Int>, from start: Int) -> Bool {
    guard index > start + length, bytes[index - 1] != 0x20 else { return false }
    let behind = index + length
    return length == 2 || behind == line.upperBound || !isWord(bytes[behind])
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., 0x2A, 0x5F: true
    default: false
    }
  }
}
