import Channel
import Net

/// The driving thread's side: never seen by another thread.
final class HubThread {
  private struct KnownContext {
    var options: TLSOptions
    weak var context: TLSContext?
  }

  private static let mailToken: UInt64 = 0

  let reactor: Reactor
  private let mailbox: Mailbox<Letter>
  private var lastToken = mailToken
  private var drivers: [Int: Driver] = [:]
  private var owners: [UInt64: Driver] = [:]
  /// Links whose line is over: what was written leaves, then both sides end their stream.
  private var finishing: [UInt64: Link] = [:]
  private var contexts: [KnownContext] = []

  init(_ mailbox: Mailbox<Letter>) throws(SystemFailure) {
    self.mailbox = mailbox
    reactor = try Reactor()
    try reactor.watch(mailbox.descriptor, token: Self.mailToken, for: .readable)
  }

  func run() {
    while true {
      for (channel, driver) in drivers where driver.isOver { drivers[channel] = nil }
      if !drivers.isEmpty || !finishing.isEmpty {
        turn()
      } else if let letters = Hub.retire(mailbox) {
        for letter in letters { take(letter) }
      } else {
        break
      }
    }
    reactor.forget(mailbox.descriptor)
  }

  private func turn() {
    let readies = reactor.wait(atMost: waitLimit())
    for ready in readies {
      if ready.token == Self.mailToken {
        for letter in mailbox.collect() { take(letter) }
      } else if let driver = owners[ready.token] {
        driver.ready(ready, at: now)
      } else if let link = finishing[ready.token] {
        note(link.ready(ready, at: now.sinceStart), of: link)
      }
    }
    timeReached()
  }

  private var now: Instant { Instant(MachineClock.now()) }

  private func waitLimit() -> Duration? {
    var earliest: Duration?
    for driver in drivers.values {
      if let deadline = driver.deadline { earliest = min(earliest ?? deadline, deadline) }
    }
    for link in finishing.values {
      if let deadline = link.deadline { earliest = min(earliest ?? deadline, deadline) }
    }
    return earliest.map { max(.zero, $0 - MachineClock.now()) }
  }

  private func timeReached() {
    let now = now
    for driver in drivers.values {
      if let deadline = driver.deadline, deadline <= now.sinceStart { driver.timeReached(at: now) }
    }
    for link in Array(finishing.values) {
      guard let deadline = link.deadline, deadline <= now.sinceStart else { continue }
      note(link.timeReached(at: now.sinceStart), of: link)
    }
  }

  private func take(_ letter: Letter) {
    switch letter {
    case .add(let channel, let errand):
      let driver = Driver(errand, hub: self)
      drivers[channel] = driver
      driver.start(at: now)
    case .send(let channel): drivers[channel]?.sendQueued()
    case .resume(let channel): drivers[channel]?.resume(at: now)
    case .keepAlive(let channel, let interval):
      drivers[channel]?.keepAlive(every: interval, at: now)
    case .close(let channel, let reason): drivers[channel]?.close(reason, at: now)
    case .abandon(let channel): drivers[channel]?.abandon(at: now)
    }
  }

  // MARK: For the drivers

  func nextToken(for driver: Driver) -> UInt64 {
    lastToken += 1
    owners[lastToken] = driver
    return lastToken
  }

  func forget(_ token: UInt64) {
    owners[token] = nil
  }

  /// Takes a link over, and ends it in order.
  func finish(_ link: Link, within limit: Duration, at now: Instant) {
    finishing[link.token] = link
    link.wantsInput = true
    note(link.finish(at: now.sinceStart, within: limit), of: link)
  }

  private func note(_ events: [LinkEvent], of link: Link) {
    if case .ended = events.last { finishing[link.token] = nil }
  }

  /// Channels with the same options share one: the system's authorities take time and memory to load.
  func context(for options: TLSOptions) throws(TLSConfigurationError) -> TLSContext {
    contexts.removeAll { $0.context == nil }
    if let known = contexts.first(where: { $0.options == options })?.context { return known }
    let context = try TLSContext(options)
    contexts.append(KnownContext(options: options, context: context))
    return context
  }
}
