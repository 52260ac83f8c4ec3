import Deflate
import TestKit
import Testing
import WebSocket

@testable import Channel

/// What the log says about the bytes of a line, and what it must never say.
struct WireLogTests {
  private let secret = "s3cret/\"tok\\en"

  private func configuration(
    _ url: String = "ws://chat.example/", _ change: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> SessionConfiguration {
    var configuration = SessionConfiguration(
      endpoint: try Endpoint(parsing: url), subprotocols: [],
      context: DialectContext(room: "lobby", nick: "ada", profile: .bare()))
    configuration.token = Bearer(firstLineOf: secret)
    change(&configuration)
    return configuration
  }

  private func log(
    _ level: LogLevel = .frames, dialect: DialectName = .plain,
    _ change: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> WireLog {
    let configuration = try configuration("ws://chat.example/", change)
    return WireLog(level, dialect: dialect, hiding: Secrets(configuration))
  }

  private static let request = "GET / HTTP/1.1\r\nHost: chat.example\r\n\r\n"
  private static func answer(_ fields: String = "") -> String {
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\(fields)\r\n"
  }

  /// Past the upgrade.
  private func upgraded(
    _ level: LogLevel = .frames, dialect: DialectName = .plain, fields: String = ""
  ) throws -> WireLog {
    var log = try log(level, dialect: dialect)
    _ = log.sent(Array(Self.request.utf8), at: Instant())
    _ = received(&log, Array(Self.answer(fields).utf8))
    return log
  }

  private func received(
    _ log: inout WireLog, _ bytes: [UInt8], at now: Instant = Instant()
  ) -> [String] {
    log.received(bytes.span.bytes, at: now).map { "\($0.level.rawValue) \($0.words)" }
  }

  private func sent(
    _ log: inout WireLog, _ bytes: [UInt8], at now: Instant = Instant()
  ) -> [String] {
    log.sent(bytes, at: now).map { "\($0.level.rawValue) \($0.words)" }
  }

  private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    let length: [UInt8] =
      count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    return [first] + length + payload
  }

  private func frame(_ first: UInt8, _ payload: String) -> [UInt8] {
    frame(first, Array(payload.utf8))
  }

  // MARK: - Heads

  @Test func bothHeadsAreWrittenWithoutWhatIsSecret() throws {
    var log = try log(.debug) {
      $0.headers = [Header("X-Api-Key", "0123456789"), Header("X-Colour", "green")]
    }
    let request = """
      GET /chat?room=a&access_token=s3cret%2F%22tok%5Cen HTTP/1.1\r
      Host: chat.example\r
      Authorization: Bearer \(secret)\r
      Proxy-Authorization: Basic dXNlcjpwYXNz\r
      Cookie: session=abcdef\r
      X-Api-Key: 0123456789\r
      X-Colour: green 0123456789\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r

      """
    #expect(
      sent(&log, Array(request.utf8)) == [
        "debug > GET /chat?room=a&access_token=… HTTP/1.1",
        "debug > Host: chat.example",
        "debug > Authorization: Bearer …",
        "debug > Proxy-Authorization: Basic …",
        "debug > Cookie: …",
        "debug > X-Api-Key: …",
        "debug > X-Colour: green …",
        "debug > Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ])
    let answer = """
      HTTP/1.1 100 Continue\r
      \r
      HTTP/1.1 302 Found \(secret)\r
      Location: https://user:pw@other.example/?access_token=abc&x=1\r
      Set-Cookie: id=1; Path=/\r
      \r
      the body is nobody's concern
      """
    #expect(
      received(&log, Array(answer.utf8)) == [
        "debug < HTTP/1.1 100 Continue",
        "debug < HTTP/1.1 302 Found …",
        "debug < Location: https://other.example/?access_token=…&x=1",
        "debug < Set-Cookie: …",
      ])
  }

  @Test func whateverTheSplitTheLinesAreTheSame() throws {
    let bytes =
      Array(Self.answer().utf8) + frame(0x81, "hi") + frame(0x02, [1, 2]) + frame(0x80, [3])
      + frame(0x89, [0xFF]) + frame(0x82, [UInt8](repeating: 7, count: 300))
    let expected = [
      "debug < HTTP/1.1 101 Switching Protocols", "debug < Upgrade: websocket",
      "frames < text fin length 2: hi",
      "frames < binary length 2: \\x01\\x02", "frames < continuation fin length 1: \\x03",
      "frames < ping fin length 1: \\xff", "debug got a ping of 1 bytes",
      "frames < binary fin length 300: " + String(repeating: "\\x07", count: 256) + "…",
    ]
    for way in splits(of: bytes) {
      var log = try log()
      var lines: [String] = []
      for piece in way { lines += received(&log, piece) }
      #expect(lines == expected)
    }
  }

  @Test func aHeadThatNeverEndsIsBorne() throws {
    var log = try log()
    for _ in 0..<200 { #expect(received(&log, [UInt8](repeating: 65, count: 1000)).isEmpty) }
  }

  @Test func belowTheLevelNothingIsLookedAt() throws {
    for level in [LogLevel.error, .notice] {
      var log = try upgraded(level)
      #expect(received(&log, frame(0x89, "x")).isEmpty)
    }
    var log = try upgraded(.debug)
    #expect(received(&log, frame(0x81, "x") + frame(0x8A, "x")).count == 1)
  }

  // MARK: - Frames

  @Test func framesOfOursAreUnmasked() throws {
    var log = try upgraded()
    let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    for way in splits(of: masked) {
      var lines: [String] = []
      for piece in way { lines += sent(&log, piece) }
      #expect(lines == ["frames > text fin length 5: Hello"])
    }
  }

  @Test func controlCharactersAreEscaped() throws {
    var log = try upgraded()
    #expect(
      received(&log, frame(0x81, "a\u{1B}[2J\r\n\t\\ \u{202E}\u{9B}é日\u{E000}")) == [
        "frames < text fin length 23: a\\x1b[2J\\r\\n\\t\\\\ \\u{202e}\\u{9b}é日\\u{e000}"
      ])
    #expect(
      received(&log, frame(0xF3, [0xC0, 0x41]))
        == ["frames < 3 fin rsv1 rsv2 rsv3 length 2: \\xc0A"])
  }

