import TestKit
import Testing
import WebSocket

/// The server's answer to the opening handshake. Numbers are those of public bug reports about other
/// clients.
@Suite struct ClientHandshakeTests {
  private let upgrade = "Upgrade: websocket"
  private let connection = "Connection: Upgrade"
  private let accept = "Sec-WebSocket-Accept: \(sampleAccept)"

  @Test func aRightAnswerIsAccepted() {
    let answered = answer(rightAnswer("Server: x", "Set-Cookie: a=1"))
    let headers = [
      Header("Upgrade", "websocket"), Header("Connection", "Upgrade"),
      Header("Sec-WebSocket-Accept", sampleAccept), Header("Server", "x"),
      Header("Set-Cookie", "a=1"),
    ]
    let acceptance = Acceptance(subprotocol: nil, headers: headers, consumed: 0)
    #expect(answered == Answered(progress: .accepted(acceptance)))
  }

  /// 1, 2: tokens in any case, in lists and over repeated lines.
  @Test(arguments: [
    ["Upgrade: websocket", "Connection: keep-alive, Upgrade"],
    ["Upgrade: websocket", "Connection: keep-alive", "Connection: Upgrade"],
    ["upgrade:WebSocket", "connection:upgrade"],
    ["UPGRADE: WEBSOCKET", "CONNECTION: ,keep-alive ,\tUPGRADE ,"],
    ["Upgrade: websocket", "Connection: close", "Connection: Upgrade"],
    ["Upgrade: h2c, websocket", "Connection: Upgrade"],
    ["Upgrade: h2c", "Upgrade: \t websocket \t", "Connection: Upgrade"],
  ])
  func tokensAreFoundInLists(_ lines: [String]) {
    #expect(answer(head(["HTTP/1.1 101 OK"] + lines + [accept])).isAccepted)
  }

