import TestKit
import Testing
import WebSocket

/// Every way of breaking the protocol. Numbers are those of public bug reports about other clients.
@Suite struct ViolationTests {
  private static let small = Limits(message: 8, fragments: 3)

  /// Frames from a server, the violation, and the Close code.
  @Test(
    arguments: [
      // 32: a masked frame from a server.
      ("81 85 01020304 49676f686e", .maskedByServer, 1002),
      // 33, 34: reserved bits and opcodes.
      ("c1 05 48656c6c6f", .reservedBits, 1002),
      ("a1 05 48656c6c6f", .reservedBits, 1002),
      ("91 05 48656c6c6f", .reservedBits, 1002),
      ("c9 00", .reservedBits, 1002),
      ("01 01 61 c0 01 62", .reservedBits, 1002),
      ("83 00", .unknownOpcode(3), 1002),
      ("87 00", .unknownOpcode(7), 1002),
      ("8b 00", .unknownOpcode(11), 1002),
      ("8f 00", .unknownOpcode(15), 1002),
      ("09 00", .fragmentedControl, 1002),
      ("08 02 03e8", .fragmentedControl, 1002),
      ("89 7e 007e", .oversizedControl, 1002),
      ("88 7f 0000000000000001", .oversizedControl, 1002),
      // 38: fragments out of order.
      ("80 05 48656c6c6f", .unexpectedContinuation, 1002),
      ("00 00", .unexpectedContinuation, 1002),
      ("01 01 61 81 01 62", .interruptedMessage, 1002),
      ("02 01 61 02 01 62", .interruptedMessage, 1002),
      ("02 00 82 00", .interruptedMessage, 1002),
      // 40, 41: lengths.
      ("82 7f 8000000000000000", .lengthOverflow, 1002),
      ("82 7f ffffffffffffffff", .lengthOverflow, 1002),
      ("81 7e 0005 48656c6c6f", .nonMinimalLength, 1002),
      ("81 7e 007d", .nonMinimalLength, 1002),
      ("81 7f 0000000000000005 48656c6c6f", .nonMinimalLength, 1002),
      ("81 7f 000000000000ffff", .nonMinimalLength, 1002),
      ("82 7f 7fffffffffffffff", .messageTooBig(limit: 8), 1009),
      ("82 7f 0000000100000000", .messageTooBig(limit: 8), 1009),
      ("82 7e ffff", .messageTooBig(limit: 8), 1009),
      ("82 09", .messageTooBig(limit: 8), 1009),
      ("02 05 0102030405 80 04", .messageTooBig(limit: 8), 1009),
      ("02 05 0102030405 80 7f 7fffffffffffffff", .messageTooBig(limit: 8), 1009),
      // 43: fragments without end.
      ("02 00 00 00 00 00 00 00", .tooManyFragments(limit: 3), 1008),
      // 42: text that is not UTF-8.
      ("81 02 c0af", .invalidUTF8, 1007),
      ("81 03 eda080", .invalidUTF8, 1007),
      ("81 04 f4908080", .invalidUTF8, 1007),
      ("81 02 e282", .invalidUTF8, 1007),
      ("01 02 e282 80 01 41", .invalidUTF8, 1007),
      ("01 02 e282 80 00", .invalidUTF8, 1007),
      // 46; the codes of 47 have a table of their own.
      ("88 01 03", .invalidCloseFrame, 1002),
      ("88 03 03e8ff", .invalidUTF8, 1007),
      ("88 04 03e8e282", .invalidUTF8, 1007),
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

  /// 42, Autobahn 6.4: the failure comes with the wrong byte, not with the end of the message.
  @Test(arguments: [
    "01 02 f490", "81 7e 1000 61 62 c0", "01 03 c3a9c3 00 02 c3", "81 05 41 ff",
    "01 02 e2 82 80 03 28",
  ])
  func wrongUTF8FailsAtTheWrongByte(_ wire: String) {
    #expect(feed(Array(hex(wire).dropLast())).state == .open)
    #expect(feed(hex(wire)).seen == [.failed(.invalidUTF8)])
  }

  /// 40: the header alone is enough; no payload has to come first.
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
