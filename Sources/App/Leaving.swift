import Channel
import Net
import Program

/// The end of a chat: every server is told by a Close, with 1001 where a signal or the end of the terminal is the reason,
/// and has a moment to answer. A signal meanwhile waits for nobody.
struct Leaving {
  private var isBySignal = false
  private var isHurried = false
  private var hasBegun = false

  /// Whether the servers are to be told now.
  mutating func begin(bySignal: Bool) -> Bool {
    if bySignal {
      isHurried = isBySignal
      isBySignal = true
    }
    defer { hasBegun = true }
    return !hasBegun
  }

  /// Lets what was written leave, and waits for the servers to end their side. `isSignal` tells of what is ready
  /// whether it is a signal.
  mutating func linger(_ lines: [ChatLine], _ reactor: Reactor, isSignal: (Ready) -> Bool) {
    if begin(bySignal: false) { isBySignal = true }
    for line in lines { line.line.finishAll() }
    let end = Machine.now() + closingPatience
    while !isHurried, lines.contains(where: { !$0.line.isIdle }) {
      let now = Machine.now()
      guard now < end else { return }
      for ready in reactor.wait(atMost: end - now) {
        if isSignal(ready) {
          _ = begin(bySignal: true)
        } else if let line = lines.first(where: { $0.line.owns(ready.token) }) {
          _ = line.line.ready(ready, at: MachineClock.now())
        }
      }
      for line in lines { line.line.timeReached(at: MachineClock.now()) }
    }
  }
}
