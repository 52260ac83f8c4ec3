/// A host and a port as people write them: `localhost:9000`, `127.0.0.1:9000`, `[::1]:9000`.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
  /// Without the brackets of an IPv6 address. Empty: every address of this machine.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads HOST:PORT, [IPV6]:PORT, :PORT and PORT alone; nil for anything else.
  package init?(parsing text: String) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
      guard let port = Self.port(text[...]) else { return nil }
      self.init(host: "", port: port)
      return
    }
    guard let port = Self.port(text[text.index(after: colon)...]) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("[") && host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { return nil }
    } else if host.contains(":") {
      // An IPv6 address without brackets: which colon begins the port?
      return nil
    }
    guard !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
    self.init(host: String(host), port: port)
  }

  package var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Digits only: `UInt16("+80")` would be a number too.
  private static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(text) : nil
  }
}
