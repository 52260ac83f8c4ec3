import CZlib

/// The writing half: whole messages to bare DEFLATE blocks without their tail (RFC 7692 section 7.2.1).
final class Deflater {
  private static let level: Int32 = 6
  private static let memoryLevel: Int32 = 8
  private static let smallestRoom = 16_384
  /// More is given back before the next message.
  private static let mostKept = 1 << 20
  /// 00 00 FF FF ends what is flushed; the receiver adds it again.
  private static let tailSize = 4

  private let windowBits: Int32
  private let keepsWindow: Bool
  /// zlib's state points back at it, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isReady = false
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(windowBits: Int, keepsWindow: Bool) {
    self.windowBits = Int32(windowBits)
    self.keepsWindow = keepsWindow
    stream.initialize(to: z_stream())
  }

  deinit {
    if isReady { deflateEnd(stream) }
    stream.deallocate()
    room.deallocate()
  }

  /// Nil where zlib has no memory.
  func compress(_ message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard prepare() else { return nil }
    if room.count > Self.mostKept { resize(to: 0, keeping: 0) }
    if room.isEmpty { resize(to: Self.smallestRoom, keeping: 0) }
    // zlib flushes nothing where nothing is new; this is the empty block of RFC 7692 section 7.2.3.6.
    guard !message.isEmpty else {
      room[0] = 0
      return UnsafeRawBufferPointer(rebasing: room[..<1])
    }
    var written = 0
    var left = message
    while !left.isEmpty {
      // zlib counts in 32 bits.
      let part = UnsafeRawBufferPointer(rebasing: left.prefix(1 << 30))
      left = UnsafeRawBufferPointer(rebasing: left.dropFirst(part.count))
      guard take(part, flush: left.isEmpty ? Z_SYNC_FLUSH : Z_NO_FLUSH, written: &written) else {
        return nil
      }
    }
    if !keepsWindow { deflateReset(stream) }
    return UnsafeRawBufferPointer(rebasing: room[..<(written - Self.tailSize)])
  }

  private func take(_ part: UnsafeRawBufferPointer, flush: Int32, written: inout Int) -> Bool {
    // zlib does not write to its input, though the type says so.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(part.count)
    repeat {
      // With less than this zlib may flush a second time.
      if room.count - written < 64 { resize(to: room.count * 2, keeping: written) }
      let free = min(room.count - written, 1 << 30)
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[written...])
      stream.pointee.next_out = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(free)
      let result = deflate(stream, flush)
      guard result == Z_OK || result == Z_BUF_ERROR else { return false }
      written += free - Int(stream.pointee.avail_out)
    } while stream.pointee.avail_out == 0
    return true
  }

  private func prepare() -> Bool {
    if !isReady {
      isReady = cz_deflate_init(stream, Self.level, windowBits, Self.memoryLevel) == Z_OK
    }
    return isReady
  }

  private func resize(to count: Int, keeping kept: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<kept]))
    room.deallocate()
    room = larger
  }
}
