import Channel
import Glibc
import Net
import Program

/// `parlour cat URL`: the headless client for scripts.
struct CatCommand {
  private let options: CatOptions
  private let connect: ConnectOptions

  init(_ arguments: Arguments) throws(CommandFailure) {
    connect = try ConnectOptions(arguments)
    var options = CatOptions(url: connect.session.endpoint.shown)
    switch arguments.value("format") {
    case nil, "text"?: options.format = .text
    case "json"?: options.format = .json
    case let other?: throw .usage("--format \(shown(other)) is neither text nor json.")
    }
    options.isBinary = arguments.has("binary")
    options.send = arguments.values("send")
    options.count = try ConnectOptions.number("count", of: arguments, in: 1...1_000_000_000)
    // A person at a terminal ends by Ctrl-C or Ctrl-D; a pipe is done when it has ended.
    let isTerminal = isatty(STDIN_FILENO) == 1
    options.wait =
      try ConnectOptions.duration("wait", of: arguments) ?? (isTerminal ? nil : .zero)
    options.isTerminal = isatty(STDOUT_FILENO) == 1
    self.options = options
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    // A reader that is gone is told by the write, and ends the program with a code of its own.
    signal(SIGPIPE, SIG_IGN)
    for warning in connect.warnings { write("parlour: \(warning)\n", to: STDERR_FILENO) }
    let reactor = try Machine.reactor()
    let loop = try HeadlessLoop(
      CatClient(connect.session, options), connect: connect, reactor: reactor, tokens: Tokens(),
      signals: signals)
    return loop.run()
  }
}
