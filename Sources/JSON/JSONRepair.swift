/// What the grammar of JSON allows and no value of ours can hold: half of a surrogate pair as an escape (RFC 8259 section
/// 8.2), as JavaScript writes a text that it cut in the middle of an emoji, and numbers beyond a double (section 6). One
/// such message must not cost the line each time that the history holds it.
enum JSONRepair {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// The text with U+FFFD for each half, and null for each such number; nil where there is none of them.
  static func repaired(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var bytes = [UInt8](text)
    var isChanged = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position = repairString(&bytes, from: position + 1, &isChanged)
      } else if byte == UInt8(ascii: "-") || isDigit(byte) {
        position = repairNumber(&bytes, from: position, &isChanged)
      } else {
        position += 1
      }
    }
    return isChanged ? bytes : nil
  }

  /// Returns the place behind the closing quote.
  private static func repairString(
    _ bytes: inout [UInt8], from start: Int, _ isChanged: inout Bool
  ) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] == backslash else {
        position += 1
        continue
      }
      guard let unit = codeUnit(bytes, at: position) else {
        position += 2
        continue
      }
      let isHigh = (0xD800..<0xDC00).contains(unit)
      if isHigh, let next = codeUnit(bytes, at: position + 6), (0xDC00..<0xE000).contains(next) {
        position += 12
        continue
      }
      if isHigh || (0xDC00..<0xE000).contains(unit) {
        bytes.replaceSubrange(position + 2..<position + 6, with: "fffd".utf8)
        isChanged = true
      }
      position += 6
    }
    return position + 1
  }

  /// The unit that `\uXXXX` at that place stands for.
  private static func codeUnit(_ bytes: [UInt8], at position: Int) -> UInt16? {
    guard position + 6 <= bytes.count, bytes[position] == backslash,
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = bytes[position + 2..<position + 6]
    guard digits.allSatisfy({ isDigit($0) || (0x61...0x66).contains($0 | 0x20) }) else {
      return nil
    }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the place behind the number.
  private static func repairNumber(
    _ bytes: inout [UInt8], from start: Int, _ isChanged: inout Bool
  ) -> Int {
    let signs: [UInt8] = Array("+-.eE".utf8)
    var end = start
    while end < bytes.count, isDigit(bytes[end]) || signs.contains(bytes[end]) { end += 1 }
    // Whole numbers are kept as text, however long.
    let number = bytes[start..<end]
    guard number.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      Double(String(decoding: number, as: UTF8.self))?.isFinite == false
    else { return end }
    bytes.replaceSubrange(
      start..<end, with: Array("null".utf8) + [UInt8](repeating: 0x20, count: number.count - 4))
    isChanged = true
    return end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
