import Channel
import Testing
import Text
import WebSocket

/// Public bug reports about other clients, replayed: what follows a refusal, a violation, or the end of a line. The bytes
/// of the frames are those of WebSocketTests; report 10 is in RedirectTests.
@Suite struct SessionReports {
  private func opened(
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionHarness {
    var harness = try SessionHarness("ws://chat.example/", configure)
    harness.open()
    harness.deliverAnswers()
    _ = harness.events()
    return harness
  }

  @Test(
    "report 8: a refusal that another attempt cannot mend is not tried again",
    arguments: [400, 401, 402, 403, 404, 405, 407, 410, 411, 418, 426, 431, 451, 499, 200, 204])
  func report8(status: Int) throws {
    var harness = try SessionHarness { $0.maxAttempts = 1000 }
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(status)
    #expect(harness.session.deadline == nil)
    guard case .offline = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
    harness.advance(.seconds(86_400))
    #expect(harness.link == LinkID(1))
  }

  @Test("report 8: one that passes is tried again", arguments: [408, 425, 429, 500, 502, 503, 504])
  func report8Passing(status: Int) throws {
    var harness = try SessionHarness()
    harness.handle(.connect)
    harness.linkOpened()
    harness.answer(status)
    harness.advance(.seconds(2))
    #expect(harness.link == LinkID(2))
  }

  /// The link is finished, not dropped: what the peer still sends is read away, so that no reset eats the Close
  /// (NetTests: finishThrowsAwayWhatStillComesIn).
  @Test(
    "report 50: a violation sends Close 1002, and then the line ends in order",
    arguments: [[0x83, 0x00], [0x81, 0x80, 1, 2, 3, 4], [0xC9, 0x00]] as [[UInt8]])
  func report50(_ wire: [UInt8]) throws {
    var harness = try opened()
    harness.receive(wire + [0x81, 0x01, 0x61])
    #expect(harness.server.closes == [CloseReason(.protocolError)])
    guard case .write = harness.actions.first else {
      Issue.record("\(harness.actions)")
      return
    }
    #expect(harness.actions[1] == .finishLink(LinkID(1)))
    #expect(!harness.actions.contains(.dropLink(LinkID(1))))
  }

  @Test("report 53: a server that answers the Close but keeps its side open is not waited for")
  func report53Answered() throws {
    var harness = try opened()
    harness.handle(.disconnect)
    harness.deliverAnswers()
    #expect(harness.news().contains(.closed(CloseReason(.normal), clean: true)))
    #expect(harness.session.state == .offline(.stopped))
    #expect(harness.session.deadline == nil)
  }

  @Test("report 53: a server that never answers the Close is dropped in time, as 1006")
  func report53Silent() throws {
    var harness = try opened { $0.closeTimeout = .seconds(3) }
    harness.handle(.disconnect)
    harness.receive([0x81, 0x01, 0x61])
    harness.advance(.milliseconds(2999))
    #expect(!harness.actions.contains(.dropLink(LinkID(1))))
    harness.advance(.milliseconds(1))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
    #expect(harness.news().contains(.closed(CloseReason(.abnormal), clean: false)))
  }

  @Test("report 53: a server that drips bytes instead of its Close is dropped all the same")
  func report53Dripping() throws {
    var harness = try opened()
    harness.handle(.disconnect)
    for _ in 1...20 {
      harness.advance(.milliseconds(300))
      harness.receive([0x89, 0x00])
    }
    #expect(harness.session.state == .offline(.stopped))
  }

  @Test(
    "report 54: an end in the middle of a frame is a failure, the part is dropped, and it is tried again",
    arguments: [
      [], [0x81], [0x81, 0x05], [0x81, 0x05, 0x48, 0x65], [0x01, 0x02, 0x68, 0x69],
      [0x88, 0x02, 0x03],
    ] as [[UInt8]],
    [
      nil, Failure(kind: .tcp, message: "Connection reset by peer"),
      Failure(kind: .tls, message: "cut short"),
    ] as [Failure?])
  func report54(_ part: [UInt8], _ failure: Failure?) throws {
    var harness = try opened()
    harness.receive(part)
    harness.handle(.linkEnded(harness.link, failure))
    let news = harness.news()
    #expect(!news.contains { if case .raw = $0 { true } else { false } })
    #expect(!news.contains { if case .closed = $0 { true } else { false } })
    guard case .failed(let told) = news.dropLast().last else {
      Issue.record("\(news)")
      return
    }
    #expect(told == failure ?? told)
    #expect(news.last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test("report 54: an end behind the 101 is tried again")
  func report54BehindTheUpgrade() throws {
    var harness = try SessionHarness()
    harness.open()
    harness.handle(.linkEnded(harness.link, nil))
    #expect(harness.news().last == .waiting(attempt: 2, delay: .seconds(2)))
  }

  @Test(
    "report 55: an end without TLS's own is in order behind the closing handshake, and a cut before it"
  )
  func report55() throws {
    let truncated = Failure(kind: .tls, message: "cut short")
    var closed = try opened()
    closed.serverCloses(1000, "bye")
    closed.handle(.linkEnded(LinkID(1), truncated))
    let news = closed.news()
    #expect(news.contains(.closed(CloseReason(.normal, "bye"), clean: true)))
    #expect(!news.contains(.failed(truncated)))
    var open = try opened()
    open.handle(.linkEnded(LinkID(1), truncated))
    #expect(open.news().contains(.failed(truncated)))
  }

  // MARK: - 56: half-open lines

  @Test(
    "report 56: a server that was stopped behind the 101 is found by a ping and left without a Close"
  )
  func report56() throws {
    var harness = try SessionHarness()
    harness.open()
    let closes = harness.server.closes
    harness.advance(.seconds(10))
    #expect(harness.actions.contains(.dropLink(LinkID(1))))
    #expect(harness.server.closes == closes)
    #expect(harness.news().contains { if case .waiting = $0 { true } else { false } })
  }

  @Test("report 56: a pong that nobody asked for is life, but answers no ping")
  func report56ForeignPong() throws {
    var harness = try opened()
    harness.advance(.seconds(30))
    harness.receive([0x8A, 0x01, 0x78])
    #expect(!harness.news().contains { if case .pong = $0 { true } else { false } })
    harness.advance(.seconds(9))
    #expect(harness.link == LinkID(1))
  }

  @Test("report 56: a large message that arrives slowly is not called dead")
  func report56SlowMessage() throws {
    var harness = try opened()
    harness.receive([0x82, 0x7E, 0, 200])
    for _ in 1...200 {
      harness.advance(.seconds(9))
      harness.receive([0x00])
    }
    #expect(harness.link == LinkID(1))
    #expect(harness.news().contains(.raw(.binary, [UInt8](repeating: 0, count: 200))))
  }

  @Test(
    "report 57: a server that accepts and closes at once is not hammered",
    arguments: [1000, 1001, 1011])
  func report57(code: Int) throws {
    var harness = try SessionHarness { $0.maxAttempts = 8 }
    harness.handle(.connect)
    var pauses: [Duration] = []
    while case .connecting = harness.session.state {
      harness.linkOpened()
      harness.accept()
      harness.serverCloses(code)
      if case .waiting(_, let delay) = harness.news().last { pauses.append(delay) }
      if let deadline = harness.session.deadline { harness.advance(deadline - harness.now) }
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    guard case .offline(.gaveUp(8, _)) = harness.session.state else {
      Issue.record("\(harness.session.state)")
      return
    }
  }
}
