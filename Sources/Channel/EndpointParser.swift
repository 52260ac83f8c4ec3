import Text

/// Takes a URL apart by hand, so that every refusal can say which part is wrong. Works on bytes: what
/// is one Character ("\r\n") must not hide a control character.
///
/// No sentence shows user, password or query.
struct EndpointParser {
  private static let longest = 8192

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

    let subject = "The URL \(named)"
    let parts = try Authority(
      authority, of: subject, example: "wss://chat.example/room",
      mayHoldSecret: rest[authority.endIndex...].contains(UInt8(ascii: "@")))
    var userinfo: String?
    if let raw = parts.userinfo { userinfo = try Authority.decoded(raw, of: subject) }
    return Endpoint(
      isSecure: isSecure, host: parts.host,
      port: parts.port ?? Endpoint.defaultPort(isSecure: isSecure), target: target,
      userinfo: userinfo)
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
