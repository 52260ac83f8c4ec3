/// The pings of one line: which are under way, when the next is due, and when silence means that the
/// peer is gone.
///
/// Any byte counts as life, in either direction, so that a large message on a slow line is no reason to
/// end it; only the pong with a ping's own payload gives a round trip and passes barriers. A pong answers
/// all pings before it too, since a peer may answer only the latest (RFC 6455 section 5.5.3).
package struct KeepAlive: Equatable, Sendable {
  package enum Purpose: Equatable, Sendable {
    case barrier
    /// A barrier that the peer has to answer in time even where no pings are sent by the clock.
    case question
    /// `isSilent` for the first one of a line, which nobody asked to hear of.
    case keepAlive(isSilent: Bool)

    var isBarrier: Bool {
      switch self {
      case .barrier, .question: true
      case .keepAlive: false
      }
    }
  }

  struct Ping: Equatable, Sendable {
    var payload: [UInt8]
    var sentAt: Instant
    var purpose: Purpose
  }

  /// What a pong says.
  package struct Answer: Equatable, Sendable {
    package var roundTrip: Duration
    package var isSilent: Bool
    package var barriers: Int
  }

  package enum Due: Equatable, Sendable {
    case nothing
    case ping
    /// Nothing came since the ping.
    case dead
  }

  private static let mostUnanswered = 16
  /// Between pings that somebody asks for.
  private static let shortestGap: Duration = .seconds(1)

  private let interval: Duration
  private let timeout: Duration
  private var inFlight: [Ping] = []
  private var nextPing: Instant?
  private var lastPing: Instant?
  private var pongDue: Instant?

  package init(interval: Duration, timeout: Duration) {
    self.interval = interval
    self.timeout = timeout
  }

  /// Nothing has come since the ping of that moment.
  var silentSince: Instant? { pongDue.map { Instant($0.sinceStart - timeout) } }

  package var isOn: Bool { interval > .zero }

  /// A pong is waited for, whose moment counts.
  var awaitsPong: Bool { !inFlight.isEmpty }

  package var deadline: Instant? {
    switch (nextPing, pongDue) {
    case (let ping?, let pong?): min(ping, pong)
    case (let ping?, nil): ping
    case (nil, let pong): pong
    }
  }

  /// What the clock demands. Much later than any deadline means that the machine slept: the peer gets
  /// another chance.
  package func due(at now: Instant) -> Due {
    if let pongDue, now >= pongDue {
      return now - pongDue > interval + timeout ? .ping : .dead
    }
    if let nextPing, now >= nextPing { return .ping }
    return .nothing
  }

  /// It is to be found out whether the peer is there: true for a ping at once. While one waits for its answer
  /// that tells; within a second of the last one the next comes at the end of that second.
  mutating func check(at now: Instant) -> Bool {
    guard isOn, pongDue == nil else { return false }
    guard let lastPing, now - lastPing < KeepAlive.shortestGap else { return true }
    nextPing = min(nextPing ?? now, lastPing + KeepAlive.shortestGap)
    return false
  }

  package mutating func sent(_ payload: [UInt8], for purpose: Purpose, at now: Instant) {
    if case .keepAlive = purpose {
      forgetOldest()
      lastPing = now
      nextPing = isOn ? now + interval : nil
      // After a sleep the old deadline has gone by.
      if let due = pongDue, due <= now { pongDue = now + timeout }
    }
    inFlight.append(Ping(payload: payload, sentAt: now, purpose: purpose))
    if isOn || purpose == .question, pongDue == nil { pongDue = now + timeout }
  }

  package mutating func bytesCame() {
    pongDue = nil
  }

  /// Nil for a pong that nobody asked for.
  package mutating func pongCame(_ payload: [UInt8], at now: Instant) -> Answer? {
    guard let index = inFlight.firstIndex(where: { $0.payload == payload }) else { return nil }
    let ping = inFlight[index]
    let barriers = inFlight[...index].count { $0.purpose.isBarrier }
    inFlight.removeSubrange(...index)
    return Answer(
      roundTrip: now - ping.sentAt, isSilent: ping.purpose != .keepAlive(isSilent: false),
      barriers: barriers)
  }

  /// A peer that never answers but talks must not make the list grow; barriers are as few as posts.
  private mutating func forgetOldest() {
    let unanswered = inFlight.count { !$0.purpose.isBarrier }
    guard unanswered >= KeepAlive.mostUnanswered,
      let oldest = inFlight.firstIndex(where: { !$0.purpose.isBarrier })
    else { return }
    inFlight.remove(at: oldest)
  }
}
