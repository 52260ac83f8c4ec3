import Channel
import Room
import WebSocket

/// Messages of other rooms that a search has found: their window is shown first, and opened where there is none.
extension Workspace {
  mutating func go(
    to found: FoundMessage, words: String, from id: WindowID, _ turn: inout WorkspaceTurn,
    _ entropy: inout Entropy
  ) {
    guard let from = index(of: id) else { return }
    let server = windows[from].server
    pendingJump = (server, found, words)
    obey(.join(room: found.room), from: id, &turn, &entropy)
    let there = windows.firstIndex { $0.server == server && $0.program.roomName == found.room }
    if let there { goOn(in: there, &turn, &entropy) }
  }

  /// Goes to the message that a window was opened or shown for.
  mutating func goOn(in index: Int, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy) {
    guard let (server, found, words) = pendingJump, windows[index].server == server,
      windows[index].program.roomName == found.room
    else { return }
    pendingJump = nil
    feed(.goTo(found, words: words), to: index, &turn, &entropy)
  }
}
