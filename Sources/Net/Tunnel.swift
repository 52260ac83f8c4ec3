/// What is said with a proxy so that it opens the way to the server. `Net` knows no proxy's language: whoever owns
/// the link hands one in that does, and is asked why when it fails.
package protocol Tunnel: AnyObject {
  /// Begins, anew for each connection to the proxy. `place` is the server, by its name or by one of its addresses.
  func begin(to place: HostPort) -> TunnelStep
  /// Bytes came from the proxy. Valid only during the call.
  func receive(_ bytes: RawSpan) -> TunnelStep
  /// The proxy ended the connection, or had the time to explain its refusal.
  func ended() -> TunnelStep
}

package enum TunnelStep: Equatable, Sendable {
  /// More is to come from the proxy. `send` may be empty.
  case waiting(send: [UInt8])
  /// The proxy refuses, and only its explanation is still on its way.
  case refusing
  /// The way is open; behind so many of the bytes received last it is the server who speaks.
  case open(consumed: Int)
  /// The link ends as `tunnelFailed`, unless the next address of the server is worth a try and there is one.
  case failed(triesNextAddress: Bool)
}

/// A proxy that a link goes through.
package struct LinkProxy {
  /// A name, or an address in digits without brackets.
  package var host: String
  package var port: UInt16
  /// TLS with the proxy itself; that with the server goes inside of it. nil: none.
  package var tls: TLSContext?
  /// Addresses in digits that are used instead of asking for the proxy's name.
  package var addresses: [String] = []
  /// The server's name is looked up here, and the proxy is asked for an address.
  package var looksUpServer = false
  /// For the beginning of a sentence, such as "the proxy http://127.0.0.1:3128 (https_proxy)".
  package var name: String
  package var tunnel: any Tunnel

  package init(host: String, port: UInt16, name: String, tunnel: any Tunnel) {
    self.host = host
    self.port = port
    self.name = name
    self.tunnel = tunnel
  }

  var place: HostPort { HostPort(host: host, port: port) }
}

/// The connection to a proxy until the way to the server is open.
final class ProxyPassage {
  enum Outcome {
    case running
    /// The server's bytes that came along with the proxy's answer.
    case open(early: [UInt8])
    /// The proxy is of no use.
    case broken(LinkFailure)
    /// The proxy does not open the way; the tunnel knows why.
    case refused(triesNextAddress: Bool)
  }

  let connection: Connection
  private let tunnel: any Tunnel
  private let place: HostPort
  /// Not larger than any buffer into which the owner of the link reads.
  private let buffer = ReadBuffer(capacity: 64 * 1024)
  private(set) var isSecured: Bool
  /// Only the explanation of the refusal is still to come.
  private(set) var isRefusing = false

  init(_ connection: Connection, tunnel: any Tunnel, to place: HostPort) {
    self.connection = connection
    self.tunnel = tunnel
    self.place = place
    isSecured = connection.tls == nil
  }

  func begin() -> Outcome {
    isSecured ? take(tunnel.begin(to: place)) : secure()
  }

  func ready(_ ready: Ready, at now: Duration) -> Outcome {
    guard isSecured else { return secure() }
    return connection.ready(ready, at: now).contains(.readable) ? read() : .running
  }

  /// Nothing more comes from the proxy.
  func ended() -> Outcome { take(tunnel.ended()) }

  private func secure() -> Outcome {
    switch connection.handshake() {
    case .waiting:
      return .running
    case .failed(let failure):
      return .broken(failure)
    case .done:
      isSecured = true
      let outcome = take(tunnel.begin(to: place))
      if case .running = outcome, connection.hasInput { return read() }
      return outcome
    }
  }

  private func read() -> Outcome {
    switch connection.read(into: buffer) {
    case .wouldBlock:
      return .running
    case .ended(.failed(let failure)) where failure.kind == .tls && !isRefusing:
      return .broken(failure)
    case .ended:
      // Also where it was cut: what was understood of the answer tells more.
      return ended()
    case .bytes:
      return take(tunnel.receive(buffer.contents.bytes))
    }
  }

  private func take(_ step: TunnelStep) -> Outcome {
    switch step {
    case .waiting(let bytes):
      if !bytes.isEmpty { connection.write(bytes) }
      return .running
    case .refusing:
      isRefusing = true
      return .running
    case .open(let consumed):
      return .open(early: Array(buffer.contents.dropFirst(consumed)))
    case .failed(let triesNextAddress):
      return .refused(triesNextAddress: triesNextAddress)
    }
  }
}
