import TestKit
import Testing
import WebSocket

/// Public bug reports about other clients, replayed: frames. Each stream is fed whole, byte by byte and in random
/// pieces, and must come out the same. Those of compressed frames (34, 35) are in DeflateTests.
@Suite struct FrameReports {
  /// What a client gets to see of a server's stream, and what it writes.
  struct Delivery: CustomTestStringConvertible {
    var name: String
    var wire: String
    var seen: [Seen]
    var output = ""
    var testDescription: String { name }
  }

  /// How a stream breaks the protocol.
  struct Violation: CustomTestStringConvertible {
    var name: String
    var wire: String
    var violation: ProtocolViolation
    var code: UInt16 = 1002
    var testDescription: String { name }
  }

  private static let small = Limits(message: 8, fragments: 3)

  private func check(_ row: Delivery, sourceLocation: SourceLocation = #_sourceLocation) {
    let outcome = feed(hex(row.wire), sourceLocation: sourceLocation)
    #expect(outcome.seen == row.seen, sourceLocation: sourceLocation)
    #expect(outcome.output == hex(row.output), sourceLocation: sourceLocation)
    #expect(outcome.state == .open, sourceLocation: sourceLocation)
  }

  /// The good message before the frame is delivered, what follows is ignored, and the Close has the code.
  private func check(_ row: Violation, sourceLocation: SourceLocation = #_sourceLocation) {
    let bytes = hex("81 02 6869" + row.wire + "81 02 6869 89 00")
    let outcome = feed(bytes, limits: Self.small, sourceLocation: sourceLocation)
    #expect(outcome.seen == [.text("hi"), .failed(row.violation)], sourceLocation: sourceLocation)
    #expect(outcome.state == .failed(row.violation), sourceLocation: sourceLocation)
    let code = [UInt8(row.code >> 8), UInt8(row.code & 0xFF)]
    #expect(outcome.output == hex("88 82 00000000") + code, sourceLocation: sourceLocation)
  }

  // MARK: - Headers

  static let maskedFrames: [Violation] = [
    Violation(name: "text", wire: "81 85 01020304 49676f686e", violation: .maskedByServer),
    Violation(name: "ping", wire: "89 80 01020304", violation: .maskedByServer),
    Violation(name: "close", wire: "88 82 00000000 03e8", violation: .maskedByServer),
  ]

  @Test("report 32: a masked frame from a server fails with 1002", arguments: maskedFrames)
  func report32(_ row: Violation) { check(row) }

  static let reserved: [Violation] = [
    Violation(name: "RSV1 without compression", wire: "c1 05 48656c6c6f", violation: .reservedBits),
    Violation(name: "RSV2", wire: "a1 05 48656c6c6f", violation: .reservedBits),
    Violation(name: "RSV3", wire: "91 05 48656c6c6f", violation: .reservedBits),
    Violation(name: "RSV1 on a ping", wire: "c9 00", violation: .reservedBits),
    Violation(name: "opcode 3", wire: "83 00", violation: .unknownOpcode(3)),
    Violation(name: "opcode 7", wire: "87 00", violation: .unknownOpcode(7)),
    Violation(name: "opcode 11", wire: "8b 00", violation: .unknownOpcode(11)),
    Violation(name: "opcode 15", wire: "8f 00", violation: .unknownOpcode(15)),
  ]

  @Test("report 33: reserved bits and opcodes fail with 1002", arguments: reserved)
  func report33(_ row: Violation) { check(row) }

  // MARK: - Fragments

  @Test("report 36: a ping between fragments is answered at once, and the message comes whole")
  func report36() {
    check(
      Delivery(
        name: "", wire: "01 05 48656c6c6f 89 00 80 05 776f726c64",
        seen: [.ping([]), .text("Helloworld")], output: "8a 80 00000000"))
    let early = feed(hex("01 05 48656c6c6f 89 00"))
    #expect(early.seen == [.ping([])])
    #expect(early.output == hex("8a 80 00000000"))
    let atServer = feed(
      masked(hex("01 05 48656c6c6f")) + masked(hex("89 00")) + masked(hex("80 05 776f726c64")),
      to: .server)
    #expect(atServer.seen == [.ping([]), .text("Helloworld")])
    #expect(atServer.output == hex("8a 00"))
  }

