import TestKit
import Testing
import WebSocket

/// The closing handshake; CloseReports has what other clients got wrong.
@Suite struct ClosingTests {
  private func close(_ code: UInt16, _ text: String = "") -> [UInt8] {
    frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(text.utf8))
  }

  @Test func aCloseWithoutACodeIsAnsweredWithoutOne() {
    let outcome = feed(hex("88 00"))
    #expect(outcome.state == .closed(received: CloseReason(.noStatus)))
    #expect(outcome.output == hex("88 80 00000000"))
    #expect(outcome.seen == [.closed(CloseReason(.noStatus))])
  }

  @Test func aServerAnswersUnmasked() {
    let outcome = feed(masked(hex("88 05 03e8 627965")), to: .server)
    #expect(outcome.state == .closed(received: CloseReason(.normal, "bye")))
    #expect(outcome.output == hex("88 02 03e8"))
  }

  @Test func whatFollowsACloseIsIgnored() {
    let outcome = feed(hex("88 02 03e9 81 01 61 89 00 88 00 ff ff"))
    #expect(outcome.seen == [.closed(CloseReason(.goingAway))])
    #expect(outcome.output == hex("88 82 00000000 03e9"))
  }

  @Test func theLongestReasonIsRead() {
    let text = String(repeating: "é", count: 61) + "x"
    #expect(feed(close(1000, text)).seen == [.closed(CloseReason(.normal, text))])
  }

  @Test func ourCloseIsAnsweredAndTheLineCanEnd() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    machine.close(CloseReason(.normal, "bye"), entropy: &entropy)
    #expect(machine.state == .closing(sent: CloseReason(.normal, "bye")))
    #expect(machine.takeOutput() == hex("88 85 00000000 03e8 627965"))
    // Nothing more goes out: no message, no ping, no second Close, no pong.
    machine.sendText("late", entropy: &entropy)
    machine.ping(hex("01"), entropy: &entropy)
    machine.close(CloseReason(.goingAway), entropy: &entropy)
    #expect(machine.take(hex("89 01 62"), entropy: &entropy) == [.ping(hex("62"))])
    #expect(!machine.hasOutput)
    #expect(machine.take(hex("88 02 03e8"), entropy: &entropy) == [.closed(CloseReason(.normal))])
    #expect(!machine.hasOutput)
    #expect(machine.state == .closed(received: CloseReason(.normal)))
  }

  @Test(arguments: [1005, 1006, 1015, 0, 5000] as [UInt16])
  func aCodeThatMayNotBeSentMakesAnEmptyClose(_ code: UInt16) {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .server)
    machine.close(CloseReason(CloseCode(rawValue: code), "text"), entropy: &entropy)
    #expect(machine.takeOutput() == hex("88 00"))
  }

  @Test(arguments: [
    (String(repeating: "x", count: 123), 123), (String(repeating: "x", count: 124), 123),
    // 62 times two bytes are 124.
    (String(repeating: "é", count: 62), 122),
    // A family is one character of 25 bytes: four fit.
    (String(repeating: "👨‍👩‍👧‍👦", count: 5), 100),
    // One character longer than a Close frame.
    ("e" + String(repeating: "\u{301}", count: 100), 0),
    ("", 0),
  ])
  func aLongReasonIsCutAtACharactersBorder(_ text: String, _ length: Int) {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .server)
    machine.close(CloseReason(.normal, text), entropy: &entropy)
    let expected = Array(text.utf8.prefix(length))
    #expect(machine.takeOutput() == frame(0x8, hex("03e8") + expected))
    let sent = CloseReason(.normal, String(decoding: expected, as: UTF8.self))
    #expect(machine.state == .closing(sent: sent))
  }
}
