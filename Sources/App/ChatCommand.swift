import Channel
import Glibc
import Net
import Terminal

/// `parlour URL`: the interactive chat.
struct ChatCommand {
  private let arguments: Arguments
  private let configuration: Configuration

  init(_ arguments: Arguments, _ configuration: Configuration) {
    self.arguments = arguments
    self.configuration = configuration
  }

  func run() throws(CommandFailure) -> Int32 {
    // Before anything else: threads that start later inherit the blocked set.
    let signals = try Machine.signals(Self.signals)
    let servers = ChatServers(arguments, configuration, reload: ConfigurationFile.load)
    var windows = try servers.first()
    for warning in configuration.warnings(for: arguments) { windows[0].warn(warning) }
    let keeper = keeper(&windows)
    // Behind the screen.
    defer {
      if let loss = keeper?.lossAtTheEnd() { write("parlour: \(loss)\n", to: STDERR_FILENO) }
    }
    let reactor = try Machine.reactor()
    if Self.isPlain(arguments) {
      try ChatLooks.check(arguments)
      let loop = try PlainLoop(
        windows, servers: servers, settings: configuration.chosen, keys: configuration.keyMap,
        reactor: reactor, tokens: Tokens(), signals: signals, keeper: keeper,
        greetings: Self.plainGreetings(arguments))
      return loop.run()
    }
    let screen = try ChatScreen(arguments, configuration)
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

  /// Asked for, or the terminal says of itself that it cannot place text.
  static func isPlain(_ arguments: Arguments) -> Bool {
    arguments.has("plain") || (environment("TERM") == "dumb" && isatty(STDOUT_FILENO) == 1)
  }

  /// Why there is no screen, where that was not asked for.
  static func plainGreetings(_ arguments: Arguments) -> [String] {
    arguments.has("plain")
      ? [] : ["TERM is dumb: the chat goes on in lines, as with --plain, without a screen."]
  }

  static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGCHLD]
}
