import Channel
import Glibc
import Net
import Program

/// `parlour check URL`: the steps to a server, one by one.
struct CheckCommand {
  private let connect: ConnectOptions
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(CommandFailure) {
    switch arguments.value("format") {
    case nil, "text"?: isJSON = false
    case "json"?: isJSON = true
    case let other?: throw .usage("--format \(shown(other)) is neither text nor json.")
    }
    connect = try ConnectOptions(arguments)
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    signal(SIGPIPE, SIG_IGN)
    for warning in connect.warnings { write("parlour: \(warning)\n", to: STDERR_FILENO) }
    let loop = try HeadlessLoop(
      CheckClient(connect.session, isJSON: isJSON), connect: connect, reactor: Machine.reactor(),
      tokens: Tokens(), signals: signals)
    return loop.run()
  }
}
