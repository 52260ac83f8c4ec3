package import Channel
package import Room
package import Screen
import Text
package import WebSocket

/// The windows of the chat: each is a `Program`, one room on one server with a line of its own. One of them is in
/// front and gets the keys; all of them get what their lines bring.
///
/// What belongs to the person (theme, settings, the terminal's size and focus, what was cut, what was entered) goes
/// with the window in front; drafts, places in the text, outboxes and lines stay with their windows.
package struct Workspace {
  /// Windows that may be open at once.
  package static let mostWindows = 1_000

  var windows: [Window]
  /// The index of the window in front.
  var current = 0
  /// Of the terminal: the chat has what the panels leave of it.
  var width: Int
  var height: Int
  private(set) var panels = PanelLayout()
  /// The window in front before, for the time when this one is closed.
  var previous: WindowID?
  /// Where the person was when M-a first led away.
  var origin: WindowID?
  /// Windows in which something waits to be read, and what in sum, muted ones left out.
  var tally = Tally()
  /// The message that a window is opened for, with its server and the words that were searched for.
  var pendingJump: (server: String, found: FoundMessage, words: String)?
  private var settings = Settings()
  private var lastID = 0
  var hasQuit = false
  /// Since `beginTyping` nothing that is seen has changed but the text of the input.
  package internal(set) var changedOnlyInput = false

  struct Window {
    let id: WindowID
    var program: Program
    /// What tells its server from others, and how that is shown.
    let server: String
    let shownServer: String
    var deadline: Instant?
    var unread = 0
    var mentions = 0
    var isMuted = false
    /// Counts the moments at which something was first said in a window, and to the person.
    var unreadSince = 0
    var mentionedSince = 0
    /// Its dialect has told who is there: the panel stays where it is while the line is gone.
    var knowsMembers = false
  }

  struct Tally {
    var unread = 0
    var moments = 0
    var active: Set<WindowID> = []
  }

  /// Begins with one window; it is fed by `.window(nil, …)` or its id.
  package init(_ configuration: SessionConfiguration, theme: Theme, width: Int, height: Int) {
    self.width = width
    self.height = height
    windows = [
      Window(
        WindowID(0), configuration,
        Program(configuration, theme: theme, width: width, height: height))
    ]
  }

  /// What the person chose.
  package var chosen: Settings { windows[current].program.settings }
  package var firstWindow: WindowID { WindowID(0) }
  package var currentWindow: WindowID { windows[current].id }
  package var ids: [WindowID] { windows.map(\.id) }

  /// See `Program.isRefused`.
  package func isRefused(_ id: WindowID) -> Bool {
    index(of: id).map { windows[$0].program.isRefused } ?? false
  }

  /// See `Program.wantsToken`.
  package func wantsToken(_ id: WindowID) -> Bool {
    guard let index = index(of: id) else { return false }
    // Asked at each turn: the whole program as a value would be copied.
    return windows[index].program.session.wantsToken
  }

  /// See `Program.offset`.
  package mutating func setOffset(_ offset: @escaping @Sendable (Timestamp) -> Int) {
    for index in windows.indices { windows[index].program.offset = offset }
  }

  /// From now on effects say what is to be kept; see `Program.keepHistory(inputs:)`.
  package mutating func keepHistory(inputs: [String]) {
    windows[current].program.keepHistory(inputs: inputs)
  }

  /// The last changes of every window, for a program that ends without being asked.
  package mutating func lastRecords() -> [(WindowID, [Record])] {
    windows.indices.map { (windows[$0].id, windows[$0].program.lastRecords()) }
  }

  /// When `.timeReached` is to be handed in.
  package var deadline: Instant? {
    // By index: a window as a value would be copied, at each turn of the loop.
    var first: Instant?
    for index in windows.indices {
      if let due = windows[index].deadline { first = first.map { min($0, due) } ?? due }
    }
    return first
  }

  package func grid(clock: Clock) -> Grid {
    windows[current].program.grid(
      clock: clock, windows: windows.count > 1 ? list : nil, panels: panels)
  }

  // MARK: - What happens

  package mutating func handle(
    _ input: WorkspaceInput, at now: Instant, wall: Timestamp, entropy: inout Entropy
  ) -> [WorkspaceEffect] {
    guard !hasQuit else { return [] }
    var turn = WorkspaceTurn(now: now, wall: wall)
    switch input {
    case .window(let id, let input):
      guard let index = id.map(index(of:)) ?? current else { return [] }
      if case .key(.click(let row, let column)) = input, index == current {
        click(row: row, column: column, &turn, &entropy)
        break
      }
      feed(input, to: index, &turn, &entropy)
      if index == current, windows[index].program.changedOnlyInput {
        finish(&turn)
        return turn.effects
      }
    case .all(let input):
      for id in ids { index(of: id).map { feed(input, to: $0, &turn, &entropy) } }
    case .timeReached:
      for index in windows.indices where windows[index].deadline.map({ $0 <= now }) ?? false {
        feed(.session(.timeReached), to: index, &turn, &entropy)
      }
    case .opened(let id, let opening): open(id, opening, &turn, &entropy)
    case .leave(let code): leave(code, &turn, &entropy)
    }
    changedOnlyInput = false
    finish(&turn)
    return turn.effects
  }

  package mutating func receive(
    _ bytes: RawSpan, from link: LinkID, in id: WindowID, at now: Instant, wall: Timestamp,
    entropy: inout Entropy
  ) -> [WorkspaceEffect] {
    guard !hasQuit, let index = index(of: id) else { return [] }
    changedOnlyInput = false
    var turn = WorkspaceTurn(now: now, wall: wall)
    let effects = windows[index].program.receive(
      bytes, from: link, at: now, wall: wall, entropy: &entropy)
    take(effects, from: id, &turn, &entropy)
    finish(&turn)
    return turn.effects
  }

  mutating func feed(
    _ input: ProgramInput, to index: Int, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    var input = input
    if index == current { prepare(&input) }
    let id = windows[index].id
    let effects = windows[index].program.handle(
      input, at: turn.now, wall: turn.wall, entropy: &entropy)
    take(effects, from: id, &turn, &entropy)
  }

  /// What the window in front has to know of the others before it hears that.
  private mutating func prepare(_ input: inout ProgramInput) {
    switch input {
    case .resized(let width, let height):
      self.width = width
      self.height = height
      arrange()
      input = .resized(width: width - panels.columns, height: height)
    // What is typed asks for nothing of the others.
    case .key(.character): break
    case .key:
      windows[current].program.openRooms = windows.map(\.program.roomName)
      let others = windows.indices.filter { $0 != current }
      windows[current].program.room.postsElsewhere = others.reduce(0) {
        $0 + windows[$1].program.room.outbox.count
      }
    default: break
    }
  }

  /// Passes on what a program wants, and does itself what concerns the windows.
  private mutating func take(
    _ effects: [ProgramEffect], from id: WindowID, _ turn: inout WorkspaceTurn,
    _ entropy: inout Entropy
  ) {
    if let index = index(of: id) { count(index) }
    for effect in effects {
      switch effect {
      case .manage(let command): obey(command, from: id, &turn, &entropy)
      // Who is at the terminal hears the bell, and sees the count.
      case .notify where id != currentWindow && windows[current].program.isAttended(at: turn.now):
        break
      case .quit(let code): quit(code, from: id, &turn, &entropy)
      default: turn.effects.append(.window(id, effect))
      }
    }
  }

  /// Every server is told. Where one window had its line, all was well.
  private mutating func quit(
    _ code: Int32, from id: WindowID, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    var code = code
    for index in windows.indices where windows[index].id != id {
      let effects = windows[index].program.end(at: turn.now, wall: turn.wall, entropy: &entropy)
      for effect in effects {
        if case .quit(let other) = effect {
          if other == ExitStatus.done { code = other }
        } else {
          turn.effects.append(.window(windows[index].id, effect))
        }
      }
    }
    hasQuit = true
    turn.effects.append(.window(id, .quit(exitCode: code)))
  }

  private mutating func finish(_ turn: inout WorkspaceTurn) {
    guard !hasQuit else { return }
    shareSettings()
    arrange()
    windows[current].program.title.elsewhere = tally.unread - announced(current)
    if let title = windows[current].program.changedTitle() {
      turn.effects.append(.window(currentWindow, .setTitle(title)))
    }
  }

  /// What the person chose in front holds everywhere.
  private mutating func shareSettings() {
    let settings = windows[current].program.view.settings
    guard settings != self.settings else { return }
    self.settings = settings
    for index in windows.indices { windows[index].program.view.settings = settings }
  }

  /// Gives the window in front the columns that the panels leave.
  private mutating func arrange() {
    if !windows[current].program.room.members.isEmpty { windows[current].knowsMembers = true }
    panels = PanelLayout(
      width: width, windows: windows.count, knowsMembers: windows[current].knowsMembers,
      settings: settings)
    windows[current].program.width = width - panels.columns
    windows[current].program.height = height
  }

  // MARK: - The windows as they are kept

  func index(of id: WindowID) -> Int? {
    windows[current].id == id ? current : windows.firstIndex { $0.id == id }
  }

  mutating func nextID() -> WindowID {
    lastID += 1
    return WindowID(lastID)
  }

  /// What a window adds to the count in the title.
  func announced(_ index: Int) -> Int { windows[index].isMuted ? 0 : windows[index].unread }

  /// Takes up what an input changed in a window's counts and deadline.
  mutating func count(_ index: Int) {
    let before = announced(index)
    let (unread, mentions, deadline) = windows[index].program.counts()
    windows[index].deadline = deadline
    windows[index].isMuted = windows[index].program.isMuted
    if windows[index].unread == 0, unread > 0 {
      tally.moments += 1
      windows[index].unreadSince = tally.moments
    }
    if windows[index].mentions == 0, mentions > 0 {
      tally.moments += 1
      windows[index].mentionedSince = tally.moments
    }
    windows[index].unread = unread
    windows[index].mentions = mentions
    tally.unread += announced(index) - before
    if unread > 0 {
      tally.active.insert(windows[index].id)
    } else {
      tally.active.remove(windows[index].id)
    }
  }
}
