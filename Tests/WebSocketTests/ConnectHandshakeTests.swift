import TestKit
import Testing

@testable import WebSocket

/// CONNECT through a proxy, on literal bytes.
struct ConnectHandshakeTests {
  /// Hands over the pieces until the answer is final: the outcome, and what came behind the proxy's answer.
  private func answer(
    _ pieces: [[UInt8]], ends: Bool = false
  ) -> (ConnectHandshake.Progress, early: [UInt8]) {
    var handshake = ConnectHandshake(to: "h:443")
    for (index, piece) in pieces.enumerated() {
      let progress = handshake.receive(piece.span.bytes)
      if case .accepted(let consumed) = progress {
        return (progress, Array(piece[consumed...]) + pieces[(index + 1)...].joined())
      }
      if progress != .incomplete { return (progress, []) }
    }
    return (ends ? handshake.endOfStream() : .incomplete, [])
  }

  @Test func theRequestNamesTheServerTwiceAndTheProxysUserOnce() {
    #expect(
      String(decoding: ConnectHandshake(to: "[::1]:443").request, as: UTF8.self)
        == "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n")
    let named = ConnectHandshake(to: "chat.example:80", authorization: "Basic dTpw")
    #expect(
      String(decoding: named.request, as: UTF8.self)
        == "CONNECT chat.example:80 HTTP/1.1\r\nHost: chat.example:80\r\n"
        + "Proxy-Authorization: Basic dTpw\r\n\r\n")
  }

  @Test func noLineBreakGetsIntoTheRequest() {
    let request = ConnectHandshake(to: "h\r\nX: y:1", authorization: "Basic\r\nX: y").request
    #expect(String(decoding: request, as: UTF8.self).split(separator: "\r\n").count == 3)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.0 200 Connection established\r\nProxy-agent: x\r\n\r\n",
    "HTTP/1.1 299\r\n\r\n",
    "HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    // RFC 9110 section 9.3.6: these fields mean nothing here.
    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])
  func bytesBehindTheHeadBelongToTheTunnel(head: String) {
    for early in ["", "\r\n\r\n\u{0}HTTP/1.1 500 no\r\n\r\n"] {
      for pieces in splits(of: Array((head + early).utf8)) {
        let (progress, rest) = answer(pieces)
        guard case .accepted = progress else {
          Issue.record("\(progress) for \(head)")
          continue
        }
        #expect(rest == Array(early.utf8))
      }
    }
  }

  @Test(arguments: [
    (
      "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 3\r\n\r\nsay",
      407, "Who?", "say", false
    ),
    (
      "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n1;x=y\r\n!\r\n0\r\n\r\n",
      403,
      "No", "no!", false
    ),
    ("HTTP/1.0 502 Bad Gateway\r\n\r\nno route\n", 502, "Bad Gateway", "no route\n", true),
    ("HTTP/1.1 503\r\nContent-Length: 0\r\n\r\n", 503, "", "", false),
    ("HTTP/1.1 504 Late\r\nContent-Length: 9\r\n\r\nhalf", 504, "Late", "half", true),
  ])
  func refusalsKeepTheirBody(text: String, status: Int, reason: String, body: String, ends: Bool) {
    for pieces in splits(of: Array(text.utf8)) {
      guard case .refused(let refusal) = answer(pieces, ends: ends).0 else {
        Issue.record("no refusal of \(text)")
        continue
      }
      #expect(refusal.status == status && refusal.reason == reason)
      #expect(refusal.body == Array(body.utf8))
    }
  }

  @Test func aRefusalIsKnownBeforeItsBodyHasCome() {
    var handshake = ConnectHandshake(to: "h:1")
    #expect(!handshake.isRefused)
    let head = Array("HTTP/1.1 407 Who?\r\n\r\nnow".utf8)
    #expect(handshake.receive(head.span.bytes) == .incomplete)
    #expect(handshake.isRefused)
  }

  @Test(arguments: ["Content-Length: 9999999999999", "Transfer-Encoding: chunked", "X: y"])
  func aBodyWithoutEndIsBounded(field: String) {
    var handshake = ConnectHandshake(to: "h:1")
    let head = Array("HTTP/1.1 403 No\r\n\(field)\r\n\r\nFFFFFFF\r\n".utf8)
    var progress = handshake.receive(head.span.bytes)
    let block = [UInt8](repeating: 0x61, count: 8192)
    var rounds = 0
    while progress == .incomplete, rounds < 100 {
      progress = handshake.receive(block.span.bytes)
      rounds += 1
    }
    guard case .refused(let refusal) = progress else {
      Issue.record("\(progress)")
      return
    }
    #expect(refusal.body.count == 65_536)
  }

  @Test func aHeadWithoutEndIsBounded() {
    var handshake = ConnectHandshake(to: "h:1")
    let start = Array("HTTP/1.1 200 OK\r\nX: ".utf8)
    var progress = handshake.receive(start.span.bytes)
    let block = [UInt8](repeating: 0x61, count: 8192)
    for _ in 0..<9 where progress == .incomplete { progress = handshake.receive(block.span.bytes) }
    #expect(progress == .failed(.headTooLarge))
    let interim = Array(repeating: Array("HTTP/1.1 100 x\r\n\r\n".utf8), count: 17)
    #expect(answer(interim).0 == .failed(.headTooLarge))
  }

  @Test(arguments: [
    ("\u{5}\u{0}", HandshakeError.notHTTP("")),
    ("SSH-2.0-OpenSSH_9.2\r\n", .notHTTP("SSH-2.0-OpenSSH_9.2")),
    ("HTTP/1.1 abc\r\n\r\n", .notHTTP("HTTP/1.1 abc")),
    ("HTTP/1.1 200 OK\r\n folded\r\n\r\n", .malformedHeader(" folded")),
    ("HTTP/1.1 20", .endedEarly), ("", .endedEarly),
  ])
  func whatIsNoAnswerIsToldApart(text: String, error: HandshakeError) {
    for pieces in splits(of: Array(text.utf8)) {
      #expect(answer(pieces, ends: true).0 == .failed(error))
    }
  }
}
