import Channel
import Screen
import WebSocket

/// Clicks: on a room of the list or of the status line, or on the chat.
extension Workspace {
  mutating func click(
    row: Int, column: Int, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    if panels.rooms > 0, column < panels.left {
      if let index = panels.window(atRow: row, height: height, in: list) { showByHand(index) }
      return
    }
    let column = column - panels.left
    if windows[current].program.takesClicks(at: turn.now) {
      // The line of the state is drawn with the windows in it: what stands where depends on them.
      let place = windows[current].program.place(
        row: row, column: column, at: turn.now, wall: turn.wall,
        windows: windows.count > 1 ? list : nil, panels: panels)
      switch place {
      case .window(let index): return showByHand(index)
      case .connection: windows[current].program.showConnection()
      case .tail: windows[current].program.view.scrollToEnd()
      case .link, .message, .caret, .candidate, .item, .nothing: break
      }
    }
    feed(.key(.click(row: row, column: column)), to: current, &turn, &entropy)
  }
}
