import Glibc

/// Standard output or standard error. Who does not read it is waited for, until a signal comes that ends the program.
final class Outlet {
  static let output = Outlet(STDOUT_FILENO)
  static let errors = Outlet(STDERR_FILENO)
  /// Readable while a signal waits; nil where signals do what they usually do.
  static var signalDescriptor: Int32?

  enum Outcome: Equatable {
    case done
    /// A signal came first, and stays there to be read: nobody is waited for any more.
    case interrupted
    /// As `errno` has it.
    case failed(Int32)
  }

  /// What ends the program where it is waited for.
  private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let target: Int32
  private let piece: Int
  /// A reader who does not read is waited for.
  var mayWait = true
  private var hasWaited = false

  private init(_ descriptor: Int32) {
    var information = stat()
    let isFile =
      fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    if isatty(descriptor) == 1 {
      // It says that it takes something, and does not say how much: only one that never waits keeps nobody waiting. The
      // descriptor itself is shared with the shell and stays as it is.
      let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      target = own >= 0 ? own : descriptor
      piece = own >= 0 ? 65_536 : 256
    } else {
      target = descriptor
      // A pipe that is ready takes PIPE_BUF bytes at once, and may keep us waiting with more.
      piece = isFile ? 65_536 : 4096
    }
  }

  static func of(_ descriptor: Int32) -> Outlet? {
    switch descriptor {
    case STDOUT_FILENO: output
    case STDERR_FILENO: errors
    default: nil
    }
  }

  /// Whether writing had to wait since the last time.
  func takeHasWaited() -> Bool {
    defer { hasWaited = false }
    return hasWaited
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    var rest = bytes
    while !rest.isEmpty {
      guard waitForRoom() else {
        Self.output.mayWait = false
        Self.errors.mayWait = false
        return .interrupted
      }
      let count = Glibc.write(target, rest.baseAddress, min(piece, rest.count))
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        // A terminal with room for one byte says that it is ready, and has none for the end of a line.
        hasWaited = true
        _ = poll(nil, 0, 20)
      } else if errno != EINTR {
        return .failed(errno)
      }
    }
    return .done
  }

  /// False: a signal came first.
  private func waitForRoom() -> Bool {
    var room = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
    _ = poll(&room, 1, 0)
    // An error of the descriptor is for the write to tell.
    while room.revents == 0 {
      guard mayWait, !Self.isEnding else { return false }
      hasWaited = true
      // A signal that ends nothing stays there to be read, and would end every wait at once.
      let signals = Self.hasSignal ? -1 : Self.signalDescriptor ?? -1
      var pollers = [room, pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
      _ = poll(
        &pollers, nfds_t(pollers.count), signals < 0 && Self.signalDescriptor != nil ? 100 : -1)
      room.revents = pollers[0].revents
    }
    return true
  }

  private static var hasSignal: Bool {
    guard let signalDescriptor else { return false }
    var waiting = pollfd(fd: signalDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  private static var isEnding: Bool {
    var pending = sigset_t()
    return signalDescriptor != nil && sigpending(&pending) == 0
      && endings.contains { sigismember(&pending, $0) == 1 }
  }
}
