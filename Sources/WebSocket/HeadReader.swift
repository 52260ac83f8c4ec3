/// The head of an HTTP message: everything before the body.
struct Head: Sendable {
  var startLine: String
  var headers: [Header]
}

/// Reads a head in whatever pieces it comes (RFC 9112 sections 2.1 and 5), strictly: a line ends in
/// CR LF, is not folded and holds no control characters. What is wrong is found at its first byte.
struct HeadReader: Sendable {
  /// Bytes of a head in all.
  static let largestHead = 65_536
  static let mostFields = 128

  enum Problem: Error, Equatable {
    /// The first line cannot be one of this protocol. Carries its beginning.
    case foreign(String)
    /// Carries the beginning of the line concerned.
    case malformed(String)
    case tooLarge
  }

  private let prefix: [UInt8]
  private let isLenientBeforeStart: Bool
  private var line: [UInt8] = []
  private var hasCarriageReturn = false
  private var size = 0
  private var startLine: String?
  private var headers: [Header] = []

  /// A start line that does not begin with `prefix` is foreign. One empty line before the start line
  /// is passed over where `skipsEmptyLine` is set (RFC 9112 section 2.2, for servers).
  init(prefix: String = "", skipsEmptyLine: Bool = false) {
    self.prefix = Array(prefix.utf8)
    isLenientBeforeStart = skipsEmptyLine
  }

  /// Takes bytes from `position` on, up to the end of the head or of the bytes, and moves `position`
  /// behind them. The head, once it is whole.
  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(Problem) -> Head? {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      size += 1
      guard size <= Self.largestHead else { throw .tooLarge }
      if let head = try take(byte) { return head }
    }
    return nil
  }

  /// The bytes ended inside the head: the first line so far, where it is none of this protocol.
  var foreignLine: String? {
    startLine == nil && !line.starts(with: prefix) && !prefix.starts(with: line) ? excerpt : nil
  }

  private mutating func take(_ byte: UInt8) throws(Problem) -> Head? {
    switch byte {
    case 0x0A:
      guard hasCarriageReturn else { throw problemOfLine }
      hasCarriageReturn = false
      return try endLine()
    case _ where hasCarriageReturn, _ where byte != 0x0D && byte.isForbiddenInHead:
      throw problemOfLine
    case 0x0D:
      hasCarriageReturn = true
    default:
      line.append(byte)
      // A line of another protocol may never end; this many bytes are enough to know, and to show.
      if startLine == nil, line.count == 64, !line.starts(with: prefix) { throw problemOfLine }
    }
    return nil
  }

  private mutating func endLine() throws(Problem) -> Head? {
    guard let startLine else {
      if line.isEmpty, isLenientBeforeStart, size == 2 { return nil }
      guard !line.isEmpty, line.starts(with: prefix) else { throw .foreign(excerpt) }
      startLine = String(decoding: line, as: UTF8.self)
      line.removeAll(keepingCapacity: true)
      return nil
    }
    if line.isEmpty { return Head(startLine: startLine, headers: headers) }
    guard headers.count < Self.mostFields else { throw .tooLarge }
    headers.append(try readField())
    line.removeAll(keepingCapacity: true)
    return nil
  }

  private func readField() throws(Problem) -> Header {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed(excerpt) }
    let name = String(decoding: line[..<colon], as: UTF8.self)
    // No token begins with a blank or ends in one: this refuses folded lines too.
    guard name.isToken else { throw .malformed(excerpt) }
    return Header(name, String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self))
  }

  private var problemOfLine: Problem {
    startLine == nil && !line.starts(with: prefix) ? .foreign(excerpt) : .malformed(excerpt)
  }

  private var excerpt: String { String(decoding: line.prefix(120), as: UTF8.self) }
}
