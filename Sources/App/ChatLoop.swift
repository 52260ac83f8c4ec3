import Channel
import Glibc
import Net
import Program
import Room
import Screen
import Terminal
import Text
import WebSocket

/// The one thread of a chat: waits for keys, the lines, signals and deadlines, hands them to the `Workspace`
/// value, does what it says, and draws.
///
/// Keys come before messages; the screen is drawn once a turn, at once after a key and else at most every
/// 16 ms and for a fortieth of the time, so that a flood costs little drawing. A turn reads from a few lines only,
/// those first that waited longest: a flood in one window delays neither a key nor another window.
final class ChatLoop: WindowLoop {
  private static let drawInterval: Duration = .milliseconds(16)
  /// A frame is followed by that many times as long without one, where only messages ask for the next; on a slow
  /// machine by the longest pause.
  private static let drawPause = 40
  private static let longestDrawPause: Duration = .milliseconds(50)
  /// How soon a terminal that nobody reads is looked at again. The line goes on meanwhile.
  private static let stallInterval: Duration = .milliseconds(100)
  /// What is read of the line in a turn. Smaller than the reactor's own, since a key waits for it.
  private static let readCapacity = 64 * 1024
  /// How long lines are dealt with in a turn; those left over are ready again in the next one.
  private static let turnTime: Duration = .milliseconds(2)

  let screen: ChatScreen
  let servers: ChatServers
  let surroundings: ChatLine.Surroundings
  private let watch: MachineWatch
  let reactor: Reactor
  let signals: SignalSource
  var lines: [ChatLine] = []
  var known: [String: ConnectOptions] = [:]
  /// Windows beside the first that the command line asked for.
  private let others: [ConnectOptions]
  private var turnCount = 0
  var touched: Set<WindowID> = []
  let keeper: HistoryKeeper?
  let tokenCommands: TokenCommands
  let browser = Browser()
  let notifier = Notifier()
  let companion: (any ChatCompanion)?
  let greetings: [String]
  private let signalToken: UInt64
  let inputToken: UInt64
  var workspace: Workspace
  /// An answer about the background counts until then.
  var backgroundDue: Instant?
  var entropy = Machine.entropy()
  private var decoder = KeyDecoder()
  /// Takes what the terminal has, again and again.
  private var typed = [UInt8](repeating: 0, count: 65_536)
  private var keyDeadline: Instant?
  /// The person's own editor, while it has the terminal.
  var editor: ExternalEditor?
  var turns = TurnQueue<WorkspaceInput>()
  var isDirty = true
  /// What the lines brought in this turn; see `rest`.
  var heardBytes = 0
  /// Where the input stands in the last whole frame.
  private var drawnInput: InputPlace?
  /// Not before then is anything drawn but what was typed; nil before the first time.
  private var drawDue: Instant?
  var exitCode: Int32?
  private var leaving = Leaving()

  /// `windows` is not empty; its first one gets the keys.
  init(
    _ windows: [ConnectOptions], servers: ChatServers, screen: ChatScreen, reactor: Reactor,
    tokens: Tokens, signals: SignalSource, keeper: HistoryKeeper? = nil,
    companion: (any ChatCompanion)? = nil, greetings: [String] = []
  ) throws(CommandFailure) {
    guard let options = windows.first else { throw .usage("Say where to chat: parlour URL.") }
    self.screen = screen
    self.servers = servers
    self.keeper = keeper
    self.reactor = reactor
    self.signals = signals
    self.companion = companion
    self.greetings = greetings
    others = Array(windows.dropFirst())
    surroundings = ChatLine.Surroundings(
      reactor: reactor, tokens: tokens, buffer: ReadBuffer(capacity: Self.readCapacity))
    watch = MachineWatch(reactor: reactor, tokens: tokens, log: options.log)
    tokenCommands = TokenCommands(reactor: reactor, tokens: tokens)
    signalToken = tokens.next()
    inputToken = tokens.next()
    workspace = Workspace(
      Self.recording(options).session, theme: screen.looks.theme, width: screen.presenter.width,
      height: screen.presenter.height)
    workspace.setOffset(Machine.zoneOffset)
    workspace.begin(with: screen.settings, screen.keys)
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
      try reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    lines = [
      try ChatLine(workspace.firstWindow, options, loop: self, surroundings: surroundings)
    ]
  }

  /// Runs until the person quits or a signal ends the program; returns the exit code.
  func run() -> Int32 {
    if let first = lines.first { remember(first.options) }
    recallFirst()
    greet(warnings: screen.warnings)
    feed(.start)
    draw(at: Machine.now())
    askBackground()
    for (index, options) in others.enumerated() {
      open(WindowID(-1 - index), options, asked: workspace.firstWindow, isShown: false)
    }
    while exitCode == nil {
      rest()
      turn(reactor.wait(atMost: waitLimit(at: Machine.now())))
    }
    editor?.abandon()
    tokenCommands.endAll()
    keepLast()
    leaving.linger(lines, reactor) { $0.token == signalToken && !signals.read().isEmpty }
    let code = exitCode ?? ExitCode.done
    for line in lines { line.log?.note(.notice, "leaving with exit code \(code)") }
    return code
  }

  func waitLimit(at now: Instant) -> Duration? {
    waitLimit(at: now, own: [keyDeadline, isDirty ? drawDue ?? now : nil])
  }

