import Channel
import Glibc
import Net
import Program
import Room
import Screen
import Terminal
import Text
import WebSocket

/// The one thread of a chat without a screen (`--plain`): the same windows, told in finished lines. Input is keys where
/// the terminal can echo them, else whole lines, from a pipe as well.
final class PlainLoop: WindowLoop {
  private let terminal: LineTerminal
  private let reactor: Reactor
  private let signals: SignalSource
  private let watch: MachineWatch
  let companion: (any ChatCompanion)?
  let greetings: [String]
  private let signalToken: UInt64
  private let inputToken: UInt64
  private let others: [ConnectOptions]
  let servers: ChatServers
  let surroundings: ChatLine.Surroundings
  let keeper: HistoryKeeper?
  let tokenCommands: TokenCommands
  var workspace: Workspace
  var lines: [ChatLine] = []
  var known: [String: ConnectOptions] = [:]
  var touched: Set<WindowID> = []
  var entropy = Machine.entropy()
  var exitCode: Int32?
  private var leaving = Leaving()
  var turns = TurnQueue<WorkspaceInput>()
  private var decoder = KeyDecoder()
  private var keyDeadline: Instant?
  private var splitter = LineSplitter(limit: RoomModel.largestMessage)
  private var transcripts: PlainTranscripts
  private var prompt = PlainPrompt()
  private var hasInputEnded = false
  /// The windows of the command line are not all open yet: nothing is told, so that each line knows how its window is
  /// called.
  private var isOpening = true

  /// `windows` is not empty; what is typed goes to its first one.
  init(
    _ windows: [ConnectOptions], servers: ChatServers, settings: Settings, keys: KeyMap,
    reactor: Reactor, tokens: Tokens, signals: SignalSource, keeper: HistoryKeeper? = nil,
    companion: (any ChatCompanion)? = nil, greetings: [String] = []
  ) throws(CommandFailure) {
    guard let options = windows.first else { throw .usage("Say where to chat: parlour URL.") }
    self.servers = servers
    self.keeper = keeper
    self.reactor = reactor
    self.signals = signals
    self.companion = companion
    self.greetings = greetings
    others = Array(windows.dropFirst())
    surroundings = ChatLine.Surroundings(
      reactor: reactor, tokens: tokens, buffer: reactor.readBuffer)
    watch = MachineWatch(reactor: reactor, tokens: tokens, log: options.log)
    tokenCommands = TokenCommands(reactor: reactor, tokens: tokens)
    signalToken = tokens.next()
    inputToken = tokens.next()
    workspace = Workspace(
      ChatLoop.recording(options).session, theme: .fallback, width: 80, height: 24)
    workspace.setOffset(Machine.zoneOffset)
    var settings = settings
    // Nobody would see the question.
    settings.pasteLines = 0
    workspace.begin(with: settings, keys)
    transcripts = PlainTranscripts(first: workspace.firstWindow)
    terminal = LineTerminal(type: environment("TERM"))
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    lines = [
      try ChatLine(workspace.firstWindow, options, loop: self, surroundings: surroundings)
    ]
  }

  func run() -> Int32 {
    defer { terminal.close() }
    if let first = lines.first { remember(first.options) }
    // The store is read into the transcript: what is to be known of the program itself stands before it.
    for sentence in greetings { say("* \(UntrustedText(sentence).safe(for: .plainOutput))\n") }
    recallFirst()
    greet(sayingGreetings: false)
    feed(.start)
    for (index, options) in others.enumerated() {
      open(WindowID(-1 - index), options, asked: workspace.firstWindow, isShown: false)
    }
    isOpening = false
    show()
    watchInput()
    while exitCode == nil {
      turn(reactor.wait(atMost: waitLimit(at: Machine.now(), own: [keyDeadline])))
    }
    tokenCommands.endAll()
    keepLast()
    leaving.linger(lines, reactor) { $0.token == signalToken && !signals.read().isEmpty }
    say(prompt.show(""))
    let code = exitCode ?? ExitCode.done
    for line in lines { line.log?.note(.notice, "leaving with exit code \(code)") }
    return code
  }

  /// A file is always ready, and epoll will not have it: it is read at once.
  private func watchInput() {
    guard (try? reactor.watch(STDIN_FILENO, token: inputToken, for: .readable)) == nil else {
      return
    }
    while !hasInputEnded { readInput(at: Machine.now()) }
  }

