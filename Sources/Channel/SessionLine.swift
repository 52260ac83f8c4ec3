import WebSocket

/// What the session is doing about its line.
enum SessionLine {
  case none
  case waiting(attempt: Int, until: Instant)
  /// Name look-up, TCP and TLS, by whoever drives the session.
  case opening(Dial)
  case upgrading(Dial, Peer, ClientHandshake)
  /// The upgrade was accepted; the dialect introduces itself or is ready.
  case open(OpenLine)
  /// We sent Close and wait for the peer's.
  case closing(OpenLine, Closing)

  struct Dial: Equatable {
    var link: LinkID
    var attempt: Int
    /// The beginning of the attempt, with all its redirects.
    var since: Instant
    var stage: SessionState.Stage
    var route: RedirectRoute
  }

  struct Peer: Equatable {
    var name: String
    var tls: String?
  }

  struct Closing: Equatable {
    var until: Instant
    /// Dial again when the closing is over.
    var redials: Bool
  }

  var link: LinkID? {
    switch self {
    case .none, .waiting: nil
    case .opening(let dial): dial.link
    case .upgrading(let dial, _, _): dial.link
    case .open(let open): open.link
    case .closing(let open, _): open.link
    }
  }
}

/// A line on which frames travel.
struct OpenLine {
  let link: LinkID
  let attempt: Int
  /// Where redirects led to.
  let endpoint: Endpoint
  let peer: SessionLine.Peer
  let subprotocol: String?
  let dialect: DialectName
  /// What was agreed on; nil without compression.
  let compression: DeflateParameters?
  var machine: WebSocketMachine
  var keepAlive: KeepAlive
  /// Since when posts may be made.
  var readySince: Instant?
  /// Where frames are recorded.
  var watch: LineWatch?

  var isCompressed: Bool { compression != nil }
}

/// Why a line ended.
enum LineEnd: Equatable {
  /// The peer's Close came and was answered.
  case closedByPeer(CloseReason)
  /// Our Close with a reason of ours was written: by the machine for a violation, or for the dialect.
  case brokenOff(Verdict)
  /// The link is gone already.
  case cut(Verdict)
  /// Nobody listens at the other end: no closing handshake.
  case dead(Verdict)
}
