import Channel
import Net
import Program
import WebSocket

/// The one thread of `parlour bench`: a link, the opening handshake, and then the job, without the session that
/// a chat has in between.
final class BenchLoop {
  private let plan: BenchPlan
  private let reactor: Reactor
  private let link: Link
  private var entropy = Machine.entropy()
  private var handshake: ClientHandshake
  private var job: BenchRun
  private var figures: BenchFigures?
  private var now = MachineClock.now()
  private var patience: BenchPatience
  private var isOpen = false
  private var isUpgraded = false
  /// Whether the job has messages that wait to be sent.
  private var wantsToSend = false
  private var hasEnded = false
  private let signals: SignalSource
  /// Of a signal that ended the program: 128 and its number.
  private var interruption: Int32?
  private static let signalToken: UInt64 = 2

  init(
    _ plan: BenchPlan, tls: TLSContext?, reactor: Reactor, signals: SignalSource
  ) throws(CommandFailure) {
    self.plan = plan
    self.signals = signals
    self.reactor = reactor
    let target = LinkTarget(host: plan.endpoint.host, port: plan.endpoint.port, tls: tls)
    link = Link(to: target, reactor: reactor, token: 1)
    handshake = ClientHandshake(
      HandshakeRequest(
        host: plan.endpoint.hostField, target: plan.endpoint.target,
        subprotocols: plan.job == .gql ? ["graphql-transport-ws"] : []),
      entropy: &entropy)
    job = BenchRun(plan, entropy: Machine.entropy())
    patience = BenchPatience(limit: plan.timeout, at: MachineClock.now())
    do {
      try reactor.watch(signals.descriptor, token: Self.signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
  }

  func run() throws(CommandFailure) -> BenchFigures {
    try handle(link.start(at: now))
    while true {
      if let figures {
        try end()
        return figures
      }
      try turn()
    }
  }

  private func turn() throws(CommandFailure) {
    let canSend = wantsToSend && link.pendingBytes == 0
    if canSend {
      wantsToSend = job.send { link.write(exchanging: &$0) }
    }
    let limit = max(.zero, (link.deadline ?? patience.deadline) - now)
    let readies = reactor.wait(atMost: canSend && link.pendingBytes == 0 ? .zero : limit)
    now = MachineClock.now()
    for ready in readies {
      if ready.token == Self.signalToken {
        try interrupt()
      } else {
        try handle(link.ready(ready, at: now))
      }
    }
    if let deadline = link.deadline, deadline <= now { try handle(link.timeReached(at: now)) }
    // Before it is open, the link has a time limit of its own.
    if isOpen, figures == nil, !patience.lasts(progress, at: now) { throw silence }
  }

  private var progress: BenchProgress {
    var progress = BenchProgress()
    progress.isUpgraded = isUpgraded
    progress.messages = job.messages
    progress.unwritten = link.pendingBytes
    progress.missing = job.roomInPlace
    return progress
  }

  private var silence: CommandFailure {
    let missing =
      switch (isUpgraded, plan.job) {
      case (false, _): "not answered the upgrade"
      case (true, .echo): "sent no echo"
      case (true, .flood): "sent no message"
      case (true, .sink): "not said how many bytes came"
      case (true, .gql): "sent no result"
      }
    return failure(
      "\(plan.endpoint.hostField) has \(missing) for \(patience.limit.words): does it serve"
        + " \(plan.job.rawValue) at that URL? A server that needs longer gets it by --timeout.")
  }

  /// An orderly end: Close, then the end of the stream.
  private func end(_ code: CloseCode = .normal) throws(CommandFailure) {
    if isUpgraded {
      job.close(code)
      writeOutput()
    }
    try handle(link.finish(at: MachineClock.now(), within: closingPatience))
    while !hasEnded, let deadline = link.deadline {
      for ready in reactor.wait(atMost: max(.zero, deadline - MachineClock.now())) {
        if ready.token == Self.signalToken {
          // Whoever asks again waits for nobody.
          if !signals.read().isEmpty { return }
        } else {
          try handle(link.ready(ready, at: MachineClock.now()))
        }
      }
      try handle(link.timeReached(at: MachineClock.now()))
    }
  }

  private func interrupt() throws(CommandFailure) {
    guard let signal = signals.read().first else { return }
    let code = 128 + signal
    interruption = code
    try end(.goingAway)
    throw CommandFailure(
      "Interrupted behind \(job.messages) of \(plan.count) messages.", exitCode: code)
  }

  private func handle(_ events: [LinkEvent]) throws(CommandFailure) {
    for event in events {
      switch event {
      case .lookingUp, .connecting, .tunnelling, .securing, .drained: break
      case .opened:
        isOpen = true
        patience = BenchPatience(limit: plan.timeout, at: now)
        link.write(handshake.request)
      case .readable: try read()
      case .ended(let end): try ended(end)
      }
    }
  }

  private func read() throws(CommandFailure) {
    if isUpgraded, job.roomInPlace > 0 { return try readInPlace() }
    switch link.read(into: reactor.readBuffer) {
    case .wouldBlock: break
    case .ended(let end): try ended(end)
    case .bytes:
      let bytes = reactor.readBuffer.contents.bytes
      if isUpgraded {
        figures = try job.receive(bytes)
      } else {
        try upgrade(handshake.receive(bytes), bytes)
      }
      writeOutput()
    }
  }

  private func readInPlace() throws(CommandFailure) {
    var result = ReadResult.wouldBlock
    figures = try job.receiveInPlace { memory in
      result = link.read(into: memory)
      if case .bytes(let count) = result { return count }
      return 0
    }
    writeOutput()
    if case .ended(let end) = result { try ended(end) }
  }

  private func writeOutput() {
    job.drainOutput { link.write(exchanging: &$0) }
  }

  private func upgrade(
    _ progress: ClientHandshake.Progress, _ bytes: RawSpan
  ) throws(CommandFailure) {
    switch progress {
    case .incomplete: break
    case .accepted(let acceptance):
      isUpgraded = true
      wantsToSend = plan.job == .sink
      job.begin()
      figures = try job.receive(bytes.extracting(droppingFirst: acceptance.consumed))
    case .refused(let refusal):
      throw Self.failure(of: verdict(onRefusal: refusal, from: plan.endpoint))
    case .failed(let error):
      throw Self.failure(of: verdict(onHandshakeError: error, from: plan.endpoint))
    }
  }

  private func ended(_ end: LinkEnd) throws(CommandFailure) {
    hasEnded = true
    // What comes behind the last figure is of no account any more.
    guard figures == nil, interruption == nil else { return }
    switch end {
    case .failed(let failure): throw self.failure(failure.message)
    case .closed, .truncated, .tunnelFailed:
      if !isUpgraded { try upgrade(handshake.endOfStream(), RawSpan()) }
      throw failure("\(plan.endpoint.hostField) ended the connection before the job was done")
    }
  }

  private func failure(_ message: String) -> CommandFailure {
    CommandFailure(message, exitCode: ExitCode.unavailable)
  }

  private static func failure(of verdict: Verdict) -> CommandFailure {
    CommandFailure(verdict.failure.message, exitCode: ExitStatus.of(verdict.failure.kind))
  }
}
