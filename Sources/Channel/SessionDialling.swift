import Deflate
import WebSocket

/// From the start of an attempt to the answer to the upgrade.
extension Session {
  mutating func dial(attempt: Int, at now: Instant) {
    pendingToken = nil
    let dial = SessionLine.Dial(
      link: nextLink(), attempt: attempt, since: now, stage: .connecting,
      route: RedirectRoute(configuration.endpoint))
    line = .opening(dial)
    haste.dialled(at: now)
    enter(dial)
    tell(.connecting(attempt: attempt))
    act(.openLink(dial.link, configuration.endpoint))
  }

  mutating func linkWentOn(_ link: LinkID, to stage: SessionState.Stage) {
    guard case .opening(var dial) = line, dial.link == link,
      stage == .tunnelling || stage == .securing
    else { return }
    dial.stage = stage
    line = .opening(dial)
    enter(dial)
  }

  mutating func tunnelFailed(
    _ link: LinkID, _ verdict: Verdict, at now: Instant, entropy: inout Entropy
  ) {
    guard case .opening(let dial) = line, dial.link == link else { return }
    dialFailed(dial, verdict, at: now, entropy: &entropy)
  }

  mutating func linkOpened(
    _ link: LinkID, _ peer: SessionLine.Peer, at now: Instant, entropy: inout Entropy
  ) {
    guard case .opening(var dial) = line, dial.link == link else { return }
    dial.stage = .upgrading
    let endpoint = dial.route.endpoint
    let cookies = cookieField(for: endpoint, at: now)
    dial.route.leave(with: cookies)
    let handshake = ClientHandshake(
      configuration.upgradeRequest(
        to: endpoint, cookies: cookies, speaksGraphQL: mayAgreeOnGraphQL), entropy: &entropy)
    line = .upgrading(dial, peer, handshake)
    enter(dial)
    record(head: handshake.request.span.bytes, .sent, of: link, at: now)
    act(.write(link, handshake.request))
  }

  mutating func receiveAnswer(
    _ bytes: RawSpan, _ handshake: ClientHandshake, _ dial: SessionLine.Dial,
    _ peer: SessionLine.Peer, at now: Instant, entropy: inout Entropy
  ) {
    var handshake = handshake
    let answer = handshake.receive(bytes)
    var headEnd = bytes.byteCount
    if case .accepted(let acceptance) = answer { headEnd = acceptance.consumed }
    record(head: bytes.extracting(0..<headEnd), .received, of: dial.link, at: now)
    switch answer {
    case .incomplete:
      // Nobody reads what else a redirect has to say.
      if let refusal = handshake.refusalSoFar(), isFollowed(refusal, from: dial, at: now) { return }
      line = .upgrading(dial, peer, handshake)
    case .accepted(let acceptance):
      cookies.take(acceptance.headers, from: dial.route.endpoint, at: now)
      let open = OpenLine(
        link: dial.link, attempt: dial.attempt, endpoint: dial.route.endpoint, peer: peer,
        subprotocol: acceptance.subprotocol,
        dialect: dialectOf(acceptance.subprotocol) ?? configuration.dialect,
        compression: acceptance.compression,
        machine: WebSocketMachine(
          role: .client, limits: Limits(message: configuration.maxMessage),
          transform: acceptance.compression.map { PerMessageDeflate($0, role: .client) }),
        keepAlive: KeepAlive(
          interval: configuration.pingInterval, timeout: configuration.pingTimeout),
        watch: configuration.recordsFrames
          ? LineWatch(dial.link, isCompressed: acceptance.compression != nil) : nil)
      if let disagreement = disagreement(on: acceptance.subprotocol) {
        refuse(open, disagreement, at: now, entropy: &entropy)
      } else {
        begin(
          open, dial, bytes.extracting(acceptance.consumed..<bytes.byteCount), at: now,
          entropy: &entropy)
      }
    case .refused(let refusal):
      if isFollowed(refusal, from: dial, at: now) { return }
      act(.dropLink(dial.link))
      dialFailed(dial, onRefusal(refusal, dial, at: now), at: now, entropy: &entropy)
    case .failed(let error):
      act(.dropLink(dial.link))
      dialFailed(
        dial, verdict(onHandshakeError: error, from: configuration.endpoint), at: now,
        entropy: &entropy)
    }
  }

