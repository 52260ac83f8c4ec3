import TestKit
import Testing
import WebSocket

/// Public bug reports about other clients, replayed: the server's reply to the upgrade. Each reply is fed whole, byte
/// by byte (17) and in random pieces, and must come out the same. Report 8 and 10 are about what follows, in
/// ChannelTests.
@Suite struct HandshakeReplyReports {
  /// A row: what is peculiar, the wire, and what comes of it.
  struct Row: CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ outcome: Outcome) {
      self.name = name
      self.bytes = bytes
      self.outcome = outcome
    }
  }

  enum Outcome: Equatable {
    /// With what is left for the frames behind it.
    case accepted(left: [UInt8] = [])
    case failed(HandshakeError)
    case refused(Int, body: String)
    case incomplete
  }

  private static let hello = hex("81 05 48656c6c6f")
  private static let upgrade = "Upgrade: websocket"
  private static let connection = "Connection: Upgrade"
  private static let accept = "Sec-WebSocket-Accept: \(sampleAccept)"

  private static func reply(
    _ lines: String..., start: String = "HTTP/1.1 101 Switching Protocols"
  ) -> [UInt8] {
    head([start] + lines)
  }

  private func outcome(_ answered: Answered) -> Outcome {
    switch answered.progress {
    case .accepted: .accepted(left: answered.left)
    case .failed(let error): .failed(error)
    case .refused(let refusal):
      .refused(refusal.status, body: String(decoding: refusal.body, as: UTF8.self))
    case .incomplete: .incomplete
    }
  }

  private func check(_ row: Row, atEnd: Bool = false) {
    #expect(outcome(answer(row.bytes, atEnd: atEnd)) == row.outcome, "\(row.name)")
  }

  // MARK: - The head

  static let tokens = [
    Row("in a list", reply(upgrade, "Connection: keep-alive, Upgrade", accept), .accepted()),
    Row(
      "over two lines",
      reply(upgrade, "Connection: keep-alive", "Connection: Upgrade", accept), .accepted()),
    Row("small letters", reply("upgrade:WebSocket", "connection:upgrade", accept), .accepted()),
    Row("capitals", reply("UPGRADE: WEBSOCKET", "CONNECTION: UPGRADE", accept), .accepted()),
    Row(
      "empty elements", reply("Upgrade: websocket", "Connection: ,keep-alive ,\tUPGRADE ,", accept),
      .accepted()),
    Row(
      "another protocol first", reply("Upgrade: h2c, websocket", connection, accept), .accepted()),
    Row("no Upgrade", reply(connection, accept), .failed(.missingUpgrade)),
    Row(
      "a longer word", reply("Upgrade: websockets", connection, accept), .failed(.missingUpgrade)),
    Row(
      "a K that is the Kelvin sign", reply("Upgrade: websoc\u{212A}et", connection, accept),
      .failed(.missingUpgrade)),
  ]

  @Test("report 1: Upgrade and Connection are lists of tokens in any case", arguments: tokens)
  func report1(_ row: Row) { check(row) }

  static let closing = [
    Row(
      "close beside Upgrade", reply(upgrade, "Connection: close", connection, accept), .accepted()),
    Row(
      "close alone", reply(upgrade, "Connection: close", accept), .failed(.missingConnection)),
    Row(
      "a longer word", reply(upgrade, "Connection: upgraded", accept), .failed(.missingConnection)),
    Row("nothing", reply(upgrade, accept), .failed(.missingConnection)),
  ]

  @Test(
    "report 2: Connection: close does no harm beside Upgrade, alone it is no upgrade",
    arguments: closing)
  func report2(_ row: Row) { check(row) }

  static let accepts = [
    Row(
      "of another key",
      reply(upgrade, connection, "Sec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk=")
        + hello, .failed(.wrongAccept)),
    Row("missing", reply(upgrade, connection) + hello, .failed(.wrongAccept)),
    Row("twice", reply(upgrade, connection, accept, accept) + hello, .failed(.wrongAccept)),
    Row(
      "right and wrong", reply(upgrade, connection, accept, "Sec-WebSocket-Accept: x") + hello,
      .failed(.wrongAccept)),
    Row(
      "in a list", reply(upgrade, connection, "\(accept), \(sampleAccept)"), .failed(.wrongAccept)),
    Row(
      "in capitals",
      reply(upgrade, connection, "Sec-WebSocket-Accept: \(sampleAccept.uppercased())"),
      .failed(.wrongAccept)),
    Row("empty", reply(upgrade, connection, "Sec-WebSocket-Accept:"), .failed(.wrongAccept)),
  ]

  @Test("report 3: anything but one right Sec-WebSocket-Accept fails", arguments: accepts)
  func report3(_ row: Row) { check(row) }

  static let statusLines =
    [
      "HTTP/1.1 101", "HTTP/1.1 101 ", "HTTP/1.1 101  two  spaces", "HTTP/1.1 101 Gr\u{fc}\u{df}e",
      "HTTP/1.1 101 101 HTTP/1.1", "HTTP/1.1 101 a\tb",
    ].map { Row($0, reply(upgrade, connection, accept, start: $0), .accepted()) }
    + [
      "HTTP/1.0 101 OK", "HTTP/2 101", "HTTP/2.0 101 OK", "HTTP/1.2 101 OK", "HTTP/11 101 OK",
      "http/1.1 101 OK", "HTTP/1.1 1010 OK", "HTTP/1.1 10 OK", "HTTP/1.1 1x1 OK", "HTTP/1.1",
      "HTTP/1.1  101 OK", "HTTP/1.1 101OK", "HTTP/1.1 099 OK", "HTTP/1.1 -01 OK", "ICY 200 OK",
      "SSH-2.0-OpenSSH_9.6", "220 mail.example ESMTP",
    ].map { Row($0, reply(upgrade, connection, accept, start: $0), .failed(.notHTTP($0))) }

  @Test("report 4: the reason may be missing or odd, the version may not", arguments: statusLines)
  func report4(_ row: Row) { check(row) }

  // MARK: - What comes before and behind

  @Test("report 5: a frame in the segment of the 101 is delivered once, wherever the bytes are cut")
  func report5() {
    let bytes = rightAnswer() + Self.hello
    check(Row("in one piece", bytes, .accepted(left: Self.hello)))
    for cut in 1..<bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      let answered = answer(pieces: pieces, subprotocols: [], atEnd: false)
      #expect(outcome(answered) == .accepted(left: Self.hello), "cut at \(cut)")
      var entropy = zeroKeys()
      var machine = WebSocketMachine(role: .client)
      #expect(machine.take(answered.left, entropy: &entropy) == [.text("Hello")])
    }
  }

  private static let continued = head("HTTP/1.1 100 Continue")
  private static let hints = head("HTTP/1.1 103 Early Hints", "Link: </a>; rel=preload")
  private static func many(_ count: Int) -> [UInt8] {
    [[UInt8]](repeating: continued, count: count).flatMap { $0 }
  }

  static let interim = [
    Row("100", continued + rightAnswer() + hello, .accepted(left: hello)),
    Row("103", hints + rightAnswer() + hello, .accepted(left: hello)),
    Row(
      "several, and one without a reason",
      continued + hints + head("HTTP/1.1 102") + rightAnswer(), .accepted()),
    Row("none but those", continued + hints, .incomplete),
    Row("a refusal behind them", continued + head("HTTP/1.1 204 No"), .refused(204, body: "")),
    Row("sixteen", many(16) + rightAnswer(), .accepted()),
    Row("seventeen", many(17) + rightAnswer(), .failed(.headTooLarge)),
  ]

  @Test("report 6: interim answers are passed over, but not for ever", arguments: interim)
  func report6(_ row: Row) { check(row) }

  private static func refusal(_ status: Int, _ rest: String) -> [UInt8] {
    Array("HTTP/1.1 \(status) No\r\n\(rest)".utf8)
  }

  static let bodies = [
    Row("with a length", refusal(401, "Content-Length: 3\r\n\r\nwho"), .refused(401, body: "who")),
    Row(
      "in chunks", refusal(403, "Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n1\r\n!\r\n0\r\n\r\n"),
      .refused(403, body: "no!")),
    Row("to the end", refusal(429, "Retry-After: 9\r\n\r\nslow"), .refused(429, body: "slow")),
    Row(
      "shorter than its length", refusal(503, "Content-Length: 900\r\n\r\nbusy"),
      .refused(503, body: "busy")),
    Row(
      "cut inside a chunk", refusal(503, "Transfer-Encoding: chunked\r\n\r\n64\r\nbu"),
      .refused(503, body: "bu")),
    Row(
      "a page", refusal(200, "Content-Type: text/html\r\nContent-Length: 9\r\n\r\n<h1>hi</h"),
      .refused(200, body: "<h1>hi</h")),
  ]

  @Test("report 7: a refusal is shown with its status and what came of its body", arguments: bodies)
  func report7(_ row: Row) { check(row, atEnd: true) }

  @Test("report 7: a body without an end is bounded, and known when the time is over")
  func report7WithoutEnd() {
    var entropy = sampleEntropy()
    var handshake = ClientHandshake(HandshakeRequest(host: "h", target: "/"), entropy: &entropy)
    let start = Self.refusal(401, "Content-Length: 900\r\n\r\nwho")
    #expect(handshake.receive(start.span.bytes) == .incomplete)
    #expect(handshake.refusalSoFar()?.body == Array("who".utf8))
    let endless = Self.refusal(500, "\r\n") + [UInt8](repeating: 0x78, count: 1 << 20)
    let answered = answer(pieces: [endless], subprotocols: [], atEnd: false)
    #expect(answered.refusal?.body.count == 65_536)
  }

  // MARK: - What was agreed on

  static let subprotocols: [(lines: [String], agreed: String?, unoffered: String?)] = [
    ([], nil, nil), (["Sec-WebSocket-Protocol: chat"], "chat", nil),
    (["sec-websocket-protocol:v2.chat"], "v2.chat", nil),
    (["Sec-WebSocket-Protocol: other"], nil, "other"),
    (["Sec-WebSocket-Protocol: Chat"], nil, "Chat"),
    (["Sec-WebSocket-Protocol: chat, v2.chat"], nil, "chat, v2.chat"),
    (["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: chat"], nil, "chat, chat"),
    (["Sec-WebSocket-Protocol:"], nil, ""),
  ]

  @Test(
    "reports 11, 12: the subprotocol is none, or exactly one of those offered",
    arguments: subprotocols)
  func report11And12(_ row: (lines: [String], agreed: String?, unoffered: String?)) {
    let answered = answer(head(rightLines + row.lines), offering: ["v2.chat", "chat"])
    if let unoffered = row.unoffered {
      #expect(answered.error == .unofferedSubprotocol(unoffered))
    } else {
      #expect(answered.subprotocol == .some(row.agreed))
    }
  }

  @Test("report 12: a subprotocol fails where none was offered, and no data is delivered")
  func report12() {
    check(
      Row(
        "chat", rightAnswer("Sec-WebSocket-Protocol: chat") + Self.hello,
        .failed(.unofferedSubprotocol("chat"))))
  }

  static let extensions: [(lines: [String], agreed: DeflateParameters?)] = [
    (
      [#"Sec-WebSocket-Extensions: permessage-deflate ; server_max_window_bits = "15""#],
      DeflateParameters(serverMaxWindowBits: 15, clientMaxWindowBits: 15)
    ),
    (
      ["sec-websocket-extensions:Permessage-Deflate;\tCLIENT_max_window_bits\t=9"],
      DeflateParameters(clientMaxWindowBits: 9)
    ),
    (
      ["Sec-WebSocket-Extensions: ,", "Sec-WebSocket-Extensions: permessage-deflate ,"],
      DeflateParameters(clientMaxWindowBits: 15)
    ),
    (
      [#"Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits="1\5""#],
      DeflateParameters(serverMaxWindowBits: 15, clientMaxWindowBits: 15)
    ),
  ]

  @Test(
    "report 14: blanks, quotes, mixed case and several lines are the grammar of fields",
    arguments: extensions)
  func report14(_ row: (lines: [String], agreed: DeflateParameters?)) {
    let bytes = head(rightLines + row.lines)
    for pieces in splits(of: bytes) {
      let answered = answer(
        pieces: pieces, subprotocols: [], compression: .usualOffer, atEnd: false)
      guard case .accepted(let acceptance) = answered.progress else {
        Issue.record("\(answered)")
        continue
      }
      #expect(acceptance.compression == row.agreed)
    }
  }

  @Test("report 15: what the client promised holds though the server does not repeat it")
  func report15() {
    let offer = DeflateParameters(
      serverNoContextTakeover: true, clientNoContextTakeover: true, clientMaxWindowBits: 15)
    let bytes = rightAnswer(
      "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover")
    let answered = answer(pieces: [bytes], subprotocols: [], compression: offer, atEnd: false)
    guard case .accepted(let acceptance) = answered.progress else {
      Issue.record("\(answered)")
      return
    }
    #expect(acceptance.compression == offer)
  }

  // MARK: - Hostile heads

  static let malformed = [
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
  ].map { Row($0.debugDescription, Array($0.utf8), .failed(.malformedHeader($1))) }

  @Test("report 16: folded lines and bare line feeds are refused", arguments: malformed)
  func report16(_ row: Row) { check(row) }

  @Test("report 16: a head beyond the bounds fails before it ends", arguments: [1, 13, 100_000])
  func report16Bounds(pieceLength: Int) {
    let long = Array(("HTTP/1.1 101 OK\r\nX: " + String(repeating: "x", count: 70_000)).utf8)
    let many = Array(("HTTP/1.1 101 OK\r\n" + String(repeating: "X: y\r\n", count: 10_000)).utf8)
    for bytes in [long, many] {
      let pieces = inPieces(bytes, of: pieceLength)
      let answered = answer(pieces: pieces, subprotocols: [], atEnd: false)
      #expect(answered.error == .headTooLarge)
    }
    let allowed = (0..<124).map { "X-\($0): \(String(repeating: "y", count: 400))" }
    let pieces = inPieces(head(rightLines + allowed), of: pieceLength)
    #expect(answer(pieces: pieces, subprotocols: [], atEnd: false).isAccepted)
    let line = "X: " + String(repeating: "x", count: 60_000)
    let one = inPieces(head(rightLines + [line]), of: pieceLength)
    #expect(answer(pieces: one, subprotocols: [], atEnd: false).isAccepted)
  }

  @Test("report 17: a reply that dribbles in byte by byte is read, and may stop anywhere")
  func report17() {
    let bytes = rightAnswer("Sec-WebSocket-Protocol: chat") + Self.hello
    let pieces = bytes.map { [$0] }
    let answered = answer(pieces: pieces, subprotocols: ["chat"], atEnd: false)
    #expect(answered.subprotocol == .some("chat"))
    #expect(answered.left == Self.hello)
    for end in 0..<rightAnswer().count {
      let part = Row("\(end) bytes", Array(rightAnswer()[..<end]), .failed(.endedEarly))
      #expect(outcome(answer(pieces: [part.bytes], subprotocols: [], atEnd: true)) == part.outcome)
    }
  }
}
