package import WebSocket

extension Entropy {
  /// A whole number below `bound`, for tests that draw lengths and choices.
  package mutating func below(_ bound: Int) -> Int {
    // The shift would come first without the parentheses.
    Int((UInt64(word()) * UInt64(bound)) >> 32)
  }
}

/// The ways in which a test of a stream hands over its bytes: whole, one at a time, and in pieces of
/// seeded random lengths. Each way gives all the bytes in order.
package func splits(of bytes: [UInt8], rounds: Int = 8) -> [[[UInt8]]] {
  var ways = [[bytes], bytes.map { [$0] }]
  for seed in 0..<rounds {
    var dice = Entropy.seeded(UInt64(seed) + 1)
    var rest = bytes[...]
    var pieces: [[UInt8]] = []
    // Small pieces in some rounds, larger ones in others.
    let longest = 1 + dice.below(seed.isMultiple(of: 2) ? 7 : max(bytes.count, 1))
    while !rest.isEmpty {
      let piece = rest.prefix(1 + dice.below(longest))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    ways.append(pieces)
  }
  return ways
}
