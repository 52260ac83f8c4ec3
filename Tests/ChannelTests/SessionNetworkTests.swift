import Channel
import Testing
import Text
import WebSocket

/// What the session makes of changes of the network, in virtual time.
struct SessionNetworkTests {
  private let refused = Failure(kind: .tcp, message: "Connection refused")

  /// A session that waits, after so many failed attempts.
  private func waiting(
    afterAttempts count: Int, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    var harness = try SessionHarness("ws://chat.example/", configure)
    harness.handle(.connect)
    for attempt in 1...count {
      harness.handle(.linkEnded(harness.link, refused))
      if attempt < count, let deadline = harness.session.deadline {
        harness.now = deadline
        harness.handle(.timeReached)
      }
    }
    // The last attempt is some time ago.
    harness.now = harness.now + wait
    _ = harness.events()
    return harness
  }

  private let wait: Duration = .seconds(5)

  private func left(_ harness: SessionHarness) -> Duration? {
    harness.session.deadline.map { $0 - harness.now }
  }

  private func isSoon(_ harness: SessionHarness) -> Bool {
    left(harness).map { (.milliseconds(500)...(.seconds(1))).contains($0) } ?? false
  }

  /// Dials when its time has come, and fails.
  private func fail(_ harness: inout SessionHarness) throws {
    harness.now = try #require(harness.session.deadline)
    harness.handle(.timeReached)
    harness.handle(.linkEnded(harness.link, refused))
  }

  @Test func aWayThatAppearsEndsALongWaitAlittleLater() throws {
    var harness = try waiting(afterAttempts: 6)
    #expect(left(harness) == .seconds(60) - wait)
    harness.handle(.networkAppeared)
    #expect(isSoon(harness))
    let until = try #require(harness.session.deadline)
    guard case .connecting(let connecting) = harness.session.state else {
      Issue.record("not connecting")
      return
    }
    // The countdown on the screen goes along, and the attempt keeps its number.
    #expect(connecting.phase == .waiting(until: until))
    #expect(connecting.attempt == 7)
    #expect(connecting.lastFailure == refused)
    #expect(harness.news().isEmpty)
    harness.now = until
    harness.handle(.timeReached)
    #expect(harness.news() == [.connecting(attempt: 7)])
  }

  @Test func aShortWaitIsLeftAsItIs() throws {
    var harness = try waiting(afterAttempts: 1) { $0.backoff.first = .milliseconds(2700) }
    let deadline = harness.session.deadline
    harness.handle(.networkAppeared)
    #expect(harness.session.deadline == deadline)
  }

  @Test func severalChangesInARowLeadToOneAttempt() throws {
    var harness = try waiting(afterAttempts: 6)
    harness.handle(.networkAppeared)
    let deadline = harness.session.deadline
    for _ in 0..<5 {
      harness.now = harness.now + .milliseconds(90)
      harness.handle(.networkAppeared)
    }
    #expect(harness.session.deadline == deadline)
  }

  @Test func aPauseThatTheServerAskedForIsNotShortened() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(503, [Header("Retry-After", "90")])
    harness.handle(.networkAppeared)
    #expect(left(harness) == .seconds(90))

