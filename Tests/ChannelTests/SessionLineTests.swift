import Channel
import Testing
import Text
import WebSocket

struct SessionLineTests {
  // MARK: - Keep-alive

  @Test func theFirstPingIsSilentAndShowsTheRoundTrip() throws {
    var harness = try SessionHarness()
    harness.open()
    #expect(harness.server.pings.map(\.count) == [8])
    _ = harness.events()
    harness.now = Instant(.milliseconds(21))
    harness.deliverAnswers()
    guard case .online(let online) = harness.session.state else {
      Issue.record("not on line")
      return
    }
    #expect(online.roundTrip == .milliseconds(21))
    #expect(harness.events() == [.stateChanged(.online(online))])
  }

  @Test func laterPingsTellTheirRoundTrip() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    harness.advance(.seconds(30))
    #expect(harness.server.pings.count == 2)
    _ = harness.events()
    harness.advance(.milliseconds(7))
    harness.deliverAnswers()
    #expect(harness.news() == [.pong(roundTrip: .milliseconds(7))])
    harness.advance(.seconds(30))
    #expect(harness.server.pings.count == 3)
    #expect(Set(harness.server.pings).count == 3)
  }

  @Test func aPeerThatFallsSilentIsFoundOut() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    harness.advance(.milliseconds(39_999))
    _ = harness.events()
    harness.advance(.milliseconds(1))
    #expect(harness.actions.first == .dropLink(LinkID(1)))
    #expect(harness.server.closes.isEmpty)
    let failure = Failure(
      kind: .timeout,
      message: "chat.example has not answered a ping for 10 s: the line is dead, dial again",
      short: "no pong 10 s")
    #expect(
      harness.news() == [
        .notice(UntrustedText("lost 1")), .failed(failure),
        .waiting(attempt: 1, delay: .seconds(1)),
      ])
  }

  @Test func aForeignPongIsLifeButNoRoundTrip() throws {
    var harness = try SessionHarness()
    harness.open()
    _ = harness.events()
    harness.advance(.seconds(9))
    harness.receive([0x8A, 0x01, 0x78])
    #expect(harness.events() == [])
    harness.advance(.seconds(20))
    #expect(harness.link == LinkID(1))
    guard case .online(let online) = harness.session.state else {
      Issue.record("declared dead")
      return
    }
    #expect(online.roundTrip == nil)
  }

  /// The ping stands behind megabytes that the peer has not taken yet.
  @Test func aLargeMessageThatLeavesSlowlyIsLifeToo() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    for _ in 1...20 {
      harness.advance(.seconds(9))
      harness.handle(.linkTookBytes(harness.link))
    }
    guard case .online = harness.session.state else {
      Issue.record("declared dead")
      return
    }
    // What an old link says is of no account.
    harness.advance(.seconds(28))
    harness.handle(.linkTookBytes(LinkID(7)))
    harness.advance(.seconds(13))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
  }

  @Test func afterASleepThePeerGetsAnotherChance() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    harness.advance(.seconds(30))
    let pings = harness.server.pings.count
    harness.jump(.seconds(7200))
    #expect(harness.server.pings.count == pings + 1)
    #expect(harness.session.deadline == Instant(.seconds(30 + 7200 + 10)))
    harness.advance(.seconds(10))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
  }

  @Test func withoutAnIntervalThereIsNoPing() throws {
    var harness = try SessionHarness { $0.pingInterval = .zero }
    harness.open()
    #expect(harness.server.pings.isEmpty)
    #expect(harness.session.deadline == nil)
  }

  // MARK: - Posts and barriers

  @Test func barriersPassInOrder() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.deliverAnswers()
    _ = harness.events()
    harness.handle(.post(Post(nonce: "n1", text: "one")))
    harness.handle(.post(Post(nonce: "n2", text: "two")))
    #expect(harness.server.texts == ["one", "two"])
    harness.deliverAnswers()
    #expect(harness.news() == [.sent(nonce: "n1", nil), .sent(nonce: "n2", nil)])
  }

  @Test func aPongForTheLatestPingPassesAllBarriers() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.post(Post(nonce: "n1", text: "one")))
    harness.handle(.post(Post(nonce: "n2", text: "two")))
    _ = harness.events()
    harness.now = Instant(.milliseconds(3))
    harness.receive(harness.server.pong(try #require(harness.server.pings.last)))
    #expect(harness.news() == [.sent(nonce: "n1", nil), .sent(nonce: "n2", nil)])
    guard case .online(let online) = harness.session.state else {
      Issue.record("not on line")
      return
    }
    #expect(online.roundTrip == .milliseconds(3))
  }

  @Test func aPostWithoutAReadyLineComesBack() throws {
    var harness = try SessionHarness { $0.dialect = .graphql }
    harness.handle(.post(Post(nonce: "n1", text: "x")))
    harness.open()
    harness.handle(.post(Post(nonce: "n2", text: "y")))
    harness.handle(.disconnect)
    harness.handle(.post(Post(nonce: "n3", text: "z")))
    let back = harness.news().filter { if case .repeatable = $0 { true } else { false } }
    #expect(
      back == [.repeatable(nonce: "n1"), .repeatable(nonce: "n2"), .repeatable(nonce: "n3")])
    #expect(harness.server.texts == ["init nobody"])
  }

  @Test func binaryMessagesGoOutOnAReadyLineOnly() throws {
    var harness = try SessionHarness()
    harness.handle(.sendBinary([1, 2]))
    #expect(
      harness.news() == [
        .notice(UntrustedText("A binary message of 2 bytes was not sent: the line is not up"))
      ])
    harness.open()
    harness.handle(.sendBinary([0, 1]))
    #expect(harness.server.events.contains(.message(.binary, .owned([0, 1]))))
  }

  @Test func roomsAndNicksGoThroughTheDialect() throws {
    var harness = try SessionHarness()
    harness.handle(.join(room: "garden"))
    harness.open()
    #expect(harness.news().contains(.notice(UntrustedText("line 1 in garden"))))
    harness.handle(.join(room: "tower"))
    harness.handle(.rename(nick: "bob"))
    #expect(harness.server.texts == ["join tower", "nick bob"])
  }

  // MARK: - Ends

  @Test func anOrderlyEndIsToldWithItsCodeAndTriedAgain() throws {
    var harness = try SessionHarness()
    harness.open()
    _ = harness.events()
    harness.serverCloses(1000, "bye")
    #expect(harness.actions.contains(.finishLink(LinkID(1))))
    #expect(
      harness.news() == [
        .notice(UntrustedText("lost 1")), .closed(CloseReason(.normal, "bye"), clean: true),
        .waiting(attempt: 2, delay: .seconds(2)),
      ])
    #expect(harness.server.closes == [CloseReason(.normal)])
  }

  @Test func aCloseWithoutACodeIs1005() throws {
    var harness = try SessionHarness { $0.reconnects = false }
    harness.open()
    harness.receive([0x88, 0x00])
    #expect(harness.news().last == .closed(CloseReason(.noStatus), clean: true))
    #expect(harness.session.state == .offline(.closed(CloseReason(.noStatus))))
  }

  @Test(arguments: [1000, 1001, 1011, 1012, 4000])
  func withoutReconnectsAnOrderlyEndIsTheEnd(code: Int) throws {
    var harness = try SessionHarness { $0.reconnects = false }
    harness.open()
    harness.serverCloses(code)
    let reason = CloseReason(CloseCode(rawValue: UInt16(code)))
    #expect(harness.session.state == .offline(.closed(reason)))
    #expect(harness.news().last == .closed(reason, clean: true))
  }

  @Test(arguments: [1008, 3000, 4401, 4403])
  func aCloseThatRefusesUsIsNotTriedAgain(code: Int) throws {
    var harness = try SessionHarness()
    harness.open()
    harness.serverCloses(code, "expired")
    guard case .offline(.refused(let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.kind == .refused)
    #expect(failure.message.contains("expired"))
    let reason = CloseReason(CloseCode(rawValue: UInt16(code)), "expired")
    #expect(harness.news().suffix(2) == [.closed(reason, clean: true), .failed(failure)])
  }

  @Test(arguments: [1002, 1003, 1007, 1009, 1010])
  func aCloseThatNoAttemptCanMendIsGivenUp(code: Int) throws {
    var harness = try SessionHarness()
    harness.open()
    harness.serverCloses(code)
    guard case .offline(.gaveUp(1, let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    let reason = CloseReason(CloseCode(rawValue: UInt16(code)))
    let news = Array(harness.news().suffix(3))
    #expect(news.first == .closed(reason, clean: true))
    #expect(news.last == .gaveUp(attempts: 1, failure))
    guard case .failed(let told) = news[1] else {
      Issue.record("\(news)")
      return
    }
    #expect(told.asFinal == failure)
  }

  @Test func theDialectsVerdictComesFirst() throws {
    var harness = try SessionHarness { $0.dialect = .graphql }
    harness.open()
    harness.serverCloses(1000)
    guard case .offline(.refused(let failure)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    #expect(failure.message == "scripted refused")
  }

  @Test func aViolationIsAnsweredAndTriedAgain() throws {
    var harness = try SessionHarness()
    harness.open()
    _ = harness.events()
    harness.receive([0x81, 0x02, 0x68, 0x69, 0x83, 0x00])
    #expect(harness.server.closes == [CloseReason(.protocolError)])
    #expect(harness.actions.contains(.finishLink(LinkID(1))))
    let news = harness.news()
    #expect(news.first == .raw(.text, Array("hi".utf8)))
    guard case .failed(let failure) = news.dropLast().last else {
      Issue.record("\(news)")
      return
    }
    #expect(failure.kind == .protocol)
    #expect(failure.message.contains("unknown opcode 3"))
    #expect(news.last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test func aMessageOverTheLimitEndsTheLineWith1009() throws {
    var harness = try SessionHarness { $0.maxMessage = 4 }
    harness.open()
    harness.receive([0x81, 0x04, 0x68, 0x68, 0x68, 0x68])
    #expect(harness.news().last == .raw(.text, Array("hhhh".utf8)))
    harness.receive([0x81, 0x05])
    #expect(harness.server.closes.map(\.code) == [.tooBig])
  }

  @Test(arguments: [("nonsense", 4400), ("hopeless", 4400), ("go away", 1000)])
  func theDialectCanEndTheLine(word: String, code: Int) throws {
    var harness = try SessionHarness()
    harness.open()
    _ = harness.events()
    harness.receive(harness.server.text(word) + harness.server.text("never read"))
    #expect(harness.server.closes.map(\.code.rawValue) == [UInt16(code)])
    #expect(harness.actions.contains(.finishLink(LinkID(1))))
    let kind: Failure.Kind = word == "go away" ? .refused : .protocol
    let failure = Failure(kind: kind, message: "scripted \(kind.rawValue)")
    var expected: [ChannelEvent] = [.notice(UntrustedText("lost 1")), .failed(failure)]
    switch word {
    case "nonsense": expected.append(.waiting(attempt: 2, delay: .seconds(2)))
    case "hopeless": expected.append(.gaveUp(attempts: 1, failure.asFinal))
    default: #expect(harness.session.state == .offline(.refused(failure)))
    }
    #expect(harness.news() == expected)
  }

  @Test func theDialectsTimeLimitIsKept() throws {
    var harness = try SessionHarness { $0.dialect = .graphql }
    harness.open()
    #expect(harness.session.deadline == Instant(.seconds(10)))
    harness.advance(.seconds(10))
    #expect(harness.server.closes == [CloseReason(CloseCode(rawValue: 4504), "no ack")])
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test func thePeersPingIsAnswered() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.receive([0x89, 0x02, 0x68, 0x69])
    #expect(harness.server.events.last == .pong([0x68, 0x69]))
  }

  @Test func anUncheckedCertificateIsSaidAsLongAsTheLineLasts() throws {
    for (url, isInsecure) in [("wss://h/", true), ("ws://h/", false)] {
      var harness = try SessionHarness(url) { $0.isInsecure = true }
      harness.open()
      guard case .online(let online) = harness.session.state else {
        Issue.record("not on line")
        return
      }
      #expect(online.isInsecure == isInsecure)
    }
  }
}
