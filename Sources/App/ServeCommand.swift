import Glibc
import Net
import Server

/// `parlour serve`: the embedded server alone, until a signal ends it.
struct ServeCommand {
  private let place: HostPort
  private let configuration: ServerConfiguration

  init(_ arguments: Arguments) throws(CommandFailure) {
    let text = arguments.value("listen") ?? "127.0.0.1:9000"
    guard var place = HostPort(parsing: text) else {
      throw .usage("--listen \(shown(text)) is no place: write HOST:PORT, such as 127.0.0.1:9000.")
    }
    // A port alone asks for nobody else; ":9000" asks for every address.
    if place.host.isEmpty, !text.contains(":") { place.host = "127.0.0.1" }
    self.place = place
    configuration = try Self.configuration(arguments)
  }

  static func configuration(_ arguments: Arguments) throws(CommandFailure) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    for token in arguments.values("token") {
      guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .usage("A --token needs printable ASCII characters without spaces.")
      }
      configuration.tokens.append(token)
    }
    if let every = try ConnectOptions.duration("drop-every", of: arguments) {
      guard every > .zero else { throw .usage("--drop-every needs more than 0: write 20s.") }
      configuration.dropEvery = every
    }
    configuration.refuse =
      try ConnectOptions.number("refuse", of: arguments, in: 0...1_000_000) ?? 0
    configuration.latency = try ConnectOptions.duration("latency", of: arguments) ?? .zero
    return configuration
  }

  private func isLoopback(_ host: String) -> Bool {
    host.hasPrefix("127.") || host == "::1"
  }

  func run() throws(CommandFailure) -> Int32 {
    let signals = try Machine.signals([SIGINT, SIGTERM, SIGHUP])
    let reactor = try Machine.reactor()
    let tokens = Tokens()
    let signalToken = tokens.next()
    do {
      try reactor.watch(signals.descriptor, token: signalToken, for: .readable)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    let driver = try ServerDriver(configuration, on: place, reactor: reactor, tokens: tokens)
    if configuration.tokens.isEmpty, !isLoopback(driver.address.host) {
      write(
        "parlour: everybody who reaches \(driver.address) is let in; --token TOKEN asks for one.\n",
        to: STDERR_FILENO)
    }
    write("listening on ws://\(driver.address)/\n", to: STDOUT_FILENO)
    while true {
      let wait = driver.deadline.map { $0 - MachineClock.now() }
      for ready in reactor.wait(atMost: wait) {
        if ready.token == signalToken {
          guard let signal = signals.read().first else { continue }
          driver.closeAll(at: MachineClock.now())
          return signal == SIGINT ? ExitCode.interrupted : ExitCode.done
        }
        _ = driver.ready(ready, at: MachineClock.now())
      }
      driver.timeReached(at: MachineClock.now())
    }
  }
}
