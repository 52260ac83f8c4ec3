import Channel
import Room
import Screen
import Text
import WebSocket

/// What a click does. The wheel is keys, as others are.
extension Program {
  /// A click that only brings the terminal to the front comes right behind the report that it has the focus.
  private static let focusClick: Duration = .milliseconds(300)

  mutating func click(
    row: Int, column: Int, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard takesClicks(at: turn.now) else { return }
    notices.lastKey = turn.now
    (pendingKeys, completionRequest, leavingAsked) = ([], nil, nil)
    switch place(row: row, column: column, at: turn.now, wall: turn.wall) {
    case .link(let uri): browse(TextLink(range: 0..<0, text: uri), &turn, &entropy)
    case .message(let target): choose(target)
    case .tail: view.scrollToEnd()
    case .caret(let place):
      view.completion = nil
      view.editor.place(caret: place)
    case .candidate(let index):
      if let selected = view.completion?.selected { stepCompletion(by: index - selected) }
      view.completion = nil
    case .item(let index): choose(item: index, &turn, &entropy)
    // The status line is the workspace's: it holds windows.
    case .connection, .window, .nothing: break
    }
  }

  /// What is drawn at a cell of the chat, and in the status line, which tells of the windows too.
  func place(
    row: Int, column: Int, at now: Instant, wall: Timestamp, windows: WindowList? = nil,
    panels: PanelLayout = PanelLayout()
  ) -> ScreenPlace {
    let clock = Clock(now: now, wall: wall, offset: offset)
    return screenPlace(
      row: row, column: column, in: room, view, clock: clock, width: width, height: height,
      windows: windows, panels: panels)
  }

  /// The page about the line, or back from it.
  mutating func showConnection() {
    switch view.overlay {
    // Left by its own keys: it holds what was there before.
    case .themes: break
    case .connection: view.overlay = nil
    default: view.overlay = .connection(scroll: 0)
    }
  }

  /// Whether a click is one, and not what brought the terminal to the front.
  func takesClicks(at now: Instant) -> Bool {
    focusedAt.map { now - $0 >= Self.focusClick } ?? true
  }

  private mutating func choose(_ target: MessageSelection.Target) {
    guard view.search == nil, view.pasteQuestion == nil, view.historySearch == nil,
      view.selection?.fileName == nil
    else { return }
    if view.selection == nil { beginSelection() }
    view.selection?.choose(target)
  }

  /// The item that is chosen already is taken, as by Enter.
  private mutating func choose(
    item index: Int, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    var isChosen = false
    switch view.overlay {
    case .results(var results):
      isChosen = results.list.chosen == index
      results.list.choose(index)
      view.overlay = .results(results)
    case .links(var links):
      isChosen = links.list.chosen == index
      links.list.choose(index)
      view.overlay = .links(links)
    case .themes(var picker):
      isChosen = picker.selected == index
      picker.choose(index)
      theme = picker.choice
      view.overlay = .themes(picker)
    case .help, .bindings, .settings, .details, .connection, .frames, nil: return
    }
    if isChosen { press(.enter, &turn, entropy: &entropy) }
  }
}
