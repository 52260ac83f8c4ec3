import Channel
import Glibc
import Net
import Program
import Room
import Screen
import Terminal
import Text
import WebSocket

/// The one thread of a chat without a screen (`--plain`): the same `Program`, told in finished lines. Input is keys where
/// the terminal can echo them, else whole lines, from a pipe as well.
final class PlainLoop: ClientLineOwner, EffectLoop {
  private let terminal: LineTerminal
  private let tokenSource: TokenSource
  private let reactor: Reactor
  private let signals: SignalSource
  private let line: ClientLine
  private let log: SessionLog?
  private let keeper: HistoryKeeper?
  private let looks: ThemeFiles
  private let companion: (any ChatCompanion)?
  private let signalToken: UInt64
  private let inputToken: UInt64
  private let warnings: [String]
  /// What is kept on disk is kept under this name.
  private let server: String
  private var program: Program
  private var entropy = Machine.entropy()
  private var decoder = KeyDecoder()
  private var keyDeadline: Instant?
  private var splitter = LineSplitter(limit: RoomModel.largestMessage)
  private var transcript = PlainTranscript()
  private var prompt = PlainPrompt()
  private var hasInputEnded = false
  private var exitCode: Int32?
  var turns = TurnQueue<ProgramInput>()

  init(
    _ options: ConnectOptions, settings: Settings, reactor: Reactor, tokens: Tokens,
    signals: SignalSource, keeper: HistoryKeeper? = nil, companion: (any ChatCompanion)? = nil
  ) throws(CommandFailure) {
    warnings = options.warnings
    server = options.session.endpoint.identity
    self.keeper = keeper
    self.reactor = reactor
    self.signals = signals
    self.companion = companion
    tokenSource = options.tokenSource
    log = options.log
    looks = ThemeFiles()
    signalToken = tokens.next()
    inputToken = tokens.next()
    line = try ClientLine(options, reactor: reactor, tokens: tokens)
    var session = options.session
    session.recordsFrames = true
    program = Program(session, theme: .fallback, width: 80, height: 24)
    program.offset = Machine.zoneOffset
    program.settings = settings
    // Nobody would see the question.
    program.settings.pasteLines = 0
    terminal = LineTerminal(type: environment("TERM"))
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    line.owner = self
    log?.complain = { [weak self] in self?.notice($0, isError: true) }
  }

  func run() -> Int32 {
    defer { terminal.close() }
    watchInput()
    recallFirst()
    for warning in warnings { notice(warning, isError: true) }
    feed(.start)
    while exitCode == nil {
      turn(reactor.wait(atMost: waitLimit(at: Machine.now())))
    }
    keeper?.keepLast([(server, program.lastRecords())])
    say(prompt.show(""))
    let code = exitCode ?? ExitCode.done
    log?.note(.notice, "leaving with exit code \(code)")
    return code
  }

