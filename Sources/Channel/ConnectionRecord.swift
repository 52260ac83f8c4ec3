import WebSocket

/// How the line has fared, for the person who wants to know why: when it stood and when not, what ended it, how quick
/// it answers, and what was agreed on. Bounded, whatever happens.
package struct ConnectionRecord: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    case off, dialling, waiting, online
  }

  /// A time in one phase; it lasts until the next one begins.
  package struct Span: Equatable, Sendable {
    package var phase: Phase
    package var since: Instant
  }

  /// The end of a line, or of an attempt.
  package struct Loss: Equatable, Sendable {
    package var at: Instant
    /// In words, without what is secret; of the server's making in part.
    package var reason: String
    /// How long the line had stood; nil where there was none.
    package var held: Duration?
    /// How many times in a row the same happened.
    package var count = 1
  }

  /// What the upgrade led to.
  package struct Agreement: Equatable, Sendable {
    package var subprotocol: String?
    package var dialect: DialectName
    package var peer: String
    package var tls: String?
  }

  package static let mostSpans = 720
  package static let mostLosses = 64
  package static let mostRoundTrips = 240

  package private(set) var spans: [Span] = []
  /// The newest last.
  package private(set) var losses: [Loss] = []
  package private(set) var roundTrips: [Duration] = []
  package private(set) var attempts = 0
  /// How many times a line stood.
  package private(set) var lines = 0
  package private(set) var agreement: Agreement?
  package private(set) var details: LineDetails?
  package var received = TrafficRate()
  package var sent = TrafficRate()
  /// What ended the line, until the state says what follows.
  private var ending: String?
  private var lastRoundTrip: Duration?
  private var onlineSince: Instant?

  package init() {}

  /// What the connection under the line is.
  package mutating func learn(_ details: LineDetails) {
    self.details = details
  }

  package mutating func hear(_ event: ChannelEvent, at now: Instant) {
    switch event {
    case .stateChanged(let state): change(to: state, at: now)
    case .connecting:
      attempts += 1
      details = nil
      agreement = nil
    case .opened(let subprotocol, let dialect, _, let peer, let tls):
      agreement = Agreement(subprotocol: subprotocol, dialect: dialect, peer: peer, tls: tls)
    case .ready: lines += 1
    case .closed(let reason, let isClean):
      let text = reason.text.isEmpty ? "" : ", “\(madeSafe(reason.text))”"
      ending =
        isClean
        ? "closed by the server: \(reason.code.words) (\(reason.code.rawValue)\(text))"
        : "closed by you"
    case .failed(let failure):
      // Behind a Close that forbids another attempt it says the same in other words.
      ending = ending ?? failure.short
    case .raw, .messages, .sent, .repeatable, .unsure, .rejected, .members, .typing, .changed,
      .changeDone, .changeFailed,
      .notice,
      .operation,
      .pong, .waiting, .gaveUp:
      break
    }
  }

  private mutating func change(to state: SessionState, at now: Instant) {
    let phase = Self.phase(of: state)
    if case .online(let online) = state {
      if let roundTrip = online.roundTrip, roundTrip != lastRoundTrip {
        lastRoundTrip = roundTrip
        roundTrips.append(roundTrip)
        if roundTrips.count > Self.mostRoundTrips { roundTrips.removeFirst() }
      }
    }
    guard phase != spans.last?.phase else { return endAttempt(at: now) }
    let held = onlineSince.map { now - $0 }
    // The server's Close answers that of the person.
    if case .offline(.stopped) = state, held != nil { ending = nil }
    if phase != .online, let reason = ending ?? Self.reason(for: state, wasOnline: held != nil) {
      lose(Loss(at: now, reason: reason, held: held))
    }
    ending = nil
    onlineSince = phase == .online ? now : nil
    if phase != .online { lastRoundTrip = nil }
    spans.append(Span(phase: phase, since: now))
    if spans.count > Self.mostSpans { spans.removeFirst(spans.count - Self.mostSpans) }
  }

  /// An attempt that another follows at once.
  private mutating func endAttempt(at now: Instant) {
    guard let reason = ending, onlineSince == nil else { return }
    lose(Loss(at: now, reason: reason, held: nil))
    ending = nil
  }

  /// Attempts that fail one after another for the same reason make one row.
  private mutating func lose(_ loss: Loss) {
    if loss.held == nil, var last = losses.last, last.held == nil, last.reason == loss.reason {
      last.count += 1
      last.at = loss.at
      losses[losses.count - 1] = last
      return
    }
    losses.append(loss)
    if losses.count > Self.mostLosses { losses.removeFirst() }
  }

  private static func reason(for state: SessionState, wasOnline: Bool) -> String? {
    guard wasOnline else { return nil }
    if case .offline(.stopped) = state { return "disconnected by you" }
    return "the line ended"
  }

  package static func phase(of state: SessionState) -> Phase {
    switch state {
    case .offline: return .off
    case .online: return .online
    case .connecting(let connecting):
      if case .waiting = connecting.phase { return .waiting }
      return .dialling
    }
  }

  // MARK: - What can be read off it

  /// Which phases there were between two moments: the one that a reader most wants to know of, by how bad it is.
  /// Nil before the start.
  package func worst(from start: Instant, to end: Instant) -> Phase? {
    var worst: Phase?
    for (index, span) in spans.enumerated() {
      let spanEnd = index + 1 < spans.count ? spans[index + 1].since : end
      guard span.since < end, spanEnd > start || index + 1 == spans.count else { continue }
      if Self.rank(span.phase) >= worst.map(Self.rank) ?? -1 { worst = span.phase }
    }
    return worst
  }

  private static func rank(_ phase: Phase) -> Int {
    switch phase {
    case .online: 0
    case .dialling: 1
    case .waiting: 2
    case .off: 3
    }
  }

  /// The share of the time on line since the first moment that is known.
  package func availability(at now: Instant) -> Double? {
    guard let first = spans.first?.since, now > first else { return nil }
    var online = Duration.zero
    for (index, span) in spans.enumerated() where span.phase == .online {
      online += (index + 1 < spans.count ? spans[index + 1].since : now) - span.since
    }
    return online / (now - first)
  }

  /// The median of the round trips that are kept, and the worst.
  package var roundTripSummary: (median: Duration, worst: Duration)? {
    let sorted = roundTrips.sorted()
    guard let worst = sorted.last else { return nil }
    return (sorted[sorted.count / 2], worst)
  }
}
