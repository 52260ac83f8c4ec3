import TestKit
import Testing
import WebSocket

/// Ways of breaking the protocol, and what comes of them; FrameReports has those that other clients got wrong.
@Suite struct ViolationTests {
  private static let small = Limits(message: 8, fragments: 3)

  /// Frames from a server, the violation, and the Close code.
  @Test(
    arguments: [
      ("09 00", .fragmentedControl, 1002),
      ("08 02 03e8", .fragmentedControl, 1002),
      ("89 7e 007e", .oversizedControl, 1002),
      ("88 7f 0000000000000001", .oversizedControl, 1002),
      ("82 7e ffff", .messageTooBig(limit: 8), 1009),
      ("82 09", .messageTooBig(limit: 8), 1009),
      ("02 00 00 00 00 00 00 00", .tooManyFragments(limit: 3), 1008),
    ] as [(String, ProtocolViolation, UInt16)])
  func aServersViolationFailsTheConnection(
    _ wire: String, _ violation: ProtocolViolation, _ code: UInt16
  ) {
    // The good message before it is delivered; what follows is ignored.
    let bytes = hex("81 02 6869") + hex(wire) + hex("81 02 6869 89 00")
    let outcome = feed(bytes, limits: Self.small)
    #expect(outcome.seen == [.text("hi"), .failed(violation)])
    #expect(outcome.state == .failed(violation))
    #expect(violation.closeCode.rawValue == code)
    #expect(outcome.output == hex("88 82 00000000") + [UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  @Test(
    arguments: [
      ("81 05 48656c6c6f", .unmaskedByClient, "03ea"),
      ("89 00", .unmaskedByClient, "03ea"),
      ("c1 85 00000000 48656c6c6f", .reservedBits, "03ea"),
      ("83 80 00000000", .unknownOpcode(3), "03ea"),
      ("09 80 00000000", .fragmentedControl, "03ea"),
      ("89 fe 007e 00000000", .oversizedControl, "03ea"),
      ("80 80 00000000", .unexpectedContinuation, "03ea"),
      ("01 80 00000000 81 80 00000000", .interruptedMessage, "03ea"),
      ("81 fe 0005 00000000 48656c6c6f", .nonMinimalLength, "03ea"),
      ("82 ff 8000000000000000 00000000", .lengthOverflow, "03ea"),
      ("82 89", .messageTooBig(limit: 8), "03f1"),
      ("81 82 ffffffff 3f50", .invalidUTF8, "03ef"),
      ("01 81 01010101 e3 80 81 02020202 43", .invalidUTF8, "03ef"),
      ("88 81 00000000 03", .invalidCloseFrame, "03ea"),
    ] as [(String, ProtocolViolation, String)])
  func aClientsViolationFailsTheConnection(
    _ wire: String, _ violation: ProtocolViolation, _ code: String
  ) {
    let bytes = masked(hex("81 02 6869")) + hex(wire) + masked(hex("81 02 6869"))
    let outcome = feed(bytes, to: .server, limits: Self.small)
    #expect(outcome.seen == [.text("hi"), .failed(violation)])
    #expect(outcome.output == hex("88 02") + hex(code))
  }

  /// The header alone is enough; no payload has to come first.
  @Test func aMessageOverTheLimitFailsAtItsHeader() {
    #expect(feed(hex("82 08"), limits: Self.small).state == .open)
    #expect(feed(hex("82 09"), limits: Self.small).state == .failed(.messageTooBig(limit: 8)))
  }

  @Test func aMessageOfExactlyTheLimitIsDelivered() {
    let payload = hex("0102030405060708")
    #expect(feed(hex("82 08") + payload, limits: Self.small).seen == [.binary(payload)])
    let fragmented = hex("02 03 010203 89 05 6162636465 00 05 0405060708 80 00")
    #expect(
      feed(fragmented, limits: Self.small).seen == [.ping(hex("6162636465")), .binary(payload)])
  }

  @Test func theLimitsBeginAnewWithEachMessage() {
    let one = hex("02 05 0102030405 00 02 0607 80 01 08")
    let message = Seen.binary(hex("0102030405060708"))
    #expect(feed(one + one + one, limits: Self.small).seen == [message, message, message])
  }

  @Test func limitsThatMakeNoSenseDoNotTrap() {
    let negative = Limits(message: -5, fragments: -5)
    #expect(feed(hex("81 00"), limits: negative).seen == [.text("")])
    #expect(feed(hex("81 01"), limits: negative).seen == [.failed(.messageTooBig(limit: 0))])
    let wide = Limits(message: .max, fragments: .max)
    #expect(
      feed(hex("02 01 00 00 7f 7fffffffffffffff"), limits: wide).state
        == .failed(.messageTooBig(limit: .max)))
    #expect(feed(hex("02 01 00 00 7f 7ffffffffffffffe 00"), limits: wide).state == .open)
  }

  @Test func afterAFailureNothingIsTakenOrSent() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    #expect(machine.take(hex("83 00"), entropy: &entropy) == [.failed(.unknownOpcode(3))])
    #expect(machine.takeOutput() == hex("88 82 00000000 03ea"))
    #expect(machine.take(hex("81 01 61"), entropy: &entropy) == [])
    machine.sendText("late", entropy: &entropy)
    machine.ping([], entropy: &entropy)
    machine.close(CloseReason(.normal), entropy: &entropy)
    #expect(!machine.hasOutput)
    #expect(machine.state == .failed(.unknownOpcode(3)))
  }

  /// Autobahn 3.2 to 4.2: a good message, then a wrong frame in the same segment. The answer to the message
  /// goes out before the Close, as it would if they had come one by one.
  @Test(arguments: ["a1 00", "83 00", "81 02 c0af", "80 00", "81 7e 0001"])
  func messagesBeforeAViolationCanBeAnswered(_ wrong: String) {
    let bytes = hex("81 02 6869 82 01 07" + wrong)
    for pieces in splits(of: bytes) {
      var entropy = zeroKeys()
      var machine = WebSocketMachine(role: .client)
      var answers = 0
      for piece in pieces {
        var rest = piece
        while !rest.isEmpty {
          let taken = machine.receive(rest.span.bytes, entropy: &entropy)
          for case .message in machine.events {
            answers += 1
            machine.sendText("\(answers)", entropy: &entropy)
          }
          rest.removeFirst(taken)
        }
      }
      let output = machine.takeOutput()
      #expect(output.starts(with: hex("81 81 00000000 31 81 81 00000000 32 88 82 00000000")))
      #expect(output.count == 22)
    }
  }

  @Test func aViolationAfterOurCloseSendsNoSecondClose() {
    let outcome = feed(hex("81 01 61 83 00")) { machine, entropy in
      machine.close(CloseReason(.goingAway), entropy: &entropy)
      _ = machine.takeOutput()
    }
    #expect(outcome.seen == [.text("a"), .failed(.unknownOpcode(3))])
    #expect(outcome.output == [])
  }
}
