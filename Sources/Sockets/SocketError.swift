/// Why a line came to nothing, broke, or did not take a message.
public struct SocketError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    /// The URL is none of WebSocket.
    case url
    /// The configuration cannot be used: a file that is missing, a header that HTTP forbids.
    case configuration
    /// The host's name was not found.
    case dns
    /// There was no connection, or it broke without a Close.
    case tcp
    /// TLS was not agreed on, or was cut short.
    case tls
    case proxy
    /// A time limit of the configuration struck.
    case timeout
    /// The answer to the upgrade was no acceptance, or agreed on no subprotocol.
    case upgrade
    /// The server wants other credentials, or does not want this client.
    case refused
    /// The peer broke RFC 6455 or RFC 7692 behind the upgrade.
    case protocolViolation
    /// A message was larger than `SocketConfiguration.maximumMessageSize`; the peer was told 1009.
    case messageTooBig
    /// The line was ended by a Close: `closeCode` says with which code.
    case closed
    /// There is no line: `connect()` was not called, or the line is down and was not to be waited for.
    case notConnected
    /// This machine gave out of something, such as descriptors.
    case system
  }

  public var kind: Kind
  /// One sentence for a person: what happened, with the name concerned, and what to do next. It holds neither
  /// token nor password, and what a peer said is made safe to show.
  public var message: String
  /// The HTTP status, where the upgrade was answered with another one than 101.
  public var status: Int?
  /// The code of the Close that ended the line, where one did.
  public var closeCode: SocketCloseCode?

  public init(
    kind: Kind, message: String, status: Int? = nil, closeCode: SocketCloseCode? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.closeCode = closeCode
  }

  public var description: String { message }
}
