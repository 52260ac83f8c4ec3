import TestKit
import Testing
import WebSocket

@Suite struct ServerHandshakeTests {
  private let lines = [
    "GET /chat?room=lobby HTTP/1.1", "Host: example.org", "Upgrade: websocket",
    "Connection: keep-alive, Upgrade", "Sec-WebSocket-Key: \(sampleKey)",
    "Sec-WebSocket-Version: 13",
  ]

  private enum Asked: Equatable {
    case incomplete
    case request(ClientRequest, left: [UInt8])
    case malformed(String)
  }

  private func asked(pieces: [[UInt8]]) -> Asked {
    var handshake = ServerHandshake()
    for (index, piece) in pieces.enumerated() {
      switch handshake.receive(piece.span.bytes) {
      case .incomplete:
        continue
      case .malformed(let answer):
        return .malformed(String(decoding: answer, as: UTF8.self))
      case .request(var request):
        let rest = pieces[(index + 1)...].flatMap { $0 }
        let left = Array(piece.dropFirst(request.consumed)) + rest
        request.consumed = 0
        return .request(request, left: left)
      }
    }
    return .incomplete
  }

  private func asked(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) -> Asked {
    let whole = asked(pieces: [bytes])
    for pieces in splits(of: bytes, rounds: 4) {
      #expect(asked(pieces: pieces) == whole, sourceLocation: sourceLocation)
    }
    return whole
  }

  /// The lines with one of them replaced or, by nil, left out.
  private func asked(_ name: String, _ line: String?, further: [String] = []) -> Asked {
    let changed = lines.compactMap { $0.hasPrefix(name) ? line : $0 }
    return asked(head(changed + further))
  }

  private func request(_ asked: Asked) -> ClientRequest? {
    if case .request(let request, _) = asked { request } else { nil }
  }

  private func status(_ asked: Asked) -> String? {
    if case .malformed(let answer) = asked { String(answer.dropFirst(9).prefix(3)) } else { nil }
  }

  @Test func anUpgradeIsRead() {
    let frames = hex("81 80 01020304")
    let further = ["Sec-WebSocket-Protocol: a, b", "sec-websocket-protocol:\tc ,"]
    let seen = asked(head(lines + further) + frames)
    guard case .request(let request, let left) = seen else {
      Issue.record("no request: \(seen)")
      return
    }
    #expect(request.method == "GET")
    #expect(request.target == "/chat?room=lobby")
    #expect(request.key == sampleKey)
    #expect(request.subprotocols == ["a", "b", "c"])
    #expect(request.headers.values(of: "host") == ["example.org"])
    #expect(left == frames)
  }

  @Test func anEmptyLineBeforeTheRequestIsPassedOver() {
    #expect(request(asked(Array("\r\n".utf8) + head(lines)))?.key == sampleKey)
    #expect(status(asked(Array("\r\n\r\n".utf8) + head(lines))) == "400")
  }

  @Test(arguments: [
    "GET / HTTP/1.1", "POST /graphql HTTP/1.1", "GET / HTTP/1.0", "HEAD /x HTTP/1.1",
  ])
  func aPlainRequestHasNoKey(_ line: String) {
    let seen = request(asked(head(line, "Host: h", "Connection: Upgrade", "Upgrade: h2c")))
    #expect(seen != nil)
    #expect(seen?.key == nil)
    #expect(seen?.method == String(line.prefix { $0 != " " }))
  }

