package import Channel
package import Room

/// Tells one window from another for as long as the program runs; its number on the screen may change.
package struct WindowID: Hashable, Sendable {
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

package enum WorkspaceInput: Sendable {
  /// To one window's program; nil: to the one in front, which is where the person is.
  case window(WindowID?, ProgramInput)
  /// To the program of every window, such as what happened to the network or to the disk.
  case all(ProgramInput)
  /// A deadline has come.
  case timeReached
  /// A signal, or the end of the terminal: every server is told, and the exit code is that.
  case leave(Int32)
  /// Answers `open`, or comes with another room or server at the start.
  case opened(WindowID, Opening)

  /// What a window begins with.
  package struct Opening: Sendable {
    package var configuration: SessionConfiguration
    /// What is known of the room from earlier runs; nil where nothing is kept.
    package var memory: RoomMemory?
    /// Comes to the front at once.
    package var isShown: Bool

    package init(configuration: SessionConfiguration, memory: RoomMemory?, isShown: Bool) {
      self.configuration = configuration
      self.memory = memory
      self.isShown = isShown
    }
  }
}

package enum WorkspaceEffect: Equatable, Sendable {
  /// What the program of a window wants done. `manage` is never among it, and `quit` comes once, last of all.
  case window(WindowID, ProgramEffect)
  /// A window is wanted, to be called by that id: answered by `opened`, or by a notice to the window that asked.
  case open(WindowID, Request)
  /// The window is gone. What was written to its links before (the Close of an open line) is still to leave.
  case closed(WindowID)

  package enum Request: Equatable, Sendable {
    /// A room on the server of that window, as the same person.
    case room(String, nick: String, like: WindowID)
    /// A URL, or the name of a server in the configuration.
    case server(String, asked: WindowID)
  }
}
