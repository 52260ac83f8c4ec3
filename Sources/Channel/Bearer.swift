/// A bearer token (RFC 6750). Its description never shows it.
package struct Bearer: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The token itself, for the one place that writes it to the wire.
  package let secret: String

  /// More than any server takes in a header.
  private static let longest = 65_536

  /// Takes the first line, without white space around it. Nil where it is empty, holds characters that
  /// no header may carry (anything but visible ASCII, spaces and tabs, RFC 9110 section 5.5), or is longer
  /// than 64 KiB.
  package init?(firstLineOf text: String) {
    let line = text.utf8.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    var bytes = Array(line)[...]
    while let first = bytes.first, Self.isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.count <= Self.longest,
      bytes.allSatisfy({ (0x21...0x7E).contains($0) || Self.isSpace($0) })
    else { return nil }
    secret = String(decoding: bytes, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  package var description: String { "<bearer>" }
  package var debugDescription: String { "<bearer>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
