import Channel
import Testing
import Text
import WebSocket

struct SessionStopTests {
  private let refused = Failure(kind: .tcp, message: "Connection refused")

  @Test func aStopDuringTheLookUpDropsTheLink() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(
      harness.actions == [
        .dropLink(LinkID(1)), .event(.stateChanged(.offline(.stopped))),
      ])
    #expect(harness.session.deadline == nil)
  }

  @Test func aStopDuringTheUpgradeDropsTheLink() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(harness.actions.first == .dropLink(LinkID(1)))
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test func aStopInTheMiddleOfAWaitEndsIt() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, refused))
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(harness.actions == [.event(.stateChanged(.offline(.stopped)))])
    #expect(harness.session.deadline == nil)
    harness.advance(.seconds(3600))
    #expect(harness.link == LinkID(1))
  }

  @Test func aStopDuringTheIntroductionClosesInOrder() throws {
    var harness = try SessionHarness { $0.dialect = .graphql }
    harness.open()
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(harness.server.closes == [CloseReason(.normal)])
    harness.receive([0x81, 0x03, 0x61, 0x63, 0x6B])
    harness.deliverAnswers()
    #expect(
      harness.events() == [
        .notice(UntrustedText("lost 1")), .closed(CloseReason(.normal), clean: true),
        .stateChanged(.offline(.stopped)),
      ])
  }

  @Test func aStopOnLineWaitsForThePeersClose() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(harness.server.closes == [CloseReason(.normal)])
    #expect(harness.session.deadline == Instant(.seconds(5)))
    #expect(harness.events() == [])
    harness.receive([0x81, 0x02, 0x68, 0x69])
    #expect(harness.news() == [.raw(.text, Array("hi".utf8))])
    harness.deliverAnswers()
    #expect(
      harness.actions == [
        .finishLink(LinkID(1)), .event(.notice(UntrustedText("lost 1"))),
        .event(.closed(CloseReason(.normal), clean: true)),
        .event(.stateChanged(.offline(.stopped))),
      ])
  }

  /// RFC 6455 section 7.4.1: it goes away, where a person who is done is at the end of 1000.
  @Test func aProgramThatIsEndedClosesWith1001() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.leave)
    #expect(harness.server.closes == [CloseReason(.goingAway)])
    harness.deliverAnswers()
    #expect(harness.session.state == .offline(.stopped))
    harness.handle(.connect)
    harness.handle(.leave)
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test func aPeerThatNeverClosesIsDroppedAfterTheTimeLimit() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    _ = harness.events()
    harness.advance(.milliseconds(4999))
    #expect(harness.actions.isEmpty)
    harness.advance(.milliseconds(1))
    #expect(
      harness.actions == [
        .dropLink(LinkID(1)),
        .event(
          .notice(
            UntrustedText(
              "chat.example did not answer the Close within 5 s (--close-timeout): the line was cut."
            ))), .event(.notice(UntrustedText("lost 1"))),
        .event(.closed(CloseReason(.abnormal), clean: false)),
        .event(.stateChanged(.offline(.stopped))),
      ])
  }

  @Test func aLinkThatEndsWithoutThePeersCloseIsNotClean() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    _ = harness.events()
    harness.handle(.linkEnded(harness.link, nil))
    #expect(
      harness.news() == [
        .notice(UntrustedText("lost 1")), .closed(CloseReason(.abnormal), clean: false),
      ])
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test func aSecondStopDoesNotWait() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    _ = harness.events()
    harness.handle(.disconnect)
    #expect(harness.actions.first == .dropLink(LinkID(1)))
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test func connectingWhileClosingDialsWhenTheClosingIsOver() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    harness.handle(.connect)
    _ = harness.events()
    harness.deliverAnswers()
    #expect(
      harness.news() == [
        .notice(UntrustedText("lost 1")), .closed(CloseReason(.normal), clean: true),
        .connecting(attempt: 1),
      ])
    #expect(harness.link == LinkID(2))
  }

  @Test func aStopAfterThatConnectWinsAgain() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    harness.handle(.connect)
    harness.handle(.disconnect)
    harness.deliverAnswers()
    #expect(harness.session.state == .offline(.stopped))
    #expect(harness.link == LinkID(1))
  }

  @Test func nonsenseFromThePeerDuringTheClosingEndsIt() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.disconnect)
    _ = harness.events()
    harness.receive([0x83, 0x00])
    #expect(harness.actions.first == .finishLink(LinkID(1)))
    #expect(harness.news().last == .closed(CloseReason(.abnormal), clean: false))
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test func aStopOffLineChangesNothing() throws {
    var harness = try SessionHarness()
    harness.handle(.disconnect)
    #expect(harness.actions.isEmpty)
    #expect(harness.session.state == .offline(.idle))
  }

  @Test func connectEndsAWait() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, refused))
    _ = harness.events()
    harness.handle(.connect)
    #expect(harness.news() == [.connecting(attempt: 2)])
    #expect(harness.link == LinkID(2))
  }

  @Test func connectDuringAnAttemptDialsOnce() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.handle(.connect)
    harness.linkOpened()
    harness.handle(.connect)
    harness.accept()
    _ = harness.events()
    harness.handle(.connect)
    #expect(harness.actions.isEmpty)
    #expect(harness.link == LinkID(1))
  }

  @Test func reconnectClosesAndDialsAtOnce() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.post(Post(nonce: "n1", text: "hello")))
    _ = harness.events()
    harness.handle(.reconnect)
    let kinds = harness.actions.map { action in
      switch action {
      case .write(let link, _): "write \(link.number)"
      case .finishLink(let link): "finish \(link.number)"
      case .dropLink(let link): "drop \(link.number)"
      case .openLink(let link, _): "open \(link.number)"
      case .event: "event"
      }
    }
    #expect(kinds.filter { $0 != "event" } == ["write 1", "finish 1", "open 2"])
    #expect(
      harness.news() == [
        .unsure(nonce: "n1"), .notice(UntrustedText("lost 1")),
        .closed(CloseReason(.abnormal), clean: false), .connecting(attempt: 1),
      ])
  }

  @Test func reconnectDuringAnAttemptBeginsAnother() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.handle(.linkEnded(harness.link, refused))
    harness.advance(.seconds(2))
    _ = harness.events()
    harness.handle(.reconnect)
    #expect(harness.actions.first == .dropLink(LinkID(2)))
    #expect(harness.news() == [.connecting(attempt: 1)])
  }

  @Test func lateEventsOfAnOldLineAreDropped() throws {
    var harness = try SessionHarness()
    harness.open()
    let old = harness.link
    let oldServer = harness.server
    harness.handle(.reconnect)
    harness.linkOpened()
    harness.accept()
    let state = harness.session.state
    _ = harness.events()
    var late = oldServer
    harness.receive(late.text("late"), from: old)
    harness.handle(.linkStage(old, .securing))
    harness.handle(.linkOpened(old, peer: "x", tls: nil))
    harness.handle(.linkEnded(old, refused))
    harness.handle(.linkEnded(old, nil))
    #expect(harness.actions.isEmpty)
    #expect(harness.session.state == state)
  }

  @Test func eventsOfALinkThatIsNoLongerWantedAreDropped() throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.handle(.disconnect)
    _ = harness.events()
    harness.linkOpened()
    harness.handle(.linkEnded(harness.link, nil))
    harness.receive([0x81, 0x00])
    #expect(harness.actions.isEmpty)
    #expect(harness.session.state == .offline(.stopped))
  }
}
