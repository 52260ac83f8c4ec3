extension JSON {
  /// Compact text, members in order.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the compact text's UTF-8. Numbers that JSON does not know (infinity, not a number) become
  /// null. Values may be nested as deep as memory allows: the writer keeps a list instead of recursing.
  package func write(to bytes: inout [UInt8]) {
    var open: [OpenContainer] = []
    Self.begin(self, to: &bytes, &open)
    while let last = open.indices.last {
      let next = open[last].next
      switch open[last].value {
      case .array(let elements) where next < elements.count:
        open[last].next += 1
        if next > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.begin(elements[next], to: &bytes, &open)
      case .object(let members) where next < members.count:
        open[last].next += 1
        if next > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(members[next].key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.begin(members[next].value, to: &bytes, &open)
      case .array:
        bytes.append(UInt8(ascii: "]"))
        open.removeLast()
      default:
        bytes.append(UInt8(ascii: "}"))
        open.removeLast()
      }
    }
  }

  /// An array or object whose end has not been written.
  private struct OpenContainer {
    let value: JSON
    var next = 0
  }

  private static func begin(
    _ value: JSON, to bytes: inout [UInt8], _ open: inout [OpenContainer]
  ) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .double(let number):
      // Swift's description is the shortest text that reads back as the same number.
      bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
    case .bigInteger(let digits): bytes.append(contentsOf: digits.utf8)
    case .string(let text): write(text, to: &bytes)
    case .array:
      bytes.append(UInt8(ascii: "["))
      open.append(OpenContainer(value: value))
    case .object:
      bytes.append(UInt8(ascii: "{"))
      open.append(OpenContainer(value: value))
    }
  }

  /// RFC 8259 section 7: only the quotation mark, the reverse solidus and the control characters must be
  /// escaped.
  private static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { buffer in
      bytes.reserveCapacity(bytes.count + buffer.count + 2)
      bytes.append(UInt8(ascii: "\""))
      var start = 0
      for index in buffer.indices {
        let byte = buffer[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: buffer[start..<index])
        start = index + 1
        escape(byte, to: &bytes)
      }
      bytes.append(contentsOf: buffer[start...])
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
