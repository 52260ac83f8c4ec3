import Testing
import WebSocket

@testable import Channel

struct VerdictTests {
  let endpoint = Endpoint(isSecure: true, host: "chat.example", port: 443, target: "/")

  private func refusal(
    _ status: Int, _ reason: String = "", _ headers: [Header] = [], body: String = ""
  ) -> Refusal {
    Refusal(status: status, reason: reason, headers: headers, body: Array(body.utf8))
  }

  @Test(arguments: [
    (401, Verdict.Course.refused, Failure.Kind.refused), (403, .refused, .refused),
    (407, .refused, .refused), (404, .giveUp, .upgrade), (405, .giveUp, .upgrade),
    (410, .giveUp, .upgrade), (426, .giveUp, .upgrade), (400, .giveUp, .upgrade),
    (200, .giveUp, .upgrade), (302, .giveUp, .upgrade), (408, .retry(after: nil), .upgrade),
    (425, .retry(after: nil), .upgrade), (429, .retry(after: nil), .upgrade),
    (500, .retry(after: nil), .upgrade), (502, .retry(after: nil), .upgrade),
    (503, .retry(after: nil), .upgrade), (599, .retry(after: nil), .upgrade),
    (999, .giveUp, .upgrade),
  ])
  func answersOtherThan101(status: Int, course: Verdict.Course, kind: Failure.Kind) {
    let verdict = verdict(onRefusal: refusal(status), from: endpoint)
    #expect(verdict.course == course)
    #expect(verdict.failure.kind == kind)
    #expect(verdict.failure.status == status)
  }

