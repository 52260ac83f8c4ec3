import Deflate
import TestKit
import Testing
import WebSocket

/// Public bug reports about other clients, replayed: compressed messages that come in (34, 35, 42 and 58 to 65), and what
/// else can be wrong with them. Each stream is fed whole, byte by byte and in random pieces.
@Suite struct CompressionReports {
  private static let hello = Seen.text("Hello")

  @Test(
    "report 58: the examples of RFC 7692 section 7.2.3 are read",
    arguments: [
      ("c1 07 f248cdc9c90700", 1), ("c1 07 f248cdc9c90700 c1 05 f200110000", 2),
      ("c1 0b 000500faff48656c6c6f00", 1), ("c1 0d f248050000 00ffffcac9c90700", 1),
      ("41 03 f248cd 80 04 c9c90700", 1), ("41 00 00 03 f248cd 00 00 80 04 c9c90700", 1),
      ("41 07 f248cdc9c90700 80 00", 1),
    ])
  func theExamplesOfTheRFCAreRead(_ bytes: String, _ count: Int) {
    #expect(seen(hex(bytes)) == Array(repeating: Self.hello, count: count))
  }

  @Test("report 59: the takeover is that which was agreed on, in the right direction")
  func aWindowThatMustBeEmptyIsEmpty() {
    let bytes = hex("c1 07 f248cdc9c90700 c1 05 f200110000")
    #expect(
      seen(bytes, DeflateParameters(serverNoContextTakeover: true)) == [
        Self.hello, .failed(.invalidCompression),
      ])
    #expect(
      seen(bytes, DeflateParameters(clientNoContextTakeover: true)) == [Self.hello, Self.hello])
  }

  /// With and without the byte behind it.
  @Test(
    "report 61: a last block is not the last message",
    arguments: ["c1 08 f348cdc9c9070000", "c1 07 f348cdc9c90700"])
  func aLastBlockIsNotTheLastMessage(_ bytes: String) {
    #expect(
      seen(hex(bytes + "c1 07 f248cdc9c90700" + bytes)) == [
        Self.hello, Self.hello, Self.hello,
      ])
  }

  @Test("report 61: the window outlives a last block")
  func aWindowOutlivesALastBlock() {
    #expect(
      seen(hex("c1 08 f348cdc9c9070000 c1 05 f200110000")) == [Self.hello, Self.hello])
  }

  /// The one without a byte must not reach zlib.
  @Test(
    "report 62: an empty message is empty and leaves the next alone",
    arguments: ["c1 01 00", "c1 02 0200", "c1 00", "41 00 80 00", "41 00 00 01 00 80 00"])
  func anEmptyMessageIsEmptyAndLeavesTheNextAlone(_ bytes: String) {
    #expect(seen(hex(bytes + "c1 07 f248cdc9c90700")) == [.text(""), Self.hello])
  }

  /// With the message that would be read wrongly behind it.
  @Test(
    "report 65: a broken or short stream fails with 1007",
    arguments: [
      "c1 03 ffffff", "c1 03 f248cd", "c1 06 f248cdc9c907", "c1 06 f348cdc9c907", "c1 01 f2",
      "41 03 f248cd 80 00",
      "c1 03 000500", "c1 05 0005000000",
    ])
  func aBrokenOrShortStreamFailsWith1007(_ bytes: String) {
    #expect(seen(hex(bytes + "c1 07 f248cdc9c90700")) == [.failed(.invalidCompression)])
    #expect(ProtocolViolation.invalidCompression.closeCode == .invalidData)
  }

  @Test(
    "report 34: RSV1 belongs on the first frame of a message alone",
    arguments: [
      "41 03 f248cd c0 04 c9c90700", "01 01 61 c0 01 61", "c9 00", "ca 00", "c8 00", "a1 01 61",
      "91 01 61", "e1 01 61", "d1 01 61",
    ])
  func reservedBitsElsewhereFail(_ bytes: String) {
    #expect(seen(hex(bytes)) == [.failed(.reservedBits)])
  }

  @Test func withoutAgreementACompressedFrameFails() {
    var entropy = Entropy.seeded()
    var machine = WebSocketMachine(role: .client)
    _ = machine.receive(hex("c1 07 f248cdc9c90700").span.bytes, entropy: &entropy)
    #expect(Array(machine.events) == [.failed(.reservedBits)])
  }

  @Test("report 35: a plain message between compressed ones is no part of the window")
  func plainMessagesMayStandBetween() {
    #expect(
      seen(hex("c1 07 f248cdc9c90700 81 03 616263 c1 05 f200110000 01 01 61 80 01 62")) == [
        Self.hello, .text("abc"), Self.hello, .text("ab"),
      ])
  }

  @Test func aPingMayStandBetweenFragments() {
    #expect(seen(hex("41 03 f248cd 89 01 70 80 04 c9c90700")) == [.other, Self.hello])
  }

  @Test("report 42: compressed text is checked once it is restored, wherever it is cut")
  func textIsCheckedOnceItIsRestored() {
    let euro = compressed(Array("€€".utf8))
    #expect(seen(frame(0xC1, euro)) == [.text("€€")])
    for cut in 1..<euro.count {
      #expect(
        seen(frame(0x41, Array(euro[..<cut])) + frame(0x80, Array(euro[cut...]))) == [.text("€€")])
    }
    #expect(seen(frame(0xC1, compressed([0xC0, 0xAF]))) == [.failed(.invalidUTF8)])
    #expect(seen(frame(0xC1, compressed([0xE2, 0x82]))) == [.failed(.invalidUTF8)])
    #expect(seen(frame(0xC2, compressed([0xC0, 0xAF]))) == [.binary([0xC0, 0xAF])])
  }

  /// Autobahn 6.4: the message fails at its first wrong byte, long before its end.
  @Test func wrongTextFailsInsideItsMessage() {
    var end = End()
    // A stored block: its bytes are there as soon as they are on the line.
    let start = frame(0x41, hex("00 0300 fcff 61 c0 af"))
    #expect(end.take(start) == [.failed(.invalidUTF8)])
  }

  /// zlib's bare streams have no window of 8 bits; what it would write instead might reach too far. So nothing is
  /// compressed then. What comes in is another matter.
  @Test("report 63: with a window of 8 bits messages go out as they are, and come in compressed")
  func withTheSmallestWindowMessagesGoOutAsTheyAre() {
    var server = End(.server, DeflateParameters(serverMaxWindowBits: 8))
    #expect(server.frame(.binary, words(5000)) == frame(0x82, words(5000)))
    var client = End(.client, DeflateParameters(clientMaxWindowBits: 8))
    #expect(client.frame(.binary, words(5000))[0] == 0x82)
    #expect(client.take(hex("c1 07 f248cdc9c90700")) == [.text("Hello")])
    // The server's window is no limit on what we can restore.
    #expect(
      seen(hex("c1 07 f248cdc9c90700"), DeflateParameters(serverMaxWindowBits: 9)) == [Self.hello])
  }

  // MARK: - Limits

  @Test(
    "report 64: exactly the limit passes, one restored byte more does not",
    arguments: [0, 1, 125, 32_767, 32_768, 32_769, 100_000])
  func theLimitCountsRestoredBytes(_ limit: Int) {
    let limits = Limits(message: limit)
    let fitting = frame(0xC2, compressed(noise(limit)))
    var end = End(.client, limits: limits)
    #expect(end.take(fitting) == [.binary(noise(limit))])
    #expect(
      end.take(frame(0xC2, compressed([UInt8](repeating: 0, count: limit + 1)))) == [
        .failed(.messageTooBig(limit: limit))
      ])
  }

  @Test("report 64: the limit counts over all fragments")
  func theLimitCountsOverAllFragments() {
    let bytes = compressed([UInt8](repeating: 0x61, count: 1001))
    let cut = bytes.count / 2
    let stream = frame(0x41, Array(bytes[..<cut])) + frame(0x80, Array(bytes[cut...]))
    #expect(seen(stream, limits: Limits(message: 1000)) == [.failed(.messageTooBig(limit: 1000))])
    #expect(
      seen(stream, limits: Limits(message: 1001)) == [
        .text(String(repeating: "a", count: 1001))
      ])
  }

  /// What is kept stays near the limit.
  @Test("report 64: 64 MiB of zeros in 65 KB end with 1009 and little memory")
  func aBombEndsWith1009AndLittleMemory() {
    let bomb = compressed([UInt8](repeating: 0, count: 64 << 20))
    #expect(bomb.count < 70_000)
    var end = End(.client, limits: Limits(message: 1 << 20))
    #expect(end.take(frame(0xC2, bomb)) == [.failed(.messageTooBig(limit: 1 << 20))])
    #expect(ProtocolViolation.messageTooBig(limit: 0).closeCode == .tooBig)
    #expect(end.machine.restoredCapacity < 4 << 20)
  }

  /// Many bombs that each keep to the limit come in a single read: they are handed over one by one.
  @Test func manyBombsAreHandedOverOneByOne() {
    var server = End(.server, DeflateParameters(serverNoContextTakeover: true))
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let stream = (0..<40).flatMap { _ in server.frame(.binary, zeros) }
    #expect(stream.count < 65_536)
    var end = End(
      .client, DeflateParameters(serverNoContextTakeover: true), limits: Limits(message: 1 << 20))
    #expect(end.take(stream) == Array(repeating: .binary(zeros), count: 40))
    #expect(end.machine.restoredCapacity < 4 << 20)
  }

  /// A stream of blocks without content restores to nothing for ever.
  @Test func aPayloadThatRestoresToNothingIsBounded() {
    var end = End(.client, limits: Limits(message: 1000))
    let empty = hex("000000ffff")
    var seen = end.take(frame(0x42, empty))
    for _ in 0..<1000 where seen.isEmpty { seen = end.take(frame(0x00, empty)) }
    #expect(seen == [.failed(.messageTooBig(limit: 1000))])
    #expect(end.machine.restoredCapacity < 1 << 20)
  }

  @Test(arguments: ["c2 7f 7fffffffffffffff", "c2 7f 0000000100000000"])
  func aLengthBeyondTheLimitFailsAtTheHeader(_ header: String) {
    #expect(seen(hex(header)) == [.failed(.messageTooBig(limit: Limits().message))])
  }
}
