import Channel
import Glibc
import Program
import Screen
import Terminal
import Text

/// The terminal of a chat: opened with the right depth of colour and theme, given back at the end.
final class ChatScreen {
  let presenter: Presenter
  var looks: ChatLooks
  let settings: Settings
  let keys: KeyMap
  /// What is worth saying once the chat is there: a theme's faults, a missing locale.
  let warnings: [String]

  /// Checks everything that can be said in a plain sentence before the terminal is taken over.
  init(_ arguments: Arguments, _ configuration: Configuration) throws(CommandFailure) {
    settings = configuration.chosen
    keys = configuration.keyMap
    try ChatLooks.check(arguments)
    let encoding = TextEncoding.adopt()
    let kind: TerminalKind
    do {
      try Presenter.requireTerminal(input: STDIN_FILENO, output: STDOUT_FILENO)
      kind = try TerminalKind(
        type: environment("TERM"), program: environment("TERM_PROGRAM"))
    } catch {
      throw .usage(error.message)
    }
    looks = try ChatLooks(arguments, settings, colors: kind.colors)
    warnings = [encoding.warning].compactMap(\.self) + looks.warnings
    do {
      presenter = try Presenter(kind: kind, encoding: encoding, depth: looks.depth)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.unavailable)
    }
  }
}