  @Test func aCharacterThatTheCutWouldDivideIsLeftOut() throws {
    var log = try upgraded()
    let text = "x" + String(repeating: "é", count: 200)
    #expect(
      received(&log, frame(0x81, text))
        == ["frames < text fin length 401: x" + String(repeating: "é", count: 127) + "…"])
  }

  @Test func pongsTellTheirRoundTrip() throws {
    var log = try upgraded(.debug)
    #expect(sent(&log, frame(0x89, "12345678")) == ["debug sent a ping of 8 bytes"])
    #expect(
      received(&log, frame(0x8A, "other"))
        == ["debug got a pong of 5 bytes that nobody asked for"])
    #expect(
      received(&log, frame(0x8A, "12345678"), at: Instant(.microseconds(21_034)))
        == ["debug got the pong after 21.034 ms"])
  }

  @Test func aCloseIsToldWithItsCode() throws {
    var log = try upgraded(.debug)
    #expect(
      received(&log, frame(0x88, [0x03, 0xE9] + Array("bye \(secret)".utf8)))
        == ["debug got Close 1001 bye …"])
    #expect(sent(&log, frame(0x88, [])) == ["debug sent Close without a code"])
  }

  @Test func stepsOfTheDialectAreDebugging() throws {
    var log = try upgraded(
      .debug, fields: "Sec-WebSocket-Protocol: graphql-transport-ws\r\n")
    let texts = [
      #"{"type":"connection_ack"}"#, #"{"type":"next","id":"1","payload":{}}"#,
      #"{"type":"complete","id":"1"}"#, "no JSON", #"{"type":7}"#,
    ]
    #expect(
      received(&log, texts.flatMap { frame(0x81, $0) })
        == ["debug got connection_ack", "debug got complete 1"])
    var envelope = try upgraded(.debug, dialect: .envelope)
    #expect(
      sent(&envelope, frame(0x81, #"{"kind":"join","payload":"e30="}"#))
        == ["debug sent join"])
  }

  // MARK: - What is compressed

  @Test(arguments: [false, true])
  func compressedMessagesAreReadableAndWithoutSecrets(startsAnew: Bool) throws {
    let parameters = DeflateParameters(
      serverNoContextTakeover: startsAnew, clientNoContextTakeover: startsAnew)
    let field = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    var log = try upgraded(fields: field)
    var entropy = Entropy.seeded()
    for role in [Role.client, .server] {
      var machine = WebSocketMachine(
        role: role, transform: PerMessageDeflate(parameters, role: role, threshold: 0))
      for _ in 0..<3 {
        machine.send(
          .text, Array("hello hello hello \(secret)".utf8).span.bytes, entropy: &entropy)
        let bytes = machine.takeOutput()
        let lines = role == .client ? sent(&log, bytes) : received(&log, bytes)
        let sign = role == .client ? ">" : "<"
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.hasPrefix("frames \(sign) text fin rsv1 length "))
        #expect(line.hasSuffix(" restored 32: hello hello hello …"))
      }
    }
  }

  @Test func whatCannotBeRestoredIsNotShown() throws {
    var log = try upgraded(fields: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
    #expect(
      received(&log, frame(0xC1, [0xFF, 0xFF, 0xFF]) + frame(0xC1, [0x00]))
        == [
          "frames < text fin rsv1 length 3 (not readable)",
          "frames < text fin rsv1 length 1 (not readable)",
        ])
  }

  // MARK: - Secrets

  /// Raw, in JSON, in a query, in Basic: however it travels.
  @Test func theTokenIsHiddenInEveryForm() throws {
    let secrets = Secrets(
      try configuration("ws://ada:pass%20word@chat.example/") {
        $0.headers = [Header("Authorization", "Bearer another-token")]
        $0.proxy = try? ProxyEndpoint(
          parsing: "http://px:proxy-word@proxy.example:3128", source: "--proxy")
      })
    let forms = [
      secret, #"s3cret/\"tok\\en"#, #"s3cret\/\"tok\\en"#, "s3cret%2F%22tok%5Cen", "pass word",
      "s3cret/%22tok%5cen", "%73%33cret%2f%22tok%5Cen", "pass%20word", "ada:pass word",
      "YWRhOnBhc3Mgd29yZA==", "another-token", "proxy-word", "cHg6cHJveHktd29yZA==",
    ]
    for form in forms { #expect(secrets.hiding("<\(form)>") == "<…>", "\(form)") }
    #expect(secrets.hiding("nothing of the kind") == "nothing of the kind")
  }

  @Test func aTokenOfAFewLettersDoesNotHideHalfOfTheText() throws {
    let secrets = Secrets(try configuration { $0.token = Bearer(firstLineOf: "a") })
    #expect(secrets.hiding("a banana") == "a banana")
  }

  /// A server may say again what it set, and what was sent to it.
  @Test func shortCookiesAreHiddenTooWhereverTheyAreRepeated() throws {
    var log = try log(.frames)
    _ = sent(&log, Array("GET / HTTP/1.1\r\nCookie: sid=T0KE; theme=dark\r\n\r\n".utf8))
    let head = received(
      &log, Array(Self.answer("Set-Cookie: up=UPSEC; Path=/\r\nX-Debug: sid=T0KE\r\n").utf8))
    let frame = received(&log, [0x81, 24] + Array("T0KE and UPSEC, but dark".utf8))
    let all = (head + frame).joined(separator: "\n")
    #expect(!all.contains("T0KE") && !all.contains("UPSEC"), "\(all)")
    #expect(all.contains("X-Debug: sid=…"))
    #expect(all.contains("… and …, but dark"))
  }

  @Test func theCookiesOfBothHeadsAreHiddenInFrames() throws {
    var log = try log()
    _ = sent(&log, Array("GET / HTTP/1.1\r\nCookie: a=c00kieval; b=1\r\n\r\n".utf8))
    let lines = received(
      &log,
      Array(Self.answer("Set-Cookie: c=an0therone; Path=/some/where\r\n").utf8)
        + frame(0x81, "a=c00kieval b=1 c=an0therone /some/where"))
    #expect(lines.last == "frames < text fin length 40: a=… b=1 c=… /some/where")
  }

  @Test func aLaterTokenIsHiddenToo() throws {
    var secrets = Secrets(try configuration())
    secrets.add(try #require(Bearer(firstLineOf: "fresh-token")))
    #expect(secrets.hiding("fresh-token and \(secret)") == "… and …")
  }

  /// Wherever the border of what is shown falls, no part of the token stands before it.
  @Test func theCutDoesNotLeaveHalfAToken() throws {
    for start in 230...260 {
      var log = try upgraded()
      let text = String(repeating: "x", count: start) + secret + String(repeating: "y", count: 500)
      let line = try #require(received(&log, frame(0x81, text)).first)
      #expect(!line.contains("s3c"), "\(start)")
    }
  }

  @Test func aTokenInTwoFragmentsIsHiddenInBoth() throws {
    for cut in 4...9 {
      var log = try upgraded()
      let lines = received(
        &log,
        frame(0x01, "abc " + secret.prefix(cut)) + frame(0x80, secret.dropFirst(cut) + " def"))
      #expect(lines.map { $0.contains("…") } == [true, true], "\(lines)")
      #expect(!lines.joined().contains("s3cr") && !lines.joined().contains("k\\\\en"), "\(lines)")
    }
  }

  // MARK: - Lines

  @Test func aLineHasTimeLevelAndWords() {
    let line = LogLine(.notice, "a\nb\u{1B}")
    #expect(
      line.text(at: Timestamp(milliseconds: 1_796_021_941_000))
        == "2026-11-30T06:59:01.000Z notice a␊b␛\n")
    #expect(
      line.text(at: Timestamp(milliseconds: 1_796_021_941_042)).hasPrefix(
        "2026-11-30T06:59:01.042Z "))
  }
}
