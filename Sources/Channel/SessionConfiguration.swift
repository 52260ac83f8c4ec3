package import WebSocket

/// Everything a session is told once: where to, as whom, and with which patience.
package struct SessionConfiguration: Sendable {
  package enum AuthPlacement: String, Sendable {
    case header, query, `init`
  }

  package var endpoint: Endpoint
  /// Nil: the server is reached directly.
  package var proxy: ProxyEndpoint?
  /// Offered in this order.
  package var subprotocols: [String]
  package var requiresSubprotocol = false
  /// The dialect when the server selects no subprotocol that names one.
  package var dialect: DialectName = .plain
  package var headers: [Header] = []
  package var token: Bearer?
  package var auth: AuthPlacement = .header
  /// Whether a refusal asks for a fresh token (`Session.wantsToken`), since there may be one.
  package var renewsToken = false
  package var backoff = Backoff()
  /// Attempts in a row before giving up; at least one is made.
  package var maxAttempts = 10
  /// Whether to dial again after a loss or a failure.
  package var reconnects = true
  /// From the look-up of the name to the answer to the upgrade.
  package var connectTimeout: Duration = .seconds(10)
  /// Zero switches keep-alive pings and the watchdog off.
  package var pingInterval: Duration = .seconds(30)
  package var pingTimeout: Duration = .seconds(10)
  package var closeTimeout: Duration = .seconds(5)
  /// How long the line must hold before the count of attempts begins anew.
  package var stableAfter: Duration = .seconds(5)
  package var maxMessage = 16 << 20
  /// Whether permessage-deflate is offered.
  package var compresses = true
  package var isInsecure = false
  package var context: DialectContext
  /// A log is kept: the programs then give out every event as an effect as well.
  package var isLogged = false
  /// The last frames are kept, for somebody who wants to look at them (`Session.frames`).
  package var recordsFrames = false

  package init(endpoint: Endpoint, subprotocols: [String], context: DialectContext) {
    self.endpoint = endpoint
    self.subprotocols = subprotocols
    self.context = context
  }
}
