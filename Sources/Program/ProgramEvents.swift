package import Channel
package import Screen
package import Text

package enum ProgramInput: Equatable, Sendable {
  /// The program begins: connect.
  case start
  case key(Key)
  case session(SessionInput)
  case resized(width: Int, height: Int)
  /// The theme that was asked for, or the sentence why there is none.
  case themeLoaded(Theme)
  case notice(UntrustedText, isError: Bool)
}

package enum ProgramEffect: Equatable, Sendable {
  case openLink(LinkID, Endpoint)
  case write(LinkID, [UInt8])
  case finishLink(LinkID)
  case dropLink(LinkID)
  /// For the log, where one is kept.
  case log(ChannelEvent)
  case loadTheme(String)
  case listThemes
  case bell
  /// Made safe.
  case setTitle(String)
  case suspend
  case repaint
  /// The last effect of all: what stands before it (the Close of an open line) is still to be written.
  case quit(exitCode: Int32)
}
