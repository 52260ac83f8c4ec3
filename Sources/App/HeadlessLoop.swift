import Channel
import Glibc
import Net
import Program
import WebSocket

/// The one thread of `parlour cat` and `parlour subscribe`: standard input, the line, signals and deadlines, handed
/// to a value that decides.
final class HeadlessLoop<Client: HeadlessClient>: ClientLineOwner, EffectLoop {
  private let tokenSource: TokenSource
  private let reactor: Reactor
  private let signals: SignalSource
  private let line: ClientLine
  private let log: SessionLog?
  private let signalToken: UInt64
  private let inputToken: UInt64
  private(set) var client: Client
  private var entropy = Machine.entropy()
  var turns = TurnQueue<CatClientInput>()
  private var isWatchingInput = false
  private var hasInputEnded = false
  private var output = StandardOutput()
  private var exitCode: Int32?
  /// A signal ends the program: with that code, and at that moment though the server has not answered the Close.
  private var leaving: (code: Int32, until: Instant)?

  init(
    _ client: Client, connect: ConnectOptions, reactor: Reactor, tokens: Tokens,
    signals: SignalSource
  ) throws(CommandFailure) {
    self.reactor = reactor
    self.signals = signals
    log = connect.log
    signalToken = tokens.next()
    inputToken = tokens.next()
    line = try ClientLine(connect, reactor: reactor, tokens: tokens)
    self.client = client
    tokenSource = connect.tokenSource
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    line.owner = self
    log?.complain = { App.write("parlour: \($0)\n", to: STDERR_FILENO) }
  }

  func run() -> Int32 {
    feed(.start)
    while exitCode == nil {
      watchInput()
      for ready in reactor.wait(atMost: waitLimit(at: Machine.now())) { handle(ready) }
      if Outlet.output.takeHasWaited() {
        // What came while a slow reader made us wait is read before the clock is asked who is silent.
        for ready in reactor.wait(atMost: .zero) { handle(ready) }
      }
      let now = Machine.now()
      line.timeReached(at: now.sinceStart)
      if let due = client.deadline, due <= now { feed(.session(.timeReached)) }
      if let leaving, leaving.until <= now { exitCode = exitCode ?? leaving.code }
    }
    let code = exitCode ?? ExitCode.done
    log?.note(.notice, "leaving with exit code \(code)")
    return code
  }

  private func waitLimit(at now: Instant) -> Duration? {
    [client.deadline, line.deadline.map(Instant.init), leaving?.until].compactMap { $0 }.min()
      .map { max(.zero, $0 - now) }
  }

  /// Standard input is read only while there is room for what it brings, on the line too.
  private func watchInput() {
    let wanted =
      client.wantsInput && !hasInputEnded && line.pendingBytes < mostPendingInput
    guard wanted != isWatchingInput else { return }
    if wanted {
      guard (try? reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)) != nil else {
        // Closed from the start: the same as an empty one.
        hasInputEnded = true
        feed(.standardInputEnded)
        return
      }
    } else {
      reactor.forget(STDIN_FILENO)
    }
    isWatchingInput = wanted
  }

  private func handle(_ ready: Ready) {
    switch ready.token {
    case signalToken: takeSignals()
    case inputToken: readInput()
    default: _ = line.ready(ready, at: MachineClock.now())
    }
  }

  private func takeSignals() {
    for signal in signals.read() { leave(with: 128 + signal) }
  }

  /// The server is told, and has a moment to answer; a second signal waits for nobody.
  private func leave(with code: Int32) {
    guard leaving == nil else {
      exitCode = code
      return
    }
    leaving = (code, Machine.now() + closingPatience)
    Outlet.output.mayWait = false
    feed(.interrupted)
  }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      bytes.removeSubrange(count...)
      feed(.standardInput(bytes))
    } else if count == 0 || errno == EBADF {
      // Closed from the start is the same as empty.
      hasInputEnded = true
      feed(.standardInputEnded)
    } else if errno != EINTR, errno != EAGAIN {
      write(
        "parlour: Standard input cannot be read: \(systemErrorWords()).\n", to: STDERR_FILENO)
      exitCode = ExitCode.inputOutput
    }
  }

  // MARK: The client

  func lineReported(_ input: SessionInput) {
    feed(.session(input))
  }

  func lineHeard(_ event: LinkEvent) {
    switch event {
    case .lookingUp: feed(.link(.lookingUp))
    case .connecting(let addresses): feed(.link(.connecting(addresses)))
    case .tunnelling(let peer): feed(.link(.tunnelling(peer: peer)))
    case .securing(let peer): feed(.link(.securing(peer: peer)))
    case .opened(let peer, let tls): feed(.link(.opened(peer: peer, tls: tls)))
    case .readable, .drained, .ended: break
    }
  }

  func lineReceived(_ bytes: RawSpan, from link: LinkID) {
    var position = 0
    repeat {
      let effects = client.receive(
        bytes.extracting(position...), from: link, at: Machine.now(), wall: Machine.wall(),
        entropy: &entropy)
      position = bytes.byteCount - client.untaken
      perform(effects)
      guard position < bytes.byteCount else { return }
      // A few bytes may be many restored ones: nobody waits for all of them.
      takeSignals()
      if let leaving, leaving.until <= Machine.now() { exitCode = exitCode ?? leaving.code }
    } while exitCode == nil
  }

  func effects(of input: CatClientInput) -> [CatEffect] {
    client.handle(input, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
  }

  func turnsEnded() {
    flushOutput()
    if client.wantsToken, exitCode == nil { feed(.session(tokenSource.answer(log))) }
  }

  func perform(_ effect: CatEffect) {
    switch effect {
    case .openLink(let id, let endpoint): line.open(id, endpoint)
    case .write(let id, let bytes): line.write(id, bytes)
    case .finishLink(let id): line.finish(id)
    case .dropLink(let id): line.drop(id)
    case .log(let event): log?.heard(event)
    case .standardOutput(let bytes):
      output.append(bytes)
      if output.isFull { flushOutput() }
    case .standardError(let text):
      flushOutput()
      write(text, to: STDERR_FILENO)
    case .exit(let code): exitCode = exitCode ?? leaving?.code ?? code
    }
  }

  private func flushOutput() {
    guard let errorNumber = output.flush() else { return }
    write(
      "parlour: Standard output takes no more: \(systemErrorWords(errorNumber)).\n",
      to: STDERR_FILENO)
    exitCode = ExitCode.inputOutput
  }
}

/// How long a server has to answer the Close where a signal ends the program.
let closingPatience: Duration = .seconds(1)

/// While so many bytes wait to leave, no more are taken in.
private let mostPendingInput = 1 << 20
