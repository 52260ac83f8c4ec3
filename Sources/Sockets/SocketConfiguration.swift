/// How a channel connects, and its limits. The defaults are those of the `parlour` program.
public struct SocketConfiguration: Sendable {
  /// Offered in this order (RFC 6455 section 1.9).
  public var subprotocols: [String] = []
  /// Whether a server that selects none of the offered subprotocols is turned down. One that was not offered
  /// is turned down in any case.
  public var requiresSubprotocol = true
  /// Further fields of the opening handshake, such as `Cookie` or `Origin`.
  public var headers: [String: String] = [:]
  /// Sent as `Authorization: Bearer …` (RFC 6750), unless `headers` has an `Authorization` of its own.
  public var bearer: String?
  public var tls = SocketTLS()
  /// For look-up, TCP, TLS and the answer to the upgrade together.
  public var connectTimeout: Duration = .seconds(10)
  /// How long a Close may remain without an answer.
  public var closeTimeout: Duration = .seconds(5)
  /// How long the peer may be silent behind a ping of `keepAlive(every:)`.
  public var pingTimeout: Duration = .seconds(10)
  /// Larger messages in bytes fail the line; the peer is told 1009.
  public var maximumMessageSize = 16 << 20
  /// Whether permessage-deflate (RFC 7692) is offered.
  public var offersCompression = true
  /// What has come and not been consumed; at its mark nothing more is read, and TCP slows the peer down.
  public var receiveBuffer = SocketBuffer(bytes: 1 << 20, messages: 16_384)
  /// What was sent and has not left; at its mark `send` suspends.
  public var sendBuffer = SocketBuffer(bytes: 1 << 20, messages: 16_384)

  public init() {}
}

/// The bound of a buffer: it counts as full where it holds so many bytes or so many messages, and as having
/// room again once it holds half. One message may go beyond the mark, whatever its size.
public struct SocketBuffer: Equatable, Sendable {
  public var bytes: Int
  public var messages: Int

  public init(bytes: Int, messages: Int) {
    self.bytes = bytes
    self.messages = messages
  }

  func isFull(bytes: Int, messages: Int) -> Bool {
    bytes >= max(1, self.bytes) || messages >= max(1, self.messages)
  }

  func hasRoom(bytes: Int, messages: Int) -> Bool {
    bytes <= self.bytes / 2 && messages <= self.messages / 2
  }
}

/// How `wss://` is done.
public struct SocketTLS: Equatable, Sendable {
  public enum Version: Sendable {
    case tls12, tls13
  }

  /// A PEM file of certificate authorities that are trusted instead of the system's.
  public var certificateAuthorityFile: String?
  /// Goes on whoever the peer is: nobody knows then with whom the line is shared. For tests.
  public var isInsecure = false
  public var minimumVersion = Version.tls12
  /// The name that is asked for (SNI) and that the certificate must be for, instead of the URL's host.
  public var serverName: String?
  /// A PEM file with this client's certificate and those between it and its authority.
  public var certificateFile: String?
  /// The PEM file of its private key; nil: it is in `certificateFile`.
  public var keyFile: String?
  /// If there are any, the server's public key must be one of these, each written `sha256//BASE64` as for curl.
  public var pins: [String] = []

  public init() {}
}

/// When and how often a ``ResilientChannel`` tries again.
public struct ReconnectPolicy: Equatable, Sendable {
  /// What `send` does while there is no line.
  public enum Offline: Sendable {
    /// It suspends until there is one, and throws once the channel has given up.
    case wait
    /// It throws ``SocketError`` of the kind `notConnected`.
    case fail
  }

  /// The delay before attempt n of a row is `firstDelay` × 2^(n−1), at most `longestDelay`.
  public var firstDelay: Duration = .seconds(1)
  public var longestDelay: Duration = .seconds(60)
  /// The largest share of the delay that is added at random, so that many clients do not come back at once.
  public var jitter = 0.25
  /// Attempts in a row before giving up; at least one is made.
  public var maximumAttempts = 10
  /// How long a line has to stand before the count begins anew. With zero every line that opens resets it, and a
  /// server that accepts and drops at once is tried for ever.
  public var stableAfter: Duration = .seconds(5)
  public var whenOffline = Offline.wait

  public init() {}
}
