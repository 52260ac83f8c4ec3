import Channel
import Glibc
import Net
import Program

/// The token commands that run just now, one for a window at most.
final class TokenCommands {
  struct Done {
    var window: WindowID
    var result: Result<Bearer, CommandFailure>
    /// A link that was to be opened with the token.
    var held: (link: LinkID, endpoint: Endpoint)?
  }

  private struct Run {
    var command: TokenCommand
    var held: (link: LinkID, endpoint: Endpoint)?
  }

  private let reactor: Reactor
  private let token: UInt64
  private var runs: [WindowID: Run] = [:]

  init(reactor: Reactor, tokens: Tokens) {
    self.reactor = reactor
    token = tokens.next()
  }

  /// When `take` wants to be called, if nothing is ready before.
  var deadline: Instant? { runs.values.map(\.command.deadline).min() }

  func owns(_ event: Ready) -> Bool { event.token == token }

  func isRunning(for id: WindowID) -> Bool { runs[id] != nil }

  func start(_ command: String, for id: WindowID) throws(CommandFailure) {
    guard runs[id] == nil else { return }
    let run = try TokenCommand(command, at: Machine.now())
    do throws(SystemFailure) {
      try reactor.watch(run.output, token: token, for: .readable)
    } catch {
      run.end()
      throw CommandFailure(error.message, exitCode: ExitCode.inputOutput)
    }
    runs[id] = Run(command: run)
  }

  /// Whether a link has to wait for the window's token; then `take` gives it back.
  func holds(_ link: LinkID, _ endpoint: Endpoint, for id: WindowID) -> Bool {
    guard runs[id] != nil else { return false }
    runs[id]?.held = (link, endpoint)
    return true
  }

  /// The link is wanted no more; false where it does not wait here.
  func forget(_ link: LinkID, of id: WindowID) -> Bool {
    guard runs[id]?.held?.link == link else { return false }
    runs[id]?.held = nil
    return true
  }

  /// Those that are done, or whose time is over.
  func take(at now: Instant) -> [Done] {
    var done: [Done] = []
    for (id, run) in runs {
      guard let result = run.command.result(at: now) else {
        if run.command.hasEnded { reactor.forget(run.command.output) }
        continue
      }
      close(run, of: id)
      done.append(Done(window: id, result: result, held: run.held))
    }
    return done
  }

  func end(for id: WindowID) {
    if let run = runs[id] { close(run, of: id) }
  }

  func endAll() {
    for id in Array(runs.keys) { end(for: id) }
  }

  private func close(_ run: Run, of id: WindowID) {
    reactor.forget(run.command.output)
    run.command.end()
    runs[id] = nil
  }
}
