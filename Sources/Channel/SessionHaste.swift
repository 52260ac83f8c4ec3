import WebSocket

/// Attempts that do not wait for their time since the network has changed.
///
/// They come a little later than the change, as addresses and routes follow one another, and each with a longer
/// distance from the attempt before it: containers that come and go must not lead to a server being hammered. They
/// are not counted among the attempts in a row.
struct Haste: Equatable, Sendable {
  private static let settling: Duration = .milliseconds(500)
  /// At random, since all machines of a network may notice at once.
  private static let jitter: Duration = .milliseconds(500)
  private static let shortestGap: Duration = .seconds(3)
  private static let longestGap: Duration = .seconds(60)

  /// The server asked not to be called before then.
  var notBefore: Instant?
  /// The network changed while an attempt was under way that may have missed it.
  var isWanted = false
  /// The wait was cut short.
  var isPending = false
  /// So was the wait before the attempt that is under way.
  var isUnderWay = false
  private var last: Instant?
  private var gap = Haste.shortestGap

  /// When the attempt may be made; `random` is of 0 ..< 1.
  func moment(at now: Instant, random: Double) -> Instant {
    let settled = now + Haste.settling + Haste.jitter * random
    return [settled, notBefore, last.map { $0 + gap }].compactMap { $0 }.max() ?? settled
  }

  mutating func dialled(at now: Instant) {
    isUnderWay = isPending
    isPending = false
    isWanted = false
    last = now
    if isUnderWay { gap = min(gap + gap, Haste.longestGap) }
  }

  /// A line is up: what comes is another story.
  mutating func succeeded() {
    let earlier = last
    self = Haste()
    last = earlier
  }

  /// Whether the attempt that has just failed was one of these.
  mutating func takeUnderWay() -> Bool {
    defer { isUnderWay = false }
    return isUnderWay
  }
}

extension Session {
  mutating func networkAppeared(at now: Instant, entropy: inout Entropy) {
    switch line {
    case .waiting where haste.isPending: break
    case .waiting(let attempt, let until):
      let moment = haste.moment(at: now, random: entropy.unit())
      guard moment < until else { return }
      haste.isPending = true
      enterWait(before: attempt, until: moment)
    case .opening, .upgrading: haste.isWanted = true
    case .none, .open, .closing: break
    }
  }

  /// A ping at once, unless one is under way or has just been.
  mutating func checkLine(at now: Instant, entropy: inout Entropy) {
    guard case .open(var open) = line else { return }
    line = .none
    if open.keepAlive.check(at: now) {
      ping(for: .keepAlive(isSilent: true), on: &open, at: now, entropy: &entropy)
    }
    settle(&open, closing: nil, nil, at: now, entropy: &entropy)
  }
}
