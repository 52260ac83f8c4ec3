/// The memory that sockets are read into: one for each reactor, reused by every read.
///
/// `contents` is valid until the next read into the same buffer; what must live longer is copied. It
/// gives a `RawSpan` by `.bytes`.
package final class ReadBuffer {
  /// 256 KiB: a flood then costs one system call for thousands of small messages.
  static let defaultCapacity = 256 * 1024

  let memory: UnsafeMutableRawBufferPointer
  var count = 0

  /// 256 KiB unless said otherwise; less than 64 KiB would leave no room for the records of TLS.
  package init(capacity: Int = 256 * 1024) {
    precondition(capacity >= 64 * 1024, "a read buffer holds 64 KiB at least")
    memory = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit {
    memory.deallocate()
  }

  /// What the last read brought.
  package var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[..<count])
  }

  package var capacity: Int { memory.count }
}

/// What one read brought.
package enum ReadResult: Equatable, Sendable {
  /// So many bytes stand in the buffer's `contents`.
  case bytes(Int)
  /// Nothing now; the reactor tells when there is more.
  case wouldBlock
  /// Nothing ever again. The connection is closed and reports nothing more.
  case ended(LinkEnd)
}
