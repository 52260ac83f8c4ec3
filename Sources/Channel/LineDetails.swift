/// What is known of the connection under a line, beside what the session knows.
package struct LineDetails: Equatable, Sendable {
  /// Address and port of the other end in digits; behind a proxy the server as the proxy was asked for it.
  package var peer: String
  /// The addresses that were tried, where the name had to be looked up.
  package var tried: [String]
  /// As it may be shown; nil where the server is reached directly.
  package var proxy: String?
  package var tls: TLS?

  package struct TLS: Equatable, Sendable {
    /// Such as "TLSv1.3".
    package var version: String
    package var cipher: String
    /// The server went on with a session of before.
    package var isResumed: Bool
    /// The names that the certificate is for, of the server's making.
    package var names: String
    package var issuer: String
    package var expires: Timestamp?

    package init(
      version: String, cipher: String, isResumed: Bool, names: String = "", issuer: String = "",
      expires: Timestamp? = nil
    ) {
      self.version = version
      self.cipher = cipher
      self.isResumed = isResumed
      self.names = names
      self.issuer = issuer
      self.expires = expires
    }
  }

  package init(peer: String, tried: [String] = [], proxy: String? = nil, tls: TLS? = nil) {
    self.peer = peer
    self.tried = tried
    self.proxy = proxy
    self.tls = tls
  }
}
