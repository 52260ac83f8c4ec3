import Text

/// How much is written into a log; each level holds those before it.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  /// What failed.
  case error
  /// How the line fares: connecting, opened, closed, waiting, gave up.
  case notice
  /// How it came to be: look-up, addresses, TLS, both heads of the upgrade, steps of the dialect, pings.
  case debug
  /// Every frame.
  case frames

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .error: 0
    case .notice: 1
    case .debug: 2
    case .frames: 3
    }
  }
}

/// One event for the log.
package struct LogLine: Equatable, Sendable {
  package var level: LogLevel
  /// One line without tokens, cookies and passwords, made safe.
  package var words: String

  /// `words` as they came, of whatever origin.
  package init(_ level: LogLevel, _ words: String) {
    self.level = level
    self.words = UntrustedText(words).safe(for: .log, limit: LogLine.longest)
  }

  /// Longer ones are cut; a frame's payload has 256 bytes at most, each of four letters when it is escaped.
  private static let longest = 4096

  /// The line as it is written, with its end: the time in UTC with milliseconds, the level, the words.
  package func text(at time: Timestamp) -> String {
    "\(time.iso8601Milliseconds) \(level.rawValue) \(words)\n"
  }
}

/// The beginning of a payload as one line: what a terminal would obey is escaped, as are bytes that are no text.
/// `isCut` says that more follows.
func logText(_ bytes: [UInt8], isCut: Bool = false) -> String {
  var bytes = bytes
  if isCut { dropCutCharacter(&bytes) }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    return bytes.map(escaped).joined() + (isCut ? "…" : "")
  }
  return text.unicodeScalars.map(escaped).joined() + (isCut ? "…" : "")
}

private func escaped(_ byte: UInt8) -> String {
  guard byte >= 0x80 else { return escaped(Unicode.Scalar(byte)) }
  return "\\x" + String(byte, radix: 16)
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": return "\\n"
  case "\r": return "\\r"
  case "\t": return "\\t"
  case "\\": return "\\\\"
  default: break
  }
  if scalar.value < 0x20 || scalar.value == 0x7F {
    let digits = String(scalar.value, radix: 16)
    return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
    return "\\u{" + String(scalar.value, radix: 16) + "}"
  default:
    return String(scalar)
  }
}

/// The last character may have been cut in two.
private func dropCutCharacter(_ bytes: inout [UInt8]) {
  guard let start = bytes.indices.suffix(4).last(where: { bytes[$0] & 0xC0 != 0x80 }) else {
    return
  }
  let lead = bytes[start]
  let size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  if bytes.count - start < size { bytes.removeSubrange(start...) }
}
