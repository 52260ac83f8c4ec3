import TestKit
import Testing
import WebSocket

/// Large messages that are received into their own memory lead to what `receive` makes of the same bytes.
@Suite struct InPlaceTests {
  /// Feeds the bytes in random pieces, in place wherever the machine has room for that.
  private func feedInPlace(
    _ bytes: [UInt8], seed: UInt64, limits: Limits = Limits()
  ) -> (outcome: Outcome, inPlace: Int) {
    var dice = Entropy.seeded(seed)
    var entropy = zeroKeys()
    var machine = WebSocketMachine(role: .client, limits: limits)
    var outcome = Outcome()
    var rest = bytes[...]
    var inPlace = 0
    while !rest.isEmpty {
      let room = machine.roomInPlace
      if room > 0 {
        let piece = rest.prefix(1 + dice.below(room))
        machine.receiveInPlace(entropy: &entropy) { memory in
          memory.copyBytes(from: piece)
          return piece.count
        }
        outcome.seen += machine.events.map { Seen($0, of: machine, in: []) }
        rest = rest.dropFirst(piece.count)
        inPlace += piece.count
      } else {
        let piece = Array(rest.prefix(1 + dice.below(40_000)))
        outcome.seen += machine.take(piece, entropy: &entropy)
        rest = rest.dropFirst(piece.count)
      }
      outcome.output += machine.takeOutput()
    }
    outcome.state = machine.state
    return (outcome, inPlace)
  }

  private static let long = Array(String(repeating: "Grüße, 世界 🌍. ", count: 40_000).utf8)
  private static let broken = long.prefix(500_000) + [0xC0, 0xAF] + long

  static let streams: [(name: String, bytes: [UInt8])] = [
    ("one text", frame(0x1, long)),
    (
      "text and binary between small ones",
      frame(0x1, [0x61]) + frame(0x2, long) + frame(0x9, [1]) + frame(0x1, long)
        + frame(0x1, [0x62])
    ),
    (
      "fragments with a ping between them",
      frame(0x1, Array(long.prefix(300_001)), isFinal: false) + frame(0x9, [7])
        + frame(0x0, Array(long.dropFirst(300_001))) + frame(0x8, [0x03, 0xE8])
    ),
    ("text that is not UTF-8 behind a good one", frame(0x1, long) + frame(0x1, Array(broken))),
    ("text that ends inside a character", frame(0x1, Array(long.dropLast(5)) + [0xF0, 0x9F])),
  ]

  @Test(arguments: streams)
  func theOutcomeIsThatOfReceive(_ stream: (name: String, bytes: [UInt8])) {
    let whole = feed(pieces: [stream.bytes])
    for seed in 1...6 {
      let (outcome, inPlace) = feedInPlace(stream.bytes, seed: UInt64(seed))
      #expect(outcome == whole, "\(stream.name), seed \(seed)")
      #expect(inPlace > 0)
    }
  }

  @Test func whatIsMaskedShortOrForbiddenHasNoRoomInPlace() {
    var entropy = zeroKeys()
    var server = WebSocketMachine(role: .server)
    _ = server.take(Array(frame(0x2, Self.long, key: [1, 2, 3, 4]).prefix(20)), entropy: &entropy)
    #expect(server.roomInPlace == 0)
    var client = WebSocketMachine(role: .client)
    #expect(client.roomInPlace == 0)
    _ = client.take(
      Array(frame(0x2, [UInt8](repeating: 1, count: 70_000)).prefix(20)), entropy: &entropy)
    #expect(client.roomInPlace == 0)
    var bounded = WebSocketMachine(role: .client, limits: Limits(message: 200_000))
    _ = bounded.take(Array(frame(0x2, Self.long).prefix(20)), entropy: &entropy)
    #expect(bounded.roomInPlace == 0)
    #expect(bounded.state == .failed(.messageTooBig(limit: 200_000)))
  }
}
