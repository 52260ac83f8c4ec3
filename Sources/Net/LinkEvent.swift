/// What happened to a link or a connection, in the order in which it happened.
package enum LinkEvent: Equatable, Sendable {
  /// The name of the host is being looked up. Not said for an address in digits.
  case lookingUp
  /// The addresses are known, such as ["[::1]:9000", "127.0.0.1:9000"], and are being tried.
  case connecting([String])
  /// The TCP connection to the proxy at `peer` stands, and it is being asked for the way. Only with a proxy, and
  /// once for each address of the server that it is asked for.
  case tunnelling(peer: String)
  /// The line to `peer` stands; TLS is being agreed on. Only with TLS.
  case securing(peer: String)
  /// Bytes may flow. `tls` is the version, such as "TLSv1.3", or nil without TLS. Behind a proxy `peer` is the
  /// server as the proxy was asked for it, and `tls` that with the server.
  case opened(peer: String, tls: String?)
  /// Call `read(into:)`, once is enough: what it leaves is reported again on the next turn.
  case readable
  /// Everything that had to wait has left: `pendingBytes` is 0 again.
  case drained
  /// The last event: descriptors are closed and forgotten.
  case ended(LinkEnd)
}

/// How a link ended.
package enum LinkEnd: Equatable, Sendable {
  /// The other side, or both, ended the stream in order.
  case closed
  /// The stream ended without the close_notify of TLS (RFC 8446 section 6.1): somebody may have cut
  /// it. Without TLS that cannot be told, and such an end is `closed`.
  case truncated
  case failed(LinkFailure)
  /// The proxy did not open the way to the server; the `Tunnel` that was handed in knows why.
  case tunnelFailed
}

/// Why a link came to nothing or broke.
package struct LinkFailure: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    case dns, tcp, tls, timeout
    /// There is no way to the proxy: its name or its TCP connection.
    case proxy
  }

  package var kind: Kind
  /// One sentence for a person. Safe to show: what comes from the peer is printable ASCII in it.
  package var message: String
  /// A few words for a status line.
  package var short: String

  package init(kind: Kind, message: String, short: String? = nil) {
    self.kind = kind
    self.message = message
    self.short = short ?? message
  }
}

/// What was agreed on in a TLS handshake.
package struct TLSDetails: Equatable, Sendable {
  /// Such as "TLSv1.3".
  package var version: String
  /// OpenSSL's name of the cipher suite, such as "TLS_AES_256_GCM_SHA384".
  package var cipher: String
  /// The server went on with a session of before, without showing its certificate again.
  package var isResumed: Bool
  /// The names that the server's certificate is for, and who signed it, made safe; empty where none was shown.
  package var names = ""
  package var issuer = ""
  /// When the certificate ends to be valid, in milliseconds since 1970.
  package var expiresAtMilliseconds: Int64?

  package init(version: String, cipher: String, isResumed: Bool) {
    self.version = version
    self.cipher = cipher
    self.isResumed = isResumed
  }
}

/// Where a link goes, and how long it may take to get there.
package struct LinkTarget {
  /// A name, or an address in digits without brackets; IPv6 may carry a scope (`fe80::1%eth0`).
  package var host: String
  package var port: UInt16
  /// nil: no TLS.
  package var tls: TLSContext?
  package var family: AddressFamily = .any
  /// Addresses in digits that are used instead of asking for the name (`--resolve`).
  package var addresses: [String] = []
  /// nil: the server is reached directly.
  package var proxy: LinkProxy?
  /// For look-up, TCP, proxy and TLS together.
  package var timeLimit: Duration = .seconds(10)

  package init(host: String, port: UInt16, tls: TLSContext? = nil) {
    self.host = host
    self.port = port
    self.tls = tls
  }
}
