import TestKit
import Testing
import WebSocket

/// The server's answer to the opening handshake; HandshakeReplyReports replays what other clients got wrong.
@Suite struct ClientHandshakeTests {
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

  @Test func anotherProtocolIsKnownWithoutALineBreak() {
    // A TLS alert, and the greeting of a database.
    #expect(answer(hex("15 0301 0002 0250")).error == .tls)
    #expect(answer(hex("16 0303 0002 0250")).error == .tls)
    #expect(answer(hex("14 0301 0002 0250")).error == .notHTTP(""))
    #expect(answer(hex("4a 000000 0a 38")).error == .notHTTP("J"))
    let endless = String(repeating: "x", count: 200)
    #expect(
      answer(Array(endless.utf8)).error == .notHTTP(String(repeating: "x", count: 64)))
    #expect(answer(Array("220 mail".utf8)).progress == .incomplete)
    #expect(answer(Array("220 mail".utf8), atEnd: true).error == .notHTTP("220 mail"))
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
