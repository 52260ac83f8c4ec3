import TestKit
import Testing
import WebSocket

@Suite struct SendingTests {
  private func sent(
    _ payload: [UInt8], kind: MessageKind = .binary, by role: Role, key: [UInt8] = [1, 2, 3, 4]
  ) -> [UInt8] {
    var entropy = Entropy.repeating(key)
    var machine = WebSocketMachine(role: role)
    machine.send(kind, payload.span.bytes, entropy: &entropy)
    return machine.takeOutput()
  }

  @Test func theExampleOfTheRFCIsWritten() {
    let hello = Array("Hello".utf8)
    let key = hex("37fa213d")
    #expect(sent(hello, kind: .text, by: .client, key: key) == hex("81 85 37fa213d 7f9f4d5158"))
    #expect(sent(hello, kind: .text, by: .server) == hex("81 05 48656c6c6f"))
  }

  @Test(arguments: [
    (0, "82 80"), (1, "82 81"), (125, "82 fd"), (126, "82 fe 007e"), (127, "82 fe 007f"),
    (65_535, "82 fe ffff"), (65_536, "82 ff 0000000000010000"),
  ])
  func aClientWritesTheShortestLength(_ length: Int, _ header: String) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    let bytes = sent(payload, by: .client)
    #expect(bytes.starts(with: hex(header) + [1, 2, 3, 4]))
    #expect(bytes == frame(0x2, payload, key: [1, 2, 3, 4]))
  }

  @Test(arguments: [
    (0, "82 00"), (125, "82 7d"), (126, "82 7e 007e"), (65_535, "82 7e ffff"),
    (65_536, "82 7f 0000000000010000"),
  ])
  func aServerWritesTheShortestLengthAndNoMask(_ length: Int, _ header: String) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    #expect(sent(payload, by: .server) == hex(header) + payload)
  }

  @Test func outputIsHandedOverOnceAndInOrder() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .server)
    #expect(!machine.hasOutput)
    machine.sendText("a", entropy: &entropy)
    machine.ping(hex("0102"), entropy: &entropy)
    machine.sendText("é", entropy: &entropy)
    #expect(machine.hasOutput)
    #expect(machine.takeOutput() == hex("81 01 61 89 02 0102 81 02 c3a9"))
    #expect(!machine.hasOutput)
    #expect(machine.takeOutput() == [])
  }

  /// 29: a new mask key for each frame, of whatever kind, in the order in which they are drawn.
  @Test func everyFrameHasItsOwnMaskKey() {
    var entropy = Entropy.seeded(7)
    var machine = WebSocketMachine(role: .client)
    var keys: Set<[UInt8]> = []
    for number in 0..<1000 {
      if number.isMultiple(of: 2) {
        machine.sendText("x", entropy: &entropy)
      } else {
        machine.ping(hex("78"), entropy: &entropy)
      }
      let bytes = machine.takeOutput()
      #expect(bytes.count == 7)
      keys.insert(Array(bytes[2..<6]))
    }
    #expect(keys.count == 1000)
  }

  @Test func aMaskKeyStandsOnTheWireAsItWasDrawn() {
    var drawn = Entropy.seeded(5)
    let first = drawn.bytes(4)
    let second = drawn.bytes(4)
    var entropy = Entropy.seeded(5)
    var machine = WebSocketMachine(role: .client)
    machine.ping([], entropy: &entropy)
    machine.ping([], entropy: &entropy)
    #expect(machine.takeOutput() == hex("89 80") + first + hex("89 80") + second)
  }

  @Test(arguments: [Role.client, .server])
  func messagesThatAreWrittenOnTheWayAreTheSameBytes(role: Role) {
    let sizes = [0, 1, 125, 126, 65_536, 131_071, 131_072, 131_073, 300_001, 5]
    var entropy = Entropy.seeded(3)
    var sameEntropy = Entropy.seeded(3)
    var collecting = WebSocketMachine(role: role)
    var writing = WebSocketMachine(role: role)
    var written: [UInt8] = []
    for size in sizes {
      let message = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      collecting.send(.binary, message.span.bytes, entropy: &entropy)
      writing.send(.binary, message.span.bytes, entropy: &sameEntropy) { written += $0 }
    }
    #expect(writing.hasOutput)
    // What the writer leaves in the memory that it gives back is not written again.
    writing.drainOutput {
      written += $0
      $0 = [1, 2, 3]
    }
    #expect(!writing.hasOutput)
    #expect(written == collecting.takeOutput())
  }

  @Test func smallMessagesAreCollectedUntilTheyAreWorthAWrite() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    var sizes: [Int] = []
    let message = [UInt8](repeating: 0x61, count: 100)
    for _ in 0..<10_000 {
      machine.send(.text, message.span.bytes, entropy: &entropy) { sizes.append($0.count) }
    }
    machine.drainOutput { sizes.append($0.count) }
    machine.drainOutput { sizes.append($0.count) }
    #expect(sizes.reduce(0, +) == 10_000 * 106)
    #expect(sizes.count == 17)
  }

  @Test func nothingIsWrittenBehindAClose() {
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client)
    machine.close(CloseReason(.normal), entropy: &entropy)
    _ = machine.takeOutput()
    for size in [5, 200_000] {
      let message = [UInt8](repeating: 0x61, count: size)
      machine.send(.text, message.span.bytes, entropy: &entropy) { _ in
        Issue.record("something was written")
      }
    }
    #expect(!machine.hasOutput)
  }
}
