/// A link in a text.
package struct TextLink: Equatable, Sendable {
  /// UTF-8 offsets.
  package var range: Range<Int>
  package var text: String

  package init(range: Range<Int>, text: String) {
    self.range = range
    self.text = text
  }

  /// Opened by a browser, as other schemes are not.
  package var isWeb: Bool {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    return scheme == "http" || scheme == "https"
  }
}

/// Finds the links of safe text: http, https, ws and wss. Each byte is looked at a bounded number of times.
///
/// A link ends at white space, at a quotation mark or angle bracket, and where Chinese and Japanese text goes on with
/// punctuation of full width. Punctuation at its end belongs to the sentence, as does a closing bracket that was not
/// opened within the link.
package func links(in safe: String) -> [TextLink] {
  guard safe.utf8.contains(0x3A) else { return [] }
  var safe = safe
  return safe.withUTF8 { bytes in
    var found: [TextLink] = []
    var index = 0
    var floor = 0
    while index + 2 < bytes.count {
      guard bytes[index] == 0x3A, bytes[index + 1] == 0x2F, bytes[index + 2] == 0x2F,
        let start = schemeStart(bytes, before: index, floor: floor)
      else {
        index += 1
        continue
      }
      let end = linkEnd(bytes, from: index + 3)
      if end > index + 3 {
        found.append(
          TextLink(range: start..<end, text: String(decoding: bytes[start..<end], as: UTF8.self)))
      }
      index = max(end, index + 3)
      floor = index
    }
    return found
  }
}

private let schemes = ["https", "http", "wss", "ws"].map { Array($0.utf8) }

/// Where the scheme that ends before the colon begins; nil where none does, or where it goes on to the left.
private func schemeStart(
  _ bytes: UnsafeBufferPointer<UInt8>, before colon: Int, floor: Int
) -> Int? {
  for scheme in schemes where colon - floor >= scheme.count {
    let start = colon - scheme.count
    guard zip(bytes[start..<colon], scheme).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
    if start > floor, isWordByte(bytes[start - 1]) { return nil }
    return start
  }
  return nil
}

private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
  default: false
  }
}

private func linkEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
  var end = start
  while end < bytes.count, !endsLink(bytes, at: end) { end += 1 }
  // Which closing brackets have their opening ones within the link, counted once.
  var open = [0, 0, 0]
  var surplus = 0
  for index in start..<end {
    switch bytes[index] {
    case 0x28: open[0] += 1
    case 0x5B: open[1] += 1
    case 0x7B: open[2] += 1
    case 0x29, 0x5D, 0x7D:
      let kind = bytes[index] == 0x29 ? 0 : bytes[index] == 0x5D ? 1 : 2
      if open[kind] > 0 { open[kind] -= 1 } else { surplus += 1 }
    default: break
    }
  }
  while end > start {
    switch bytes[end - 1] {
    case 0x21, 0x27, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x2A, 0x5F, 0x7E, 0x7C, 0x60: end -= 1
    case 0x29 where surplus > 0, 0x5D where surplus > 0, 0x7D where surplus > 0:
      surplus -= 1
      end -= 1
    default: return end
    }
  }
  return start
}

private func endsLink(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  switch bytes[index] {
  case 0x00...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x7F: return true
  case 0xE3 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
    // U+3000 … U+3020: the ideographic space, comma, full stop and brackets.
    return bytes[index + 2] <= 0xA0
  case 0xEF where index + 2 < bytes.count && (bytes[index + 1] == 0xBC || bytes[index + 1] == 0xBD):
    // Punctuation of full width.
    switch (bytes[index + 1], bytes[index + 2]) {
    case (0xBC, 0x81), (0xBC, 0x88), (0xBC, 0x89), (0xBC, 0x8C), (0xBC, 0x8E), (0xBC, 0x9A),
      (0xBC, 0x9B), (0xBC, 0x9F), (0xBD, 0x9B), (0xBD, 0x9D), (0xBD, 0xA1), (0xBD, 0xA2),
      (0xBD, 0xA3), (0xBD, 0xA4):
      return true
    default: return false
    }
  case 0xC2 where index + 1 < bytes.count:
    // The no-break space and quotation marks.
    return bytes[index + 1] == 0xA0 || bytes[index + 1] == 0xAB || bytes[index + 1] == 0xBB
  case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
    // Spaces, typographic quotation marks, the ellipsis.
    switch bytes[index + 2] {
    case 0x80...0x8A, 0x98...0x9F, 0xA6, 0xAF: return true
    default: return false
    }
  default: return false
  }
}
