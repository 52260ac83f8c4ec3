import Channel
import TestKit
import Testing
import Text
import WebSocket

struct SessionReconnectTests {
  private let cut = Failure(
    kind: .tcp, message: "The line to chat.example was cut without a Close", short: "line cut")

  private func connecting(
    _ attempt: Int, until: Duration, _ failure: Failure, lostAt: Duration? = nil
  ) -> SessionState {
    .connecting(
      SessionState.Connecting(
        attempt: attempt, phase: .waiting(until: Instant(until)), lastFailure: failure,
        lostAt: lostAt.map { Instant($0) }))
  }

  @Test func anHourOfOutageIsTriedWithGrowingPauses() throws {
    let refused = Failure(kind: .tcp, message: "Connection refused")
    var harness = try SessionHarness { $0.maxAttempts = 1000 }
    harness.handle(.connect)
    var dials: [Duration] = [.zero]
    harness.handle(.linkEnded(harness.link, refused))
    while harness.now < Instant(.seconds(3600)), let deadline = harness.session.deadline {
      harness.now = deadline
      harness.handle(.timeReached)
      dials.append(harness.now.sinceStart)
      harness.handle(.linkEnded(harness.link, refused))
    }
    // 2, 4, 8, 16 and 32 s, then a minute each: 62 s + 59 × 60 s = 3602 s.
    let start = [0, 2, 6, 14, 30, 62, 122].map { Duration.seconds($0) }
    #expect(Array(dials.prefix(7)) == start)
    #expect(dials.count == 65)
    #expect(dials.last == .seconds(3602))
    #expect(harness.link == LinkID(65))
  }

