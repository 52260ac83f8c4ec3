/// Checks UTF-8 that comes in pieces (RFC 3629), and fails at the first byte that no valid text could
/// have there, without waiting for the end of its sequence.
struct UTF8Validator: Sendable {
  /// Continuation bytes that the sequence begun last still needs.
  private var needed: UInt8 = 0
  /// The bounds of the next continuation byte; they are narrower behind E0, ED, F0 and F4.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// Whether the text may end here.
  var isAtBorder: Bool { needed == 0 }

  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var validator = UTF8Validator()
    return validator.receive(bytes) && validator.isAtBorder
  }

  /// False as soon as the text cannot be valid any more; the validator is of no use afterwards.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var index = 0
    while index < bytes.count {
      if needed > 0 {
        guard continueSequence(start.load(fromByteOffset: index, as: UInt8.self)) else {
          return false
        }
        index &+= 1
        continue
      }
      index = Self.skipASCII(start, from: index, to: bytes.count)
      index = Self.skipWholeSequences(start, from: index, to: bytes.count)
      // What is left here is ASCII again, a sequence cut by the end, or an error.
      guard index < bytes.count else { return true }
      let lead = start.load(fromByteOffset: index, as: UInt8.self)
      if lead >= 0x80 {
        guard beginSequence(lead) else { return false }
        index &+= 1
      }
    }
    return true
  }

  private mutating func continueSequence(_ byte: UInt8) -> Bool {
    guard byte >= lowest, byte <= highest else { return false }
    needed -= 1
    lowest = 0x80
    highest = 0xBF
    return true
  }

  private mutating func beginSequence(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2...0xDF: needed = 1
    case 0xE0...0xEF: needed = 2
    case 0xF0...0xF4: needed = 3
    default: return false
    }
    switch lead {
    case 0xE0: lowest = 0xA0
    case 0xED: highest = 0x9F
    case 0xF0: lowest = 0x90
    case 0xF4: highest = 0x8F
    default: break
    }
    return true
  }

  /// The index of the first byte from `index` on that is not ASCII, or `end`.
  private static func skipASCII(
    _ start: UnsafeRawPointer, from index: Int, to end: Int
  ) -> Int {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    var index = index
    while index &+ 32 <= end {
      let first = start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = start.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
      let third = start.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
      let fourth = start.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
      guard (first | second | third | fourth) & highBits == 0 else { break }
      index &+= 32
    }
    while index &+ 8 <= end {
      let word = start.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let marked = word & highBits
      guard marked == 0 else { return index &+ marked.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end, start.load(fromByteOffset: index, as: UInt8.self) < 0x80 { index &+= 1 }
    return index
  }

  /// Passes over a run of sequences of two to four bytes as long as four bytes can be read at once.
  private static func skipWholeSequences(
    _ start: UnsafeRawPointer, from index: Int, to end: Int
  ) -> Int {
    var index = index
    while index &+ 4 <= end {
      let word = start.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian
      let lead = word & 0xFF
      let second = word >> 8 & 0xFF
      if word & 0x00C0_C0F0 == 0x0080_80E0 {
        guard lead != 0xE0 || second >= 0xA0, lead != 0xED || second <= 0x9F else { return index }
        index &+= 3
      } else if word & 0x0000_C0E0 == 0x0000_80C0 {
        guard lead >= 0xC2 else { return index }
        index &+= 2
      } else if word & 0xC0C0_C0F8 == 0x8080_80F0 {
        guard lead != 0xF0 || second >= 0x90, lead < 0xF4 || (lead == 0xF4 && second <= 0x8F)
        else { return index }
        index &+= 4
      } else {
        return index
      }
    }
    return index
  }
}
