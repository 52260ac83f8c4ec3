import TestKit
import Testing
import WebSocket

/// Answers other than 101, kept for the person (7 among the public bug reports).
@Suite struct RefusalTests {
  private func refused(
    _ text: String, atEnd: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Refusal? {
    answer(Array(text.utf8), atEnd: atEnd, sourceLocation: sourceLocation).refusal
  }

  private func body(_ refusal: Refusal?) -> String? {
    refusal.map { String(decoding: $0.body, as: UTF8.self) }
  }

  @Test func statusReasonHeadersAndBodyAreKept() {
    let text =
      "HTTP/1.1 401 Who are you?\r\nWWW-Authenticate: Bearer\r\nContent-Length: 5\r\n\r\nNo ü"
    let expected = Refusal(
      status: 401, reason: "Who are you?",
      headers: [Header("WWW-Authenticate", "Bearer"), Header("Content-Length", "5")],
      body: Array("No ü".utf8))
    #expect(refused(text) == expected)
  }

  @Test func whatFollowsTheBodyIsLeftOut() {
    #expect(body(refused("HTTP/1.1 503 Busy\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200")) == "ok")
  }

  @Test(arguments: [200, 301, 400, 401, 403, 404, 407, 426, 429, 500, 502, 503, 599, 999])
  func everyOtherStatusIsARefusal(_ status: Int) {
    let refusal = refused("HTTP/1.0 \(status)\r\nContent-Length: 0\r\n\r\n")
    #expect(refusal?.status == status)
    #expect(refusal?.reason == "")
  }

  @Test(arguments: [
    // Chunks in both cases of the digits, with an extension, leading zeros and trailers.
    ("4\r\nWiki\r\nB\r\npedia in ch\r\n0a\r\nunks, long\r\n0\r\n\r\n", "Wikipedia in chunks, long"),
    ("00004;x=\"y\"\r\nWiki\r\n0\r\nExpires: never\r\nX: y\r\n\r\nmore", "Wiki"),
    ("3 \r\nabc\r\n0\r\n\r\n", "abc"),
    ("0\r\n\r\n", ""),
    // Broken framing ends the body; what came before is kept.
    ("4\r\nWikix\r\n0\r\n\r\n", "Wiki"),
    ("4\nWiki\r\n0\r\n\r\n", ""),
    ("4\r\nWiki\r\nzz\r\nmore", "Wiki"),
    ("-4\r\nWiki\r\n", ""),
    ("\r\nWiki\r\n", ""),
    ("fffffffffffffffff\r\nWiki\r\n", ""),
  ])
  func chunksAreJoined(_ chunks: String, _ expected: String) {
    let head = "HTTP/1.1 403 No\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 3\r\n\r\n"
    #expect(body(refused(head + chunks)) == expected)
  }

  @Test(arguments: [
    "", "Content-Length: x\r\n", "Content-Length: 3, 4\r\n", "Content-Length: +3\r\n",
  ])
  func aBodyWithoutALengthRunsToTheEnd(_ field: String) {
    let text = "HTTP/1.1 429 Slow down\r\n\(field)Retry-After: 30\r\n\r\n<p>later</p>"
    #expect(answer(Array(text.utf8)).progress == .incomplete)
    let refusal = refused(text, atEnd: true)
    #expect(body(refusal) == "<p>later</p>")
    #expect(refusal?.headers.values(of: "retry-after") == ["30"])
  }

  @Test func aRepeatedEqualLengthIsOneLength() {
    #expect(body(refused("HTTP/1.1 500 E\r\nContent-Length: 2, 2\r\n\r\nab")) == "ab")
  }

  @Test(arguments: [
    "Content-Length: 100\r\n\r\nshort", "Content-Length: 99999999999999999999999\r\n\r\nshort",
    "Transfer-Encoding: chunked\r\n\r\n64\r\nshort", "Transfer-Encoding: gzip\r\n\r\nshort",
  ])
  func aBodyCutByTheEndIsKept(_ rest: String) {
    let text = "HTTP/1.1 403 No\r\n" + rest
    #expect(answer(Array(text.utf8)).progress == .incomplete)
    #expect(body(refused(text, atEnd: true)) == "short")
  }

  @Test(arguments: [204, 304])
  func someStatusesHaveNoBody(_ status: Int) {
    #expect(body(refused("HTTP/1.1 \(status) X\r\nContent-Length: 10\r\n\r\nnext")) == "")
  }

  @Test(arguments: [
    "Content-Length: 100000\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n186a0\r\n",
  ])
  func aLongBodyIsKeptInPart(_ rest: String) {
    let start = Array(("HTTP/1.1 500 Error\r\n" + rest).utf8)
    let bytes = start + [UInt8](repeating: 0x78, count: 100_000)
    let expected = [UInt8](repeating: 0x78, count: 65_536)
    for pieces in [[bytes], inPieces(bytes, of: 13)] {
      let answered = answer(pieces: pieces, subprotocols: [], atEnd: false)
      #expect(answered.refusal?.body == expected)
    }
  }

  @Test func endlessFramingOfChunksIsBounded() {
    let start = "HTTP/1.1 500 Error\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
    let longExtension = Array((start + "1;" + String(repeating: "e", count: 2000)).utf8)
    let trailers = Array((start + "0\r\n" + String(repeating: "X: y\r\n", count: 4000)).utf8)
    for bytes in [longExtension, trailers] {
      let answered = answer(pieces: [bytes], subprotocols: [], atEnd: false)
      #expect(answered.refusal?.body == [0x78])
    }
  }

  @Test func whatIsKnownWhenTheTimeIsOverIsGiven() {
    var entropy = sampleEntropy()
    var handshake = ClientHandshake(HandshakeRequest(host: "h", target: "/"), entropy: &entropy)
    #expect(handshake.refusalSoFar() == nil)
    let start = Array("HTTP/1.1 403 No\r\nContent-Length: 10\r\n".utf8)
    #expect(handshake.receive(start.span.bytes) == .incomplete)
    #expect(handshake.refusalSoFar() == nil)
    #expect(handshake.receive(Array("\r\nwhy".utf8).span.bytes) == .incomplete)
    let headers = [Header("Content-Length", "10")]
    let known = Refusal(status: 403, reason: "No", headers: headers, body: Array("why".utf8))
    #expect(handshake.refusalSoFar() == known)
    #expect(handshake.endOfStream() == .refused(known))
    #expect(handshake.refusalSoFar() == known)
  }
}
