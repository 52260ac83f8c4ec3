import Channel
import Room
import TestKit
import Text
import WebSocket

@testable import Screen

/// The pages about the line, filled: three hours with two losses, and frames of each kind. Made by what makes them in
/// the program, so that what is shown can be.
enum LineFixture {
  static let now = Fixture.clock.now

  static func ago(_ seconds: Int) -> Instant { Instant(now.sinceStart - .seconds(seconds)) }

  static var record: ConnectionRecord {
    var record = ConnectionRecord()
    func online(_ since: Instant, _ roundTrip: Duration?) -> SessionState {
      .online(
        SessionState.Online(
          since: since, subprotocol: "graphql-transport-ws", dialect: .graphql,
          peer: "192.0.2.7:443", tls: "TLSv1.3", roundTrip: roundTrip))
    }
    func dial(_ attempt: Int, _ at: Instant) {
      record.hear(
        .stateChanged(
          .connecting(.init(attempt: attempt, phase: .dialling(.connecting, since: at)))),
        at: at)
      record.hear(.connecting(attempt: attempt), at: at)
    }
    func wait(_ attempt: Int, _ at: Instant) {
      record.hear(
        .stateChanged(.connecting(.init(attempt: attempt, phase: .waiting(until: at)))), at: at)
    }
    func open(_ at: Instant) {
      record.hear(
        .opened(
          subprotocol: "graphql-transport-ws", dialect: .graphql, peer: "192.0.2.7:443",
          tls: "TLSv1.3"), at: at)
      record.hear(.stateChanged(online(at, nil)), at: at)
      record.hear(.ready, at: at)
    }
    dial(1, ago(9_000))
    open(ago(8_999))
    record.hear(
      .failed(Failure(kind: .timeout, message: "m", short: "no pong 30 s")), at: ago(6_000))
    wait(1, ago(6_000))
    for step in 0..<4 {
      dial(step + 1, ago(5_900 - step * 60))
      record.hear(
        .failed(Failure(kind: .tcp, message: "m", short: "connection refused")),
        at: ago(5_899 - step * 60))
      wait(step + 2, ago(5_899 - step * 60))
    }
    dial(5, ago(5_000))
    open(ago(4_998))
    record.hear(.closed(CloseReason(.serviceRestart, "new version"), clean: true), at: ago(720))
    wait(1, ago(720))
    dial(1, ago(700))
    record.learn(
      LineDetails(
        peer: "192.0.2.7:443", tried: ["[2001:db8::7]:443", "192.0.2.7:443"],
        proxy: "the proxy proxy.example:3128",
        tls: LineDetails.TLS(
          version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", isResumed: true,
          names: "chat.example, *.chat.example", issuer: "Example CA",
          expires: Fixture.time(12, 0, day: 40))))
    open(ago(698))
    for step in 0..<50 {
      record.hear(
        .stateChanged(online(ago(698), .milliseconds(30 + step * step % 37))), at: ago(690 - step))
    }
    for step in 0..<59 {
      record.received.note(bytes: step * step * 40, messages: 3_402 + step * 4, at: ago(59 - step))
    }
    record.sent.note(bytes: 1_204, messages: 3, at: ago(2))
    return record
  }

  static var frames: FrameRecord {
    var harness = FrameRecord()
    var received = FrameSkimmerProbe(.received)
    var sent = FrameSkimmerProbe(.sent)
    harness.head(
      "GET /ws HTTP/1.1\r\nHost: chat.example\r\nAuthorization: Bearer abcdefgh\r\n\r\n", .sent,
      at: ago(30))
    harness.head(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", .received, at: ago(29))
    sent.frame(
      0x81, "{\"type\":\"connection_init\",\"payload\":{\"token\":\"abcdefgh\"}}", at: ago(28),
      &harness)
    received.frame(0x81, "{\"type\":\"connection_ack\"}", at: ago(27), &harness)
    received.frame(
      0x81,
      "{\"id\":\"1\",\"type\":\"next\",\"payload\":{\"data\":{\"messageAdded\":{\"author\":\"日本\",\"text\":\"\\u001b[2J\"}}}}",
      at: ago(20), &harness)
    received.frame(0x02, "\u{0}\u{1}\u{2}bytes \u{7F}", at: ago(12), &harness)
    received.frame(0x80, "and more", at: ago(12), &harness)
    sent.frame(0x89, "12345678", at: ago(10), &harness)
    received.frame(0x8A, "12345678", at: ago(10), &harness)
    received.frame(0x88, "\u{3}\u{1}bye \u{1B}[0m", at: ago(5), &harness)
    return harness
  }

  static var facts: LineFacts {
    var secrets = Secrets()
    secrets.add("abcdefgh")
    return LineFacts(
      record: record, frames: frames, secrets: secrets,
      compression: DeflateParameters(serverNoContextTakeover: true, clientMaxWindowBits: 15))
  }
}
