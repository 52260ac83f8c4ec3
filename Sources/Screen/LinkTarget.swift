import Text

/// Where a link leads, as a terminal may be told by OSC 8: printable ASCII without blanks, of the web or a WebSocket.
package struct LinkTarget: Hashable, Sendable {
  /// What terminals take at least.
  private static let mostBytes = 2_000

  package let uri: String
  /// The same for all parts of a link that was wrapped: letters, digits and "-".
  package let id: String

  /// The link as it stands in safe text; nil where it is too long.
  package init?(_ link: String, id: String) {
    let schemes = ["http://", "https://", "ws://", "wss://"]
    let start = link.prefix(8).lowercased()
    guard schemes.contains(where: { start.hasPrefix($0) }) else { return nil }
    var bytes: [UInt8] = []
    for byte in asciiLink(link).utf8 {
      if (0x21...0x7E).contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [0x25, hexDigit(byte >> 4), hexDigit(byte & 15)]
      }
    }
    guard bytes.count <= Self.mostBytes else { return nil }
    uri = String(decoding: bytes, as: UTF8.self)
    self.id = id
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

/// Cells of one row that are part of a link.
package struct GridLink: Equatable, Sendable {
  package var row: Int
  package var columns: Range<Int>
  package var target: LinkTarget

  package init(row: Int, columns: Range<Int>, target: LinkTarget) {
    self.row = row
    self.columns = columns
    self.target = target
  }
}
