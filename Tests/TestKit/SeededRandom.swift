package import WebSocket

/// Repeatable dice for tests: the SplitMix64 sequence of a seed.
package struct SplitMix: Sendable {
  private var state: UInt64

  package init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

extension Entropy {
  /// Repeatable randomness for tests: one byte of each number of the sequence.
  package static func seeded(_ seed: UInt64 = 1) -> Entropy {
    var random = SplitMix(state: seed)
    return Entropy { buffer in
      for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
  }

  /// Always the same mask key or nonce bytes, for tests on literal bytes.
  package static func repeating(_ bytes: [UInt8]) -> Entropy {
    Entropy { buffer in
      for index in buffer.indices { buffer[index] = bytes[index % bytes.count] }
    }
  }
}
