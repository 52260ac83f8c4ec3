/// The first line of an answer (RFC 9112 section 4). The reason may be missing, with its space too.
struct StatusLine: Equatable {
  var version: String
  var code: Int
  var reason: String
  /// The line as it came.
  let line: String

  init?(_ line: String) {
    let parts = line.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let version = String(parts[0]), Self.isVersion(version) else {
      return nil
    }
    let digits = parts[1]
    guard digits.count == 3, digits.allSatisfy(\.isDigit), let text = String(digits),
      let code = Int(text), code >= 100
    else { return nil }
    self.line = line
    self.version = version
    self.code = code
    reason = parts.count > 2 ? String(decoding: parts[2].trimmed, as: UTF8.self) : ""
  }

  /// HTTP-version (RFC 9112 section 2.3): "HTTP/", a digit, a dot, a digit.
  static func isVersion(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 8 && text.hasPrefix("HTTP/") && bytes[5].isDigit
      && bytes[6] == UInt8(ascii: ".") && bytes[7].isDigit
  }
}
