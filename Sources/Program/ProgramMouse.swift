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
    if let focusedAt, turn.now - focusedAt < Self.focusClick { return }
    notices.lastKey = turn.now
    (pendingKeys, completionRequest, leavingAsked) = ([], nil, nil)
    let clock = Clock(now: turn.now, wall: turn.wall, offset: offset)
    let place = screenPlace(
      row: row, column: column, in: room, view, clock: clock, width: width, height: height)
    switch place {
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
    case .nothing: break
    }
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
