import TestKit
import Testing
import WebSocket

/// Random but repeatable traffic between machines, and against frames that the tests build themselves.
@Suite struct RoundTripTests {
  private static let lengths = [0, 1, 5, 124, 125, 126, 127, 300, 2000]
  private static let letters = ["a", "é", "€", "🦜", "\n", "plain text of some length "]

  private static func payload(_ dice: inout Entropy) -> (kind: MessageKind, bytes: [UInt8]) {
    let length = lengths[dice.below(lengths.count)]
    if dice.below(2) == 0 { return (.binary, dice.bytes(length)) }
    var text = ""
    while text.utf8.count < length { text += letters[dice.below(letters.count)] }
    return (.text, Array(text.utf8))
  }

  private static func seen(_ kind: MessageKind, _ bytes: [UInt8]) -> Seen {
    switch kind {
    case .text: .text(String(decoding: bytes, as: UTF8.self))
    case .binary: .binary(bytes)
    }
  }

  @Test(arguments: [Role.client, .server])
  func tenThousandRandomFramesArriveAsTheyWereSent(_ sender: Role) {
    var dice = Entropy.seeded(42)
    var entropy = Entropy.seeded(43)
    var near = WebSocketMachine(role: sender)
    var far = WebSocketMachine(role: sender == .client ? .server : .client)
    var frames = 0
    while frames < 10_000 {
      var expected: [Seen] = []
      for _ in 0..<(1 + dice.below(40)) {
        if dice.below(8) == 0 {
          let probe = dice.bytes(dice.below(126))
          near.ping(probe, entropy: &entropy)
          expected.append(.ping(probe))
        } else {
          let (kind, bytes) = Self.payload(&dice)
          near.send(kind, bytes.span.bytes, entropy: &entropy)
          expected.append(Self.seen(kind, bytes))
        }
        frames += 1
      }
      var wire = near.takeOutput()[...]
      var arrived: [Seen] = []
      while !wire.isEmpty {
        let piece = Array(wire.prefix(1 + dice.below(3000)))
        wire = wire.dropFirst(piece.count)
        arrived += far.take(piece, entropy: &entropy)
      }
      #expect(arrived == expected)
      // The pongs go back in the order of the pings.
      let pongs = near.take(far.takeOutput(), entropy: &entropy)
      let pings = expected.compactMap { if case .ping(let probe) = $0 { probe } else { nil } }
      #expect(pongs == pings.map { Seen.pong($0) })
    }
    #expect(near.state == .open)
    #expect(far.state == .open)
  }

  @Test(arguments: [Role.client, .server])
  func randomFragmentsArriveAsWholeMessages(_ receiver: Role) {
    var dice = Entropy.seeded(99)
    for _ in 0..<40 {
      var wire: [UInt8] = []
      var expected: [Seen] = []
      for _ in 0..<8 {
        let (kind, bytes) = Self.payload(&dice)
        var opcode: UInt8 = kind == .text ? 1 : 2
        var rest = bytes[...]
        repeat {
          let part = Array(rest.prefix(dice.below(400)))
          rest = rest.dropFirst(part.count)
          let key = receiver == .server ? dice.bytes(4) : nil
          wire += frame(opcode, part, isFinal: rest.isEmpty, key: key)
          opcode = 0
          if !rest.isEmpty, dice.below(3) == 0 {
            wire += frame(0xA, [7], key: key)
            expected.append(.pong([7]))
          }
        } while !rest.isEmpty
        expected.append(Self.seen(kind, bytes))
      }
      #expect(feed(pieces: [wire], to: receiver).seen == expected)
      for pieces in splits(of: wire, rounds: 2) {
        #expect(feed(pieces: pieces, to: receiver).seen == expected)
      }
    }
  }

  /// Noise of every kind must end in a failure or in nothing, and never in a trap.
  @Test func noiseNeverTrapsAMachine() {
    var dice = Entropy.seeded(7)
    let openings: [[UInt8]] = [
      [], hex("81"), hex("01 05"), hex("82 7e"), hex("82 7f"), hex("02 01 00 80"), hex("88"),
      hex("01 02 e282 00"),
    ]
    for round in 0..<3000 {
      let bytes = openings[round % openings.count] + dice.bytes(dice.below(60))
      for role in [Role.client, .server] {
        let limits = Limits(message: 1 << dice.below(20), fragments: 1 + dice.below(4))
        let whole = feed(pieces: [bytes], to: role, limits: limits)
        let dribbled = feed(pieces: bytes.map { [$0] }, to: role, limits: limits)
        #expect(whole == dribbled, "\(bytes)")
      }
    }
  }
}
