import Channel
import Net
import Program
import Room
import Screen
import Text
import WebSocket

/// Who runs the windows of a chat, on a screen or without one: a `Workspace` value, a line for each window, and the
/// disk. What the terminal is asked for is the loop's own.
protocol WindowLoop: EffectLoop where Input == WorkspaceInput, Effect == WorkspaceEffect {
  var workspace: Workspace { get set }
  var entropy: Entropy { get set }
  /// Of each window, and of closed ones whose Close has not left.
  var lines: [ChatLine] { get set }
  /// Of windows that were opened, one of each origin: who comes back to a server is the same person there.
  var known: [String: ConnectOptions] { get set }
  /// Windows that were told something since the last look at what they want.
  var touched: Set<WindowID> { get set }
  var exitCode: Int32? { get set }
  var servers: ChatServers { get }
  var surroundings: ChatLine.Surroundings { get }
  var keeper: HistoryKeeper? { get }
  var tokenCommands: TokenCommands { get }
  /// What runs beside the chat: the embedded server and its visitors, in the demo.
  var companion: (any ChatCompanion)? { get }
  /// What is worth knowing before anything else; sentences.
  var greetings: [String] { get }

  func perform(_ effect: ProgramEffect, of window: ChatLine)
  /// Something was handed to a window; a screen has to be drawn.
  func workspaceChanged()
  /// Signals that came while something takes long.
  func takeSignals()
  /// A line has brought so many bytes.
  func heard(bytes: Int)
}

extension WindowLoop {
  func heard(bytes: Int) {}

  func line(of id: WindowID) -> ChatLine? { lines.first { $0.id == id } }

  /// To the program of a window, or of the one in front.
  func feed(_ input: ProgramInput, to id: WindowID? = nil) {
    feed(WorkspaceInput.window(id, input))
  }

  func received(_ bytes: RawSpan, from link: LinkID, in id: WindowID) {
    workspaceChanged()
    heard(bytes: bytes.byteCount)
    touched.insert(id)
    var position = 0
    repeat {
      let effects = workspace.receive(
        bytes.extracting(position...), from: link, in: id, at: Machine.now(),
        wall: Machine.wall(), entropy: &entropy)
      position = bytes.byteCount - workspace.untaken(of: id)
      perform(effects)
      guard position < bytes.byteCount else { return }
      // A few bytes may be many restored ones: nobody waits for all of them.
      takeSignals()
    } while exitCode == nil
  }

  func effects(of input: WorkspaceInput) -> [WorkspaceEffect] {
    workspaceChanged()
    var id = workspace.currentWindow
    switch input {
    case .window(let named, _): id = named ?? id
    case .opened(let named, _): id = named
    case .all, .timeReached, .leave: touched.formUnion(workspace.ids)
    }
    touched.insert(id)
    let wasRefused = workspace.isRefused(id)
    let effects = workspace.handle(
      input, at: Machine.now(), wall: Machine.wall(), entropy: &entropy)
    // Handed over before the link that is about to be opened can report anything.
    let dials = effects.contains { effect in
      if case .window(id, .openLink) = effect { true } else { false }
    }
    if wasRefused, dials { renewToken(of: id) }
    return effects
  }

  func perform(_ effect: WorkspaceEffect) {
    switch effect {
    case .window(let id, let effect):
      if let line = line(of: id), !performOnLine(effect, of: line) { perform(effect, of: line) }
    case .open(let id, .room(let room, let nick, let like)):
      guard let line = line(of: like) else { return }
      open(id, asked: like) { () throws(CommandFailure) in
        var options = try line.options.entering(room)
        options.session.context.nick = nick
        return options
      }
    case .open(let id, .server(let word, let asked)):
      let open = lines.map(\.options) + known.values
      self.open(id, asked: asked) { () throws(CommandFailure) in
        try servers.options(of: word, beside: open)
      }
    case .closed(let id):
      tokenCommands.end(for: id)
      line(of: id)?.end(at: Machine.now())
    }
  }

  /// What is of the line and of the disk, which is the same everywhere; false for what is the loop's own.
  private func performOnLine(_ effect: ProgramEffect, of window: ChatLine) -> Bool {
    let server = window.server
    switch effect {
    case .openLink(let id, let endpoint):
      // It goes on once the token is there.
      if tokenCommands.holds(id, endpoint, for: window.id) { return true }
      window.line.open(id, endpoint)
    case .write(let id, let bytes): window.line.write(id, bytes)
    case .finishLink(let id):
      if !tokenCommands.forget(id, of: window.id) { window.line.finish(id) }
    case .dropLink(let id):
      if !tokenCommands.forget(id, of: window.id) { window.line.drop(id) }
    case .log(let event): window.log?.heard(event)
    case .keep(let records): tell(keeper?.keep(records, of: server, at: Machine.now()))
    case .search(let text, let room):
      guard let found = keeper?.search(text, room: room, of: server) else { return true }
      feed(.found(found, text: text, room: room), to: window.id)
    case .forget(let room):
      guard let word = keeper?.forget(room, of: server) else { return true }
      feed(.notice(UntrustedText(word.text), isError: word.isError), to: window.id)
    case .save(let text, let path): feed(NewFile.save(text, to: path), to: window.id)
    case .quit(let code): exitCode = code
    // The workspace's own.
    case .manage: break
    default: return false
    }
    return true
  }

  /// For how long there is nothing to do unless something comes; nil: for ever. `own` is what the loop itself waits
  /// for.
  func waitLimit(at now: Instant, own: [Instant?]) -> Duration? {
    var deadlines =
      own + [
        workspace.deadline, keeper?.deadline, companion?.deadline.map(Instant.init),
        tokenCommands.deadline,
      ]
    for line in lines {
      deadlines.append(line.line.deadline.map(Instant.init))
      deadlines.append(line.endsBy)
    }
    return deadlines.compactMap(\.self).min().map { max(.zero, $0 - now) }
  }

  /// Before the first line is dialled.
  func greet(warnings: [String] = [], sayingGreetings: Bool = true) {
    for sentence in sayingGreetings ? greetings : [] {
      feed(.notice(UntrustedText(sentence), isError: false))
    }
    for warning in (lines.first?.options.warnings ?? []) + warnings {
      feed(.notice(UntrustedText(warning), isError: true))
    }
  }

  // MARK: - The disk

  /// What an earlier run left of the room, before anything else.
  func recallFirst() {
    guard let keeper, let first = lines.first else { return }
    workspace.keepHistory(inputs: keeper.inputs())
    let room = first.options.session.context.room
    feed(.recalled(keeper.recall(room, of: first.server), room: room))
    feed(.keeping(reachesDisk: keeper.reachesDisk, isNew: false))
    keeper.keepOnly(workspace.chosen.historyKept, at: Machine.now())
    tell([])
  }

  /// Words of the store, and whether what is kept reaches the disk since then.
  func tell(_ words: [HistoryKeeper.Word]?) {
    guard let keeper, let words else { return }
    let all = keeper.takeWarnings() + words
    let isNew = keeper.takeIsRenewed()
    guard !all.isEmpty || isNew else { return }
    feed(.all(.keeping(reachesDisk: keeper.reachesDisk, isNew: isNew)))
    for word in all { feed(.notice(UntrustedText(word.text), isError: word.isError)) }
  }

  func keepLast() {
    keeper?.keepLast(
      workspace.lastRecords().compactMap { id, records in
        line(of: id).map { ($0.server, records) }
      })
  }
}
