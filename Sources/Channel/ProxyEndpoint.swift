import Text

/// A proxy that connections go through: how it is spoken to, where it is, and as whom.
package struct ProxyEndpoint: Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable {
    /// CONNECT (RFC 9110 section 9.3.6).
    case http
    /// CONNECT over TLS with the proxy itself.
    case https
    /// SOCKS 5 (RFC 1928): the server's name is looked up here, and its address is asked for.
    case socks5
    /// SOCKS 5: the proxy is given the server's name.
    case socks5h
  }

  package struct Credentials: Equatable, Sendable {
    package var user: String
    package var password: String
  }

  package var kind: Kind
  /// Without the brackets of an IPv6 address.
  package var host: String
  package var port: UInt16
  /// Percent-decoded. Never shown.
  package var credentials: Credentials?
  /// Who named it: `--proxy`, or a variable of the environment such as `https_proxy`.
  package var source: String

  package init(
    kind: Kind, host: String, port: UInt16, credentials: Credentials? = nil,
    source: String = "--proxy"
  ) {
    self.kind = kind
    self.host = host
    self.port = port
    self.credentials = credentials
    self.source = source
  }

  /// Reads `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT]`; without a scheme it is http. What follows the port is
  /// passed over, as curl does. The port is 443 for https and 1080 for all others where none is written.
  package init(parsing text: String, source: String = "--proxy") throws(EndpointError) {
    let bytes = Array(text.utf8.prefix(Self.longest + 1))
    guard bytes.count <= Self.longest else {
      throw EndpointError(
        message: "The proxy's URL is longer than \(Self.longest) bytes: shorten it")
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw EndpointError(
        message: "The proxy's URL holds a control character or a line break: leave it out")
    }
    let (kind, start) = try Self.scheme(of: bytes)
    let authority = bytes[start...].prefix { !Self.isEnd($0) }
    let rest = bytes[authority.endIndex...]
    let at = bytes[start...].lastIndex(of: UInt8(ascii: "@"))
    let name = Self.safe(bytes[(at.map { $0 + 1 } ?? start)...].prefix { !Self.isEnd($0) })
    let subject = name.isEmpty ? "The proxy's URL" : "The proxy \(name)"
    let parts = try Authority(
      authority, of: subject, example: "http://proxy.example:3128",
      mayHoldSecret: rest.contains(UInt8(ascii: "@")))
    self.init(
      kind: kind, host: parts.host, port: parts.port ?? (kind == .https ? 443 : 1080),
      source: source)
    if let raw = parts.userinfo { credentials = try credentials(of: raw, subject) }
  }

  private static let longest = 8192

  /// As it may be shown: without user and password.
  package var shown: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(kind.rawValue)://\(name):\(port)"
  }

  /// For the middle of a sentence: which proxy, and who named it.
  package var named: String { "the proxy \(shown) (\(source))" }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func scheme(
    of bytes: [UInt8]
  ) throws(EndpointError) -> (kind: Kind, start: Int) {
    // A password may hold these three characters further on.
    let name = bytes.prefix {
      PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") || $0 == UInt8(ascii: "+")
    }
    guard bytes[name.endIndex...].starts(with: "://".utf8) else { return (.http, 0) }
    let scheme = String(decoding: name, as: UTF8.self).lowercased()
    guard let kind = Kind(rawValue: scheme) else {
      throw EndpointError(
        message: "\(safe(name)):// is no kind of proxy that is spoken here: "
          + "use http, https, socks5 or socks5h")
    }
    return (kind, name.endIndex + 3)
  }

  private func credentials(
    of raw: ArraySlice<UInt8>, _ subject: String
  ) throws(EndpointError) -> Credentials {
    let user = raw.prefix { $0 != UInt8(ascii: ":") }
    let credentials = Credentials(
      user: try Authority.decoded(user, of: subject),
      password: try Authority.decoded(raw[user.endIndex...].dropFirst(), of: subject))
    switch kind {
    case .http, .https:
      // RFC 7617 section 2: the first colon ends the user.
      guard !credentials.user.utf8.contains(UInt8(ascii: ":")) else {
        throw EndpointError(
          message: "\(subject) cannot be told a user with a colon: HTTP has no way to write it")
      }
    case .socks5, .socks5h:
      // RFC 1929 section 2: a length of one byte.
      guard credentials.user.utf8.count <= 255, credentials.password.utf8.count <= 255 else {
        throw EndpointError(
          message: "\(subject) cannot be told user or password: SOCKS takes 255 bytes of each")
      }
    }
    return credentials
  }

  private static func safe(_ part: ArraySlice<UInt8>) -> String {
    UntrustedText(String(decoding: part, as: UTF8.self)).safe(for: .line, limit: 100)
  }
}
