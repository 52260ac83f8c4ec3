import Glibc

/// Writes all bytes to a descriptor, waiting a bounded time where it is full. For what goes past ncurses.
nonisolated func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  bytes.withUnsafeBytes { buffer in
    var offset = 0
    var waits = 0
    while offset < buffer.count, let base = buffer.baseAddress {
      let written = write(descriptor, base + offset, buffer.count - offset)
      if written > 0 {
        offset += written
      } else if written < 0, errno == EINTR {
        continue
      } else if written < 0, errno == EAGAIN, waits < 50 {
        waits += 1
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, 20)
      } else {
        return
      }
    }
  }
}
