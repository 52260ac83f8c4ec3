package import WebSocket

/// The reconnecting session: offline, connecting, online. It owns the WebSocket machine of the current
/// line and the dialect, and no socket, clock or dice.
///
/// Attempts are counted from 1 in a row; the row begins anew when a line has held for `stableAfter`
/// after it became ready, and when the person asks. The delay before attempt n is `Backoff`'s.
package struct Session {
  package internal(set) var state: SessionState = .offline(.idle)

  var configuration: SessionConfiguration
  let makeDialect: @Sendable (DialectName, DialectContext) -> any Dialect
  let dialectOf: @Sendable (String?) -> DialectName?
  var line = SessionLine.none
  var cookies = CookieJar()
  /// Outlives lines, so that cursors and seen ids go on; replaced when another layout is agreed.
  var dialect: (any Dialect)?
  /// What ended the attempt or line before, and when the line was lost: until the next one is ready.
  var lastFailure: Failure?
  var lostAt: Instant?
  /// See SessionToken.swift.
  var pendingToken: PendingToken?
  /// The token is a fresh one, and no line was ready with it yet.
  var hasRenewedToken = false
  /// Requests over HTTP beside the line; they end with it.
  var fetches: [LinkID: Fetch] = [:]
  var haste = Haste()
  /// The last line ended in a way that is followed by one more attempt only; see `Verdict.isOnce`.
  var hasRetriedOnce = false
  var configuredSubprotocols: ConfiguredSubprotocols?
  /// The last frames; empty where they are not recorded.
  package internal(set) var frames = FrameRecord()
  /// What is to be hidden of them: everything that was secret since the start.
  package internal(set) var recordedSecrets = Secrets()
  /// So many of the bytes that were received last were not looked at yet, as those before them stand for many more:
  /// they are to be received again once the actions of those are done.
  package internal(set) var untaken = 0
  /// What the calendar said, and when.
  private var calendar: (wall: Timestamp, at: Instant)?
  private var lastLink = 0
  private var actions: [SessionAction] = []

  /// `dialectOf` names the dialect that a selected subprotocol stands for.
  package init(
    _ configuration: SessionConfiguration,
    makeDialect: @escaping @Sendable (DialectName, DialectContext) -> any Dialect =
      Channel.makeDialect,
    dialectOf: @escaping @Sendable (String?) -> DialectName? = Subprotocols.dialect(of:)
  ) {
    self.configuration = configuration
    self.configuration.context.renewsToken = configuration.renewsToken && configuration.reconnects
    self.makeDialect = makeDialect
    self.dialectOf = dialectOf
    if configuration.recordsFrames { recordedSecrets = Secrets(configuration) }
  }

  /// When `timeReached` is to be handed in next.
  package var deadline: Instant? {
    guard let fetch = fetches.values.map(\.until).min() else { return lineDeadline }
    return min(fetch, lineDeadline ?? fetch)
  }

  var lineDeadline: Instant? {
    switch line {
    case .none: nil
    case .waiting(_, let until): until
    case .opening(let dial): dial.since + configuration.connectTimeout
    case .upgrading(let dial, _, _): dial.since + configuration.connectTimeout
    case .open(let open):
      [open.keepAlive.deadline, dialect?.deadline].compactMap(\.self).min()
    case .closing(_, let closing): closing.until
    }
  }

  package mutating func handle(
    _ input: SessionInput, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    switch input {
    case .connect: connect(at: now)
    case .disconnect: disconnect(with: .normal, at: now, entropy: &entropy)
    case .leave: disconnect(with: .goingAway, at: now, entropy: &entropy)
    case .reconnect: reconnect(at: now, entropy: &entropy)
    case .post(let post): self.post(post, at: now, entropy: &entropy)
    case .change(let change): self.change(change, at: now, entropy: &entropy)
    case .join(let room): join(room: room, at: now, entropy: &entropy)
    case .rename(let nick): rename(nick: nick, at: now, entropy: &entropy)
    case .typing: typing(at: now, entropy: &entropy)
    case .askEarlier(let cursor): askEarlier(before: cursor, at: now, entropy: &entropy)
    case .renewToken(let token): renew(token, at: now)
    case .noFreshToken(let reason): noFreshToken(reason)
    case .sendBinary(let bytes): sendBinary(bytes, at: now, entropy: &entropy)
    case .linkStage(let link, let stage): linkWentOn(link, to: stage)
    case .linkOpened(let link, _, _) where fetches[link] != nil: fetchOpened(link)
    case .linkEnded(let link, let failure) where fetches[link] != nil:
      fetchEnded(link, failure, at: now, entropy: &entropy)
    case .linkOpened(let link, let peer, let tls):
      linkOpened(link, SessionLine.Peer(name: peer, tls: tls), at: now, entropy: &entropy)
    case .linkTookBytes(let link): linkTookBytes(link)
    case .linkIsBehind(let link, let isBehind):
      linkIsBehind(link, isBehind, at: now, entropy: &entropy)
    case .linkEnded(let link, let failure):
      linkEnded(link, failure, at: now, entropy: &entropy)
    case .tunnelFailed(let link, let verdict) where fetches[link] != nil:
      fetchEnded(link, verdict.failure, at: now, entropy: &entropy)
    case .tunnelFailed(let link, let verdict):
      tunnelFailed(link, verdict, at: now, entropy: &entropy)
    case .timeReached: timeReached(at: now, entropy: &entropy)
    case .networkAppeared: networkAppeared(at: now, entropy: &entropy)
    case .checkLine: checkLine(at: now, entropy: &entropy)
    }
    return takeActions()
  }

  /// What the calendar says at this moment: to be told before anything is handed in, or a server that names a date is
  /// only understood where it gives its own clock too.
  package mutating func note(calendar wall: Timestamp, at now: Instant) {
    calendar = (wall, now)
  }

  /// In seconds since 1970.
  func calendar(at now: Instant) -> Int64? {
    calendar.map { ($0.wall.milliseconds / 1000) + (now - $0.at).components.seconds }
  }

  /// Bytes of a link came. Those of an old link are dropped. Look at `untaken` afterwards.
  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    untaken = 0
    if fetches[link] != nil {
      fetchReceived(bytes, from: link, at: now, entropy: &entropy)
      return takeActions()
    }
    guard link == line.link else { return [] }
    // Taken out of `self`, so that the machine's buffers have one owner and are not copied when they
    // change; a large message in many pieces would be copied with each of them.
    switch takeLine() {
    case .none: break
    case .waiting(let attempt, let until): line = .waiting(attempt: attempt, until: until)
    case .opening(let dial): line = .opening(dial)
    case .upgrading(let dial, let peer, let handshake):
      receiveAnswer(bytes, handshake, dial, peer, at: now, entropy: &entropy)
    case .open(var open):
      receiveFrames(bytes, &open, closing: nil, at: now, entropy: &entropy)
    case .closing(var open, let closing):
      receiveFrames(bytes, &open, closing: closing, at: now, entropy: &entropy)
    }
    return takeActions()
  }

  // MARK: - What the other files of the session use

  mutating func act(_ action: SessionAction) {
    actions.append(action)
  }

  mutating func tell(_ event: ChannelEvent) {
    actions.append(.event(event))
  }

  mutating func enter(_ newState: SessionState) {
    guard newState != state else { return }
    state = newState
    tell(.stateChanged(newState))
  }

  mutating func nextLink() -> LinkID {
    lastLink += 1
    return LinkID(lastLink)
  }

  private mutating func takeLine() -> SessionLine {
    var taken = SessionLine.none
    swap(&taken, &line)
    return taken
  }

  private mutating func takeActions() -> [SessionAction] {
    defer { actions = [] }
    return actions
  }
}