  static let disorder: [Violation] = [
    Violation(
      name: "a continuation of nothing", wire: "80 05 48656c6c6f",
      violation: .unexpectedContinuation),
    Violation(name: "an empty one", wire: "00 00", violation: .unexpectedContinuation),
    Violation(name: "text inside text", wire: "01 01 61 81 01 62", violation: .interruptedMessage),
    Violation(
      name: "binary inside binary", wire: "02 01 61 02 01 62", violation: .interruptedMessage),
    Violation(name: "empty ones", wire: "02 00 82 00", violation: .interruptedMessage),
  ]

  @Test("report 38: fragments out of order fail with 1002", arguments: disorder)
  func report38(_ row: Violation) { check(row) }

  static let empty: [Delivery] = [
    Delivery(name: "the last one", wire: "01 05 48656c6c6f 80 00", seen: [.text("Hello")]),
    Delivery(name: "all", wire: "01 00 00 00 80 00", seen: [.text("")]),
    Delivery(name: "all but one", wire: "02 00 00 01 ff 80 00", seen: [.binary([0xFF])]),
  ]

  @Test("report 39: empty fragments make a message without a stall", arguments: empty)
  func report39(_ row: Delivery) { check(row) }

  // MARK: - Lengths

  static let lengths: [Violation] = [
    Violation(
      name: "the highest bit", wire: "82 7f 8000000000000000", violation: .lengthOverflow),
    Violation(name: "all bits", wire: "82 7f ffffffffffffffff", violation: .lengthOverflow),
    Violation(
      name: "all other bits", wire: "82 7f 7fffffffffffffff", violation: .messageTooBig(limit: 8),
      code: 1009),
    Violation(
      name: "4 GiB", wire: "82 7f 0000000100000000", violation: .messageTooBig(limit: 8),
      code: 1009),
    Violation(
      name: "an overflow when added to what is there",
      wire: "02 05 0102030405 80 7f 7fffffffffffffff", violation: .messageTooBig(limit: 8),
      code: 1009),
    Violation(
      name: "one too many over two fragments", wire: "02 05 0102030405 80 04",
      violation: .messageTooBig(limit: 8), code: 1009),
  ]

  @Test("report 40: an enormous length fails at its header", arguments: lengths)
  func report40(_ row: Violation) { check(row) }

  @Test("report 40: a length is only a claim: no memory is taken for it")
  func report40Memory() {
    let outcome = feed(
      hex("82 7f 0000010000000000 010203"), limits: Limits(message: 1 << 40))
    #expect(outcome == Outcome())
  }

  static let nonMinimal: [Violation] = [
    Violation(name: "5 in 16 bits", wire: "81 7e 0005 48656c6c6f", violation: .nonMinimalLength),
    Violation(name: "125 in 16 bits", wire: "81 7e 007d", violation: .nonMinimalLength),
    Violation(
      name: "5 in 64 bits", wire: "81 7f 0000000000000005 48656c6c6f",
      violation: .nonMinimalLength),
    Violation(
      name: "65535 in 64 bits", wire: "81 7f 000000000000ffff", violation: .nonMinimalLength),
  ]

  @Test("report 41: a length that is not minimal fails with 1002", arguments: nonMinimal)
  func report41(_ row: Violation) { check(row) }

