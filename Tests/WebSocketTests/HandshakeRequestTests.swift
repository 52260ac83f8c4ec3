import TestKit
import Testing
import WebSocket

/// The request that the client writes. Numbers are those of public bug reports about other clients.
@Suite struct HandshakeRequestTests {
  private func written(_ request: HandshakeRequest) -> String {
    var entropy = sampleEntropy()
    return String(decoding: ClientHandshake(request, entropy: &entropy).request, as: UTF8.self)
  }

  /// 24: canonical letter case, no body, no Origin.
  @Test func theWholeRequestIsWritten() {
    let request = HandshakeRequest(
      host: "[::1]:8080", target: "/chat?room=a%20b",
      headers: [Header("Authorization", "Bearer x"), Header("X-Name", "Grüße")],
      subprotocols: ["graphql-transport-ws", "v2.chat"])
    let expected =
      "GET /chat?room=a%20b HTTP/1.1\r\nHost: [::1]:8080\r\nUpgrade: websocket\r\n"
      + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      + "Sec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Protocol: graphql-transport-ws, v2.chat\r\n"
      + "Authorization: Bearer x\r\nX-Name: Grüße\r\n\r\n"
    #expect(written(request) == expected)
  }

  @Test func theShortestRequestIsWritten() {
    let expected =
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    #expect(written(HandshakeRequest(host: "h", target: "/")) == expected)
  }

  /// 21, 23
  @Test(arguments: [
    ("", "/"), ("?x=1", "/?x=1"), ("/a?b=c d", "/a?b=c%20d"), ("/%2Fa", "/%2Fa"), ("/#x", "/"),
    ("/ü", "/%C3%BC"), ("/\r\nX: y", "/%0D%0AX:%20y"), ("/\u{7f}", "/%7F"),
  ])
  func theTargetIsWhatARequestLineCanHold(_ target: String, _ expected: String) {
    let line = written(HandshakeRequest(host: "h", target: target)).utf8.prefix { $0 != 0x0D }
    #expect(String(line) == "GET \(expected) HTTP/1.1")
  }

  /// 29: 16 fresh bytes for each attempt.
  @Test func everyAttemptHasItsOwnKey() {
    var entropy = Entropy.seeded(1)
    var requests: Set<[UInt8]> = []
    for _ in 0..<500 {
      let request = HandshakeRequest(host: "h", target: "/")
      requests.insert(ClientHandshake(request, entropy: &entropy).request)
    }
    #expect(requests.count == 500)
  }

  @Test(arguments: [
    (Header("", "x"), "has no name"),
    (Header("a b", "x"), "\"a b\" has a character"),
    (Header("X:", "x"), "\"X:\" has a character"),
    (Header("X\r\nY", "x"), #""X\r\nY" has a character"#),
    (Header("é", "x"), "\"é\" has a character"),
    (Header("X-A", "a\r\nHost: evil"), "The value of the header \"X-A\" has a line break"),
    (Header("X-A", "a\nb"), "has a line break"),
    (Header("X-A", "a\u{0}"), "has a line break"),
    (Header("host", "x"), "\"host\" is written by the handshake"),
    (Header("SEC-WEBSOCKET-KEY", "x"), "is written by the handshake"),
    (Header("Sec-WebSocket-Extensions", "x"), "is written by the handshake"),
    (Header("Sec-WebSocket-Protocol", "x"), "is written by the handshake"),
    (Header("Connection", "close"), "is written by the handshake"),
    (Header("Content-Length", "0"), "is written by the handshake"),
  ])
  func aFieldThatCannotBeSentIsNamedAndLeftOut(_ header: Header, _ part: String) {
    let good = Header("X-Good", "yes")
    let problem = ClientHandshake.problem(with: [good, header])
    #expect(problem?.contains(part) == true, "\(problem ?? "none")")
    let request = HandshakeRequest(host: "h", target: "/", headers: [header, good])
    let text = written(request)
    #expect(text == written(HandshakeRequest(host: "h", target: "/", headers: [good])))
    #expect(text.hasSuffix("X-Good: yes\r\n\r\n"))
  }

  @Test func fieldsThatCanBeSentHaveNoProblem() {
    let headers = [
      Header("Authorization", "Bearer a.b-c"), Header("Origin", "https://example.org"),
      Header("Cookie", "a=1; b=2"), Header("X-Empty", ""), Header("x_y!#$%&'*+.^`|~", "\tü"),
    ]
    #expect(ClientHandshake.problem(with: headers) == nil)
    #expect(ClientHandshake.problem(with: []) == nil)
  }

  /// The value of a field may be a secret.
  @Test func aProblemDoesNotRepeatTheValue() {
    let problem = ClientHandshake.problem(with: [Header("Authorization", "Bearer secret\n")])
    #expect(problem?.contains("secret") == false)
  }

  @Test func subprotocolsAreTokensAndDifferent() {
    #expect(ClientHandshake.problem(withSubprotocols: ["a", "b.c-1"]) == nil)
    #expect(ClientHandshake.problem(withSubprotocols: ["a", "a"])?.contains("twice") == true)
    #expect(ClientHandshake.problem(withSubprotocols: ["a, b"])?.contains("\"a, b\"") == true)
    #expect(ClientHandshake.problem(withSubprotocols: [""]) != nil)
    let request = HandshakeRequest(host: "h", target: "/", subprotocols: ["a, b", "c\r\nX: y"])
    #expect(written(request) == written(HandshakeRequest(host: "h", target: "/")))
  }

  @Test func aHostCannotSmuggleInAField() {
    let text = written(HandshakeRequest(host: "h\r\nX: y", target: "/"))
    #expect(text.contains("Host: hX: y\r\nUpgrade"))
  }
}
