/// What the client asks for when it opens a connection (RFC 6455 section 4.1).
package struct HandshakeRequest: Equatable, Sendable {
  /// The value of the Host field: without the port where it is the scheme's own.
  package var host: String
  /// Path and query, percent-encoded, beginning with "/".
  package var target: String
  /// Further fields; those that the handshake writes itself are refused as a caller's mistake.
  package var headers: [Header]
  /// Offered subprotocols, the preferred one first.
  package var subprotocols: [String]
  /// permessage-deflate as it is offered; nil: it is not.
  package var compression: DeflateParameters?

  package init(
    host: String, target: String, headers: [Header] = [], subprotocols: [String] = [],
    compression: DeflateParameters? = nil
  ) {
    self.host = host
    self.target = target
    self.headers = headers
    self.subprotocols = subprotocols
    self.compression = compression
  }
}

/// The server's 101, checked.
package struct Acceptance: Equatable, Sendable {
  /// One of those offered, or nil when the server named none.
  package var subprotocol: String?
  /// permessage-deflate as it was agreed on; nil: it was not.
  package var compression: DeflateParameters?
  package var headers: [Header]
  /// How many of the bytes handed over last belong to the answer; the rest is the first frames.
  package var consumed: Int

  package init(
    subprotocol: String?, compression: DeflateParameters? = nil, headers: [Header], consumed: Int
  ) {
    self.subprotocol = subprotocol
    self.compression = compression
    self.headers = headers
    self.consumed = consumed
  }
}

/// An answer other than 101, kept for the person.
package struct Refusal: Equatable, Sendable {
  package var status: Int
  package var reason: String
  package var headers: [Header]
  /// The body as far as it came, at most 64 KiB.
  package var body: [UInt8]

  package init(status: Int, reason: String, headers: [Header], body: [UInt8]) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}

/// What is wrong with a server's answer to the opening handshake.
package enum HandshakeError: Error, Equatable, Sendable {
  case notHTTP(String)
  /// A record of TLS in the place of an answer without it (RFC 8446 section 5.1).
  case tls
  case malformedHeader(String)
  case headTooLarge
  case missingUpgrade
  case missingConnection
  case wrongAccept
  case unofferedSubprotocol(String)
  case unofferedExtension(String)
  /// An extension that was offered, with parameters that do not go with the offer.
  case wrongExtensionParameters(String)
  case endedEarly
}
