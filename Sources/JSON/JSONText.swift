/// Looks at a JSON text as it stands, for where a value has to go on exactly as it came: numbers with every
/// digit, members in their order, escapes as they were written.
///
/// The text must have passed `JSON.parse`; with any other the answers are of no use, but nothing traps.
package struct JSONText {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Where the value of that member of an object stands (the last one where the name stands twice); nil where
  /// there is none, and for anything but an object.
  package static func member(_ name: String, in text: RawSpan) -> Range<Int>? {
    text.withUnsafeBytes { bytes in
      var reader = JSONText(bytes)
      return reader.member(name)
    }
  }

  /// The text in one line: without the line ends that may stand between its tokens.
  package static func line(_ text: RawSpan) -> [UInt8] {
    text.withUnsafeBytes { bytes in
      // Most texts are one line already. Without a way out of the loop the compiler takes many bytes at once.
      var ends: UInt8 = 0
      for byte in bytes { ends |= byte == 0x0A || byte == 0x0D ? 1 : 0 }
      if ends == 0 { return [UInt8](bytes) }
      // Inside of strings JSON has them escaped only.
      return bytes.filter { $0 != 0x0A && $0 != 0x0D }
    }
  }

  /// The text with a member or element a line, indented by two spaces for each level.
  package static func indented(_ text: RawSpan) -> [UInt8] {
    text.withUnsafeBytes { bytes in
      var reader = JSONText(bytes)
      return reader.indented()
    }
  }

  private mutating func indented() -> [UInt8] {
    var result: [UInt8] = []
    var level = 0
    func newLine() {
      result.append(UInt8(ascii: "\n"))
      result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
    while let byte = nextToken() {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        position += 1
        result.append(byte)
        if nextToken().map(isClosing) == true {
          result.append(bytes[position])
          position += 1
        } else {
          level += 1
          newLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        position += 1
        level = max(0, level - 1)
        newLine()
        result.append(byte)
      case UInt8(ascii: ","):
        position += 1
        result.append(byte)
        newLine()
      case UInt8(ascii: ":"):
        position += 1
        result.append(contentsOf: ": ".utf8)
      default:
        let start = position
        skipScalar()
        result.append(contentsOf: bytes[start..<position])
      }
    }
    return result
  }

  private mutating func member(_ name: String) -> Range<Int>? {
    guard nextToken() == UInt8(ascii: "{") else { return nil }
    position += 1
    var found: Range<Int>?
    while nextToken() == UInt8(ascii: "\"") {
      let start = position
      skipScalar()
      let key = start..<position
      guard nextToken() == UInt8(ascii: ":") else { return found }
      position += 1
      guard nextToken() != nil else { return found }
      let valueStart = position
      skipValue()
      if isKey(key, name) { found = valueStart..<position }
      guard nextToken() == UInt8(ascii: ",") else { return found }
      position += 1
    }
    return found
  }

  private func isKey(_ range: Range<Int>, _ name: String) -> Bool {
    let key = bytes[range].dropFirst().dropLast()
    if !key.contains(UInt8(ascii: "\\")) { return key.elementsEqual(name.utf8) }
    let text = String(decoding: bytes[range], as: UTF8.self)
    return (try? JSON.parse(text))?.string == name
  }

  /// The next byte that is no white space, without going past it; nil at the end.
  private mutating func nextToken() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        position += 1
      default: return bytes[position]
      }
    }
    return nil
  }

  /// Past a value of any kind, counting brackets instead of recursing.
  private mutating func skipValue() {
    var level = 0
    while let byte = nextToken() {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        position += 1
        level += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard level > 0 else { return }
        position += 1
        level -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard level > 0 else { return }
        position += 1
        continue
      default: skipScalar()
      }
      if level == 0 { return }
    }
  }

  /// Past a string, a number or a word; one byte at least.
  private mutating func skipScalar() {
    guard bytes[position] == UInt8(ascii: "\"") else {
      repeat { position += 1 } while position < bytes.count && isPartOfWord(bytes[position])
      return
    }
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    position = min(position, bytes.count)
  }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }
}