    // The part of the wait that is our own is.
    harness = try SessionHarness { $0.backoff.first = .seconds(40) }
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(503, [Header("Retry-After", "5")])
    harness.handle(.networkAppeared)
    #expect(left(harness) == .seconds(5))
  }

  @Test func anAttemptThatTheNetworkBroughtForwardIsNotCounted() throws {
    var harness = try waiting(afterAttempts: 9)
    for _ in 0..<5 {
      harness.handle(.networkAppeared)
      try fail(&harness)
      #expect(harness.news().contains(.waiting(attempt: 10, delay: .seconds(60))))
    }
    // The tenth that comes by itself is the last.
    harness.now = try #require(harness.session.deadline)
    harness.handle(.timeReached)
    harness.handle(.linkEnded(harness.link, refused))
    #expect(harness.news().last == .gaveUp(attempts: 10, refused))
  }

  @Test func aNetworkThatKeepsChangingDoesNotHammerTheServer() throws {
    var harness = try waiting(afterAttempts: 9) { $0.maxAttempts = 1000 }
    var dials = 0
    // A change each 100 ms, for an hour.
    for _ in 0..<36_000 {
      harness.now = harness.now + .milliseconds(100)
      harness.handle(.networkAppeared)
      guard let deadline = harness.session.deadline, deadline <= harness.now else { continue }
      harness.handle(.timeReached)
      dials += 1
      harness.handle(.linkEnded(harness.link, refused))
    }
    // After the first few no more than one each minute.
    #expect((58...68).contains(dials), "\(dials)")
  }

  @Test func aChangeDuringAnAttemptBringsTheNextOneForward() throws {
    var harness = try waiting(afterAttempts: 5)
    harness.now = try #require(harness.session.deadline)
    harness.handle(.timeReached)
    harness.handle(.networkAppeared)
    harness.now = harness.now + .seconds(4)
    harness.handle(.linkEnded(harness.link, refused))
    #expect(isSoon(harness))
    let delay = try #require(left(harness))
    #expect(harness.news().last == .waiting(attempt: 7, delay: delay))
    // The next wait is as long as ever.
    try fail(&harness)
    #expect(left(harness) == .seconds(60))
  }

  @Test func afterALineTheGapsBeginAnew() throws {
    var harness = try waiting(afterAttempts: 6)
    for _ in 0..<4 {
      harness.handle(.networkAppeared)
      try fail(&harness)
    }
    harness.now = try #require(harness.session.deadline)
    harness.handle(.timeReached)
    harness.linkOpened()
    harness.accept()
    harness.advance(.seconds(20))
    harness.handle(.linkEnded(harness.link, refused))
    for _ in 0..<6 { try fail(&harness) }
    harness.now = harness.now + wait
    harness.handle(.networkAppeared)
    #expect(isSoon(harness))
  }

  @Test func offLineAndOnLineAWayThatAppearsChangesNothing() throws {
    var harness = try SessionHarness()
    harness.handle(.networkAppeared)
    harness.handle(.checkLine)
    #expect(harness.actions.isEmpty)
    harness.open()
    harness.deliverAnswers()
    _ = harness.events()
    harness.advance(.seconds(3))
    harness.handle(.networkAppeared)
    #expect(harness.actions.isEmpty)
  }

  // MARK: - Whether the line still stands

  @Test func aWayThatVanishesLeadsToAPingAtOnce() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    harness.advance(.seconds(3))
    harness.handle(.checkLine)
    #expect(harness.server.pings.count == 2)
    // No second one while that waits for its answer.
    harness.handle(.checkLine)
    #expect(harness.server.pings.count == 2)
    _ = harness.events()
    harness.advance(.seconds(10))
    #expect(harness.actions.first == .dropLink(LinkID(1)))
    #expect(harness.news().contains { if case .failed = $0 { true } else { false } })
  }

  @Test func aLineThatAnswersGoesOn() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    harness.advance(.seconds(3))
    for _ in 0..<50 {
      harness.handle(.checkLine)
      harness.deliverAnswers()
      harness.advance(.milliseconds(100))
    }
    // At once, and then at most one a second, however often the network changes.
    #expect((4...7).contains(harness.server.pings.count), "\(harness.server.pings.count)")
    guard case .online = harness.session.state else {
      Issue.record("the line is gone")
      return
    }
  }

  @Test func whoWantsNoPingsGetsNone() throws {
    var harness = try SessionHarness { $0.pingInterval = .zero }
    harness.open()
    harness.advance(.seconds(3))
    harness.handle(.checkLine)
    #expect(harness.server.pings.isEmpty)
  }
}
