import Deflate
import TestKit
import Testing
import WebSocket

/// What goes out.
@Suite struct CompressingTests {
  @Test func tinyMessagesGoOutAsTheyAre() {
    var end = End(.server)
    #expect(end.frame(.text, words(127))[0] == 0x81)
    #expect(end.frame(.text, words(128))[0] == 0xC1)
    #expect(end.frame(.binary, words(128))[0] == 0xC2)
    var alone = End(.server, DeflateParameters(serverNoContextTakeover: true))
    #expect(alone.frame(.text, words(1023))[0] == 0x81)
    #expect(alone.frame(.text, words(1024))[0] == 0xC1)
    // What the other side promised says nothing about this one.
    var other = End(.client, DeflateParameters(serverNoContextTakeover: true))
    #expect(other.frame(.text, words(128))[0] == 0xC1)
  }

  @Test func aThresholdOfNoneCompressesTheEmptyMessageToo() {
    let deflate = PerMessageDeflate(DeflateParameters(), role: .server, threshold: 0)
    var entropy = Entropy.seeded()
    var machine = WebSocketMachine(role: .server, transform: deflate)
    for text in ["", "Hello", ""] {
      machine.send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
    }
    let output = machine.takeOutput()
    #expect(output == hex("c1 01 00 c1 07 f248cdc9c90700 c1 01 00"))
    var client = End()
    #expect(client.take(output) == [.text(""), .text("Hello"), .text("")])
  }

  @Test func controlFramesAreNeverCompressed() {
    var entropy = Entropy.seeded()
    var end = End(.server)
    end.machine.ping([UInt8](repeating: 0x61, count: 125), entropy: &entropy)
    end.machine.close(CloseReason(.normal, String(repeating: "a", count: 123)), entropy: &entropy)
    let output = end.machine.takeOutput()
    #expect(output[0] == 0x89)
    #expect(output[127] == 0x88)
  }

  @Test func theTailStaysAway() {
    #expect(compressed(words(4000)).suffix(4) != [0, 0, 0xFF, 0xFF])
    #expect(inflated(compressed(words(4000)), windowBits: 15, size: 4000) == words(4000))
  }

  /// The window that was agreed on is never exceeded: another zlib with just that window reads it.
  @Test(arguments: 9...15)
  func matchesKeepToTheAgreedWindow(_ bits: Int) {
    var server = End(.server, DeflateParameters(serverMaxWindowBits: bits))
    var client = End(.client, DeflateParameters(clientMaxWindowBits: bits))
    // The same noise comes again at every distance that is near the border of a window.
    var bytes: [UInt8] = []
    for distance in [200, 300, 500, 600, 1000, 1100, 4000, 4200, 16_000, 17_000, 32_000, 33_000] {
      let part = noise(distance, seed: UInt64(distance))
      bytes += part + part
    }
    let frame = server.frame(.binary, bytes)
    #expect(frame[0] == 0xC2)
    #expect(inflated(payload(of: frame), windowBits: Int32(bits), size: bytes.count) == bytes)
    // In the other role the same number counts.
    #expect(client.frame(.binary, bytes).count == frame.count + 4)
  }

  private static let agreements = [
    DeflateParameters(), DeflateParameters(serverNoContextTakeover: true),
    DeflateParameters(clientNoContextTakeover: true),
    DeflateParameters(
      serverNoContextTakeover: true, clientNoContextTakeover: true, serverMaxWindowBits: 9,
      clientMaxWindowBits: 10),
    DeflateParameters(serverMaxWindowBits: 8, clientMaxWindowBits: 15),
  ]

  /// Both roles, all sizes, text and noise, in pieces of every kind: what goes in comes out.
  @Test(arguments: agreements, [Role.client, .server])
  func whatOneEndSendsTheOtherGets(_ parameters: DeflateParameters, _ role: Role) {
    let other: Role = role == .client ? .server : .client
    var near = End(role, parameters)
    var stream: [UInt8] = []
    var expected: [Seen] = []
    for (index, size) in [0, 1, 127, 128, 1023, 1024, 5000, 70_000, 3, 40_000].enumerated() {
      stream += near.frame(.binary, noise(size, seed: UInt64(index)))
      expected.append(.binary(noise(size, seed: UInt64(index))))
      let text = Array(String(decoding: words(size), as: UTF8.self).utf8)
      stream += near.frame(.text, text)
      expected.append(.text(String(decoding: text, as: UTF8.self)))
    }
    for seed in 1...4 {
      var dice = Entropy.seeded(UInt64(seed))
      var far = End(other, parameters)
      var rest = stream[...]
      var pieces: [[UInt8]] = []
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(1 + dice.below(seed < 3 ? 50 : 50_000))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      #expect(far.take(pieces) == expected)
    }
  }

  @Test func theWindowMakesTheSecondMessageSmaller() {
    var keeping = End(.server)
    let first = keeping.frame(.binary, noise(2000)).count
    #expect(keeping.frame(.binary, noise(2000)).count < first / 20)
    var forgetting = End(.server, DeflateParameters(serverNoContextTakeover: true))
    #expect(forgetting.frame(.binary, words(2000)) == forgetting.frame(.binary, words(2000)))
  }

  /// In the steady state the memory for restored messages is that of the messages before.
  @Test func memoryIsKeptFromMessageToMessage() {
    var server = End(.server)
    var client = End(.client)
    _ = client.take(server.frame(.binary, words(10_000)))
    let capacity = client.machine.restoredCapacity
    for _ in 0..<50 { _ = client.take(server.frame(.binary, words(10_000))) }
    #expect(client.machine.restoredCapacity == capacity)
    // After a large one it is given back.
    _ = client.take(server.frame(.binary, words(5 << 20)))
    _ = client.take(server.frame(.binary, words(10)))
    #expect(client.machine.restoredCapacity < 1 << 20)
  }
}