  @Test func aMissingUpgradeFails() {
    let start = "HTTP/1.1 101 OK"
    #expect(answer(head(start, connection, accept)).error == .missingUpgrade)
    #expect(answer(head(start, "Upgrade: websockets", connection, accept)).error == .missingUpgrade)
    #expect(answer(head(start, "Upgrade:", connection, accept)).error == .missingUpgrade)
    // The Kelvin sign is no K.
    #expect(
      answer(head(start, "Upgrade: websoc\u{212A}et", connection, accept)).error
        == .missingUpgrade)
  }

  /// 2
  @Test func aMissingConnectionFails() {
    let start = "HTTP/1.1 101 OK"
    #expect(answer(head(start, upgrade, accept)).error == .missingConnection)
    #expect(
      answer(head(start, upgrade, "Connection: close", accept)).error == .missingConnection)
    #expect(
      answer(head(start, upgrade, "Connection: upgraded", accept)).error == .missingConnection)
  }

  /// 3
  @Test(arguments: [
    [],
    ["Sec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk="],
    ["Sec-WebSocket-Accept:"],
    ["Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO="],
    ["Sec-WebSocket-Accept: \(sampleAccept)", "Sec-WebSocket-Accept: \(sampleAccept)"],
    ["Sec-WebSocket-Accept: \(sampleAccept), \(sampleAccept)"],
    ["Sec-WebSocket-Accept: \(sampleAccept)", "Sec-WebSocket-Accept: x"],
  ])
  func anythingButOneRightAcceptFails(_ lines: [String]) {
    let start = ["HTTP/1.1 101 OK", upgrade, connection]
    #expect(answer(head(start + lines) + hex("81 01 61")).error == .wrongAccept)
  }

  /// 4: the reason may be missing, with its space too, or odd.
  @Test(arguments: [
    "HTTP/1.1 101", "HTTP/1.1 101 ", "HTTP/1.1 101  two  spaces", "HTTP/1.1 101 Gr\u{fc}\u{df}e",
    "HTTP/1.1 101 101 HTTP/1.1", "HTTP/1.1 101 a\tb",
  ])
  func theReasonDoesNotMatter(_ line: String) {
    #expect(answer(head(line, upgrade, connection, accept)).isAccepted)
  }

  /// 4
  @Test(arguments: [
    "HTTP/1.0 101 OK", "HTTP/2 101", "HTTP/2.0 101 OK", "HTTP/1.2 101 OK", "HTTP/11 101 OK",
    "http/1.1 101 OK", "HTTP/1.1 1010 OK", "HTTP/1.1 10 OK", "HTTP/1.1 1x1 OK", "HTTP/1.1",
    "HTTP/1.1  101 OK", "HTTP/1.1 101OK", "HTTP/1.1 099 OK", "HTTP/1.1 -01 OK", "ICY 200 OK",
    "SSH-2.0-OpenSSH_9.6", "220 mail.example ESMTP",
  ])
  func anythingButAStatusLineIsNoHTTP(_ line: String) {
    #expect(answer(head(line, upgrade, connection, accept)).error == .notHTTP(line))
  }

  @Test func anotherProtocolIsKnownWithoutALineBreak() {
    // A TLS alert, and the greeting of a database.
    #expect(answer(hex("15 0301 0002 0250")).error == .notHTTP(""))
    #expect(answer(hex("4a 000000 0a 38")).error == .notHTTP("J"))
    let endless = String(repeating: "x", count: 200)
    #expect(
      answer(Array(endless.utf8)).error == .notHTTP(String(repeating: "x", count: 64)))
    #expect(answer(Array("220 mail".utf8)).progress == .incomplete)
    #expect(answer(Array("220 mail".utf8), atEnd: true).error == .notHTTP("220 mail"))
  }

  /// 5: what follows the answer in the same bytes is not lost, however the answer is cut.
  @Test func framesBehindTheAnswerAreLeft() {
    let frame = hex("81 05 48656c6c6f")
    #expect(answer(rightAnswer() + frame).left == frame)
    let bytes = rightAnswer() + frame
    for cut in 1..<bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      let answered = answer(pieces: pieces, subprotocols: [], atEnd: false)
      #expect(answered.isAccepted)
      #expect(answered.left == frame, "cut at \(cut)")
    }
  }

  @Test func consumedCountsTheBytesHandedOverLast() {
    var entropy = sampleEntropy()
    var handshake = ClientHandshake(HandshakeRequest(host: "h", target: "/"), entropy: &entropy)
    let bytes = rightAnswer()
    #expect(handshake.receive(Array(bytes.dropLast(3)).span.bytes) == .incomplete)
    let last = Array(bytes.suffix(3)) + hex("8100")
    guard case .accepted(let acceptance) = handshake.receive(last.span.bytes) else {
      Issue.record("not accepted")
      return
    }
    #expect(acceptance.consumed == 3)
  }

  /// 6: interim answers are passed over.
  @Test func interimAnswersArePassedOver() {
    let interim =
      head("HTTP/1.1 100 Continue") + head("HTTP/1.1 103 Early Hints", "Link: </a>; rel=preload")
      + head("HTTP/1.1 102")
    #expect(answer(interim + rightAnswer() + hex("8100")).left == hex("8100"))
    #expect(answer(interim + head("HTTP/1.1 204 No")).refusal?.status == 204)
  }

  /// 6: but not for ever.
  @Test func tooManyInterimAnswersFail() {
    let sixteen = [[UInt8]](repeating: head("HTTP/1.1 100 Continue"), count: 16).flatMap { $0 }
    #expect(answer(sixteen + rightAnswer()).isAccepted)
    #expect(
      answer(sixteen + head("HTTP/1.1 100 Continue") + rightAnswer()).error == .headTooLarge)
  }

  /// 11, 12
  @Test(
    arguments: [
      ([], "none", nil), (["Sec-WebSocket-Protocol: chat"], "chat", nil),
      (["sec-websocket-protocol:v2.chat"], "v2.chat", nil),
      (["Sec-WebSocket-Protocol: other"], "", "other"),
      (["Sec-WebSocket-Protocol: Chat"], "", "Chat"),
      (["Sec-WebSocket-Protocol: chat, v2.chat"], "", "chat, v2.chat"),
      (["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"], "", "chat, chat"),
      (["Sec-WebSocket-Protocol:"], "", ""),
    ] as [([String], String, String?)])
  func theSubprotocolIsOneOfThoseOffered(
    _ lines: [String], _ agreed: String, _ unoffered: String?
  ) {
    let answered = answer(head(rightLines + lines), offering: ["v2.chat", "chat"])
    if let unoffered {
      #expect(answered.error == .unofferedSubprotocol(unoffered))
    } else {
      #expect(answered.subprotocol == .some(agreed == "none" ? nil : agreed))
    }
  }

  /// 12: any value when none was offered.
  @Test func aSubprotocolFailsWhereNoneWasOffered() {
    #expect(
      answer(rightAnswer("Sec-WebSocket-Protocol: chat") + hex("81 01 61")).error
        == .unofferedSubprotocol("chat"))
  }

  @Test(arguments: [
    (
      "permessage-deflate; server_max_window_bits=15",
      "permessage-deflate; server_max_window_bits=15"
    ),
    ("x-foo", "x-foo"), ("", ""),
  ])
  func anExtensionFailsSinceNoneIsOffered(_ value: String, _ reported: String) {
    #expect(
      answer(rightAnswer("Sec-WebSocket-Extensions: \(value)")).error
        == .unofferedExtension(reported))
  }

  /// 16: folded lines, bare line feeds, and what else HTTP does not allow.
  @Test(arguments: [
    ("HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n folded\r\n\r\n", " folded"),
    ("HTTP/1.1 101 OK\r\n\tUpgrade: websocket\r\n\r\n", "\tUpgrade: websocket"),
    ("HTTP/1.1 101 OK\nUpgrade: websocket\n\n", "HTTP/1.1 101 OK"),
    ("HTTP/1.1 101 OK\r\nUpgrade: websocket\nX: y\r\n\r\n", "Upgrade: websocket"),
    ("HTTP/1.1 101 OK\r\nUpgrade: web\rsocket\r\n\r\n", "Upgrade: web"),
    ("HTTP/1.1 101 OK\r\nUpgrade: web\u{0}socket\r\n\r\n", "Upgrade: web"),
    ("HTTP/1.1 101 OK\r\nUpgrade: web\u{1b}[2J\r\n\r\n", "Upgrade: web"),
    ("HTTP/1.1 101 OK\r\nUpgrade : websocket\r\n\r\n", "Upgrade : websocket"),
    ("HTTP/1.1 101 OK\r\nno colon\r\n\r\n", "no colon"),
    ("HTTP/1.1 101 OK\r\n: no name\r\n\r\n", ": no name"),
    ("HTTP/1.1 101 OK\r\n\u{e9}: x\r\n\r\n", "\u{e9}: x"),
    ("HTTP/1.1 101 O\u{7}K\r\n\r\n", "HTTP/1.1 101 O"),
  ])
  func aMalformedHeadFails(_ text: String, _ line: String) {
    #expect(answer(Array(text.utf8)).error == .malformedHeader(line))
  }

  /// 16: bounds on the head, met without waiting for its end.
  @Test func aHeadOverTheBoundsFails() {
    let long = Array(("HTTP/1.1 101 OK\r\nX: " + String(repeating: "x", count: 70_000)).utf8)
    let many = Array(("HTTP/1.1 101 OK\r\n" + String(repeating: "X: y\r\n", count: 129)).utf8)
    for bytes in [long, many] {
      #expect(answer(pieces: [bytes], subprotocols: [], atEnd: false).error == .headTooLarge)
      let dribbled = inPieces(bytes, of: 13)
      #expect(answer(pieces: dribbled, subprotocols: [], atEnd: false).error == .headTooLarge)
    }
    let allowed = (0..<124).map { "X-\($0): \(String(repeating: "y", count: 400))" }
    #expect(answer(pieces: [head(rightLines + allowed)], subprotocols: [], atEnd: false).isAccepted)
    let longLine = "X: " + String(repeating: "x", count: 60_000)
    #expect(
      answer(pieces: [head(rightLines + [longLine])], subprotocols: [], atEnd: false).isAccepted)
  }

  @Test(arguments: [
    "", "HTT", "HTTP/1.1 101 OK\r\n", "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n\r",
  ])
  func aStreamThatEndsInsideTheHeadEndedEarly(_ text: String) {
    #expect(answer(Array(text.utf8)).progress == .incomplete)
    #expect(answer(Array(text.utf8), atEnd: true).error == .endedEarly)
  }

  @Test func theOutcomeStays() {
    var entropy = sampleEntropy()
    var handshake = ClientHandshake(HandshakeRequest(host: "h", target: "/"), entropy: &entropy)
    #expect(
      handshake.receive(Array("nonsense\r\n".utf8).span.bytes) == .failed(.notHTTP("nonsense")))
    #expect(handshake.receive(rightAnswer().span.bytes) == .failed(.notHTTP("nonsense")))
    #expect(handshake.endOfStream() == .failed(.notHTTP("nonsense")))
    #expect(handshake.refusalSoFar() == nil)
  }
}
