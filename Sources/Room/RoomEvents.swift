package import Channel
package import Text

package enum RoomEvent: Equatable, Sendable {
  case channel(ChannelEvent)
  /// A line was entered: a message or a slash command.
  case submitted(String)
  /// One post that failed or may not have arrived is to be sent again, or one that waits is given up.
  case resend(nonce: String)
  case drop(nonce: String)
  /// What is to become of a message, or an answer to one.
  case act(MessageAct)
  /// The person asked for the line: Enter on an empty input while offline or waiting.
  case connectNow
  /// The person stopped it: Ctrl-C while connecting or waiting.
  case stopConnecting
  /// Everything that happened was told, and the line is still up: posts that came back may go out again.
  case lineHolds
  /// What a command came to, from outside the model (a theme that was or was not found).
  case notice(UntrustedText, isError: Bool)
}

/// What the model wants done; values, never closures.
package enum RoomCommand: Equatable, Sendable {
  case connect, disconnect, reconnect
  case post(Post)
  case change(MessageChange)
  /// Another text for a message, or an answer to one, is to be written in the input.
  case compose(ComposeTarget)
  /// An edit or an answer that was refused goes back into the input, as what it was; an answer with its nonce.
  case composeAgain(ComposeTarget, text: String, nonce: String?)
  case window(WindowCommand)
  case rename(nick: String)
  case setTheme(String)
  case listThemes
  /// A setting is to be told, or changed; no name stands for all, no value for telling.
  case setting(name: String?, value: String?)
  case saveSettings
  case showHelp(topic: String?)
  /// In this room, or in all rooms of the server.
  case search(String, everywhere: Bool)
  /// A day, a time or an age, as it was entered.
  case goTo(String)
  case showLinks
  /// What a spoiler hides.
  case reveal(Int?)
  /// Delete what is kept of this room.
  case forgetRoom
  case bind(key: String?, action: String?)
  case unbind(key: String)
  case showConnection
  /// Those that hold a text, or all.
  case showFrames(String?)
  case clearScreen
  /// A line that was refused goes back into the input, so that nothing typed is lost.
  case restoreInput(String)
  case bell
  case quit
}
