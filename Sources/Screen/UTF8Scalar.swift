/// One scalar value of UTF-8 while its bytes arrive (RFC 3629: no overlong forms, no surrogates).
struct UTF8Scalar: Equatable, Sendable {
  private var value: UInt32
  private var missing: Int
  /// What the next byte may be: narrower than 80…BF after E0, ED, F0 and F4.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  enum Step: Equatable {
    case more(UTF8Scalar)
    case whole(Unicode.Scalar)
    /// The byte does not belong to it: the sequence so far is U+FFFD, and the byte begins anew.
    case broken
  }

  /// Nil for a byte that cannot begin a sequence of more than one byte.
  init?(lead: UInt8) {
    switch lead {
    case 0xC2...0xDF: (value, missing) = (UInt32(lead & 0x1F), 1)
    case 0xE0...0xEF: (value, missing) = (UInt32(lead & 0x0F), 2)
    case 0xF0...0xF4: (value, missing) = (UInt32(lead & 0x07), 3)
    default: return nil
    }
    switch lead {
    case 0xE0: lowest = 0xA0
    case 0xED: highest = 0x9F
    case 0xF0: lowest = 0x90
    case 0xF4: highest = 0x8F
    default: break
    }
  }

  func step(_ byte: UInt8) -> Step {
    guard byte >= lowest, byte <= highest else { return .broken }
    var next = self
    next.value = value << 6 | UInt32(byte & 0x3F)
    next.missing -= 1
    next.lowest = 0x80
    next.highest = 0xBF
    if next.missing > 0 { return .more(next) }
    guard let scalar = Unicode.Scalar(next.value) else { return .broken }
    return .whole(scalar)
  }
}
