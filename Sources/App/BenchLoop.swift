import Channel
import Net
import Program
import WebSocket

/// The one thread of `parlour bench`: a link, the opening handshake, and then the job, without the session that
/// a chat has in between.
final class BenchLoop {
  /// A server that is silent for this long does not do the job.
  private static let patience = Duration.seconds(30)

  private let plan: BenchPlan
  private let reactor: Reactor
  private let link: Link
  private var entropy = Machine.entropy()
  private var handshake: ClientHandshake
  private var job: BenchRun
  private var figures: BenchFigures?
  private var isUpgraded = false
  /// Whether the job has messages that wait to be sent.
  private var wantsToSend = false
  private var hasEnded = false

  init(_ plan: BenchPlan, tls: TLSContext?, reactor: Reactor) {
    self.plan = plan
    self.reactor = reactor
    let target = LinkTarget(host: plan.endpoint.host, port: plan.endpoint.port, tls: tls)
    link = Link(to: target, reactor: reactor, token: 1)
    handshake = ClientHandshake(
      HandshakeRequest(host: plan.endpoint.hostField, target: plan.endpoint.target),
      entropy: &entropy)
    job = BenchRun(plan, entropy: Machine.entropy())
  }

  func run() throws(CommandFailure) -> BenchFigures {
    try handle(link.start(at: MachineClock.now()))
    while true {
      if let figures {
        try end()
        return figures
      }
      try turn(atMost: link.deadline.map { $0 - MachineClock.now() } ?? Self.patience)
    }
  }

  private func turn(atMost limit: Duration) throws(CommandFailure) {
    let canSend = wantsToSend && link.pendingBytes == 0
    if canSend {
      wantsToSend = job.send { link.write(exchanging: &$0) }
    }
    let readies = reactor.wait(atMost: canSend && link.pendingBytes == 0 ? .zero : limit)
    let now = MachineClock.now()
    for ready in readies { try handle(link.ready(ready, at: now)) }
    if let deadline = link.deadline, deadline <= now {
      try handle(link.timeReached(at: now))
    } else if readies.isEmpty, !canSend {
      throw failure(
        "\(plan.endpoint.hostField) was silent for \(Self.patience.components.seconds) s: does it"
          + " serve \(plan.job.rawValue) there?")
    }
  }

  /// An orderly end: Close, then the end of the stream.
  private func end() throws(CommandFailure) {
    job.close()
    writeOutput()
    try handle(link.finish(at: MachineClock.now(), within: .seconds(1)))
    while !hasEnded, let deadline = link.deadline {
      for ready in reactor.wait(atMost: max(.zero, deadline - MachineClock.now())) {
        try handle(link.ready(ready, at: MachineClock.now()))
      }
      try handle(link.timeReached(at: MachineClock.now()))
    }
  }

  private func handle(_ events: [LinkEvent]) throws(CommandFailure) {
    for event in events {
      switch event {
      case .lookingUp, .connecting, .tunnelling, .securing, .drained: break
      case .opened: link.write(handshake.request)
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
    guard figures == nil else { return }
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
