import TestKit
import Testing
import WebSocket

/// The closing handshake. Numbers are those of public bug reports about other clients.
@Suite struct ClosingTests {
  private func close(_ code: UInt16, _ text: String = "") -> [UInt8] {
    frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(text.utf8))
  }

  /// 47
  @Test(
    arguments: [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
      4999,
    ] as [UInt16])
  func aCodeThatMayBeSentIsEchoed(_ code: UInt16) {
    let reason = CloseReason(CloseCode(rawValue: code), "bye")
    let outcome = feed(close(code, "bye"))
    #expect(outcome.seen == [.closed(reason)])
    #expect(outcome.state == .closed(received: reason))
    #expect(outcome.output == hex("88 82 00000000") + [UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  /// 47
  @Test(
    arguments: [
      0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ] as [UInt16])
  func aCodeThatMayNotBeSentIsAViolation(_ code: UInt16) {
    let outcome = feed(close(code))
    #expect(outcome.seen == [.failed(.invalidCloseFrame)])
    #expect(outcome.output == hex("88 82 00000000 03ea"))
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

  /// 49: a Close frame cut anywhere keeps its code. Feeding it tries every kind of cut.
  @Test func aCloseFrameCutAnywhereKeepsItsCode() {
    let cut = feed(pieces: [hex("88 05 03"), hex("e8 627965")])
    #expect(cut.seen == [.closed(CloseReason(.normal, "bye"))])
    #expect(feed(hex("88 05 03e8 627965")) == cut)
  }

  /// 51, Autobahn 7.1.5: the peer closes in the middle of a message.
  @Test func aCloseInsideAMessageIsEchoedAndThePartIsDropped() {
    let outcome = feed(hex("01 02 6869 88 02 03e8 80 01 21"))
    #expect(outcome.seen == [.closed(CloseReason(.normal))])
    #expect(outcome.output == hex("88 82 00000000 03e8"))
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