  private func turn(_ ready: [Ready]) {
    let now = Machine.now()
    for event in ready where event.token == inputToken { readInput(at: now) }
    if let due = keyDeadline, due <= now {
      keyDeadline = nil
      take(decoder.timeReached())
    }
    for event in ready where event.token != inputToken { deal(with: event, at: now) }
    for line in lines { line.line.timeReached(at: now.sinceStart) }
    lines.removeAll { $0.hasEnded(at: now) }
    companion?.timeReached(at: now.sinceStart)
    takeTokens(at: now)
    if let due = keeper?.deadline, due <= now { tell(keeper?.timeReached(now)) }
    if let due = workspace.deadline, due <= now { feed(WorkspaceInput.timeReached) }
    if hasInputEnded, !workspace.isBusy, exitCode == nil {
      // Said twice: the first time it may only tell what would be lost.
      feed(.inputEnded)
      if exitCode == nil { feed(.inputEnded) }
    }
  }

  private func deal(with event: Ready, at now: Instant) {
    if event.token == signalToken {
      takeSignals()
    } else if tokenCommands.owns(event) {
      // Asked once a turn in any case.
      return
    } else if let line = lines.first(where: { $0.line.owns(event.token) }) {
      _ = line.line.ready(event, at: now.sinceStart)
    } else if let inputs = watch.ready(event, log: lines.first?.log) {
      for input in inputs { feed(WorkspaceInput.all(.session(input))) }
    } else {
      _ = companion?.ready(event, at: now.sinceStart)
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
    switch signal {
    case SIGWINCH, SIGCHLD: break
    case SIGCONT: terminal.open()
    default: leave(with: 128 + signal, bySignal: true)
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

  // MARK: - The windows

  func workspaceChanged() {}

  func turnsEnded() {
    transcripts.changed(touched)
    answerTokens()
    if !isOpening { show() }
  }

  func perform(_ effect: ProgramEffect, of window: ChatLine) {
    switch effect {
    case .bell, .notify: if terminal.hasKeys { say("\u{7}") }
    case .listThemes, .loadTheme, .checkTheme: notice("There are no colours without a screen.")
    case .saveSettings(let settings, let names, let keys): save(settings, names, keys)
    case .suspend: suspend()
    case .lookUp(let query):
      switch query {
      case .folder(let typed): feed(.foundNames(FolderNames.list(typed), for: query))
      case .servers: feed(.foundNames(servers.names().map { FoundName($0) }, for: query))
      case .themes: break
      }
    case .editExternally: notice("The editor needs a screen.")
    // What is left is about a screen, and about what stands above its first row, or was done already.
    case .setTitle, .repaint, .loadEarlier, .loadLater, .loadPage, .copy, .browse, .openLink,
      .write, .finishLink, .dropLink, .log, .keep, .search, .forget, .save, .manage, .quit:
      break
    }
  }

  private func suspend() {
    terminal.close()
    TerminalGuard.stopProcess()
    terminal.open()
    say(prompt.again())
  }

  private func save(_ settings: Settings, _ names: [String], _ keys: KeyMap?) {
    let values = names.compactMap { name in
      SettingTable.setting(named: name).map { (name: name, value: $0.read(settings)) }
    }
    do throws(CommandFailure) {
      let sentence = try ConfigurationFile.save(values, keys: keys)
      workspace.settingsWereSaved(names, keys: keys)
      notice(sentence)
    } catch {
      notice(error.message, isError: true)
    }
  }

  private func notice(_ sentence: String, isError: Bool = false) {
    feed(.notice(UntrustedText(sentence), isError: isError))
  }

  // MARK: - Output

  private func show() {
    let clock = Clock(now: Machine.now(), wall: Machine.wall(), offset: Machine.zoneOffset)
    say(prompt.put(transcripts.lines(of: &workspace, clock: clock)))
    if terminal.hasKeys { say(prompt.show(workspace.typed)) }
  }

  private func say(_ text: String) {
    guard !text.isEmpty, !write(text, to: STDOUT_FILENO) else { return }
    exitCode = exitCode ?? ExitCode.inputOutput
  }
}
