/// What a client asked for, read and checked (RFC 6455 section 4.2.1).
package struct ClientRequest: Equatable, Sendable {
  package var method: String
  package var target: String
  package var headers: [Header]
  /// The offered subprotocols in the client's order.
  package var subprotocols: [String]
  /// Sec-WebSocket-Key, or nil where this is a plain HTTP request and no upgrade.
  package var key: String?
  /// How many of the bytes handed over last belong to the request.
  package var consumed: Int

  package init(
    method: String, target: String, headers: [Header], subprotocols: [String], key: String?,
    consumed: Int
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.subprotocols = subprotocols
    self.key = key
    self.consumed = consumed
  }
}

/// The server's side of the opening handshake as a value.
package struct ServerHandshake: Sendable {
  package enum Progress: Equatable, Sendable {
    case incomplete
    case request(ClientRequest)
    /// The request is unusable: the answer to write before the connection is closed.
    case malformed(answer: [UInt8])
  }

  package init() {}

  package mutating func receive(_ bytes: RawSpan) -> Progress {
    fatalError("interface only")
  }

  /// The 101 answer. `key` is the request's.
  package static func accept(key: String, subprotocol: String?, headers: [Header] = []) -> [UInt8] {
    fatalError("interface only")
  }

  /// Any other answer, with a body of text and Connection: close.
  package static func answer(
    status: Int, reason: String, headers: [Header] = [], body: String
  ) -> [UInt8] {
    fatalError("interface only")
  }
}
