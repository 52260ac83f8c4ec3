/// An extension with its parameters, offered or selected (RFC 6455 section 9.1).
package struct ExtensionElement: Equatable, Sendable, CustomStringConvertible {
  package struct Parameter: Equatable, Sendable {
    package var name: String
    package var value: String?

    package init(_ name: String, _ value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  static let fieldName = "Sec-WebSocket-Extensions"

  package var name: String
  package var parameters: [Parameter]

  package init(_ name: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.parameters = parameters
  }

  package var description: String {
    parameters.reduce(name) { text, parameter in
      text + "; " + parameter.name + (parameter.value.map { "=" + $0 } ?? "")
    }
  }

  /// Reads the values of all fields of this name; nil where they break the grammar. Empty elements are
  /// passed over, and blanks may stand around every sign (RFC 9110 section 5.6).
  package static func list(_ values: [String]) -> [ExtensionElement]? {
    var elements: [ExtensionElement] = []
    for value in values {
      var reader = FieldValueReader(value)
      while true {
        while reader.take(",") {}
        if reader.isAtEnd { break }
        guard let element = readElement(&reader), reader.isAtEnd || reader.take(",") else {
          return nil
        }
        elements.append(element)
      }
    }
    return elements
  }

  private static func readElement(_ reader: inout FieldValueReader) -> ExtensionElement? {
    guard let name = reader.takeToken() else { return nil }
    var element = ExtensionElement(name)
    while reader.take(";") {
      guard let name = reader.takeToken() else { return nil }
      var parameter = Parameter(name)
      if reader.take("=") {
        // A quoted value has to be a token once the quotes are off.
        guard let value = reader.takeToken() ?? reader.takeQuoted(), value.isToken else {
          return nil
        }
        parameter.value = value
      }
      element.parameters.append(parameter)
    }
    return element
  }
}

/// Reads the parts of a field value, passing over the blanks before and after each.
private struct FieldValueReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
    skipBlanks()
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    skipBlanks()
    return true
  }

  mutating func takeToken() -> String? {
    let token = bytes[index...].prefix(while: \.isTokenCharacter)
    guard !token.isEmpty else { return nil }
    index = token.endIndex
    skipBlanks()
    return String(decoding: token, as: UTF8.self)
  }

  /// What stands between quotes, with the backslashes off (RFC 9110 section 5.6.4).
  mutating func takeQuoted() -> String? {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        skipBlanks()
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard index + 1 < bytes.count else { return nil }
        text.append(bytes[index + 1])
        index += 2
      default:
        text.append(bytes[index])
        index += 1
      }
    }
    return nil
  }

  private mutating func skipBlanks() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
  }
}
