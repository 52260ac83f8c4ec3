import Channel
import TestKit
import Testing
import Text
import WebSocket

/// One operation over HTTP POST, with the time and the bytes handed in.
@Suite struct HTTPOperationTests {
  private struct Run {
    var operation: HTTPOperation
    var entropy = Entropy.seeded()
    var now = Instant()
    var link = LinkID(0)
    var events: [ChannelEvent] = []
    var written: [[UInt8]] = []

    init(
      _ document: String, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws {
      var configuration = SessionConfiguration(
        endpoint: try Endpoint(parsing: "http://api.example/graphql"), subprotocols: [],
        context: DialectContext(room: "lobby", nick: "ada"))
      configuration.backoff.jitter = 0
      change(&configuration)
      operation = HTTPOperation(configuration, try GraphQLTask(document: document))
      hand(.connect)
    }

    mutating func hand(_ input: SessionInput) {
      take(operation.handle(input, at: now, entropy: &entropy))
    }

    mutating func open() { hand(.linkOpened(link, peer: "192.0.2.1:80", tls: nil)) }

    mutating func answer(_ status: Int, _ body: String) {
      let text =
        "HTTP/1.1 \(status) Some\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      take(operation.receive(text.utf8Span.span.bytes, from: link, at: now, entropy: &entropy))
    }

    mutating func receive(_ text: String) {
      take(operation.receive(text.utf8Span.span.bytes, from: link, at: now, entropy: &entropy))
    }

    mutating func pass(_ time: Duration) {
      now = now + time
      hand(.timeReached)
    }

    private mutating func take(_ actions: [SessionAction]) {
      for action in actions {
        switch action {
        case .openLink(let opened, _): link = opened
        case .write(_, let bytes): written.append(bytes)
        case .event(let event): events.append(event)
        case .finishLink, .dropLink: break
        }
      }
    }

    var ends: [GraphQLTaskEvent] {
      events.compactMap { if case .operation(let event) = $0 { event } else { nil } }
    }

    var waits: [Duration] {
      events.compactMap { if case .waiting(_, let delay) = $0 { delay } else { nil } }
    }
  }

  private static let reset = Failure(kind: .tcp, message: "reset")

