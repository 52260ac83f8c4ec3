import JSON

/// A place in a document, both counted from one (GraphQL specification, section 7.1.2).
struct GraphQLLocation: Equatable, Sendable {
  var line: Int
  /// In Unicode scalar values.
  var column: Int
}

/// An error of a request or of a field, in the shape of the specification's section 7.1.2.
struct GraphQLError: Error, Equatable, Sendable {
  var message: String
  var locations: [GraphQLLocation] = []
  /// Response keys and list positions from the root to the field; empty for errors of the request.
  var path: [JSON] = []

  var json: JSON {
    var members = [JSON.Member("message", .string(message))]
    if !locations.isEmpty {
      members.append(
        JSON.Member(
          "locations",
          .array(
            locations.map {
              ["line": .integer(Int64($0.line)), "column": .integer(Int64($0.column))]
            })))
    }
    if !path.isEmpty {
      members.append(JSON.Member("path", .array(path)))
    }
    return .object(members)
  }
}

/// The text of a document, and what stands where in it.
struct GraphQLSource: Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  func location(at offset: Int) -> GraphQLLocation {
    var location = GraphQLLocation(line: 1, column: 1)
    var position = 0
    while position < min(offset, bytes.count) {
      let byte = bytes[position]
      position += 1
      if byte == .lineFeed || byte == .carriageReturn {
        // CR LF is one line terminator (section 2.1.2).
        if byte == .carriageReturn, position < min(offset, bytes.count),
          bytes[position] == .lineFeed
        {
          position += 1
        }
        location.line += 1
        location.column = 1
      } else if byte & 0xC0 != 0x80 {
        location.column += 1
      }
    }
    return location
  }

  func error(_ message: String, at offsets: Int...) -> GraphQLError {
    GraphQLError(message: message, locations: offsets.map(location(at:)))
  }

  func syntaxError(_ message: String, at offset: Int) -> GraphQLError {
    error("Syntax Error: \(message)", at: offset)
  }
}

extension UInt8 {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// A letter of ASCII or the underscore.
  var startsName: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || self == UInt8(ascii: "_")
  }

  var hexDigitValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension String {
  /// At most `count` characters, for texts of others inside a message.
  func shortened(to count: Int = 40) -> String {
    self.unicodeScalars.count <= count
      ? self : String(String.UnicodeScalarView(self.unicodeScalars.prefix(count))) + "…"
  }
}