  @Test func theEventsOfARefusedAttempt() throws {
    let refused = Failure(kind: .tcp, message: "Connection refused")
    var harness = try SessionHarness()
    harness.handle(.connect)
    _ = harness.events()
    harness.handle(.linkEnded(harness.link, refused))
    #expect(
      harness.events() == [
        .failed(refused), .stateChanged(connecting(2, until: .seconds(2), refused)),
        .waiting(attempt: 2, delay: .seconds(2)),
      ])
    harness.advance(.seconds(2))
    #expect(harness.news() == [.connecting(attempt: 2)])
  }

  @Test func jitterComesFromTheEntropy() throws {
    let refused = Failure(kind: .tcp, message: "Connection refused")
    var harness = try SessionHarness { $0.backoff = Backoff() }
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, refused))
    guard case .waiting(attempt: 2, let delay) = harness.news().last else {
      Issue.record("no pause")
      return
    }
    #expect(delay > .seconds(2) && delay < .milliseconds(2500))
  }

  @Test func afterTheLastAttemptItGivesUp() throws {
    let refused = Failure(kind: .dns, message: "No such host")
    var harness = try SessionHarness { $0.maxAttempts = 3 }
    harness.handle(.connect)
    for _ in 1...2 {
      harness.handle(.linkEnded(harness.link, refused))
      harness.advance(.seconds(4))
    }
    _ = harness.events()
    harness.handle(.linkEnded(harness.link, refused))
    #expect(harness.news() == [.failed(refused), .gaveUp(attempts: 3, refused)])
    #expect(harness.session.state == .offline(.gaveUp(attempts: 3, refused)))
    #expect(harness.session.deadline == nil)
    harness.handle(.connect)
    #expect(harness.news() == [.connecting(attempt: 1)])
  }

  @Test func withoutReconnectsOneFailureIsTheEnd() throws {
    let refused = Failure(kind: .tcp, message: "Connection refused")
    var harness = try SessionHarness { $0.reconnects = false }
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, refused))
    #expect(
      harness.news() == [
        .connecting(attempt: 1), .failed(refused), .gaveUp(attempts: 1, refused),
      ])
  }

  @Test(arguments: [
    (401, 0), (403, 0), (404, 0), (302, 0), (408, 2), (429, 2), (500, 2), (503, 2),
  ])
  func refusalsThatAreTriedAgain(status: Int, seconds: Int) throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(status)
    let deadline = harness.session.deadline
    #expect(deadline == (seconds == 0 ? nil : Instant(.seconds(seconds))))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
  }

  @Test func retryAfterLengthensThePause() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(503, [Header("Retry-After", "90")])
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(90)))
  }

  @Test(
    arguments: [408, 425, 429, 500, 502, 503, 504], ["90", "Sun, 06 Nov 1994 08:50:37 GMT"])
  func retryAfterIsALowerBoundWithJitterOnTop(status: Int, value: String) throws {
    var delays: Set<Duration> = []
    for seed in UInt64(1)...5 {
      var harness = try SessionHarness { $0.backoff = Backoff() }
      harness.entropy = .seeded(seed)
      harness.handle(.connect)
      harness.linkOpened()
      let date = Header("Date", "Sun, 06 Nov 1994 08:49:07 GMT")
      harness.answer(status, [Header("Retry-After", value), date])
      guard case .waiting(2, let delay) = harness.news().last else {
        Issue.record("no pause")
        return
      }
      #expect(delay >= .seconds(90) && delay <= .seconds(105))
      delays.insert(delay)
    }
    #expect(delays.count == 5)
  }

  @Test func aDateOfRetryAfterIsMeasuredByOurClockWhereTheServerTellsNone() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.session.note(calendar: Timestamp(milliseconds: 784_111_747_900), at: harness.now)
    harness.advance(.seconds(2))
    harness.linkOpened()
    harness.answer(503, [Header("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT")])
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(88)))
  }

  @Test func retryAfterDoesNotShortenThePause() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(503, [Header("Retry-After", "0")])
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test func aRefusalStaysRefusedWithoutAWordOfGivingUp() throws {
    var harness = try SessionHarness { $0.token = Bearer(firstLineOf: "old") }
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(401, body: "token expired")
    let events = harness.news()
    guard case .failed(let failure) = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(failure.kind == .refused)
    #expect(failure.short == "401 token rejected")
    #expect(harness.session.state == .offline(.refused(failure)))
  }

  @Test func aTokenThatTheServerRepeatsIsNotShown() throws {
    var refused = try SessionHarness { $0.token = Bearer(firstLineOf: "s3cret-42") }
    refused.handle(.connect)
    refused.linkOpened()
    refused.answer(403, body: "Authorization: Bearer s3cret-42 is unknown")
    var closed = try SessionHarness { $0.token = Bearer(firstLineOf: "s3cret-42") }
    closed.open()
    closed.serverCloses(4403, "no s3cret-42 here")
    for events in [refused.news(), closed.news()] {
      #expect(!"\(events)".contains("s3cret-42"))
      #expect("\(events)".contains("…"))
    }
  }

  @Test(arguments: [
    ("wss://ann:p4ssword@chat.example/", Header("X-A", "b"), "p4ssword"),
    ("wss://ann:p4ssword@chat.example/", Header("X-A", "b"), "YW5uOnA0c3N3b3Jk"),
    ("wss://chat.example/", Header("authorization", "Custom k3y0fM1ne"), "k3y0fM1ne"),
    ("wss://chat.example/", Header("Cookie", "theme=dark; id=0123456789"), "0123456789"),
    ("wss://chat.example/", Header("Cookie", "theme=dark; id=c00k"), "c00k"),
  ])
  func whatElseIsTheirsIsNotShownEither(url: String, header: Header, secret: String) throws {
    var refused = try SessionHarness(url) { $0.headers = [header] }
    refused.handle(.connect)
    refused.linkOpened()
    refused.answer(404, body: "the request was <\(secret)> and dark")
    #expect("\(refused.news())".contains("<…> and dark"))
  }

  @Test func aCertificateThatIsNotTrustedIsGivenUp() throws {
    let failure = Failure(kind: .tls, message: "unknown authority: see --cacert")
    var harness = try SessionHarness("wss://chat.example/")
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, failure))
    #expect(harness.session.state == .offline(.gaveUp(attempts: 1, failure.asFinal)))
  }

  @Test func aLostLineTellsWhatBecameOfPostsThenFailsThenWaits() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.advance(.seconds(4))
    harness.handle(.post(Post(nonce: "n1", text: "hello")))
    _ = harness.events()
    harness.handle(.linkEnded(harness.link, nil))
    #expect(
      harness.events() == [
        .unsure(nonce: "n1"), .notice(UntrustedText("lost 1")), .failed(cut),
        .stateChanged(connecting(2, until: .seconds(6), cut, lostAt: .seconds(4))),
        .waiting(attempt: 2, delay: .seconds(2)),
      ])
  }

  @Test func aLineThatHeldBeginsTheCountAnew() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.advance(.seconds(5))
    harness.handle(.linkEnded(harness.link, nil))
    #expect(harness.news().last == .waiting(attempt: 1, delay: .seconds(1)))
  }

  @Test func aServerThatAcceptsAndDropsIsNotHammered() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    var pauses: [Duration] = []
    while case .connecting = harness.session.state {
      harness.linkOpened()
      harness.accept()
      harness.advance(.milliseconds(4999))
      harness.handle(.linkEnded(harness.link, nil))
      if case .waiting(_, let delay) = harness.news().last { pauses.append(delay) }
      if let deadline = harness.session.deadline { harness.advance(deadline - harness.now) }
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60, 60].map { .seconds($0) })
    #expect(harness.session.state == .offline(.gaveUp(attempts: 10, cut)))
  }

  @Test func withNoTimeToHoldEveryReadyLineBeginsTheCountAnew() throws {
    var harness = try SessionHarness { $0.stableAfter = .zero }
    harness.open()
    harness.handle(.linkEnded(harness.link, nil))
    #expect(harness.news().last == .waiting(attempt: 1, delay: .seconds(1)))
  }

  @Test func aLineThatWasNeverReadyHasNotHeld() throws {
    var harness = try SessionHarness {
      $0.stableAfter = .zero
      $0.dialect = .graphql
    }
    harness.open()
    harness.advance(.seconds(9))
    harness.handle(.linkEnded(harness.link, nil))
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test func theDialectOutlivesTheLineIfItsNameStays() throws {
    var harness = try SessionHarness(subprotocols: ["graphql-transport-ws"])
    harness.open()
    harness.handle(.linkEnded(harness.link, nil))
    harness.handle(.connect)
    harness.linkOpened()
    harness.accept()
    #expect(harness.news().contains(.notice(UntrustedText("line 2 in lobby"))))
    harness.handle(.linkEnded(harness.link, nil))
    harness.handle(.connect)
    harness.linkOpened()
    harness.accept(subprotocol: "graphql-transport-ws")
    #expect(harness.news().contains(.notice(UntrustedText("line 1 in lobby"))))
  }

  @Test func aTimeOutOfTheUpgradeIsTriedAgain() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.advance(.seconds(12))
    #expect(harness.link == LinkID(2))
    #expect(harness.news().last == .connecting(attempt: 2))
  }

  @Test func aTruncatedTLSStreamOfAnOpenLineIsTriedAgain() throws {
    let failure = Failure(kind: .tls, message: "ended without close_notify")
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.linkEnded(harness.link, failure))
    #expect(
      harness.news().suffix(2) == [.failed(failure), .waiting(attempt: 2, delay: .seconds(2))])
  }
}
