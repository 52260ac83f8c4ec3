/// Masking and unmasking, which are the same (RFC 6455 section 5.3).
enum Mask {
  /// Writes `source`, masked, to `destination`, which has room for it and may be `source` itself.
  ///
  /// `key` holds the four key bytes in memory order. `offset` is how many bytes of the payload came
  /// before `source`.
  static func apply(
    _ key: UInt32, at offset: Int = 0, from source: UnsafeRawBufferPointer,
    to destination: UnsafeMutableRawPointer
  ) {
    guard let start = source.baseAddress else { return }
    let shift = UInt32(truncatingIfNeeded: (offset & 3) * 8)
    let inOrder = UInt32(littleEndian: key)
    let rotated = shift == 0 ? inOrder : inOrder >> shift | inOrder << (32 - shift)
    let word = UInt64(rotated).littleEndian | (UInt64(rotated) << 32).littleEndian
    var index = 0
    // Four words a turn: the compiler makes vector instructions of them.
    while index &+ 32 <= source.count {
      let first = start.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      let second = start.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self) ^ word
      let third = start.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self) ^ word
      let fourth = start.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self) ^ word
      destination.storeBytes(of: first, toByteOffset: index, as: UInt64.self)
      destination.storeBytes(of: second, toByteOffset: index &+ 8, as: UInt64.self)
      destination.storeBytes(of: third, toByteOffset: index &+ 16, as: UInt64.self)
      destination.storeBytes(of: fourth, toByteOffset: index &+ 24, as: UInt64.self)
      index &+= 32
    }
    while index &+ 8 <= source.count {
      let masked = start.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      destination.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < source.count {
      let keyByte = UInt8(truncatingIfNeeded: rotated >> UInt32((index & 3) * 8))
      let byte = start.load(fromByteOffset: index, as: UInt8.self) ^ keyByte
      destination.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
  }
}

extension [UInt8] {
  /// Appends `source` with the mask `key` laid over it, in one pass.
  mutating func append(masked source: UnsafeRawBufferPointer, key: UInt32, at offset: Int) {
    append(addingCapacity: source.count) { span in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        if let start = buffer.baseAddress {
          Mask.apply(key, at: offset, from: source, to: UnsafeMutableRawPointer(start))
        }
        initializedCount = source.count
      }
    }
  }
}