  private func turn(_ ready: [Ready]) {
    let now = Machine.now()
    var hadKey = false
    let wasDirty = isDirty
    workspace.beginTyping()
    for event in ready where event.token == inputToken { hadKey = readKeys(at: now) || hadKey }
    if let due = keyDeadline, due <= now {
      keyDeadline = nil
      take(decoder.timeReached())
      hadKey = true
    }
    // Before a flood is worked off, or what is typed would show a turn late.
    if hadKey, !drawInput(wasDirty: wasDirty) { draw(at: now) }
    deal(with: ready, at: now)
    for line in lines { line.line.timeReached(at: now.sinceStart) }
    lines.removeAll { $0.hasEnded(at: now) }
    companion?.timeReached(at: now.sinceStart)
    takeTokens(at: now)
    if let due = keeper?.deadline, due <= now { tell(keeper?.timeReached(now)) }
    if let due = workspace.deadline, due <= now {
      feed(WorkspaceInput.timeReached)
      isDirty = true
    }
    if isDirty, drawDue.map({ $0 <= now }) ?? true { draw(at: now) }
  }

  private func deal(with ready: [Ready], at now: Instant) {
    turnCount += 1
    var owned: [(line: ChatLine, event: Ready)] = []
    for event in ready where event.token != inputToken {
      if event.token == signalToken {
        takeSignals()
      } else if tokenCommands.owns(event) {
        // Asked once a turn in any case.
        continue
      } else if let line = lines.first(where: { $0.line.owns(event.token) }) {
        owned.append((line, event))
      } else if let inputs = watch.ready(event, log: lines.first?.log) {
        for input in inputs { feed(WorkspaceInput.all(.session(input))) }
      } else {
        _ = companion?.ready(event, at: now.sinceStart)
      }
    }
    if owned.count > 1 { owned.sort { $0.line.servedAt < $1.line.servedAt } }
    for (line, event) in owned {
      line.servedAt = turnCount
      _ = line.line.ready(event, at: now.sinceStart)
      if owned.count > 1, Machine.now() - now > Self.turnTime { break }
    }
  }

  /// Reads what was typed, a bounded piece a turn. The end of the input is the end of the terminal.
  private func readKeys(at now: Instant) -> Bool {
    let count = typed.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else {
      if count == 0 || (errno != EINTR && errno != EAGAIN) {
        leave(with: ExitCode.inputOutput, bySignal: false)
      }
      return false
    }
    take(typed.withUnsafeBytes { decoder.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) })
    for report in decoder.takeReports() { screen.presenter.take(report) }
    keyDeadline = decoder.waitsForMore ? now + decoder.patience : nil
    return true
  }

  private func take(_ keys: [Key]) {
    for key in keys where exitCode == nil {
      if case .background(let isLight) = key { heard(isLight: isLight) } else { feed(.key(key)) }
      guard case .paste = key, decoder.pasteWasCut else { continue }
      feed(.notice(UntrustedText("The paste was cut: 1 MiB of it is there."), isError: true))
    }
  }

  private func leave(with code: Int32, bySignal: Bool) {
    let isFirst = leaving.begin(bySignal: bySignal)
    if isFirst { feed(WorkspaceInput.leave(code)) }
    if isFirst || bySignal { exitCode = code }
  }

  func takeSignals() {
    for signal in signals.read() { handle(signal: signal) }
  }

  private func handle(signal: Int32) {
    // The terminal is the editor's, and what is typed there is meant for it.
    if editor != nil, [SIGWINCH, SIGINT, SIGCONT].contains(signal) { return }
    switch signal {
    case SIGCHLD:
      notifier.reap()
      browser.reap()
      closeEditor()
    case SIGWINCH:
      let size = screen.presenter.size()
      screen.presenter.resize(width: size.width, height: size.height)
      feed(.resized(width: screen.presenter.width, height: screen.presenter.height))
    case SIGCONT:
      resume()
    default: leave(with: 128 + signal, bySignal: true)
    }
  }

  func resume() {
    // Nothing is on the screen any more.
    drawDue = nil
    screen.presenter.resume()
    feed(.resized(width: screen.presenter.width, height: screen.presenter.height))
  }

  // MARK: The program

  func workspaceChanged() { isDirty = true }

  func heard(bytes: Int) { heardBytes += bytes }

  /// Where only the input has changed, it alone is drawn; what else waits to be drawn goes on waiting. False where all
  /// is to be drawn.
  private func drawInput(wasDirty: Bool) -> Bool {
    guard exitCode == nil, workspace.changedOnlyInput, let place = workspace.inputPlace,
      place == drawnInput, screen.presenter.isWritable
    else { return false }
    let clock = Clock(now: Machine.now(), wall: Machine.wall(), offset: Machine.zoneOffset)
    guard screen.presenter.present(workspace.inputPiece(at: place, clock: clock)) else {
      return false
    }
    isDirty = wasDirty
    return true
  }

  private func draw(at now: Instant) {
    guard exitCode == nil else { return }
    guard screen.presenter.isWritable else {
      isDirty = true
      drawDue = now + Self.stallInterval
      return
    }
    isDirty = false
    // The turn may have begun long ago: the process may have been stopped in between.
    let start = Machine.now()
    let clock = Clock(now: start, wall: Machine.wall(), offset: Machine.zoneOffset)
    screen.presenter.tellsLinks = workspace.chosen.tellsLinks
    screen.presenter.isolatesText = workspace.chosen.isolatesText
    screen.presenter.takeMouse(workspace.chosen.takesMouse)
    screen.presenter.present(workspace.grid(clock: clock))
    drawnInput = workspace.inputPlace
    let end = Machine.now()
    let pause = min((end - start) * Self.drawPause, Self.longestDrawPause)
    drawDue = end + max(Self.drawInterval, pause)
  }
}