  @Test(
    arguments: [
      ("GET", "POST /chat HTTP/1.1", "405"), ("GET", "GET /chat HTTP/1.0", "400"),
      ("GET", "GET /chat HTTP/2.0", "505"), ("GET", "GET /chat", "400"), ("GET", "GET", "400"),
      ("GET", "GET  /chat HTTP/1.1", "400"), ("GET", "GET /ch at HTTP/1.1", "400"),
      ("GET", "G@T /chat HTTP/1.1", "400"), ("GET", "GET /chat http/1.1", "400"),
      ("Host", nil, "400"), ("Host", "Host: a\r\nHost: a", "400"),
      ("Connection", nil, "400"), ("Connection", "Connection: close", "400"),
      ("Sec-WebSocket-Version", nil, "426"),
      ("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8", "426"),
      ("Sec-WebSocket-Version", "Sec-WebSocket-Version: 13, 8", "426"),
      ("Sec-WebSocket-Key", nil, "400"), ("Sec-WebSocket-Key", "Sec-WebSocket-Key: ", "400"),
      ("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ", "400"),
      ("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZSE=", "400"),
      ("Sec-WebSocket-Key", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub2*jZQ==", "400"),
      ("Sec-WebSocket-Key", "Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: b", "400"),
      ("Host", "Host: h\r\nContent-Length: 5", "400"),
      ("Host", "Host: h\r\nTransfer-Encoding: chunked", "400"),
      ("Host", "Host: h\r\nSec-WebSocket-Protocol: a b", "400"),
      ("Host", "Host: h\n", "400"), ("Host", "Host: h\r\n folded: x", "400"),
      ("Host", "Host: h\r\nX\u{0}: y", "400"),
    ] as [(String, String?, String)])
  func anUnusableUpgradeIsAnswered(_ name: String, _ line: String?, _ expected: String) {
    #expect(status(asked(name, line)) == expected)
  }

  @Test func aWrongVersionIsAnsweredWithTheRightOne() {
    guard
      case .malformed(let answer) = asked("Sec-WebSocket-V", "Sec-WebSocket-Version: 25")
    else {
      Issue.record("not refused")
      return
    }
    #expect(answer.hasPrefix("HTTP/1.1 426 Upgrade Required\r\n"))
    #expect(answer.contains("\r\nSec-WebSocket-Version: 13\r\n"))
    #expect(answer.contains("\r\nConnection: close, Upgrade\r\n"))
  }

  @Test func anotherProtocolIsRefusedAtOnce() {
    // The beginning of a TLS client's greeting.
    #expect(status(asked(hex("16 0301 0200 01"))) == "400")
  }

  @Test func aRequestOverTheBoundsIsRefused() {
    let long = Array(("GET /" + String(repeating: "x", count: 70_000)).utf8)
    #expect(status(asked(pieces: [long])) == "431")
    let many = head(lines + (0..<130).map { "X-\($0): y" })
    #expect(status(asked(pieces: [many])) == "431")
  }

  @Test func aCutRequestIsIncomplete() {
    #expect(asked(head(lines).dropLast()) == .incomplete)
  }

  private func asked(_ slice: ArraySlice<UInt8>) -> Asked { asked(Array(slice)) }

  /// The example of RFC 6455 section 1.3.
  @Test func theRightAnswerIsWritten() {
    let answer = ServerHandshake.accept(
      key: sampleKey, subprotocol: "chat",
      headers: [Header("Server", "x"), Header("Upgrade", "h2c"), Header("Bad", "a\r\nb")])
    let expected =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n"
      + "Server: x\r\n\r\n"
    #expect(String(decoding: answer, as: UTF8.self) == expected)
  }

  @Test func anotherAnswerIsWritten() {
    let answer = ServerHandshake.answer(
      status: 503, reason: "Service\r\n Unavailable", headers: [Header("Retry-After", "5")],
      body: "später\n")
    let expected =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
      + "Content-Length: 8\r\nConnection: close\r\nRetry-After: 5\r\n\r\nspäter\n"
    #expect(String(decoding: answer, as: UTF8.self) == expected)
    let page = ServerHandshake.answer(
      status: 200, reason: "OK", headers: [Header("content-type", "text/html")], body: "")
    #expect(
      String(decoding: page, as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n"
        + "content-type: text/html\r\n\r\n")
  }

  @Test func theTwoSidesUnderstandEachOther() {
    var entropy = Entropy.seeded(3)
    let wish = HandshakeRequest(host: "h:1", target: "/x", subprotocols: ["b", "a"])
    var client = ClientHandshake(wish, entropy: &entropy)
    guard let seen = request(asked(client.request)), let key = seen.key else {
      Issue.record("no request")
      return
    }
    #expect(seen.subprotocols == ["b", "a"])
    let accepted = ServerHandshake.accept(key: key, subprotocol: "a")
    guard case .accepted(let acceptance) = client.receive(accepted.span.bytes) else {
      Issue.record("not accepted")
      return
    }
    #expect(acceptance.subprotocol == "a")
    #expect(acceptance.consumed == accepted.count)

    var other = ClientHandshake(wish, entropy: &entropy)
    let refusal = ServerHandshake.answer(status: 403, reason: "Forbidden", body: "no\n")
    guard case .refused(let seenRefusal) = other.receive(refusal.span.bytes) else {
      Issue.record("not refused")
      return
    }
    #expect(seenRefusal.status == 403)
    #expect(seenRefusal.body == Array("no\n".utf8))
  }
}
