import Glibc
import Text

/// Takes a URL apart by hand, so that every refusal can say which part is wrong. Works on bytes: what
/// is one Character ("\r\n") must not hide a control character.
///
/// No sentence shows user, password or query.
struct EndpointParser {
  private static let longest = 8192
  private static let longestHost = 253

  private let bytes: [UInt8]

  init(_ text: String) {
    // A long text is refused without a copy of it.
    bytes = Array(text.utf8.prefix(EndpointParser.longest + 1))
  }

  func parse() throws(EndpointError) -> Endpoint {
    guard !bytes.isEmpty else {
      throw EndpointError(message: "The URL is empty: write one such as wss://chat.example/room")
    }
    guard bytes.count <= EndpointParser.longest else {
      throw EndpointError(
        message: "The URL is longer than \(EndpointParser.longest) bytes: shorten it")
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw EndpointError(
        message: "The URL \(named) holds a control character or a line break: leave it out")
    }
    let (isSecure, start) = try scheme()
    let rest = bytes[start...]
    guard !rest.contains(UInt8(ascii: "#")) else {
      throw EndpointError(
        message: "The URL \(named) has a fragment (#…), which WebSockets do not know: "
          + "leave it out or write # as %23")
    }
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let authority = rest[..<(end ?? rest.endIndex)]
    let encoded = PercentEncoding.encodingTarget(rest[(end ?? rest.endIndex)...])
    let target = encoded.utf8.first == UInt8(ascii: "/") ? encoded : "/" + encoded

    var hostAndPort = authority
    var userinfo: String?
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      userinfo = try decodedUserinfo(authority[..<at])
      hostAndPort = authority[(at + 1)...]
    }
    let (host, port) = try hostAndPortParts(hostAndPort)
    return Endpoint(
      isSecure: isSecure, host: host,
      port: try number(ofPort: port, host: host) ?? Endpoint.defaultPort(isSecure: isSecure),
      target: target, userinfo: userinfo)
  }

  /// Whether TLS is wanted, and where the authority begins.
  private func scheme() throws(EndpointError) -> (isSecure: Bool, start: Int) {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8), isSchemeName(bytes[..<colon])
    else {
      throw EndpointError(message: "\(named) is no URL: begin with ws:// or wss://")
    }
    let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    switch name {
    case "ws", "http": return (false, colon + 3)
    case "wss", "https": return (true, colon + 3)
    default:
      throw EndpointError(
        message: "\(safe(name)):// is not a scheme of WebSockets: begin with ws:// or wss://")
    }
  }

  private func isSchemeName(_ name: ArraySlice<UInt8>) -> Bool {
    !name.isEmpty
      && name.allSatisfy {
        PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") || $0 == UInt8(ascii: "+")
      }
  }

  private func decodedUserinfo(_ raw: ArraySlice<UInt8>) throws(EndpointError) -> String? {
    guard !raw.isEmpty else { return nil }
    let decoded = PercentEncoding.decoding(raw)
    // RFC 7617 section 2: neither user nor password holds control characters.
    guard !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let text = String(validating: decoded, as: UTF8.self)
    else {
      throw EndpointError(
        message: "User or password in the URL \(named) is not readable text: "
          + "check its percent-escapes")
    }
    return text
  }

  /// The host without brackets, and the digits after its colon, if there is one.
  private func hostAndPortParts(
    _ part: ArraySlice<UInt8>
  ) throws(EndpointError) -> (host: String, port: ArraySlice<UInt8>?) {
    if part.first == UInt8(ascii: "[") {
      guard let bracket = part.firstIndex(of: UInt8(ascii: "]")) else {
        throw EndpointError(message: "The URL \(named) opens a bracket and never closes it: add ]")
      }
      let after = part[(bracket + 1)...]
      guard after.isEmpty || after.first == UInt8(ascii: ":") else {
        throw EndpointError(
          message: "The URL \(named) has something between ] and the port: write [ADDRESS]:PORT")
      }
      let address = String(decoding: part[(part.startIndex + 1)..<bracket], as: UTF8.self)
      guard isIPv6(address) else {
        throw EndpointError(
          message: "[\(safe(address))] is no IPv6 address: write one such as [::1]")
      }
      return (address.lowercased(), after.isEmpty ? nil : after.dropFirst())
    }
    let colon = part.firstIndex(of: UInt8(ascii: ":"))
    let host = part[..<(colon ?? part.endIndex)]
    let port = colon.map { part[($0 + 1)...] }
    if let port, port.contains(UInt8(ascii: ":")) {
      throw EndpointError(
        message: "\(safe(part)) has more than one colon: write IPv6 addresses in brackets, [::1]:80"
      )
    }
    return (try checkedHost(host), port)
  }

  private func checkedHost(_ raw: ArraySlice<UInt8>) throws(EndpointError) -> String {
    guard !raw.isEmpty else {
      throw EndpointError(
        message: "The URL \(named) names no host: write one such as wss://chat.example/room")
    }
    guard raw.allSatisfy({ $0 < 0x80 }) else {
      throw EndpointError(
        message: "The host \(safe(raw)) has letters outside ASCII, which cannot be looked up yet: "
          + "write its xn-- form")
    }
    let isLegal = raw.allSatisfy {
      PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
    }
    guard isLegal else {
      throw EndpointError(
        message: "The host \(safe(raw)) holds characters that no host name has: "
          + "use letters, digits, dots and hyphens")
    }
    var labels = raw.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // One dot at the end says that the name is complete.
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard raw.count <= EndpointParser.longestHost + 1,
      labels.allSatisfy({ (1...63).contains($0.count) })
    else {
      throw EndpointError(
        message: "The host \(safe(raw)) is no host name: "
          + "its parts must have 1 to 63 characters, 253 in all")
    }
    return String(decoding: raw, as: UTF8.self).lowercased()
  }

  private func isIPv6(_ address: String) -> Bool {
    guard address.utf8.allSatisfy({ $0 < 0x80 }), address.utf8.count < 64 else { return false }
    var parsed = in6_addr()
    return inet_pton(AF_INET6, address, &parsed) == 1
  }

  /// Nil where the port is left out or empty, which stands for the scheme's own (RFC 3986, 3.2.3).
  private func number(ofPort digits: ArraySlice<UInt8>?, host: String) throws(EndpointError)
    -> UInt16?
  {
    guard let digits, !digits.isEmpty else { return nil }
    let isNumber = digits.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard isNumber, let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else {
      throw EndpointError(
        message: "\(safe(digits)) is no port for \(safe(host)): use a number from 1 to 65535")
    }
    return port
  }

  /// The URL for a sentence: what stands behind user and password, without the query.
  private var named: String {
    var part = bytes[...]
    if let at = part.lastIndex(of: UInt8(ascii: "@")) { part = part[(at + 1)...] }
    part = part.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return safe(part)
  }

  private func safe(_ part: ArraySlice<UInt8>) -> String {
    safe(String(decoding: part, as: UTF8.self))
  }

  private func safe(_ part: String) -> String {
    UntrustedText(part).safe(for: .line, limit: 100)
  }
}
