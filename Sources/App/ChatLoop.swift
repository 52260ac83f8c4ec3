import Channel
import Glibc
import Net
import Program
import Screen
import Terminal
import Text
import WebSocket

/// The one thread of a chat: waits for keys, the line, signals and deadlines, hands them to the `Program`
/// value, does what it says, and draws.
///
/// Keys come before messages; the screen is drawn once a turn, at once after a key and else at most every
/// 16 ms, so that a flood costs no drawing.
final class ChatLoop: ClientLineOwner, EffectLoop {
  private static let drawInterval: Duration = .milliseconds(16)
  /// How soon a terminal that nobody reads is looked at again. The line goes on meanwhile.
  private static let stallInterval: Duration = .milliseconds(100)
  /// What is read of the line in a turn. Smaller than the reactor's own, since a key waits for it.
  private static let readCapacity = 64 * 1024

  let screen: ChatScreen
  private let warnings: [String]
  private let tokenSource: TokenSource
  private let reactor: Reactor
  private let signals: SignalSource
  private let line: ClientLine
  private let log: SessionLog?
  private let keeper: HistoryKeeper?
  private let notifier = Notifier()
  /// The embedded server and its visitors, in the demo.
  private let companion: (any ChatCompanion)?
  private let signalToken: UInt64
  private let inputToken: UInt64
  var program: Program
  /// An answer about the background counts until then.
  var backgroundDue: Instant?
  private var entropy = Machine.entropy()
  private var decoder = KeyDecoder()
  private var keyDeadline: Instant?
  var turns = TurnQueue<ProgramInput>()
  var isDirty = true
  /// Not before then is anything drawn but what was typed; nil before the first time.
  private var drawDue: Instant?
  private var exitCode: Int32?

  init(
    _ options: ConnectOptions, screen: ChatScreen, reactor: Reactor, tokens: Tokens,
    signals: SignalSource, keeper: HistoryKeeper? = nil,
    companion: (any ChatCompanion)? = nil
  ) throws(CommandFailure) {
    self.screen = screen
    warnings = options.warnings
    self.keeper = keeper
    tokenSource = options.tokenSource
    self.reactor = reactor
    self.signals = signals
    log = options.log
    self.companion = companion
    signalToken = tokens.next()
    inputToken = tokens.next()
    line = try ClientLine(
      options, reactor: reactor, tokens: tokens, buffer: ReadBuffer(capacity: Self.readCapacity))
    var session = options.session
    session.recordsFrames = true
    program = Program(
      session, theme: screen.looks.theme, width: screen.presenter.width,
      height: screen.presenter.height)
    program.offset = Machine.zoneOffset
    program.settings = screen.settings
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
      try reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    line.owner = self
    log?.complain = { [weak self] sentence in
      self?.feed(.notice(UntrustedText(sentence), isError: true))
    }
  }

  /// Runs until the person quits or a signal ends the program; returns the exit code.
  func run() -> Int32 {
    recallFirst()
    for warning in warnings + screen.warnings {
      feed(.notice(UntrustedText(warning), isError: true))
    }
    feed(.start)
    draw(at: Machine.now())
    askBackground()
    while exitCode == nil {
      turn(reactor.wait(atMost: waitLimit(at: Machine.now())))
    }
    keeper?.keepLast(program.lastRecords())
    let code = exitCode ?? ExitCode.done
    log?.note(.notice, "leaving with exit code \(code)")
    return code
  }

  private func waitLimit(at now: Instant) -> Duration? {
    var deadlines = [
      program.deadline, keyDeadline, keeper?.deadline, line.deadline.map(Instant.init),
      companion?.deadline.map(Instant.init),
    ]
    if isDirty { deadlines.append(drawDue ?? now) }
    return deadlines.compactMap { $0 }.min().map { max(.zero, $0 - now) }
  }

  private func turn(_ ready: [Ready]) {
    let now = Machine.now()
    var hadKey = false
    for event in ready where event.token == inputToken { hadKey = readKeys(at: now) || hadKey }
    if let due = keyDeadline, due <= now {
      keyDeadline = nil
      take(decoder.timeReached())
      hadKey = true
    }
    // Before a flood is worked off, or what is typed would show a turn late.
    if hadKey { draw(at: now) }
    for event in ready where event.token != inputToken {
      if event.token == signalToken {
        for signal in signals.read() { handle(signal: signal) }
      } else if !line.ready(event, at: now.sinceStart) {
        _ = companion?.ready(event, at: now.sinceStart)
      }
    }
    line.timeReached(at: now.sinceStart)
    companion?.timeReached(at: now.sinceStart)
    if let due = keeper?.deadline, due <= now { tell(keeper?.timeReached(now)) }
    if let due = program.deadline, due <= now {
      feed(.session(.timeReached))
      isDirty = true
    }
    if isDirty, drawDue.map({ $0 <= now }) ?? true { draw(at: now) }
  }

