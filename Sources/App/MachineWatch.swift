import Channel
import Net

/// Watches what a line stands on, and says what the session is to make of it.
final class MachineWatch {
  private let reactor: Reactor
  private let networkToken: UInt64
  private let clockToken: UInt64
  private var network: NetworkWatch?
  private var clock: ClockWatch?

  /// What the surroundings do not allow to be watched goes unnoticed, with a word in the log: then only time tells.
  init(reactor: Reactor, tokens: Tokens, log: SessionLog?) {
    self.reactor = reactor
    networkToken = tokens.next()
    clockToken = tokens.next()
    do throws(SystemFailure) {
      let network = try NetworkWatch()
      try reactor.watch(network.descriptor, token: networkToken, for: .readable)
      self.network = network
    } catch {
      log?.note(.debug, "changes of the network go unnoticed: \(error.message)")
    }
    do throws(SystemFailure) {
      let clock = try ClockWatch()
      try reactor.watch(clock.descriptor, token: clockToken, for: .readable)
      self.clock = clock
    } catch {
      log?.note(.debug, "jumps of the clock go unnoticed: \(error.message)")
    }
  }

  isolated deinit {
    if let network { reactor.forget(network.descriptor) }
    if let clock { reactor.forget(clock.descriptor) }
  }

  /// Nil where the token is somebody else's; several changes at once count as one.
  func ready(_ ready: Ready, log: SessionLog?) -> [SessionInput]? {
    if ready.token == clockToken, let clock {
      guard clock.read() else { return [] }
      log?.note(.debug, "the clock jumped: the machine slept, or its time was set")
      return [.networkAppeared, .checkLine]
    }
    guard ready.token == networkToken, let network else { return nil }
    var inputs: [SessionInput] = []
    for event in network.read() {
      let input: SessionInput
      switch event {
      case .appeared(let words):
        log?.note(.debug, "the network changed: \(words)")
        input = .networkAppeared
      case .vanished(let words):
        log?.note(.debug, "the network changed: \(words)")
        input = .checkLine
      }
      if !inputs.contains(input) { inputs.append(input) }
    }
    return inputs
  }
}
