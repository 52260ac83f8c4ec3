/// What the person asks of the windows, each of which is one room on one server.
package enum WindowCommand: Equatable, Sendable {
  /// Opens a window for a room on this window's server, or shows the one that is there.
  case join(room: String)
  /// Opens a window on another server: a URL, or a name of the configuration.
  case server(String)
  /// Closes this window.
  case part
  /// By number, or by a name or the part of one.
  case show(String)
  /// From 1.
  case showNumber(Int)
  /// The next or previous one, round the end.
  case step(Int)
  /// Where something was said: mentions first, then messages, then back to where the person was.
  case nextActive
  case list
  /// The person is called so in all windows of this one's server.
  case rename(nick: String)
  /// Shows the window of the message's room, or opens one, and goes to the message there.
  case go(to: FoundMessage, words: String)
}
