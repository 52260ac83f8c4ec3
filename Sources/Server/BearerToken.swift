import JSON
import WebSocket

/// A token that a client showed. It is compared and forgotten, and has no description.
struct BearerToken {
  private let bytes: [UInt8]

  /// A token as it stands, or behind the scheme "Bearer" (RFC 6750 section 2.1).
  init(_ text: String) {
    var value = Self.trimmed(Array(text.utf8)[...])
    let scheme = Array("bearer ".utf8)
    // Setting the bit of lower case leaves the space as it is.
    if value.prefix(scheme.count).map({ $0 | 0x20 }) == scheme {
      value = Self.trimmed(value.dropFirst(scheme.count))
    }
    bytes = Array(value)
  }

  /// The token of a `connection_init` payload, under the names seen in the wild; Hasura nests them.
  init?(introduction payload: JSON?) {
    let names = ["authorization", "authtoken", "token"]
    for place in [payload, payload?["headers"]] {
      for member in place?.members ?? [] where names.contains(member.key.lowercased()) {
        if let text = member.value.string {
          self.init(text)
          return
        }
      }
    }
    return nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  /// Takes as long whichever byte differs, and looks at all tokens, so that time tells nothing about them.
  func isOne(of tokens: [String]) -> Bool {
    var isKnown = false
    for token in tokens {
      let expected = Array(token.utf8)
      var difference = expected.count ^ bytes.count
      for (index, byte) in bytes.enumerated() where !expected.isEmpty {
        difference |= Int(byte ^ expected[index % expected.count])
      }
      isKnown = (difference == 0 && !expected.isEmpty) || isKnown
    }
    return isKnown
  }
}
