import Channel
import Room
import Text
import WebSocket

/// The state of the line in words: a sign and a word, what is known of it, and what can be done.
struct StatusWords: Equatable {
  /// The theme's part, such as "status.online".
  var part: String
  /// The sign alone.
  var sign: String
  /// From the longest to the shortest: the state, and what follows it in the line's common style.
  var variants: [Variant]

  struct Variant: Equatable {
    var state: String
    var rest: String

    init(_ state: String, _ rest: String = "") {
      self.state = state
      self.rest = rest
    }
  }

  init(_ room: RoomModel, clock: Clock, settings: Settings = Settings()) {
    switch room.connection {
    case .online(let online): self.init(online, clock: clock)
    case .connecting(let connecting):
      self.init(connecting, room: room, clock: clock, turns: settings.turnsSpinner)
    case .offline(let offline): self.init(offline, server: UntrustedText(room.server))
    }
  }

  private init(part: String, sign: String, _ variants: [Variant]) {
    self.part = part
    self.sign = sign
    self.variants = variants
  }

  /// From this round trip on the line is said to lag.
  private static let lag: Duration = .milliseconds(500)

  private init(_ online: SessionState.Online, clock: Clock) {
    if let moment = online.silentSince {
      let silence = (clock.now - moment).measured
      self.init(
        part: "status.slow", sign: "●",
        [
          Variant("● online, slow", " · no answer for \(silence) │ F2 why"),
          Variant("● online, slow", " · no answer for \(silence)"), Variant("● slow \(silence)"),
          Variant("● slow"),
        ])
      return
    }
    guard let roundTrip = online.roundTrip else {
      self.init(part: "status.online", sign: "●", [Variant("● online")])
      return
    }
    let lags = roundTrip >= Self.lag
    self.init(
      part: lags ? "status.lag" : "status.online", sign: "●",
      [
        Variant(lags ? "● online, lag \(roundTrip.measured)" : "● online \(roundTrip.measured)"),
        Variant("● online"),
      ])
  }

  private init(
    _ connecting: SessionState.Connecting, room: RoomModel, clock: Clock, turns: Bool
  ) {
    switch connecting.phase {
    case .dialling(let stage, let since):
      let sign = Spinner.sign(after: clock.now - since, turns: turns)
      let count = "\(stage.number)/4"
      let elapsed = (clock.now - since).measured
      let attempt = connecting.attempt > 1 ? " · try \(connecting.attempt)" : ""
      self.init(
        part: "status.connecting", sign: sign,
        [
          Variant(
            "\(sign) connecting \(count)", " \(stage.words)… \(elapsed)\(attempt) │ ^C cancel"),
          Variant("\(sign) connecting \(count)", " \(stage.words)… \(elapsed)"),
          Variant("\(sign) connecting \(count)", " · ^C cancel"),
          Variant("\(sign) connecting \(count)"), Variant("\(sign) \(count)"),
        ])
    case .waiting(let until):
      let reason = connecting.lastFailure.map { " (\(cut($0.short, to: 40)))" } ?? ""
      let next = "try \(connecting.attempt) in \((until - clock.now).countdown)"
      let (state, short) = Self.lossWords(connecting, room: room, clock: clock)
      self.init(
        part: "status.reconnecting", sign: "◌",
        [
          Variant("◌ \(state)\(reason)", " · \(next) │ Enter now  ^C stop"),
          Variant("◌ \(state)\(reason)", " · \(next) │ Enter now"),
          Variant("◌ \(state)", " · \(next) │ Enter now  ^C stop"),
          Variant("◌ \(state)", " · \(next) │ Enter now"), Variant("◌ \(state)", " · \(next)"),
          Variant("◌ \(short)", " · \(next)"), Variant("◌ \(next)"),
        ])
    }
  }

  private static func lossWords(
    _ connecting: SessionState.Connecting, room: RoomModel, clock: Clock
  ) -> (String, String) {
    var lostAt = room.lostAt
    if lostAt == nil, let moment = connecting.lostAt {
      let ago = (clock.now - moment).components.seconds
      let past = clock.wall.milliseconds.subtractingReportingOverflow(
        ago.multipliedReportingOverflow(by: 1000).partialValue)
      lostAt = Timestamp(milliseconds: past.partialValue)
    }
    guard connecting.lostAt != nil || room.lostAt != nil, let lostAt else {
      return ("no connection", "waiting")
    }
    return ("lost \(LocalTime(lostAt, offset: clock.offset).clock)", "lost")
  }

  private init(_ offline: SessionState.Offline, server: UntrustedText) {
    switch offline {
    case .idle, .stopped:
      let name = server.safe(for: .line, limit: 60)
      self.init(
        part: "status.offline", sign: "○",
        [
          Variant("○ offline", " │ not connected to \(name) · /connect or Enter"),
          Variant("○ offline", " │ /connect or Enter"), Variant("○ offline", " · Enter"),
          Variant("○ offline"),
        ])
    case .closed(let reason):
      let words = Self.words(of: reason)
      self.init(
        part: "status.offline", sign: "○",
        [
          Variant("○ closed by the server", ": \(words) │ /connect or Enter"),
          Variant("○ closed", ": \(words) │ /connect or Enter"),
          Variant("○ closed by the server", " │ /connect or Enter"),
          Variant("○ closed", " · /connect"), Variant("○ closed"),
        ])
    case .refused(let failure):
      self.init(
        part: "status.error", sign: "✕",
        [
          Variant("✕ refused: \(failure.short)", " · /connect tries again │ not retrying"),
          Variant("✕ refused: \(failure.short)", " · /connect │ not retrying"),
          Variant("✕ refused: \(failure.short)", " │ not retrying"),
          Variant("✕ refused: \(failure.short)"), Variant("✕ refused"),
        ])
    case .gaveUp(let attempts, let failure):
      let count = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
      self.init(
        part: "status.error", sign: "✕",
        [
          Variant("✕ gave up after \(count): \(failure.short)", " │ /connect or Enter"),
          Variant("✕ gave up: \(failure.short)", " │ /connect or Enter"),
          Variant("✕ gave up: \(failure.short)", " · Enter"),
          Variant("✕ gave up after \(count)", " · /connect"), Variant("✕ gave up"),
        ])
    }
  }

  private static func words(of reason: CloseReason) -> String {
    let text = UntrustedText(reason.text).safe(for: .line, limit: 60)
    if !text.isEmpty { return "\(text) (\(reason.code.rawValue))" }
    switch reason.code {
    case .normal: return "a normal end"
    case .goingAway: return "it is going away"
    case .serviceRestart: return "it restarts"
    case .tryAgainLater: return "it asks to try again later"
    case .noStatus: return "without a reason"
    default: return "code \(reason.code.rawValue)"
    }
  }
}

extension SessionState.Stage {
  fileprivate var words: String {
    switch self {
    case .connecting: "dialling"
    case .tunnelling: "asking the proxy"
    case .securing: "securing the line by TLS"
    case .upgrading: "upgrading to a WebSocket"
    case .introducing: "signing in"
    }
  }
}
