import Channel
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
    let servers = ChatServers(arguments)
    var windows = try servers.first()
    let keeper = keeper(&windows)
    let reactor = try Machine.reactor()
    let screen = try ChatScreen(arguments)
    defer { screen.presenter.leave() }
    let loop = try ChatLoop(
      windows, servers: servers, screen: screen, reactor: reactor, tokens: Tokens(),
      signals: signals,
      keeper: keeper)
    return loop.run()
  }

  /// A store that cannot be opened is no reason not to chat.
  private func keeper(_ windows: inout [ConnectOptions]) -> HistoryKeeper? {
    guard !arguments.has("no-history") else { return nil }
    do throws(CommandFailure) {
      let keeper = try HistoryKeeper()
      let server = windows[0].session.endpoint.identity
      windows[0].session.context.memory.cursors = keeper.cursors(of: server)
      return keeper
    } catch {
      windows[0].warn("\(error.message) Nothing of this chat is kept.")
      return nil
    }
  }

  static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGCHLD]
}
