import CZlib

/// The reading half: payloads to messages (RFC 7692 section 7.2.2).
final class Inflater {
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
  /// Whatever window was agreed on: a larger one reads what was written with a smaller one.
  private static let windowBits: Int32 = 15

  private let keepsWindow: Bool
  /// zlib's state points back at it, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isReady = false
  /// The last byte was that of a block which says that it is the last one.
  private var isAfterLastBlock = false

  init(keepsWindow: Bool) {
    self.keepsWindow = keepsWindow
    stream.initialize(to: z_stream())
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
  }

  /// See `MessageTransform.restore`.
  func restore(
    _ piece: inout UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard prepare() else { return nil }
    // zlib counts in 32 bits.
    let part = UnsafeRawBufferPointer(rebasing: piece.prefix(1 << 30))
    let free = min(room.count, 1 << 30)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(part.count)
    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(free)
    repeat {
      if stream.pointee.avail_in > 0 { isAfterLastBlock = false }
      switch inflate(stream, Z_SYNC_FLUSH) {
      case Z_OK, Z_BUF_ERROR:
        break
      case Z_STREAM_END:
        // More blocks may follow, and may refer to what was before (RFC 7692 section 7.2.3.4).
        inflateResetKeep(stream)
        isAfterLastBlock = true
      default:
        return nil
      }
    } while stream.pointee.avail_in > 0 && stream.pointee.avail_out > 0
    let taken = part.count - Int(stream.pointee.avail_in)
    piece = UnsafeRawBufferPointer(rebasing: piece.dropFirst(taken))
    return free - Int(stream.pointee.avail_out)
  }

  /// See `MessageTransform.endMessage`. zlib is content with a stream that is cut short, and would read the
  /// next message as its rest; so it has to stand between two blocks here, and the tail must be no text.
  func endMessage() -> Bool {
    defer { if !keepsWindow { inflateReset(stream) } }
    guard !isAfterLastBlock else {
      isAfterLastBlock = false
      return true
    }
    return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { room in
      Self.tail.withUnsafeBytes { tail in
        var tail = tail
        let count = restore(&tail, into: room)
        return count == 0 && tail.isEmpty && cz_is_between_blocks(stream) != 0
      }
    }
  }

  private func prepare() -> Bool {
    if !isReady { isReady = cz_inflate_init(stream, Self.windowBits) == Z_OK }
    return isReady
  }
}
