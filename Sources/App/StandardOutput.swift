import Glibc

/// Standard output of a program that waits for signals with a descriptor: what one turn prints is gathered,
/// and a signal ends the wait for a reader who does not read.
struct StandardOutput {
  /// As much is gathered before it has to leave.
  private static let most = 64 << 10

  private let signalDescriptor: Int32
  private let piece: Int
  private var waiting: [UInt8] = []
  private var isOver = false
  private var hasWaited = false
  /// A reader who does not read is waited for; else it is the last time where he does not.
  var mayWait = true

  /// `signalDescriptor` becomes readable with a signal.
  init(interruptedBy signalDescriptor: Int32) {
    self.signalDescriptor = signalDescriptor
    var information = stat()
    let isFile =
      fstat(STDOUT_FILENO, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    // A pipe that is ready takes PIPE_BUF bytes at once, and may keep us waiting with more.
    piece = isFile ? Self.most : 4096
  }

  var isFull: Bool { waiting.count >= Self.most }

  mutating func append(_ bytes: [UInt8]) {
    if !isOver { waiting += bytes }
  }

  /// Whether writing had to wait since the last time.
  mutating func takeHasWaited() -> Bool {
    defer { hasWaited = false }
    return hasWaited
  }

  /// Writes what was gathered. Returns the number of the error that makes it the last time; a signal makes it
  /// the last time too, and stays there to be read.
  mutating func flush() -> Int32? {
    guard !waiting.isEmpty, !isOver else { return nil }
    var sent = 0
    defer { waiting.removeAll(keepingCapacity: true) }
    while sent < waiting.count {
      guard waitForRoom() else {
        isOver = true
        return nil
      }
      let count = waiting.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...].prefix(piece))
        return write(STDOUT_FILENO, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        sent += count
      } else if errno != EINTR, errno != EAGAIN {
        isOver = true
        return errno
      }
    }
    return nil
  }

  /// False: a signal came first.
  private mutating func waitForRoom() -> Bool {
    var pollers = [
      pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: signalDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    var limit: Int32 = 0
    while true {
      _ = poll(&pollers, nfds_t(pollers.count), limit)
      // An error of the descriptor is for the write to tell.
      if pollers[0].revents != 0 { return true }
      if pollers[1].revents != 0 || !mayWait { return false }
      hasWaited = true
      limit = -1
    }
  }
}
