package import Channel
import JSON
import Text
package import WebSocket

package struct SubscribeOptions: Sendable {
  /// Leave after that many results.
  package var count: Int?
  /// Results over several lines, indented.
  package var isPretty = false
  /// Standard output is a terminal: what it would obey is escaped there.
  package var isTerminal = false

  /// A query or a mutation goes out as HTTP POST, without a WebSocket.
  package var isOverHTTP = false

  package init() {}
}

/// `parlour subscribe` whole, without its machine: one operation, its results on standard output, everything else
/// in sentences on standard error.
package struct SubscribeClient: HeadlessClient {
  private enum Stage: Equatable {
    case running
    /// The session was told to end; what is left is the exit code.
    case leaving(Int32)
    case over
  }

  private let options: SubscribeOptions
  private let task: GraphQLTask?
  private let attemptLimit: Int
  private let isLogged: Bool
  private var session: any OperationSession
  private var report: CatReport
  private var stage = Stage.running
  private var printed = 0
  private var hasData = false
  private var hasErrors = false
  /// The server found a message of ours invalid.
  private var isOurFault = false
  private var exitCode: Int32?
  private var actions: [SessionAction] = []
  private var effects: [CatEffect] = []

  /// The operation is that of the configuration's context.
  package init(_ configuration: SessionConfiguration, _ options: SubscribeOptions) {
    self.options = options
    task = configuration.context.operation
    attemptLimit = configuration.reconnects ? configuration.maxAttempts : 1
    report = CatReport(CatOptions(url: configuration.endpoint.shown))
    if options.isOverHTTP, let task {
      session = HTTPOperation(configuration, task)
    } else {
      session = Session(configuration)
    }
    isLogged = configuration.isLogged
  }

  /// See `CollectingClient`.
  private(set) var spokeGraphQL = false

  package var wantsToken: Bool { session.wantsToken }
  package var untaken: Int { session.untaken }
  package var deadline: Instant? { session.deadline }

  package mutating func handle(
    _ input: CatClientInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    switch input {
    case .link: break
    case .start: actions = session.handle(.connect, at: now, entropy: &entropy)
    case .standardInput, .standardInputEnded: break
    case .interrupted:
      // A second one waits for nobody.
      if case .leaving = stage { exit(ExitStatus.interrupted) }
      leave(ExitStatus.interrupted, by: .leave, at: now, entropy: &entropy)
    case .session(let input): actions = session.handle(input, at: now, entropy: &entropy)
    }
    return finish(at: now, entropy: &entropy)
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    actions = session.receive(bytes, from: link, at: now, entropy: &entropy)
    return finish(at: now, entropy: &entropy)
  }

  private mutating func finish(at now: Instant, entropy: inout Entropy) -> [CatEffect] {
    var index = 0
    while index < actions.count {
      let action = actions[index]
      index += 1
      guard case .event(let event) = action else {
        effects.append(CatEffect(action))
        continue
      }
      if isLogged { effects.append(CatEffect(action)) }
      if let code = hear(event) { leave(code, at: now, entropy: &entropy) }
      takeSentences()
    }
    actions = []
    if case .leaving(let code) = stage, case .offline = session.state { exit(code) }
    if stage != .over, let exitCode {
      stage = .over
      effects.append(.exit(exitCode))
    }
    defer { effects = [] }
    return effects
  }

  private mutating func takeSentences() {
    for output in report.take() {
      if case .standardError(let sentence) = output { effects.append(.standardError(sentence)) }
    }
  }

  private mutating func leave(
    _ code: Int32, by input: SessionInput = .disconnect, at now: Instant, entropy: inout Entropy
  ) {
    guard stage == .running else { return }
    stage = .leaving(code)
    actions += session.handle(input, at: now, entropy: &entropy)
  }

  /// At the end of this turn, behind all that is still to be said and written.
  private mutating func exit(_ code: Int32) {
    exitCode = exitCode ?? code
  }

  // MARK: - What the session tells

  /// Gives the exit code where the program is to end.
  private mutating func hear(_ event: ChannelEvent) -> Int32? {
    guard stage != .over else { return nil }
    switch event {
    case .operation(let event): return stage == .running ? hear(event) : nil
    case .connecting(let attempt): report.connecting(attempt: attempt)
    case .opened(let subprotocol, _, let isCompressed, let peer, let tls):
      if subprotocol != nil { spokeGraphQL = true }
      report.opened(subprotocol: subprotocol, isCompressed: isCompressed, peer: peer, tls: tls)
    case .notice(let text): report.notice(text.raw)
    case .closed(let reason, let isClean):
      isOurFault = isClean && reason.code.rawValue == 4400
      report.closed(reason, isClean: isClean)
    case .failed(let failure): report.failed(failure)
    case .waiting(let attempt, let delay):
      if stage == .running { report.waiting(attempt: attempt, delay: delay) }
    case .gaveUp(let attempts, let failure):
      if stage == .running { report.gaveUp(attempts: attempts, failure) }
      end(in: .gaveUp(attempts: attempts, failure))
    case .stateChanged(.offline(let end)):
      // Giving up is told by an event of its own, which comes last.
      if case .gaveUp = end { return nil }
      self.end(in: end)
    case .ready: spokeGraphQL = true
    case .stateChanged, .pong, .raw, .messages, .sent, .repeatable, .unsure, .rejected,
      .members, .typing, .changed, .changeDone, .changeFailed:
      break
    }
    return nil
  }

  private mutating func hear(_ event: GraphQLTaskEvent) -> Int32? {
    switch event {
    case .started(let isAgain):
      if isAgain { report.say("The \(kind) was asked for again.") }
    case .result(let result):
      show(result)
      printed += 1
      if printed == options.count { return status }
    case .failed(let result):
      show(result)
      return ExitStatus.badData
    case .completed: return status
    case .inDoubt:
      report.say(
        "Nobody can know whether the mutation was done: the line was lost before its result came, and it is"
          + " not sent again. Ask the server before you repeat it.")
      return ExitStatus.unavailable
    case .broken: return ExitStatus.badData
    }
    return nil
  }

  private var kind: String { task?.kind.rawValue ?? "operation" }

  /// Errors and nothing else are no success.
  private var status: Int32 { hasErrors && !hasData ? ExitStatus.badData : ExitStatus.done }

  private mutating func show(_ result: GraphQLTaskResult) {
    hasData = hasData || result.hasData
    hasErrors = hasErrors || !result.errors.isEmpty
    var text = result.text
    if options.isPretty { text = JSONText.indented(text.span.bytes) }
    if options.isTerminal {
      text = Array(CatJSON.escaped(String(decoding: text, as: UTF8.self)).utf8)
    }
    effects.append(.standardOutput(text + [0x0A]))
    for error in result.errors { report.say("The server reports: \(error.raw)") }
  }

  private mutating func end(in end: SessionState.Offline) {
    if case .leaving(let code) = stage { return exit(code) }
    switch end {
    // An orderly end of the line is none of the operation.
    case .closed(let reason):
      let status = ExitStatus.of(end, attemptLimit: attemptLimit)
      let isSilent = status == ExitStatus.done
      if isSilent {
        report.say(
          "The server ended the line before the \(kind) was over (\(reason.code.rawValue)).")
      }
      exit(isOurFault ? ExitStatus.badData : isSilent ? ExitStatus.unavailable : status)
    case .idle, .stopped, .refused, .gaveUp:
      let status = ExitStatus.of(end, attemptLimit: attemptLimit)
      exit(isOurFault && status == ExitStatus.peerBroke ? ExitStatus.badData : status)
    }
  }
}
