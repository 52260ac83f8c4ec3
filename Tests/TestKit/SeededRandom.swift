package import WebSocket

extension Entropy {
  /// Repeatable randomness for tests: the SplitMix64 sequence of a seed.
  package static func seeded(_ seed: UInt64 = 1) -> Entropy {
    var state = seed
    return Entropy { buffer in
      for index in buffer.indices {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        buffer[index] = UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
      }
    }
  }

  /// Always the same mask key or nonce bytes, for tests on literal bytes.
  package static func repeating(_ bytes: [UInt8]) -> Entropy {
    Entropy { buffer in
      for index in buffer.indices { buffer[index] = bytes[index % bytes.count] }
    }
  }
}
