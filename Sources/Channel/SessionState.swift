package import WebSocket

/// The state of the line, as the person sees it: offline, connecting or online.
package enum SessionState: Equatable, Sendable {
  case offline(Offline)
  case connecting(Connecting)
  case online(Online)

  package enum Offline: Equatable, Sendable {
    /// Not yet asked to connect.
    case idle
    /// The person disconnected.
    case stopped
    /// The server closed in an orderly way, and the client does not dial again by itself.
    case closed(CloseReason)
    /// The server does not want us (authentication, policy): trying again would not help.
    case refused(Failure)
    /// As many attempts in a row as are allowed, or a failure that no attempt can mend.
    case gaveUp(attempts: Int, Failure)
  }

  package struct Connecting: Equatable, Sendable {
    /// The attempt that is under way or that comes next, from 1.
    package var attempt: Int
    package var phase: Phase
    /// What ended the attempt or the line before.
    package var lastFailure: Failure?
    /// When the line was lost, if it was up before.
    package var lostAt: Instant?

    package init(attempt: Int, phase: Phase, lastFailure: Failure? = nil, lostAt: Instant? = nil) {
      self.attempt = attempt
      self.phase = phase
      self.lastFailure = lastFailure
      self.lostAt = lostAt
    }
  }

  package enum Phase: Equatable, Sendable {
    case waiting(until: Instant)
    case dialling(Stage, since: Instant)
  }

  package enum Stage: Equatable, Sendable {
    /// Name look-up and TCP connect.
    case connecting
    /// A proxy is asked for the way to the server (passed over without one).
    case tunnelling
    /// The line is up, TLS under way (passed over for ws://).
    case securing
    /// The upgrade is under way.
    case upgrading
    /// The dialect introduces itself: connection_init and its acknowledgement.
    case introducing

    /// 1/4 … 4/4 of the status line; the proxy is on the way to the line of the first.
    package var number: Int {
      switch self {
      case .connecting, .tunnelling: 1
      case .securing: 2
      case .upgrading: 3
      case .introducing: 4
      }
    }
  }

  package struct Online: Equatable, Sendable {
    package var since: Instant
    package var subprotocol: String?
    package var dialect: DialectName
    /// permessage-deflate was agreed on.
    package var isCompressed: Bool
    package var peer: String
    /// Such as "TLSv1.3", nil without TLS.
    package var tls: String?
    /// The certificate was not checked (`--insecure`): to be said as long as the line lasts.
    package var isInsecure: Bool
    /// The last measured ping, nil before the first pong.
    package var roundTrip: Duration?
    /// The moment of a ping since which nothing has come, where that is long enough to be said.
    package var silentSince: Instant?

    package init(
      since: Instant, subprotocol: String?, dialect: DialectName, isCompressed: Bool = false,
      peer: String, tls: String? = nil, isInsecure: Bool = false, roundTrip: Duration? = nil,
      silentSince: Instant? = nil
    ) {
      self.since = since
      self.subprotocol = subprotocol
      self.dialect = dialect
      self.isCompressed = isCompressed
      self.peer = peer
      self.tls = tls
      self.isInsecure = isInsecure
      self.roundTrip = roundTrip
      self.silentSince = silentSince
    }
  }
}
