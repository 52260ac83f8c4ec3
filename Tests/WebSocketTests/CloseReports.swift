import TestKit
import Testing
import WebSocket

/// Public bug reports about other clients, replayed: the closing handshake. Each stream is fed whole, byte by byte and in
/// random pieces. Those about time and the end of the line (53 to 57) are in ChannelTests and NetTests.
@Suite struct CloseReports {
  private func close(_ code: UInt16, _ text: String = "") -> [UInt8] {
    frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(text.utf8))
  }

  @Test(
    "report 46: a Close of one byte, or with text that is none, fails",
    arguments: [
      ("88 01 03", .invalidCloseFrame, "03ea"), ("88 03 03e8ff", .invalidUTF8, "03ef"),
      ("88 04 03e8e282", .invalidUTF8, "03ef"),
    ] as [(String, ProtocolViolation, String)])
  func report46(_ wire: String, _ violation: ProtocolViolation, _ code: String) {
    let outcome = feed(hex("81 02 6869" + wire))
    #expect(outcome.seen == [.text("hi"), .failed(violation)])
    #expect(outcome.output == hex("88 82 00000000" + code))
  }

  @Test(
    "report 47: a code that may be sent is echoed",
    arguments: [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
      4999,
    ] as [UInt16])
  func report47(_ code: UInt16) {
    let reason = CloseReason(CloseCode(rawValue: code), "bye")
    let outcome = feed(close(code, "bye"))
    #expect(outcome.seen == [.closed(reason)])
    #expect(outcome.state == .closed(received: reason))
    #expect(outcome.output == hex("88 82 00000000") + [UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  @Test(
    "report 47: a code that may not be sent fails with 1002",
    arguments: [
      0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ] as [UInt16])
  func report47Forbidden(_ code: UInt16) {
    let outcome = feed(close(code))
    #expect(outcome.seen == [.failed(.invalidCloseFrame)])
    #expect(outcome.output == hex("88 82 00000000 03ea"))
  }

  @Test("report 49: a Close frame cut anywhere keeps its code and its words")
  func report49() {
    let cut = feed(pieces: [hex("88 05 03"), hex("e8 627965")])
    #expect(cut.seen == [.closed(CloseReason(.normal, "bye"))])
    #expect(feed(hex("88 05 03e8 627965")) == cut)
  }

  @Test(
    "report 50: a violation is answered with a Close before anything ends",
    arguments: [("83 00", "03ea"), ("81 02 c0af", "03ef"), ("82 7f 7fffffffffffffff", "03f1")])
  func report50(_ wire: String, _ code: String) {
    let outcome = feed(hex(wire))
    #expect(outcome.output == hex("88 82 00000000" + code))
    guard case .failed = outcome.state else {
      Issue.record("\(outcome.state)")
      return
    }
  }

  @Test("report 51: a Close inside a message is echoed, and the part is dropped")
  func report51() {
    let outcome = feed(hex("01 02 6869 88 02 03e8 80 01 21"))
    #expect(outcome.seen == [.closed(CloseReason(.normal))])
    #expect(outcome.output == hex("88 82 00000000 03e8"))
  }
}
