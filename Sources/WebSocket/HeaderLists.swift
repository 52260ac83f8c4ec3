/// Look-ups that follow RFC 9110 section 5: names without regard to case, lists over repeated lines.
extension [Header] {
  /// The values of every field of this name, in order.
  package func values(of name: String) -> [String] {
    filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// The elements of a comma-separated list, over all fields of this name; empty ones are left out.
  package func elements(of name: String) -> [String] {
    values(of: name).flatMap { value in
      value.utf8.split(separator: UInt8(ascii: ",")).map { String($0.trimmed) ?? "" }
    }.filter { !$0.isEmpty }
  }

  /// Whether such a list has this token, in any case.
  package func hasElement(_ token: String, of name: String) -> Bool {
    elements(of: name).contains { $0.equalsIgnoringCase(token) }
  }
}

extension String {
  /// Equality with only the letters of ASCII folded, as HTTP compares tokens.
  func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// Whether this is a token (RFC 9110 section 5.6.2).
  var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }

  /// Whether this can stand in a field value: no control character but the tab.
  var isFieldValue: Bool { !utf8.contains(where: \.isForbiddenInHead) }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

  /// The control characters, which may stand nowhere in a head (RFC 9110 section 5.5); the tab may.
  var isForbiddenInHead: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  var isDigit: Bool { 0x30...0x39 ~= self }

  var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// Without the spaces and tabs at both ends.
  var trimmed: SubSequence {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var part = drop(while: isBlank)
    while let last = part.last, isBlank(last) { part.removeLast() }
    return part
  }
}
