import Channel
import WebSocket

/// Bytes that were not taken at once, and the end by a signal.
extension Workspace {
  /// How many of the bytes that the window received last are to be received again; see `Session.untaken`.
  package func untaken(of id: WindowID) -> Int {
    index(of: id).map { windows[$0].program.session.untaken } ?? 0
  }

  /// The signal, or the end of the terminal, that ends the program: every server is told.
  mutating func leave(
    _ code: Int32, _ turn: inout WorkspaceTurn, _ entropy: inout Entropy
  ) {
    for index in windows.indices {
      let effects = windows[index].program.end(
        isCutShort: true, at: turn.now, wall: turn.wall, entropy: &entropy)
      for effect in effects {
        if case .quit = effect { continue }
        turn.effects.append(.window(windows[index].id, effect))
      }
    }
    hasQuit = true
    turn.effects.append(.window(currentWindow, .quit(exitCode: code)))
  }
}
