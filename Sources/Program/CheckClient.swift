package import Channel
import JSON
import Text
package import WebSocket

/// `parlour check` whole, without its machine: dials once, tells each step with its time, and leaves.
package struct CheckClient: HeadlessClient {
  private let endpoint: Endpoint
  private let isJSON: Bool
  private let isLogged: Bool
  private var session: Session
  private var steps = CheckSteps()
  private var dialect: DialectName = .plain
  private var isLeaving = false
  private var hasFailed = false

  package init(_ configuration: SessionConfiguration, isJSON: Bool) {
    var configuration = configuration
    configuration.reconnects = false
    configuration.maxAttempts = 1
    // Nobody reads what was said there.
    configuration.context.historyCount = 0
    endpoint = configuration.endpoint
    isLogged = configuration.isLogged
    self.isJSON = isJSON
    session = Session(configuration)
  }

  package var wantsToken: Bool { session.wantsToken }
  package var untaken: Int { session.untaken }
  package var deadline: Instant? { session.deadline }

  package mutating func handle(
    _ input: CatClientInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    switch input {
    case .start:
      steps.start(at: now)
      return perform(session.handle(.connect, at: now, entropy: &entropy), at: now, &entropy)
    case .session(let input):
      return perform(session.handle(input, at: now, entropy: &entropy), at: now, &entropy)
    case .link(let news):
      steps.link(news, at: now)
      return print()
    case .interrupted:
      isLeaving = true
      let effects = perform(session.handle(.leave, at: now, entropy: &entropy), at: now, &entropy)
      guard case .offline = session.state else { return effects }
      return effects + [.exit(ExitStatus.interrupted)]
    case .standardInput, .standardInputEnded: return []
    }
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [CatEffect] {
    session.note(calendar: wall, at: now)
    return perform(
      session.receive(bytes, from: link, at: now, entropy: &entropy), at: now, &entropy)
  }

  private mutating func perform(
    _ first: [SessionAction], at now: Instant, _ entropy: inout Entropy
  ) -> [CatEffect] {
    var actions = first
    var effects: [CatEffect] = []
    var index = 0
    while index < actions.count {
      let action = actions[index]
      index += 1
      guard case .event(let event) = action else {
        effects.append(CatEffect(action))
        continue
      }
      if isLogged { effects.append(CatEffect(action)) }
      take(event, at: now)
      effects += print()
      if let end = end(after: event) { return effects + [.exit(end)] }
      if steps.isOver, !isLeaving, !hasFailed {
        isLeaving = true
        actions += session.handle(.disconnect, at: now, entropy: &entropy)
      }
    }
    return effects
  }

  private mutating func take(_ event: ChannelEvent, at now: Instant) {
    switch event {
    case .opened(let subprotocol, let dialect, let isCompressed, _, _):
      self.dialect = dialect
      steps.opened(
        subprotocol: subprotocol, dialect: dialect, isCompressed: isCompressed, at: now)
    case .ready: steps.introduced(dialect, at: now)
    case .stateChanged(.online(let online)):
      steps.introduced(dialect, at: now)
      if let roundTrip = online.roundTrip { steps.answered(in: roundTrip) }
    case .failed(let failure) where !isLeaving:
      hasFailed = true
      steps.failed(failure, at: now)
    case .closed(let reason, _) where !isLeaving:
      hasFailed = true
      let text = reason.text.isEmpty ? "" : " \(reason.text)"
      steps.failed(
        Failure(
          kind: verdict(onClose: reason, from: endpoint).failure.kind,
          message: "\(endpoint.hostField) closed the line: \(reason.code.words)"
            + " (\(reason.code.rawValue)\(text))"), at: now)
    case .notice(let text): steps.redirected(text.raw, at: now)
    case .stateChanged, .connecting, .raw, .messages, .sent, .repeatable, .unsure, .rejected,
      .members, .typing, .changed, .changeDone, .changeFailed, .operation, .pong, .closed,
      .failed, .waiting, .gaveUp:
      break
    }
  }

  /// The session has come to its end.
  private func end(after event: ChannelEvent) -> Int32? {
    guard case .stateChanged(.offline(let offline)) = event else { return nil }
    if isLeaving { return ExitStatus.done }
    let code = ExitStatus.of(offline, attemptLimit: 1)
    // An orderly Close in the middle of the steps is no success.
    return code == ExitStatus.done ? ExitStatus.unavailable : code
  }

  // MARK: - Words

  private mutating func print() -> [CatEffect] {
    steps.take().map { row in
      .standardOutput(Array((isJSON ? json(row) : words(row)).utf8) + [0x0A])
    }
  }

  private func words(_ row: CheckSteps.Row) -> String {
    let time = row.time.map { Self.milliseconds($0) + " ms" } ?? ""
    let (sign, word, detail): (String, String, String) =
      switch row.outcome {
      case .done(let detail): ("✓", "ok", detail)
      case .skipped(let detail): ("–", "skipped", detail)
      case .failed(let failure): ("✕", "failed", Self.sentence(failure.message))
      }
    var line =
      "\(sign) \(Self.padded(word, 7))  \(Self.padded(row.step.rawValue, 12))  "
      + "\(Self.padded(time, 10, isNumber: true))  \(detail)"
    while line.last == " " { line.removeLast() }
    line = UntrustedText(line).safe(for: .line, limit: 2_000)
    if case .failed(let failure) = row.outcome {
      line += "\n  → " + advice(row.step, failure)
    }
    return line
  }

  private func json(_ row: CheckSteps.Row) -> String {
    var members = [
      JSON.Member("event", .string("step")), JSON.Member("step", .string(row.step.rawValue)),
    ]
    switch row.outcome {
    case .done(let detail):
      members += [JSON.Member("ok", .bool(true)), JSON.Member("detail", .string(detail))]
    case .skipped(let detail):
      members += [JSON.Member("ok", .null), JSON.Member("detail", .string(detail))]
    case .failed(let failure):
      members += [
        JSON.Member("ok", .bool(false)), JSON.Member("kind", .string(failure.kind.rawValue)),
        JSON.Member("status", failure.status.map { .integer(Int64($0)) } ?? .null),
        JSON.Member("message", .string(failure.message)),
        JSON.Member("advice", .string(advice(row.step, failure))),
      ]
    }
    let time = row.time.map { JSON.double(Self.microseconds($0) / 1000) } ?? .null
    return JSON.object(members + [JSON.Member("ms", time)]).text
  }

  private func advice(_ step: CheckStep, _ failure: Failure) -> String {
    step.advice(on: failure, from: endpoint)
  }

  private static func microseconds(_ time: Duration) -> Double {
    let (seconds, attoseconds) = time.components
    return Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()
  }

  /// With one digit behind the point.
  private static func milliseconds(_ time: Duration) -> String {
    let tenths = Int((microseconds(time) / 100).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func padded(_ text: String, _ width: Int, isNumber: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return isNumber ? blanks + text : text + blanks
  }

  private static func sentence(_ text: String) -> String {
    text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
  }
}