  @Test func aRefusalShowsStatusReasonAndTheFirstLinesOfItsBody() {
    let answer = refusal(404, "Not Found", body: "\r\n  Nothing\there\r\n\r\nTry /chat\nc\nd\n")
    let failure = verdict(onRefusal: answer, from: endpoint).failure
    #expect(
      failure.message
        == "chat.example answered 404 Not Found to the upgrade, saying “Nothing here Try /chat c”; "
        + "check the path of the URL")
    #expect(failure.short == "404 Not Found")
  }

  @Test func aLongBodyIsCutAndAHostileOneMadeSafe() {
    let body = "\u{1B}]0;x\u{7}" + String(repeating: "y", count: 100_000)
    let message = verdict(onRefusal: refusal(500, body: body), from: endpoint).failure.message
    #expect(message.count < 320)
    #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    #expect(message.hasPrefix("chat.example answered 500 Internal Server Error to the upgrade"))
  }

  @Test func aCompressedBodyIsNotShown() {
    let answer = refusal(502, "", [Header("Content-Encoding", "gzip")], body: "\u{1F}\u{8B}")
    #expect(
      verdict(onRefusal: answer, from: endpoint).failure.message
        == "chat.example answered 502 Bad Gateway to the upgrade; trying again can help")
  }

  @Test func a401SaysWhetherATokenWasSent() {
    let without = verdict(onRefusal: refusal(401), from: endpoint).failure
    let with = verdict(onRefusal: refusal(401), from: endpoint, sentToken: true).failure
    #expect(without.short == "401 token wanted")
    #expect(without.message.contains("PARLOUR_TOKEN"))
    #expect(with.short == "401 token rejected")
  }

  @Test(arguments: [
    ("0", Duration.zero), ("120", .seconds(120)), ("86400", .seconds(86_400)),
    ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(30)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("Mon, 07 Nov 1994 08:49:07 GMT", .seconds(86_400)),
    ("-1", nil), ("", nil), ("soon", nil), ("1.5", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
  ])
  func aPauseThatTheServerAsksFor(value: String, pause: Duration?) {
    let headers = [
      Header("Retry-After", value), Header("Date", "Sun, 06 Nov 1994 08:49:07 GMT"),
    ]
    for status in [408, 425, 429, 500, 502, 503, 504] {
      let verdict = verdict(onRefusal: refusal(status, "", headers), from: endpoint)
      #expect(verdict.course == .retry(after: pause))
    }
  }

  @Test(arguments: [
    ("86401", "more than a day"), ("31536000", "365 days"),
    ("99999999999999999999999", "365000 days"),
    ("Mon, 07 Nov 1994 08:49:08 GMT", "more than a day"),
    ("Tue, 01 Jan 2999 00:00:00 GMT", "365000 days"),
  ])
  func aPauseOfMoreThanADayIsNotWaitedFor(value: String, words: String) {
    let headers = [
      Header("Retry-After", value), Header("Date", "Sun, 06 Nov 1994 08:49:07 GMT"),
    ]
    let verdict = verdict(onRefusal: refusal(503, "", headers), from: endpoint)
    #expect(verdict.course == .giveUp)
    #expect(
      verdict.failure.message.hasSuffix(
        "it asks for a pause of \(words), too long to wait for: come back then"))
  }

  @Test func aPauseIsOfNoUseWhereNoAttemptFollows() {
    let answer = refusal(403, "", [Header("Retry-After", "120")])
    #expect(verdict(onRefusal: answer, from: endpoint).course == .refused)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", Int64(0)), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
    ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
  ])
  func datesOfHTTP(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    ("120", Duration.seconds(120)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(30)),
    ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(30)), ("Sun Nov  6 08:49:37 1994", .seconds(30)),
    ("Sun, 06 Nov 1994 08:49:06 GMT", .zero), ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
    ("Mon, 07 Nov 1994 08:49:07 GMT", .seconds(86_400)), ("soon", nil),
    ("Sun, 06 Nov 1994 08:49:37 CET", nil),
  ])
  func aDateIsMeasuredByOurClockWhereTheServerDoesNotGiveItsOwn(value: String, pause: Duration?) {
    for date in [nil, "", "yesterday"] as [String?] {
      let headers = [Header("Retry-After", value)] + (date.map { [Header("Date", $0)] } ?? [])
      let verdict = verdict(
        onRefusal: refusal(503, "", headers), from: endpoint, calendar: 784_111_747)
      #expect(verdict.course == .retry(after: pause))
    }
  }

  @Test func aDateFarAwayIsNotWaitedForByOurClockEither() {
    let headers = [Header("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")]
    for calendar in [784_111_747, 0, .min / 2, .max / 2] as [Int64] {
      let verdict = verdict(
        onRefusal: refusal(503, "", headers), from: endpoint, calendar: calendar)
      #expect(verdict.course == (calendar > 1 << 40 ? .retry(after: .zero) : .giveUp))
    }
  }

  @Test func aDateWithoutAnyClockIsNoPause() {
    let headers = [Header("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]
    #expect(retryAfter(of: headers, calendar: nil) == nil)
  }

  @Test(arguments: [
    (1000, Verdict.Course.retry(after: nil), Failure.Kind.tcp),
    (1001, .retry(after: nil), .tcp), (1005, .retry(after: nil), .tcp),
    (1006, .retry(after: nil), .tcp), (1011, .retry(after: nil), .tcp),
    (1012, .retry(after: nil), .tcp), (1013, .retry(after: nil), .tcp),
    (1014, .retry(after: nil), .tcp), (3008, .retry(after: nil), .tcp),
    (4000, .retry(after: nil), .tcp), (4999, .retry(after: nil), .tcp),
    (1002, .giveUp, .protocol), (1003, .giveUp, .protocol), (1007, .giveUp, .protocol),
    (1009, .giveUp, .protocol), (1010, .giveUp, .protocol),
    (4406, .giveUp, .protocol), (4400, .retry(after: nil), .tcp), (4500, .retry(after: nil), .tcp),
    (1008, .refused, .refused), (3000, .refused, .refused), (3003, .refused, .refused),
    (4401, .refused, .refused), (4403, .refused, .refused),
  ])
  func closeCodes(code: Int, course: Verdict.Course, kind: Failure.Kind) {
    let verdict = verdict(onClose: CloseReason(CloseCode(rawValue: UInt16(code))), from: endpoint)
    #expect(verdict.course == course)
    #expect(verdict.failure.kind == kind)
  }

  @Test func aCloseIsToldInWordsWithTheServersReason() {
    let failure = verdict(onClose: CloseReason(.internalError, "disk full"), from: endpoint).failure
    #expect(
      failure.message
        == "chat.example closed the connection: internal error (1011), saying “disk full”; "
        + "trying again can help")
    #expect(failure.short == "closed: internal error")
  }

  @Test(arguments: [
    HandshakeError.notHTTP("SSH-2.0"), .tls, .malformedHeader("a b"), .headTooLarge,
    .missingUpgrade,
    .missingConnection, .wrongAccept, .unofferedSubprotocol("x"), .unofferedExtension("y"),
    .wrongExtensionParameters("z"),
  ])
  func aWrongAnswerToTheUpgradeIsFinal(error: HandshakeError) {
    let verdict = verdict(onHandshakeError: error, from: endpoint)
    #expect(verdict.course == .giveUp)
    #expect(verdict.failure.kind == .upgrade)
    #expect(verdict.failure.message.hasPrefix("chat.example "))
  }

  @Test(arguments: [
    "<html><h1>400 Bad Request</h1>The plain HTTP request was sent to HTTPS port</html>",
    "Client sent an HTTP request to an HTTPS server.\n",
    "Reason: You're speaking plain HTTP to an SSL-enabled server port; use the HTTPS scheme",
  ])
  func aPortOfTLSIsToldWhereItSaysSo(page: String) throws {
    let plain = try Endpoint(parsing: "ws://chat.example/")
    let refusal = Refusal(
      status: 400, reason: "Bad Request", headers: [], body: Array(page.utf8))
    let told = [
      verdict(onRefusal: refusal, from: plain), verdict(onHandshakeError: .tls, from: plain),
    ]
    for verdict in told {
      #expect(verdict.course == .giveUp)
      #expect(verdict.failure.short == Failure.speaksTLS)
      #expect(verdict.failure.message.contains("use wss:// instead of ws://"))
    }
    // Who came with TLS is not told to do so.
    let other = verdict(onRefusal: refusal, from: endpoint)
    #expect(other.failure.short == "400 Bad Request")
  }

  @Test func anAnswerThatWasCutShortIsTriedAgain() {
    let verdict = verdict(onHandshakeError: .endedEarly, from: endpoint)
    #expect(verdict.course == .retry(after: nil))
    #expect(verdict.failure.kind == .upgrade)
  }

  @Test(arguments: [
    (Failure.Kind.dns, Verdict.Course.retry(after: nil)), (.tcp, .retry(after: nil)),
    (.timeout, .retry(after: nil)), (.proxy, .retry(after: nil)), (.tls, .giveUp),
    (.refused, .refused),
  ])
  func aLinkThatNeverCameUp(kind: Failure.Kind, course: Verdict.Course) {
    let failure = Failure(kind: kind, message: "why")
    #expect(verdict(onLink: failure, wasUp: false) == Verdict(course, failure))
  }

  @Test func aTLSFailureOfALineThatWasUpIsACut() {
    let failure = Failure(kind: .tls, message: "unexpected end")
    #expect(verdict(onLink: failure, wasUp: true).course == .retry(after: nil))
  }

  @Test func aViolationIsTriedAgainAndNamed() {
    let verdict = verdict(onViolation: .maskedByServer, from: endpoint)
    #expect(verdict.course == .retry(after: nil))
    #expect(verdict.failure.kind == .protocol)
    #expect(
      verdict.failure.message
        == "chat.example broke the WebSocket protocol: the server masked a frame")
  }
}
