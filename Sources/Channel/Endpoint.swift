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
  /// or an empty host is refused with a sentence.
  package init(parsing text: String) throws(EndpointError) {
    fatalError("interface only")
  }

  /// The value of the Host field: brackets for IPv6, no port where it is the scheme's own.
  package var hostField: String {
    fatalError("interface only")
  }

  /// The URL as it may be shown and logged: no userinfo, and `access_token` shown as "…".
  package var shown: String {
    fatalError("interface only")
  }

  /// The endpoint with `access_token=TOKEN` in its query (RFC 6750 section 2.3).
  package func withAccessToken(_ token: Bearer) -> Endpoint {
    fatalError("interface only")
  }
}

/// What is wrong with a URL, as a sentence.
package struct EndpointError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}