  /// The link ended before the answer to the upgrade was whole.
  mutating func dialEnded(
    _ dial: SessionLine.Dial, _ handshake: ClientHandshake?, _ failure: Failure?,
    at now: Instant, entropy: inout Entropy
  ) {
    let name = configuration.endpoint.hostField
    var outcome = verdict(
      onLink: failure
        ?? Failure(
          kind: .tcp, message: "\(name) ended the connection before it was up", short: "cut"),
      wasUp: false)
    if var handshake {
      switch handshake.endOfStream() {
      case .refused(let refusal): outcome = onRefusal(refusal, dial, at: now)
      case .failed(let error) where failure == nil || error != .endedEarly:
        outcome = verdict(
          onHandshakeError: error, from: configuration.endpoint,
          isEmpty: !handshake.hasAnswerBegun)
      case .incomplete, .accepted, .failed: break
      }
    }
    dialFailed(dial, outcome, at: now, entropy: &entropy)
  }

  mutating func dialTimedOut(
    _ dial: SessionLine.Dial, _ handshake: ClientHandshake?, at now: Instant,
    entropy: inout Entropy
  ) {
    act(.dropLink(dial.link))
    let outcome =
      handshake?.refusalSoFar().map { onRefusal($0, dial, at: now) }
      ?? Verdict(.retry(after: nil), timeout(at: dial.stage))
    dialFailed(dial, outcome, at: now, entropy: &entropy)
  }

  mutating func dialFailed(
    _ dial: SessionLine.Dial, _ verdict: Verdict, at now: Instant, entropy: inout Entropy
  ) {
    line = .none
    tell(.failed(verdict.failure))
    follow(
      verdict, afterAttempt: dial.attempt, readySince: nil, closed: nil, at: now,
      entropy: &entropy)
  }

  /// The 101 is right, but what was demanded is missing: Close 1002, and no line was ever opened.
  private mutating func refuse(
    _ open: OpenLine, _ verdict: Verdict, at now: Instant, entropy: inout Entropy
  ) {
    var open = open
    open.machine.close(
      CloseReason(.protocolError, "no subprotocol was agreed"), entropy: &entropy)
    flush(&open, at: now)
    act(.finishLink(open.link))
    tell(.failed(verdict.failure))
    follow(
      verdict, afterAttempt: open.attempt, readySince: nil, closed: nil, at: now,
      entropy: &entropy)
  }

  private mutating func begin(
    _ open: OpenLine, _ dial: SessionLine.Dial, _ rest: RawSpan, at now: Instant,
    entropy: inout Entropy
  ) {
    var open = open
    var dial = dial
    dial.stage = .introducing
    enter(dial)
    tell(
      .opened(
        subprotocol: open.subprotocol, dialect: open.dialect, isCompressed: open.isCompressed,
        peer: open.peer.name, tls: open.peer.tls))
    var current = dialect ?? makeDialect(open.dialect, configuration.dialectContext)
    if type(of: current).name != open.dialect {
      current = makeDialect(open.dialect, configuration.dialectContext)
    }
    current.agreed(on: open.subprotocol)
    let outputs = current.opened(at: now)
    dialect = current
    let end = perform(outputs, on: &open, isClosing: false, at: now, entropy: &entropy)
    if end == nil, rest.byteCount > 0 {
      receiveFrames(rest, &open, closing: nil, at: now, entropy: &entropy)
    } else {
      settle(&open, closing: nil, end, at: now, entropy: &entropy)
    }
  }

  mutating func enter(_ dial: SessionLine.Dial) {
    enter(
      .connecting(
        SessionState.Connecting(
          attempt: dial.attempt, phase: .dialling(dial.stage, since: dial.since),
          lastFailure: lastFailure, lostAt: lostAt)))
  }

  private var mayAgreeOnGraphQL: Bool {
    configuration.dialect == .graphql
      || configuration.subprotocols.contains { dialectOf($0) == .graphql }
  }

  /// That a subprotocol is demanded and the server named none.
  private func disagreement(on subprotocol: String?) -> Verdict? {
    let offered = configuration.subprotocols
    guard subprotocol == nil, configuration.requiresSubprotocol, !offered.isEmpty else {
      return nil
    }
    let name = configuration.endpoint.hostField
    return Verdict(
      .giveUp,
      Failure(
        kind: .upgrade,
        message: "\(name) selected no subprotocol, where \(offered.joined(separator: ", ")) "
          + "was offered; check --subprotocol, or go without --require-subprotocol",
        short: Failure.noSubprotocol))
  }

  private func timeout(at stage: SessionState.Stage) -> Failure {
    let name = configuration.endpoint.hostField
    let time = configuration.connectTimeout.words
    let what =
      switch stage {
      case .connecting:
        "There was no connection to \(configuration.proxy?.named ?? name) within \(time)"
      case .tunnelling:
        "No way to \(name) was opened by \(configuration.proxy?.named ?? "the proxy") within \(time)"
      case .securing: "\(name) did not finish the TLS handshake within \(time)"
      case .upgrading, .introducing: "\(name) did not answer the upgrade within \(time)"
      }
    return Failure(
      kind: .timeout, message: what + "; check the address, or raise --connect-timeout",
      short: "no answer \(time)")
  }
}