  @Test("report 41: a length of 16 bits has no sign", arguments: [0x7FFF, 0x8000, 0xFFFE, 0xFFFF])
  func report41Sign(length: Int) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let bytes = frame(0x2, payload) + frame(0x1, Array("end".utf8))
    for pieces in [[bytes], inPieces(bytes, of: 1), inPieces(bytes, of: 1021)] {
      #expect(feed(pieces: pieces).seen == [.binary(payload), .text("end")])
    }
  }

  // MARK: - Text

  static let characters: [Delivery] = [
    Delivery(name: "between fragments", wire: "01 02 e282 80 01 ac", seen: [.text("€")]),
    Delivery(
      name: "around a ping and an empty fragment",
      wire: "01 01 f0 00 01 9f 89 01 78 00 00 00 01 a6 80 01 9c",
      seen: [.ping(hex("78")), .text("🦜")], output: "8a 81 00000000 78"),
  ]

  @Test("report 42: a character may be cut between fragments", arguments: characters)
  func report42(_ row: Delivery) { check(row) }

  static let wrongText: [Violation] = [
    Violation(name: "overlong", wire: "81 02 c0af", violation: .invalidUTF8, code: 1007),
    Violation(name: "a surrogate", wire: "81 03 eda080", violation: .invalidUTF8, code: 1007),
    Violation(
      name: "beyond U+10FFFF", wire: "81 04 f4908080", violation: .invalidUTF8, code: 1007),
    Violation(name: "cut off at its end", wire: "81 02 e282", violation: .invalidUTF8, code: 1007),
    Violation(
      name: "gone wrong in the next fragment", wire: "01 02 e282 80 01 41",
      violation: .invalidUTF8, code: 1007),
    Violation(
      name: "cut off by an empty fragment", wire: "01 02 e282 80 00", violation: .invalidUTF8,
      code: 1007),
  ]

  @Test("report 42: text that is no UTF-8 fails with 1007", arguments: wrongText)
  func report42Wrong(_ row: Violation) { check(row) }

  @Test(
    "report 42: it fails at the wrong byte, without waiting for the end of the message",
    arguments: [
      "01 02 f490", "81 7e 1000 61 62 c0", "01 03 c3a9c3 00 02 c3", "81 05 41 ff",
      "01 02 e2 82 80 03 28",
    ])
  func report42AtOnce(_ wire: String) {
    #expect(feed(Array(hex(wire).dropLast())).state == .open)
    #expect(feed(hex(wire)).seen == [.failed(.invalidUTF8)])
  }

  // MARK: - Many

  @Test(
    "report 43: fragments without an end fail at the limit, however small they are",
    arguments: ["00 00", "00 01 61"])
  func report43(_ fragment: String) {
    let limits = Limits()
    #expect(limits.fragments > 65_536)
    let start = hex("01 00")
    let allowed = [[UInt8]](repeating: hex(fragment), count: limits.fragments - 1).flatMap { $0 }
    for length in [1 << 20, 4093] {
      let fitting = inPieces(start + allowed, of: length)
      #expect(feed(pieces: fitting).state == .open)
      let outcome = feed(pieces: fitting + [hex(fragment)])
      #expect(outcome.seen == [.failed(.tooManyFragments(limit: limits.fragments))])
      #expect(outcome.output == hex("88 82 00000000 03f0"))
    }
  }

  @Test("report 43: as many fragments as Autobahn sends make a message")
  func report43Allowed() {
    let middle = [[UInt8]](repeating: hex("00 01 61"), count: 65_536).flatMap { $0 }
    let bytes = hex("01 01 61") + middle + hex("80 01 61")
    #expect(feed(pieces: [bytes]).seen == [.text(String(repeating: "a", count: 65_538))])
  }

  @Test(
    "report 45: ten thousand small frames come out the same at once and byte by byte",
    arguments: [1, 7, 50_000])
  func report45(pieceLength: Int) {
    let bytes = [[UInt8]](repeating: hex("81 01 61 89 00"), count: 10_000).flatMap { $0 }
    let outcome = feed(pieces: inPieces(bytes, of: pieceLength))
    #expect(outcome.seen == (0..<10_000).flatMap { _ in [Seen.text("a"), .ping([])] })
    #expect(outcome.output.count == 60_000)
    #expect(outcome.state == .open)
  }
}
