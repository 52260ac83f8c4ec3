/// Percent-encoding of RFC 3986 section 2.1, on bytes.
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The value of a hexadecimal digit; nil for any other byte.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// ALPHA / DIGIT / "-" / "." / "_" / "~" (section 2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// What may stand in a path or a query as it is: pchar / "/" / "?" (sections 3.3 and 3.4).
  static func isTargetByte(_ byte: UInt8) -> Bool {
    if isUnreserved(byte) { return true }
    return switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
      UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  /// Makes path and query fit for a request line; escapes that are there already are kept, a percent
  /// sign that begins none is escaped itself.
  static func encodingTarget(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in zip(bytes.indices, bytes) {
      if isTargetByte(byte) || (byte == UInt8(ascii: "%") && beginsEscape(bytes, at: index)) {
        result.append(byte)
      } else {
        appendEscape(of: byte, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Escapes everything that is not unreserved: the text becomes one value of a query.
  static func encodingValue(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) { result.append(byte) } else { appendEscape(of: byte, to: &result) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes escapes; a percent sign that begins none stands for itself.
  static func decoding(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func beginsEscape(_ bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
    index + 2 < bytes.endIndex && hexValue(bytes[index + 1]) != nil
      && hexValue(bytes[index + 2]) != nil
  }

  private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
    result.append(UInt8(ascii: "%"))
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
}
