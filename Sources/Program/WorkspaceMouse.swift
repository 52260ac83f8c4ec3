import Channel
import Screen
import WebSocket

/// Clicks: on a room of the list, or on the chat beside it.
extension Workspace {
  mutating func click(
    row: Int, column: Int, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    if panels.rooms > 0, column < panels.left {
      if let index = panels.window(atRow: row, height: height, in: list) { showByHand(index) }
      return
    }
    feed(.key(.click(row: row, column: column - panels.left)), to: current, &turn, &entropy)
  }
}
