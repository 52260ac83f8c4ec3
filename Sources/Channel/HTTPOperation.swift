import JSON
package import WebSocket

/// A query or a mutation over HTTP POST (the GraphQL over HTTP specification), each attempt on a connection of its own:
/// a value without socket and clock, with the inputs, the actions and the patience of a `Session`.
///
/// A query is asked for again where that can help; a mutation that the server may have is not.
package struct HTTPOperation: OperationSession {
  private enum Stage {
    case idle
    case opening(until: Instant)
    case asked(HTTPExchange, until: Instant)
    case waiting(until: Instant)
    /// The token was refused, and a fresh one may be had.
    case refused(Failure)
    case over
  }

  /// How long an answer may take.
  private static let patience: Duration = .seconds(60)

  package private(set) var state: SessionState = .offline(.idle)
  private var configuration: SessionConfiguration
  private let task: GraphQLTask
  private var stage = Stage.idle
  private var attempt = 1
  private var link = LinkID(0)
  private var hasRenewedToken = false
  private var actions: [SessionAction] = []
  /// What the calendar said at the last input, in seconds since 1970.
  private var calendar: Int64?

  package init(_ configuration: SessionConfiguration, _ task: GraphQLTask) {
    self.configuration = configuration
    self.task = task
  }

  package mutating func note(calendar wall: Timestamp, at now: Instant) {
    calendar = wall.milliseconds / 1000
  }

  package var wantsToken: Bool {
    if case .refused = stage { true } else { false }
  }

  package var deadline: Instant? {
    switch stage {
    case .idle, .refused, .over: nil
    case .opening(let until), .asked(_, let until), .waiting(let until): until
    }
  }

  package mutating func handle(
    _ input: SessionInput, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    switch (input, stage) {
    case (.connect, .idle): ask(at: now)
    case (.disconnect, _), (.leave, _), (.reconnect, _): stop()
    case (.linkOpened(let opened, _, _), .opening) where opened == link: write(at: now)
    case (.linkEnded(let ended, let failure), _) where ended == link:
      linkEnded(failure, at: now, entropy: &entropy)
    case (.tunnelFailed(let ended, let verdict), .opening) where ended == link:
      follow(verdict, at: now, entropy: &entropy)
    case (.timeReached, _): timeReached(at: now, entropy: &entropy)
    case (.renewToken(let token), .refused(let failure)): renew(token, failure, at: now)
    case (.noFreshToken(let reason), .refused(let failure)): refuse(failure.with(reason))
    default: break
    }
    return takeActions()
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction] {
    guard link == self.link, case .asked(var exchange, let until) = stage else { return [] }
    let progress = exchange.receive(bytes)
    stage = .asked(exchange, until: until)
    answered(progress, at: now, entropy: &entropy)
    return takeActions()
  }

  private mutating func takeActions() -> [SessionAction] {
    defer { actions = [] }
    return actions
  }

  // MARK: - Asking

  private mutating func ask(at now: Instant) {
    let target: Endpoint
    do {
      target = try configuration.httpEndpoint()
    } catch {
      return giveUp(Failure(kind: .upgrade, message: error.message))
    }
    link = LinkID(link.number + 1)
    stage = .opening(until: now + configuration.connectTimeout)
    enter(
      .connecting(
        SessionState.Connecting(attempt: attempt, phase: .dialling(.connecting, since: now))))
    tell(.connecting(attempt: attempt))
    actions.append(.openLink(link, target))
  }

  private mutating func write(at now: Instant) {
    guard let target = try? configuration.httpEndpoint() else { return }
    let body = GraphQLRequest.body(
      document: task.document, operationName: task.operationName, variables: task.variables)
    let exchange = HTTPExchange(
      graphQL: body.text, to: target, headers: configuration.httpHeaders,
      limit: configuration.maxMessage)
    stage = .asked(exchange, until: now + Self.patience)
    actions.append(.write(link, exchange.request))
    tell(.operation(.started(again: attempt > 1)))
  }

  private mutating func stop() {
    drop()
    stage = .over
    enter(.offline(.stopped))
  }

  private mutating func drop() {
    switch stage {
    case .opening, .asked: actions.append(.dropLink(link))
    case .idle, .waiting, .refused, .over: break
    }
  }

  // MARK: - Answers

  private mutating func answered(
    _ progress: HTTPExchange.Progress, at now: Instant, entropy: inout Entropy
  ) {
    switch progress {
    case .incomplete: break
    case .failed:
      drop()
      lost(
        Failure(
          kind: .upgrade,
          message:
            "\(configuration.endpoint.hostField) gave an answer over HTTP that cannot be read;"
            + " check the URL", short: "no answer of HTTP"), at: now, entropy: &entropy)
    case .answered(let status, let headers, let body):
      drop()
      let answer = Refusal(status: status, reason: "", headers: headers, body: body)
      switch GraphQLAnswer(answer, to: task, by: configuration, calendar: calendar) {
      case .result(let result): finish(with: result)
      case .unreadable(let failure):
        stage = .over
        tell(.failed(failure))
        tell(.operation(.broken))
        enter(.offline(.stopped))
      case .inDoubt(let verdict): lost(verdict, at: now, entropy: &entropy)
      case .refusal(let verdict): follow(verdict, at: now, entropy: &entropy)
      }
    }
  }

  private mutating func finish(with result: GraphQLTaskResult) {
    stage = .over
    // A request that could not even be carried out has no data at all.
    if result.hasDataMember {
      tell(.operation(.result(result)))
      tell(.operation(.completed))
    } else {
      tell(.operation(.failed(result)))
    }
    enter(.offline(.stopped))
  }

  private mutating func linkEnded(
    _ failure: Failure?, at now: Instant, entropy: inout Entropy
  ) {
    let name = configuration.endpoint.hostField
    switch stage {
    case .idle, .waiting, .refused, .over: break
    case .opening:
      let failure =
        failure
        ?? Failure(kind: .tcp, message: "\(name) ended the connection at once", short: "cut")
      follow(verdict(onLink: failure, wasUp: false), at: now, entropy: &entropy)
    case .asked(let exchange, _):
      // A body without a length ends with the connection.
      if failure == nil, case .answered = exchange.endOfStream() {
        answered(exchange.endOfStream(), at: now, entropy: &entropy)
      } else {
        lost(
          failure
            ?? Failure(
              kind: .tcp, message: "\(name) ended the connection without an answer", short: "cut"),
          at: now, entropy: &entropy)
      }
    }
  }

  private mutating func timeReached(at now: Instant, entropy: inout Entropy) {
    guard let deadline, now >= deadline else { return }
    let name = configuration.endpoint.hostField
    switch stage {
    case .idle, .refused, .over: break
    case .waiting: ask(at: now)
    case .opening:
      drop()
      let failure = Failure(
        kind: .timeout,
        message: "There was no connection to \(name) within \(configuration.connectTimeout.words);"
          + " check the address, or raise --connect-timeout", short: "no connection")
      follow(Verdict(.retry(after: nil), failure), at: now, entropy: &entropy)
    case .asked:
      drop()
      let failure = Failure(
        kind: .timeout, message: "\(name) did not answer over HTTP within \(Self.patience.words)",
        short: "no answer")
      lost(failure, at: now, entropy: &entropy)
    }
  }

  // MARK: - What follows

  /// The server may have done what it was asked for.
  private mutating func lost(_ failure: Failure, at now: Instant, entropy: inout Entropy) {
    lost(Verdict(.retry(after: nil), failure), at: now, entropy: &entropy)
  }

  private mutating func lost(_ verdict: Verdict, at now: Instant, entropy: inout Entropy) {
    guard task.kind == .mutation else { return follow(verdict, at: now, entropy: &entropy) }
    let failure = verdict.failure
    stage = .over
    tell(.failed(failure))
    tell(.operation(.inDoubt))
    enter(.offline(.gaveUp(attempts: attempt, failure)))
  }

  private mutating func follow(_ verdict: Verdict, at now: Instant, entropy: inout Entropy) {
    switch verdict.course {
    case .refused
    where configuration.renewsToken && !hasRenewedToken && verdict.failure.status != 407:
      stage = .refused(verdict.failure)
    case .refused:
      refuse(
        hasRenewedToken
          ? verdict.failure.with("a fresh token was refused as well") : verdict.failure)
    case .giveUp:
      tell(.failed(verdict.failure))
      var failure = verdict.failure
      failure.isFinal = true
      giveUp(failure)
    case .retry(let pause):
      tell(.failed(verdict.failure))
      guard configuration.reconnects, attempt < max(configuration.maxAttempts, 1) else {
        return giveUp(verdict.failure)
      }
      attempt += 1
      let delay = configuration.backoff.delay(
        beforeAttempt: attempt, notBefore: pause ?? .zero, random: entropy.unit())
      stage = .waiting(until: now + delay)
      tell(.waiting(attempt: attempt, delay: delay))
    }
  }

  private mutating func renew(_ token: Bearer, _ failure: Failure, at now: Instant) {
    guard token != configuration.token else {
      return refuse(failure.with("the same token came again where a fresh one was asked for"))
    }
    configuration.token = token
    hasRenewedToken = true
    ask(at: now)
  }

  private mutating func refuse(_ failure: Failure) {
    stage = .over
    tell(.failed(failure))
    enter(.offline(.refused(failure)))
  }

  private mutating func giveUp(_ failure: Failure) {
    stage = .over
    enter(.offline(.gaveUp(attempts: attempt, failure)))
    tell(.gaveUp(attempts: attempt, failure))
  }

  private mutating func tell(_ event: ChannelEvent) {
    actions.append(.event(event))
  }

  private mutating func enter(_ newState: SessionState) {
    guard newState != state else { return }
    state = newState
    tell(.stateChanged(newState))
  }
}
