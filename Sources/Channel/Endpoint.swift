/// A ws:// or wss:// URL, taken apart and checked (RFC 6455 section 3, RFC 3986).
package struct Endpoint: Equatable, Sendable {
  package var isSecure: Bool
  /// Without the brackets of an IPv6 address.
  package var host: String
  package var port: UInt16
  /// Path and query as they go into the request line, beginning with "/".
  package var target: String
  /// User and password of the URL, percent-decoded. Never shown.
  package var userinfo: String?

  package init(
    isSecure: Bool, host: String, port: UInt16, target: String, userinfo: String? = nil
  ) {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.target = target
    self.userinfo = userinfo
  }

  /// Reads a URL; `http` and `https` stand for `ws` and `wss`. A fragment, an unknown scheme, a bad port
  /// or an empty host is refused with a sentence. Spaces and other characters that no path or query
  /// may hold become %XX there; escapes that are there already are kept.
  package init(parsing text: String) throws(EndpointError) {
    self = try EndpointParser(text).parse()
  }

  /// 80 or 443 (RFC 6455 section 3).
  package static func defaultPort(isSecure: Bool) -> UInt16 {
    isSecure ? 443 : 80
  }

  /// The value of the Host field: brackets for IPv6, no port where it is the scheme's own.
  package var hostField: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == Endpoint.defaultPort(isSecure: isSecure) ? name : "\(name):\(port)"
  }

  /// The endpoint with `access_token=TOKEN` in its query (RFC 6750 section 2.3); one that is there
  /// already is replaced.
  package func withAccessToken(_ token: Bearer) -> Endpoint {
    withAccessToken(secret: token.secret)
  }

  func withAccessToken(secret: String) -> Endpoint {
    var items = queryItems.filter { !Endpoint.isAccessToken($0) }
    items.append("access_token=" + PercentEncoding.encodingValue(secret))
    var result = self
    result.target = path + "?" + items.joined(separator: "&")
    return result
  }

  /// Scheme, host and port, without the port where it is the scheme's own.
  package var origin: String { (isSecure ? "wss://" : "ws://") + hostField }

  var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The parts of the query between "&"; none where there is no query or an empty one.
  var queryItems: [String] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    let query = target[target.index(after: mark)...]
    guard !query.isEmpty else { return [] }
    return query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
  }

  private static func isAccessToken(_ item: String) -> Bool {
    name(of: item).lowercased() == "access_token"
  }

  /// The name of a part of the query, without percent-escapes.
  static func name(of item: String) -> String {
    let name = item.prefix { $0 != "=" }
    return String(decoding: PercentEncoding.decoding(Array(name.utf8)[...]), as: UTF8.self)
  }
}

/// What is wrong with a URL, as a sentence.
package struct EndpointError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }

  /// The sentence behind a colon: no capital in the middle.
  var clause: String {
    // Other sentences begin with a name.
    message.hasPrefix("The ") || message.hasPrefix("User ")
      ? message.prefix(1).lowercased() + message.dropFirst() : message
  }
}
