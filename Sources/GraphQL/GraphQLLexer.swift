/// A lexical token of a document (GraphQL specification, section 2.1.6).
struct GraphQLToken: Equatable {
  enum Kind: Equatable {
    case end, punctuator, name, integer, float, string
  }

  var kind: Kind
  /// As it stood; the value where it is a string.
  var text: String
  var offset: Int

  /// How messages name it.
  var description: String {
    switch kind {
    case .end: "<EOF>"
    case .punctuator: "\"\(text)\""
    case .name: "Name \"\(text.shortened())\""
    case .integer: "Int \"\(text.shortened())\""
    case .float: "Float \"\(text.shortened())\""
    case .string: "String \"\(text.shortened())\""
    }
  }
}

/// Cuts a document into tokens, one at a time.
struct GraphQLLexer {
  let source: GraphQLSource
  let limits: GraphQLLimits
  private var position = 0
  private var count = 0

  init(_ source: GraphQLSource, _ limits: GraphQLLimits) {
    self.source = source
    self.limits = limits
  }

  mutating func next() throws(GraphQLError) -> GraphQLToken {
    skipIgnored()
    let start = position
    guard let first = peek() else {
      return GraphQLToken(kind: .end, text: "", offset: start)
    }
    count += 1
    guard count <= limits.tokens else {
      throw source.syntaxError(
        "Document contains more than \(limits.tokens) tokens.", at: start)
    }
    switch first {
    case UInt8(ascii: "."):
      guard peek(1) == first, peek(2) == first else { throw unexpected(at: start) }
      position += 3
      return GraphQLToken(kind: .punctuator, text: "...", offset: start)
    case .quote:
      if peek(1) == .quote, peek(2) == .quote {
        return GraphQLToken(kind: .string, text: try blockString(), offset: start)
      }
      return GraphQLToken(kind: .string, text: try quotedString(), offset: start)
    case UInt8(ascii: "-"):
      return try number()
    case _ where first.isDigit:
      return try number()
    case _ where first.startsName:
      while let byte = peek(), byte.startsName || byte.isDigit { position += 1 }
      return GraphQLToken(kind: .name, text: text(from: start), offset: start)
    case _ where Self.punctuators.contains(first):
      position += 1
      return GraphQLToken(kind: .punctuator, text: text(from: start), offset: start)
    default:
      throw unexpected(at: start)
    }
  }

  private static let punctuators = Array("!$&():=@[]{|}".utf8)

  private func peek(_ distance: Int = 0) -> UInt8? {
    let index = position + distance
    return index < source.bytes.count ? source.bytes[index] : nil
  }

  private func text(from start: Int) -> String {
    String(decoding: source.bytes[start..<position], as: UTF8.self)
  }

