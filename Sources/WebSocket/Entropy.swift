/// The source of every random byte of the core: mask keys, nonces, jitter.
///
/// It is passed in, so that tests are repeatable; the program hands over OpenSSL's generator. Bytes
/// are drawn from `fill` in blocks and used once.
package struct Entropy {
  private var pool: [UInt8]
  private var position: Int
  private let fill: (UnsafeMutableRawBufferPointer) -> Void

  package init(fill: @escaping (UnsafeMutableRawBufferPointer) -> Void) {
    self.fill = fill
    pool = [UInt8](repeating: 0, count: 4096)
    position = pool.count
  }

  private mutating func take(_ count: Int) -> Int {
    if position + count > pool.count {
      pool.withUnsafeMutableBytes { fill($0) }
      position = 0
    }
    defer { position += count }
    return position
  }

  /// 32 fresh bits: a mask key.
  package mutating func word() -> UInt32 {
    let start = take(4)
    return pool.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
  }

  /// Fresh bytes; `count` is at most 4096.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    let start = take(count)
    return Array(pool[start..<(start + count)])
  }

  /// A number of 0 ..< 1, for jitter.
  package mutating func unit() -> Double {
    Double(word()) / 4_294_967_296
  }
}