  /// Reads what was typed, a bounded piece a turn. The end of the input is the end of the terminal.
  private func readKeys(at now: Instant) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else {
      if count == 0 || (errno != EINTR && errno != EAGAIN) { exitCode = ExitCode.inputOutput }
      return false
    }
    take(buffer.withUnsafeBytes { decoder.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) })
    for report in decoder.takeReports() { screen.presenter.take(report) }
    keyDeadline = decoder.waitsForMore ? now + decoder.patience : nil
    return true
  }

  private func take(_ keys: [Key]) {
    for key in keys where exitCode == nil {
      if case .background(let isLight) = key { heard(isLight: isLight) } else { feed(.key(key)) }
    }
  }

  private func handle(signal: Int32) {
    switch signal {
    case SIGWINCH:
      let size = screen.presenter.size()
      screen.presenter.resize(width: size.width, height: size.height)
      feed(.resized(width: screen.presenter.width, height: screen.presenter.height))
    case SIGCONT:
      resume()
    case SIGCHLD: notifier.reap()
    case SIGINT: exitCode = ExitCode.interrupted
    default: exitCode = 128 + signal
    }
  }

  private func resume() {
    screen.presenter.resume()
    feed(.resized(width: screen.presenter.width, height: screen.presenter.height))
  }

  // MARK: The program

  func lineReported(_ input: SessionInput) {
    feed(.session(input))
  }

  func lineReceived(_ bytes: RawSpan, from link: LinkID) {
    isDirty = true
    let effects = program.receive(
      bytes, from: link, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
    perform(effects)
  }

  func lineStands(_ details: LineDetails) {
    feed(.lineDetails(details))
  }

  func effects(of input: ProgramInput) -> [ProgramEffect] {
    isDirty = true
    let wasRefused = program.isRefused
    let effects = program.handle(
      input, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
    // Handed over before the link that is about to be opened can report anything.
    let dials = effects.contains { if case .openLink = $0 { true } else { false } }
    if wasRefused, dials, let answer = tokenSource.again(log) { feed(answer) }
    return effects
  }

  func turnsEnded() {
    if program.wantsToken, exitCode == nil { feed(.session(tokenSource.answer(log))) }
  }

  func perform(_ effect: ProgramEffect) {
    switch effect {
    case .openLink(let id, let endpoint): line.open(id, endpoint)
    case .write(let id, let bytes): line.write(id, bytes)
    case .finishLink(let id): line.finish(id)
    case .dropLink(let id): line.drop(id)
    case .log(let event): log?.heard(event)
    case .loadTheme(let name): loadTheme(name)
    case .listThemes: feed(.themesListed(screen.looks.files.all(depth: screen.looks.depth)))
    case .checkTheme(let name): checkTheme(name)
    case .saveSettings(let settings, let names): save(settings, names)
    case .keep(let records): tell(keeper?.keep(records, at: Machine.now()))
    case .recall(let room):
      if let keeper { feed(.recalled(keeper.recall(room), room: room)) }
    case .loadEarlier(let message, let room):
      guard let page = keeper?.earlier(than: message, in: room) else { return }
      feed(.earlier(page.messages, hasEarlier: page.hasEarlier, room: room))
    case .bell: screen.presenter.ring()
    case .notify(let notice): notifier.tell(notice, on: screen.presenter)
    case .save(let text, let path): feed(NewFile.save(text, to: path))
    case .setTitle(let title): screen.presenter.setTitle(title)
    case .repaint: screen.presenter.repaint()
    case .suspend:
      screen.presenter.suspend()
      TerminalGuard.stopProcess()
      resume()
    case .quit(let code): exitCode = code
    }
  }

  /// What an earlier run left of the room, before anything else.
  private func recallFirst() {
    guard let keeper else { return }
    program.keepHistory(inputs: keeper.inputs())
    let room = program.roomName
    feed(.recalled(keeper.recall(room), room: room))
    feed(.keeping(reachesDisk: true, isNew: false))
    tell([])
  }

  /// Words of the store, and whether what is kept reaches the disk since then.
  private func tell(_ words: [HistoryKeeper.Word]?) {
    guard let keeper, let words else { return }
    let all = keeper.takeWarnings() + words
    let isNew = keeper.takeIsRenewed()
    guard !all.isEmpty || isNew else { return }
    feed(.keeping(reachesDisk: keeper.reachesDisk, isNew: isNew))
    for word in all { feed(.notice(UntrustedText(word.text), isError: word.isError)) }
  }

  private func draw(at now: Instant) {
    guard exitCode == nil else { return }
    guard screen.presenter.isWritable else {
      isDirty = true
      drawDue = now + Self.stallInterval
      return
    }
    isDirty = false
    drawDue = now + Self.drawInterval
    let clock = Clock(now: now, wall: Machine.wall(), offset: Machine.zoneOffset)
    screen.presenter.present(program.grid(clock: clock))
  }
}

/// What runs beside a chat in the same thread.
protocol ChatCompanion: AnyObject {
  var deadline: Duration? { get }
  func ready(_ ready: Ready, at now: Duration) -> Bool
  func timeReached(at now: Duration)
}
