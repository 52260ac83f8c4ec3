import Channel
import Glibc
import Net
import Program
import WebSocket

/// The one thread of `parlour cat`: standard input, the line, signals and deadlines, handed to the `CatProgram`
/// and the `Session` values.
final class CatLoop: ClientLineOwner {
  private let reactor: Reactor
  private let signals: SignalSource
  private let line: ClientLine
  private let signalToken: UInt64
  private let inputToken: UInt64
  private var program: CatProgram
  private var session: Session
  private var entropy = Machine.entropy()
  private var sessionInputs: [SessionInput] = []
  private var isHandling = false
  private var isWatchingInput = false
  private var hasInputEnded = false
  private var isBroken = false
  private var exitCode: Int32?

  init(
    _ options: CatOptions, connect: ConnectOptions, reactor: Reactor, tokens: Tokens,
    signals: SignalSource
  ) throws(CommandFailure) {
    self.reactor = reactor
    self.signals = signals
    signalToken = tokens.next()
    inputToken = tokens.next()
    line = try ClientLine(connect, reactor: reactor, tokens: tokens)
    program = CatProgram(options)
    session = Session(connect.session)
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    line.owner = self
  }

  func run() -> Int32 {
    hand(.start)
    while exitCode == nil {
      watchInput()
      for ready in reactor.wait(atMost: waitLimit(at: Machine.now())) { handle(ready) }
      let now = Machine.now()
      line.timeReached(at: now.sinceStart)
      if let due = session.deadline, due <= now { lineReported(.timeReached) }
      if let due = program.deadline, due <= now { hand(.timeReached) }
    }
    return exitCode ?? ExitCode.done
  }

  private func waitLimit(at now: Instant) -> Duration? {
    [program.deadline, session.deadline, line.deadline.map(Instant.init)].compactMap { $0 }.min()
      .map { max(.zero, $0 - now) }
  }

  /// Standard input is read only while there is room for what it brings.
  private func watchInput() {
    let wanted = program.wantsInput && !hasInputEnded
    guard wanted != isWatchingInput else { return }
    if wanted {
      guard (try? reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)) != nil else {
        // Closed from the start: the same as an empty one.
        hasInputEnded = true
        hand(.standardInputEnded)
        return
      }
    } else {
      reactor.forget(STDIN_FILENO)
    }
    isWatchingInput = wanted
  }

  private func handle(_ ready: Ready) {
    switch ready.token {
    case signalToken:
      for signal in signals.read() {
        exitCode = signal == SIGINT ? ExitCode.interrupted : 128 + signal
      }
    case inputToken: readInput()
    default: _ = line.ready(ready, at: MachineClock.now())
    }
  }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes.removeSubrange(count...)
      hand(.standardInput(bytes))
    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
      hasInputEnded = true
      hand(.standardInputEnded)
    }
  }

  // MARK: The session and the program

  func lineReported(_ input: SessionInput) {
    sessionInputs.append(input)
    inOrder {}
  }

  func lineReceived(_ bytes: RawSpan, from link: LinkID) {
    let actions = session.receive(bytes, from: link, at: Machine.now(), entropy: &entropy)
    inOrder { perform(actions) }
  }

  /// What an action leads to waits until the actions before it are done.
  private func inOrder(_ body: () -> Void) {
    guard !isHandling else { return body() }
    isHandling = true
    defer { isHandling = false }
    body()
    var next = 0
    while next < sessionInputs.count {
      let actions = session.handle(sessionInputs[next], at: Machine.now(), entropy: &entropy)
      next += 1
      perform(actions)
    }
    sessionInputs.removeAll(keepingCapacity: true)
  }

  private func perform(_ actions: [SessionAction]) {
    for action in actions {
      switch action {
      case .openLink(let id, let endpoint): line.open(id, endpoint)
      case .write(let id, let bytes): line.write(id, bytes)
      case .finishLink(let id): line.finish(id)
      case .dropLink(let id): line.drop(id)
      case .event(let event): hand(.channel(event))
      }
    }
  }

  private func hand(_ input: CatInput) {
    let outputs = program.handle(input, at: Machine.now(), wall: Machine.wall()) {
      makeNonce(&entropy)
    }
    for output in outputs {
      switch output {
      case .standardOutput(let bytes):
        if !isBroken, !writeAll(bytes, to: STDOUT_FILENO) {
          isBroken = true
          write(
            "parlour: standard output takes no more: \(systemErrorWords()).\n", to: STDERR_FILENO)
          exitCode = ExitCode.inputOutput
        }
      case .standardError(let text): write(text, to: STDERR_FILENO)
      case .session(let input): lineReported(input)
      case .exit(let code): exitCode = exitCode ?? code
      }
    }
  }
}
