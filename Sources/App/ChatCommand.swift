import Glibc
import Net
import Terminal

/// `parlour URL`: the interactive chat.
struct ChatCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() throws(CommandFailure) -> Int32 {
    // Before anything else: threads that start later inherit the blocked set.
    let signals = try Machine.signals(Self.signals)
    let options = try ConnectOptions(arguments)
    let reactor = try Machine.reactor()
    let screen = try ChatScreen(arguments)
    defer { screen.presenter.leave() }
    let loop = try ChatLoop(
      options, screen: screen, reactor: reactor, tokens: Tokens(), signals: signals)
    return loop.run()
  }

  static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGCONT]
}