  @Test func theRequestIsThatOfGraphQLOverHTTP() throws {
    var run = try Run("query A { a }") { $0.token = Bearer(firstLineOf: "T") }
    run.open()
    let request = String(decoding: run.written[0], as: UTF8.self)
    #expect(request.hasPrefix("POST /graphql HTTP/1.1\r\nHost: api.example\r\n"))
    #expect(request.contains("Content-Type: application/json\r\n"))
    #expect(request.contains("Authorization: Bearer T\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{\"query\":\"query A { a }\"}"))
    run.answer(200, #"{"data":{"a":1}}"#)
    #expect(run.ends.last == .completed)
    #expect(run.operation.deadline == nil)
  }

  /// The specification lets a server answer 4xx where nothing was carried out at all.
  @Test(arguments: [200, 400, 500])
  func anAnswerWithoutDataIsAFailureOfTheOperationWhateverItsStatus(status: Int) throws {
    var run = try Run("{ a }")
    run.open()
    run.answer(status, #"{"errors":[{"message":"no"}]}"#)
    guard case .failed(let result)? = run.ends.last else {
      Issue.record("\(run.ends)")
      return
    }
    #expect(result.errors.map(\.raw) == ["no"])
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func aQueryIsAskedForAgainWithGrowingWaits(status: Int) throws {
    var run = try Run("{ a }")
    for wait in [1, 2, 4, 8] {
      run.open()
      run.answer(status, "<h1>busy</h1>")
      // The delay before attempt n is the one of its number.
      #expect(run.waits.last == .seconds(2 * wait))
      run.pass(.seconds(2 * wait))
    }
    run.open()
    run.answer(200, #"{"data":{"a":1}}"#)
    #expect(run.ends.last == .completed)
    #expect(run.written.count == 5)
  }

  /// RFC 9110 section 10.2.3: seconds, or a date, which is compared with the answer's own or with our calendar.
  @Test(arguments: [
    ("Retry-After: 30", 30), ("Retry-After: 1", 2),
    ("Date: Tue, 01 Dec 2026 05:00:00 GMT\r\nRetry-After: Tue, 01 Dec 2026 05:01:00 GMT", 60),
    ("Retry-After: Tue, 01 Dec 2026 05:02:00 GMT", 120), ("Retry-After: soon", 2),
  ])
  func retryAfterIsTheLeastWait(fields: String, seconds: Int) throws {
    for status in [429, 503] {
      var run = try Run("{ a }")
      run.operation.note(calendar: Timestamp(milliseconds: 1_796_101_200_000), at: run.now)
      run.open()
      run.receive("HTTP/1.1 \(status) Some\r\n\(fields)\r\nContent-Length: 0\r\n\r\n")
      #expect(run.waits == [.seconds(seconds)], "\(status) \(fields)")
    }
  }

  /// It would be the same each time: said at once, with the status that wrong data has.
  @Test(arguments: ["{}", "null", "", "[]", "<html>page", #"{"data""#, #"{"errors":[]}"#])
  func whatIsNoResultEndsItAtOnce(body: String) throws {
    for (document, isDoubtful) in [("{ a }", false), ("mutation { a }", true)] {
      var run = try Run(document)
      run.open()
      run.answer(200, body)
      #expect(run.ends.last == .broken)
      #expect(run.waits.isEmpty)
      let sentences = run.events.compactMap {
        if case .failed(let failure) = $0 { failure.message } else { nil }
      }
      #expect(sentences.count == 1)
      #expect(sentences.first?.contains("no result of GraphQL") == true, "\(sentences)")
      #expect(sentences.first?.contains("nobody can know") == isDoubtful, "\(sentences)")
      #expect(sentences.first?.contains("saying “page”") == (body == "<html>page"), "\(sentences)")
    }
  }

  @Test func aCodingThatWasNotAskedForIsNamed() throws {
    var run = try Run("{ a }")
    run.open()
    #expect(
      String(decoding: run.written[0], as: UTF8.self).contains("Accept-Encoding: identity\r\n"))
    run.receive("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\u{1F}x")
    #expect(run.ends.last == .broken)
    #expect(
      run.events.contains {
        if case .failed(let failure) = $0 { failure.message.contains("“gzip”") } else { false }
      })
  }

  @Test func aByteOrderMarkIsPassedOver() throws {
    var run = try Run("{ a }")
    run.open()
    run.answer(200, "\u{FEFF}{\"data\":{\"a\":1}}")
    #expect(run.ends.last == .completed)
  }

  @Test func attemptsAreLimited() throws {
    var run = try Run("{ a }") { $0.maxAttempts = 3 }
    for _ in 1...10 {
      run.hand(.linkEnded(run.link, Self.reset))
      run.pass(.seconds(60))
    }
    #expect(run.waits.count == 2)
    guard case .offline(.gaveUp(3, _)) = run.operation.state else {
      Issue.record("\(run.operation.state)")
      return
    }
  }

  /// What may have been done is not asked for again.
  @Test func aMutationThatTheServerMayHaveIsInDoubt() throws {
    for lose: (inout Run) -> Void in [
      { $0.answer(502, "") }, { $0.hand(.linkEnded($0.link, Self.reset)) },
      { $0.hand(.linkEnded($0.link, nil)) }, { $0.pass(.seconds(60)) },
      { $0.answer(500, "no JSON") },
    ] {
      var run = try Run("mutation { a }")
      run.open()
      lose(&run)
      #expect(run.ends.last == .inDoubt)
      #expect(run.operation.deadline == nil)
      #expect(run.written.count == 1)
    }
  }

  static let cutAnswers = [
    "Content-Length: 40\r\n\r\n{\"data\":{\"a\":1}}",
    "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"data\":{\"a\":1",
    "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"data\":{\"a\":1}}\r\n",
    "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"data\":{\"a\":1}}\r\n0\r\n",
    "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"data\":{\"a\":1}}x",
    "Transfer-Encoding: chunked\r\n\r\nno size\r\n{\"data\":{\"a\":1}}\r\n",
  ]

  /// RFC 9112 section 8: what does not come to its end is no answer, however it looks.
  @Test(arguments: cutAnswers)
  func anAnswerThatIsCutInTheMiddleIsALostLine(answer: String) throws {
    for (document, isMutation) in [("mutation { a }", true), ("{ a }", false)] {
      var run = try Run(document)
      run.open()
      run.receive("HTTP/1.1 200 OK\r\n" + answer)
      run.hand(.linkEnded(run.link, nil))
      #expect(run.ends.last == (isMutation ? .inDoubt : .started(again: false)))
      guard !isMutation else { continue }
      #expect(run.waits.count == 1)
      run.pass(.seconds(2))
      run.open()
      run.answer(200, #"{"data":{"a":1}}"#)
      #expect(run.ends.last == .completed)
    }
  }

  @Test func aMutationThatNeverLeftIsTriedAgain() throws {
    var run = try Run("mutation { a }")
    run.hand(.linkEnded(run.link, Self.reset))
    run.pass(.seconds(2))
    run.open()
    run.answer(200, #"{"data":{"a":1}}"#)
    #expect(run.ends.last == .completed)
  }

  @Test func aRefusalAsksForOneFreshTokenAndSaysWhatCameOfIt() throws {
    for (token, isAsked) in [("new", true), ("old", false)] {
      var run = try Run("{ a }") {
        $0.token = Bearer(firstLineOf: "old")
        $0.renewsToken = true
      }
      run.open()
      run.answer(401, "")
      #expect(run.operation.wantsToken)
      run.hand(.renewToken(try #require(Bearer(firstLineOf: token))))
      #expect(!run.operation.wantsToken)
      if isAsked {
        run.open()
        #expect(String(decoding: run.written[1], as: UTF8.self).contains("Bearer new"))
        run.answer(403, #"{"errors":[{"message":"no"}]}"#)
      }
      guard case .offline(.refused(let failure)) = run.operation.state else {
        Issue.record("\(run.operation.state)")
        return
      }
      #expect(
        failure.message.contains(isAsked ? "refused as well" : "the same token came again"))
    }
  }

  @Test(arguments: [301, 404, 405, 426])
  func whatIsNoAnswerOfGraphQLIsShown(status: Int) throws {
    var run = try Run("{ a }")
    run.open()
    run.answer(status, "<html>a page</html>")
    guard case .offline(.gaveUp(1, let failure)) = run.operation.state else {
      Issue.record("\(run.operation.state)")
      return
    }
    #expect(failure.message.contains("\(status)"))
    #expect(failure.message.contains("to the operation over HTTP, saying “a page”"))
  }
}
