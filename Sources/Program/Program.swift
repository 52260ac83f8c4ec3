package import Channel
import Room
package import Screen
import Text
package import WebSocket

/// The whole chat client without its machine: every input in, every effect out as a value.
///
/// It marks what changed and never draws by itself: a flood of messages costs a change of the model each,
/// and one grid whenever the machine asks for it.
package struct Program {
  /// Seconds east of UTC at a moment, for where the rules of the days stand while scrolling; the same
  /// as in the clock that `grid` is given.
  package var offset: @Sendable (Timestamp) -> Int = { _ in 0 }

  var session: Session
  var room: RoomModel
  var view = ViewState()
  var theme: Theme
  var width: Int
  var height: Int
  /// The moment of the last input: ticks are counted from it.
  var lastInput = Instant()
  /// Ctrl-C on an empty line: a second one within two seconds leaves.
  var leavingAsked: Instant?
  /// The first keys of a binding of several.
  var pendingKeys: [Key] = []
  /// The rooms of all windows, for completion.
  var openRooms: [String] = []
  /// A completion that waits for what the machine knows.
  var completionRequest: CompletionRequest?
  /// What was searched for in the lines that were sent.
  var lastHistoryPattern = ""
  /// The terminal has sent a focus event: from then on it is known when nobody looks.
  var knowsFocus = false
  /// When it had the focus again.
  var focusedAt: Instant?
  var title = TitleState()
  var choices = Choices()
  var startWarnings = StartWarnings()
  var history = HistoryState()
  /// Neither rings nor counts in the title.
  package var isMuted: Bool { room.notice == .never }
  /// On the screen; another window is there otherwise.
  package internal(set) var isInFront = true
  var notices = NoticeState()
  /// When the others were last told that the person is writing.
  var typingTold: Instant?
  /// Which message the input is about, as it was told where only lines are written.
  var toldCompose: Compose?
  /// What is told goes out as lines, without a screen.
  var isPlain = false
  /// Spoilers that were asked for by their numbers, or the last one, and not told yet.
  var spoilersAsked: [Int?] = []
  /// How the line has fared.
  var record = ConnectionRecord()
  /// The calendar at the last input.
  var lastWall = Timestamp(milliseconds: 0)
  private(set) var hasQuit = false
  /// The last input changed nothing that is seen but the text of the input.
  package private(set) var changedOnlyInput = false
  let isLogged: Bool
  let attemptLimit: Int

  package init(_ configuration: SessionConfiguration, theme: Theme, width: Int, height: Int) {
    session = Session(
      configuration, makeDialect: makeDialect, dialectOf: Subprotocols.dialect(of:))
    room = RoomModel(
      room: configuration.context.room, nick: configuration.context.nick,
      server: configuration.endpoint.shown)
    room.isInsecure = configuration.isInsecure && configuration.endpoint.isSecure
    isLogged = configuration.isLogged
    self.theme = theme
    self.width = width
    self.height = height
    attemptLimit = configuration.reconnects ? configuration.maxAttempts : 1
  }

  /// What is typed and not entered yet.
  package var text: String { view.editor.text }

  /// The server does not want us: a fresh token may change that.
  package var isRefused: Bool {
    if case .offline(.refused) = room.connection { true } else { false }
  }

  /// A fresh token is to be handed in; see `Session.wantsToken`.
  package var wantsToken: Bool { session.wantsToken }

  /// When `.session(.timeReached)` is to be handed in, or the screen to be drawn again (a countdown).
  package var deadline: Instant? {
    [
      nextTick, session.deadline, history.draftDue, searchDue, notices.due, session.silenceDeadline,
      room.typists.due,
    ].compactMap(\.self).min()
  }

  package mutating func handle(
    _ input: ProgramInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [ProgramEffect] {
    guard !hasQuit else { return [] }
    lastInput = now
    lastWall = wall
    session.note(calendar: wall, at: now)
    var typing: (key: Key, before: Typing)?
    changedOnlyInput = false
    var turn = Turn(now: now, wall: wall)
    switch input {
    case .start:
      turn.actions = session.handle(.connect, at: now, entropy: &entropy)
    case .key(let key):
      typing = self.typing(by: key).map { (key, $0) }
      let written = view.editor.text
      press(key, &turn, entropy: &entropy)
      if view.editor.text != written { tellTyping(&turn, &entropy) }
    case .entered(let line): enter(line, &turn, &entropy)
    case .inputEnded: tell(.submitted("/quit"), &turn, &entropy)
    case .session(let input):
      turn.actions = session.handle(input, at: now, entropy: &entropy)
    case .resized(let width, let height):
      self.width = width
      self.height = height
      keepInSight()
    case .themeLoaded(let theme): take(theme, &turn, &entropy)
    case .themesListed(let themes): showPicker(themes)
    case .notice(let text, let isError):
      tell(.notice(text, isError: isError), &turn, &entropy)
      if isError { noteWarning(text) }
    case .renamed(let nick): rename(nick, &turn, &entropy)
    case .recalled(let memory, let room): recall(memory, room: room, &turn, &entropy)
    case .earlier(let messages, let hasEarlier, let room):
      extend(by: messages, hasEarlier: hasEarlier, in: room)
    case .later(let messages, let hasLater, let room):
      fill(by: messages, hasLater: hasLater, in: room)
    case .page(let page, let room): show(page, in: room)
    case .found(let messages, let text, let room):
      showResults(messages, text: text, room: room)
    case .goTo(let found, let words): go(to: found, words: words, &turn)
    case .foundNames(let names, let query): takeFound(names, for: query)
    case .edited(let text): view.editor.rewrite(text)
    case .keeping(let reachesDisk, let isNew): changeKeeping(reachesDisk, isNew: isNew)
    case .lineDetails(let details): record.learn(details)
    case .saved(let sentence, let isError):
      tellOfSaving(sentence, &turn, &entropy, isError: isError)
    }
    let effects = finish(&turn, entropy: &entropy)
    if let typing { changedOnlyInput = self.typing(by: typing.key) == typing.before }
    return effects
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [ProgramEffect] {
    guard !hasQuit else { return [] }
    lastInput = now
    lastWall = wall
    session.note(calendar: wall, at: now)
    var turn = Turn(now: now, wall: wall)
    turn.actions = session.receive(bytes, from: link, at: now, entropy: &entropy)
    record.received.note(
      bytes: bytes.byteCount - session.untaken, messages: session.frames.received.messages, at: now)
    return finish(&turn, entropy: &entropy)
  }

  /// `windows` are there where there are others; they stand in the status line where no panel lists them.
  package func grid(
    clock: Clock, windows: WindowList? = nil, panels: PanelLayout = PanelLayout()
  ) -> Grid {
    render(
      room, view, theme: theme, clock: clock, facts: lineFacts(), width: width, height: height,
      windows: windows, panels: panels)
  }

  /// Works off what the session and the room want of each other, and closes the turn.
  mutating func finish(_ turn: inout Turn, entropy: inout Entropy) -> [ProgramEffect] {
    askEarlier(&turn, &entropy)
    perform(&turn, entropy: &entropy)
    if room.isHeld, case .online = session.state {
      tell(.lineHolds, &turn, &entropy)
      perform(&turn, entropy: &entropy)
    }
    if turn.isQuitting {
      hasQuit = true
      let status = exitCode
      // The server is told, and does not have to find out; nobody waits for its answer.
      let input = turn.isCutShort ? SessionInput.leave : .disconnect
      for action in session.handle(input, at: turn.now, entropy: &entropy) {
        if let effect = ProgramEffect(action) { turn.effects.append(effect) }
      }
      history.draftDue = history.draftDue.map { _ in Instant() }
      keepChanges(&turn)
      return turn.effects + [.quit(exitCode: status)]
    }
    room.typists.expire(at: turn.now)
    repeatWarnings(&turn, &entropy)
    searchOn()
    markRead()
    keepChanges(&turn)
    loadAhead(&turn)
    notify(&turn)
    if let title = changedTitle() {
      turn.effects.append(.setTitle(title))
    }
    return turn.effects
  }

  /// As the person would be told by a script: whether there was a line to be had.
  private var exitCode: Int32 {
    guard case .offline(let end) = room.connection else { return ExitStatus.done }
    if case .closed = end { return ExitStatus.done }
    return ExitStatus.of(end, attemptLimit: attemptLimit)
  }

  /// The bell at once for each mention, notices with more patience.
  private mutating func notify(_ turn: inout Turn) {
    var settings = view.settings
    if let own = NoticeWhen(rawValue: room.notice.rawValue) { settings.noticeWhen = own }
    if turn.rings, !isWatched, settings.ringsBell, settings.noticeWhen != .never {
      turn.effects.append(.bell)
    }
    let isThere =
      !knowsFocus && view.anchor == nil
      && notices.lastKey.map { turn.now - $0 < NoticeState.presence } == true
    guard
      let notice = notices.take(
        from: room, rings: turn.rings, isWatched: isWatched || isThere, settings: settings,
        at: turn.now)
    else { return }
    if !turn.rings, settings.ringsBell { turn.effects.append(.bell) }
    turn.effects.append(.notify(notice))
  }

  /// Whether somebody certainly sees the newest message.
  private var isWatched: Bool {
    knowsFocus && view.isFocused && view.anchor == nil
  }
}

/// What one input brings about.
struct Turn {
  let now: Instant
  let wall: Timestamp
  /// Of the session, not yet worked off.
  var actions: [SessionAction] = []
  var effects: [ProgramEffect] = []
  var rings = false
  var isQuitting = false
  /// By a signal.
  var isCutShort = false

  init(now: Instant, wall: Timestamp) {
    self.now = now
    self.wall = wall
  }
}