  /// A file is always ready, and epoll will not have it: it is read at once.
  private func watchInput() {
    guard (try? reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)) == nil else {
      return
    }
    while !hasInputEnded { readInput(at: Machine.now()) }
  }

  private func waitLimit(at now: Instant) -> Duration? {
    [
      program.deadline, keyDeadline, keeper?.deadline, line.deadline.map(Instant.init),
      companion?.deadline.map(Instant.init),
    ].compactMap(\.self).min().map { max(.zero, $0 - now) }
  }

  private func turn(_ ready: [Ready]) {
    let now = Machine.now()
    for event in ready where event.token == inputToken { readInput(at: now) }
    if let due = keyDeadline, due <= now {
      keyDeadline = nil
      take(decoder.timeReached())
    }
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
    if let due = program.deadline, due <= now { feed(.session(.timeReached)) }
    if hasInputEnded, !program.isBusy, exitCode == nil {
      // Said twice: the first time it may only tell what would be lost.
      feed(.entered("/quit"))
      if exitCode == nil { feed(.entered("/quit")) }
    }
  }

  private func handle(signal: Int32) {
    switch signal {
    case SIGINT: exitCode = ExitCode.interrupted
    case SIGWINCH: break
    case SIGCONT: terminal.open()
    default: exitCode = 128 + signal
    }
  }

  // MARK: - Input

  private func readInput(at now: Instant) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      return endInput()
    }
    bytes.removeSubrange(count...)
    guard terminal.hasKeys else {
      splitter.append(bytes)
      return takeLines()
    }
    take(decoder.feed(bytes))
    keyDeadline = decoder.waitsForMore ? now + decoder.patience : nil
  }

  private func endInput() {
    reactor.forget(STDIN_FILENO)
    hasInputEnded = true
    splitter.end()
    takeLines()
  }

  private func takeLines() {
    while exitCode == nil, let next = splitter.next() {
      switch next {
      case .line(let bytes): feed(.entered(String(decoding: bytes, as: UTF8.self)))
      case .tooLong:
        notice("A line of more than \(RoomModel.largestMessage) bytes was left out.", isError: true)
      }
    }
  }

  private func take(_ keys: [Key]) {
    for key in keys where exitCode == nil {
      guard PlainKeys.isOf(key) else { continue }
      if key == .enter { say(prompt.end()) }
      feed(.key(key))
    }
  }

  // MARK: - The program

  func lineReported(_ input: SessionInput) {
    feed(.session(input))
  }

  func lineStands(_ details: LineDetails) {
    feed(.lineDetails(details))
  }

  func lineReceived(_ bytes: RawSpan, from link: LinkID) {
    let effects = program.receive(
      bytes, from: link, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
    perform(effects)
  }

  func effects(of input: ProgramInput) -> [ProgramEffect] {
    let wasRefused = program.isRefused
    let effects = program.handle(input, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
    let dials = effects.contains { if case .openLink = $0 { true } else { false } }
    if wasRefused, dials, let answer = tokenSource.again(log) { feed(answer) }
    return effects
  }

  func turnsEnded() {
    if program.wantsToken, exitCode == nil { return feed(.session(tokenSource.answer(log))) }
    show()
  }

  func perform(_ effect: ProgramEffect) {
    switch effect {
    case .openLink(let id, let endpoint): line.open(id, endpoint)
    case .write(let id, let bytes): line.write(id, bytes)
    case .finishLink(let id): line.finish(id)
    case .dropLink(let id): line.drop(id)
    case .log(let event): log?.heard(event)
    case .keep(let records): tell(keeper?.keep(records, of: server, at: Machine.now()))
    case .search(let text, let room):
      guard let found = keeper?.search(text, room: room, of: server) else { return }
      feed(.found(found, text: text, room: room))
    case .forget(let room):
      if let word = keeper?.forget(room, of: server) { notice(word.text, isError: word.isError) }
    case .manage: notice("Without a screen there is one room: --room NAME enters another.")
    case .save(let text, let path): feed(NewFile.save(text, to: path))
    case .bell, .notify: if terminal.hasKeys { say("\u{7}") }
    case .listThemes, .loadTheme, .checkTheme: notice("There are no colours without a screen.")
    case .saveSettings(let settings, let names): save(settings, names)
    case .suspend: suspend()
    case .quit(let code): exitCode = code
    // What is left is about a screen, and about what stands above its first row.
    case .lookUp(let query):
      if case .folder(let typed) = query { feed(.foundNames(FolderNames.list(typed), for: query)) }
    case .editExternally: notice("The editor needs a screen.")
    case .setTitle, .repaint, .loadEarlier, .loadLater, .loadPage, .copy, .browse: break
    }
  }

  private func suspend() {
    terminal.close()
    TerminalGuard.stopProcess()
    terminal.open()
  }

  private func save(_ settings: Settings, _ names: [String]) {
    let values = names.compactMap { name in
      SettingTable.setting(named: name).map { (name: name, value: $0.read(settings)) }
    }
    do throws(CommandFailure) {
      let sentence = try ConfigurationFile.save(values)
      program.settingsWereSaved(names)
      notice(sentence)
    } catch {
      notice(error.message, isError: true)
    }
  }

  private func notice(_ sentence: String, isError: Bool = false) {
    feed(.notice(UntrustedText(sentence), isError: isError))
  }

  private func recallFirst() {
    guard let keeper else { return }
    program.keepHistory(inputs: keeper.inputs())
    let room = program.roomName
    feed(.recalled(keeper.recall(room, of: server), room: room))
    feed(.keeping(reachesDisk: true, isNew: false))
    tell([])
  }

  private func tell(_ words: [HistoryKeeper.Word]?) {
    guard let keeper, let words else { return }
    let all = keeper.takeWarnings() + words
    let isNew = keeper.takeIsRenewed()
    guard !all.isEmpty || isNew else { return }
    feed(.keeping(reachesDisk: keeper.reachesDisk, isNew: isNew))
    for word in all { notice(word.text, isError: word.isError) }
  }

  // MARK: - Output

  private func show() {
    let clock = Clock(now: Machine.now(), wall: Machine.wall(), offset: Machine.zoneOffset)
    say(prompt.put(program.plainLines(&transcript, clock: clock)))
    if terminal.hasKeys { say(prompt.show(program.typed)) }
  }

  private func say(_ text: String) {
    guard !text.isEmpty, !write(text, to: STDOUT_FILENO) else { return }
    exitCode = exitCode ?? ExitCode.inputOutput
  }
}