  /// White space, line terminators, commas, comments and byte order marks (section 2.1.7).
  private mutating func skipIgnored() {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09, .lineFeed, .carriageReturn, UInt8(ascii: ","):
        position += 1
      case UInt8(ascii: "#"):
        while let next = peek(), next != .lineFeed, next != .carriageReturn { position += 1 }
      case 0xEF where peek(1) == 0xBB && peek(2) == 0xBF:
        position += 3
      default:
        return
      }
    }
  }

  private func unexpected(at offset: Int) -> GraphQLError {
    guard offset < source.bytes.count else {
      return source.syntaxError("Unexpected <EOF>.", at: offset)
    }
    let rest = String(decoding: source.bytes[offset...].prefix(4), as: UTF8.self)
    guard let scalar = rest.unicodeScalars.first else {
      return source.syntaxError("Unexpected <EOF>.", at: offset)
    }
    let name =
      (0x21..<0x7F).contains(scalar.value)
      ? "\"\(scalar)\"" : "U+\(Self.hexadecimal(scalar.value))"
    return source.syntaxError("Unexpected character: \(name).", at: offset)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  // MARK: Numbers (sections 2.9.1 and 2.9.2)

  private mutating func number() throws(GraphQLError) -> GraphQLToken {
    let start = position
    var kind = GraphQLToken.Kind.integer
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0") {
      position += 1
      if let byte = peek(), byte.isDigit { throw unexpectedInNumber() }
    } else {
      try digits()
    }
    if peek() == UInt8(ascii: ".") {
      kind = .float
      position += 1
      try digits()
    }
    if let byte = peek(), byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      kind = .float
      position += 1
      if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    if let byte = peek(), byte == UInt8(ascii: ".") || byte.startsName {
      throw unexpectedInNumber()
    }
    return GraphQLToken(kind: kind, text: text(from: start), offset: start)
  }

  private mutating func digits() throws(GraphQLError) {
    guard let first = peek(), first.isDigit else { throw unexpectedInNumber() }
    while let byte = peek(), byte.isDigit { position += 1 }
  }

  private func unexpectedInNumber() -> GraphQLError {
    guard let byte = peek() else {
      return source.syntaxError("Invalid number, expected digit but got: <EOF>.", at: position)
    }
    let found = byte < 0x80 ? String(UnicodeScalar(byte)) : "a character beyond ASCII"
    return source.syntaxError(
      "Invalid number, expected digit but got: \"\(found)\".", at: position)
  }

  // MARK: Strings (section 2.9.4)

  private mutating func quotedString() throws(GraphQLError) -> String {
    var value: [UInt8] = []
    position += 1
    while let byte = peek(), byte != .lineFeed, byte != .carriageReturn {
      switch byte {
      case .quote:
        position += 1
        return String(decoding: value, as: UTF8.self)
      case .backslash:
        try escape(into: &value)
      default:
        value.append(byte)
        position += 1
      }
    }
    throw source.syntaxError("Unterminated string.", at: position)
  }

  private mutating func escape(into value: inout [UInt8]) throws(GraphQLError) {
    let start = position
    guard let letter = peek(1) else {
      throw source.syntaxError("Unterminated string.", at: start)
    }
    position += 2
    switch letter {
    case .quote, .backslash, UInt8(ascii: "/"): value.append(letter)
    case UInt8(ascii: "b"): value.append(0x08)
    case UInt8(ascii: "f"): value.append(0x0C)
    case UInt8(ascii: "n"): value.append(.lineFeed)
    case UInt8(ascii: "r"): value.append(.carriageReturn)
    case UInt8(ascii: "t"): value.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = unicodeEscape() else {
        throw source.syntaxError("Invalid Unicode escape sequence.", at: start)
      }
      value.append(contentsOf: String(scalar).utf8)
    default:
      throw source.syntaxError("Invalid character escape sequence.", at: start)
    }
  }

  /// What stands behind `\u`: four digits, two surrogates of four digits each, or braces.
  private mutating func unicodeEscape() -> UnicodeScalar? {
    if peek() == UInt8(ascii: "{") {
      position += 1
      var code: UInt32 = 0
      var digits = 0
      while let digit = peek()?.hexDigitValue {
        code = code << 4 | digit
        digits += 1
        position += 1
        if code > 0x10FFFF { return nil }
      }
      guard digits > 0, peek() == UInt8(ascii: "}") else { return nil }
      position += 1
      return UnicodeScalar(code)
    }
    guard let first = fourHexDigits() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return UnicodeScalar(first) }
    guard peek() == .backslash, peek(1) == UInt8(ascii: "u") else { return nil }
    position += 2
    guard let second = fourHexDigits(), (0xDC00..<0xE000).contains(second) else { return nil }
    return UnicodeScalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
  }

  private mutating func fourHexDigits() -> UInt32? {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek()?.hexDigitValue else { return nil }
      code = code << 4 | digit
      position += 1
    }
    return code
  }

  private mutating func blockString() throws(GraphQLError) -> String {
    var raw: [UInt8] = []
    position += 3
    while let byte = peek() {
      if byte == .quote, peek(1) == .quote, peek(2) == .quote {
        position += 3
        return GraphQLBlockString.value(of: raw)
      }
      if byte == .backslash, peek(1) == .quote, peek(2) == .quote, peek(3) == .quote {
        raw.append(contentsOf: [.quote, .quote, .quote])
        position += 4
      } else {
        raw.append(byte)
        position += 1
      }
    }
    throw source.syntaxError("Unterminated string.", at: position)
  }
}
