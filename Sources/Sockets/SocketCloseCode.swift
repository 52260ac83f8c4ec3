/// A close code of WebSocket (RFC 6455 section 7.4 and the IANA registry).
///
/// Any number may come from a peer, so this is no enumeration; an integer literal is a code too:
/// `close(code: 4001)`.
public struct SocketCloseCode: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  public init(integerLiteral value: Int) {
    rawValue = value
  }

  /// 1000: what the line was for is done.
  public static let normalClosure: SocketCloseCode = 1000
  /// 1001: a server shuts down, or a client leaves.
  public static let goingAway: SocketCloseCode = 1001
  public static let protocolError: SocketCloseCode = 1002
  /// 1003: text came where only binary is taken, or the other way round.
  public static let unsupportedData: SocketCloseCode = 1003
  /// 1005: the peer's Close held no code. Never sent.
  public static let noStatusReceived: SocketCloseCode = 1005
  /// 1006: the line ended without a Close. Never sent.
  public static let abnormalClosure: SocketCloseCode = 1006
  /// 1007: a text was no UTF-8, or compressed data was broken.
  public static let invalidFramePayloadData: SocketCloseCode = 1007
  public static let policyViolation: SocketCloseCode = 1008
  public static let messageTooBig: SocketCloseCode = 1009
  public static let mandatoryExtensionMissing: SocketCloseCode = 1010
  public static let internalServerError: SocketCloseCode = 1011
  public static let serviceRestart: SocketCloseCode = 1012
  public static let tryAgainLater: SocketCloseCode = 1013
  public static let badGateway: SocketCloseCode = 1014
  /// 1015: TLS failed. Never sent.
  public static let tlsHandshakeFailure: SocketCloseCode = 1015

  public var description: String { String(rawValue) }
}
