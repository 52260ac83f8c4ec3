package import Text
package import WebSocket

/// Tells one line from another, so that late events of an old line are recognised and dropped.
package struct LinkID: Hashable, Sendable {
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

package struct SessionConfiguration: Sendable {
  package enum AuthPlacement: String, Sendable {
    case header, query, `init`
  }

  package var endpoint: Endpoint
  /// Offered in this order.
  package var subprotocols: [String]
  package var requiresSubprotocol = false
  /// The dialect when the server selects no subprotocol that names one.
  package var dialect: DialectName = .plain
  package var headers: [Header] = []
  package var token: Bearer?
  package var auth: AuthPlacement = .header
  package var backoff = Backoff()
  /// Attempts in a row before giving up.
  package var maxAttempts = 10
  /// Whether to dial again after a loss or a failure.
  package var reconnects = true
  package var connectTimeout: Duration = .seconds(10)
  package var pingInterval: Duration = .seconds(30)
  package var pingTimeout: Duration = .seconds(10)
  package var closeTimeout: Duration = .seconds(5)
  /// How long the line must hold before the count of attempts begins anew.
  package var stableAfter: Duration = .seconds(5)
  package var maxMessage = 16 << 20
  package var isInsecure = false
  package var context: DialectContext

  package init(endpoint: Endpoint, subprotocols: [String], context: DialectContext) {
    self.endpoint = endpoint
    self.subprotocols = subprotocols
    self.context = context
  }
}

package enum SessionInput: Equatable, Sendable {
  /// Dial now. In the middle of a wait: end the wait.
  case connect
  /// Stop on purpose, at any moment; an open line is closed in an orderly way with 1000.
  case disconnect
  /// Close the line, if there is one, and dial at once.
  case reconnect
  case post(Post)
  case join(room: String)
  case rename(nick: String)
  /// A raw binary message (`parlour cat --binary`).
  case sendBinary([UInt8])
  /// The link went on to this stage (`securing`, after TCP is up).
  case linkStage(LinkID, SessionState.Stage)
  /// TCP and TLS are up: the upgrade can be written.
  case linkOpened(LinkID, peer: String, tls: String?)
  /// The link ended; nil is an end of stream in order.
  case linkEnded(LinkID, Failure?)
  case timeReached
}

package enum SessionAction: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  /// End the link after what was written has left.
  case finishLink(LinkID)
  /// Drop the link at once.
  case dropLink(LinkID)
  case event(ChannelEvent)
}

/// What the session tells the room and the headless commands.
package enum ChannelEvent: Equatable, Sendable {
  case stateChanged(SessionState)
  /// An attempt begins.
  case connecting(attempt: Int)
  /// The upgrade was accepted and the subprotocol agreed.
  case opened(subprotocol: String?, dialect: DialectName, peer: String, tls: String?)
  /// The dialect is ready for posts.
  case ready
  case raw(MessageKind, [UInt8])
  case messages([ChatMessage], MessageOrigin)
  case sent(nonce: String, ChatMessage?)
  case repeatable(nonce: String)
  case unsure(nonce: String)
  case rejected(nonce: String, reason: UntrustedText)
  case members([UntrustedText])
  case notice(UntrustedText)
  case pong(roundTrip: Duration)
  /// An orderly end: the peer's code, 1005 where its Close held none. `clean` is false where the line
  /// was cut before the closing handshake was whole.
  case closed(CloseReason, clean: Bool)
  case failed(Failure)
  case waiting(attempt: Int, delay: Duration)
  case gaveUp(attempts: Int, Failure)
}

/// The reconnecting session: offline, connecting, online. It owns the WebSocket machine of the current
/// line and the dialect, and no socket, clock or dice.
package struct Session {
  package private(set) var state: SessionState = .offline(.idle)

  package init(_ configuration: SessionConfiguration) {
    fatalError("interface only")
  }

  /// When `timeReached` is to be handed in next.
  package var deadline: Instant? {
    fatalError("interface only")
  }

  package mutating func handle(
    _ input: SessionInput, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    fatalError("interface only")
  }

  /// Bytes of a link came. Those of an old link are dropped.
  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    fatalError("interface only")
  }
}
