import Glibc

/// A file that lines are appended to. It never makes the thread wait for a reader, and no error of it ends the
/// program: the first is told, and what could not be written is lost.
final class LogFile {
  /// As much may wait for the reader of a pipe.
  private static let mostWaiting = 1 << 20
  /// A pipe that is ready takes so much without making anyone wait (PIPE_BUF).
  private static let piece = 4096

  /// Gets the sentence about the first error.
  var complain: (String) -> Void = { _ in }

  private let name: String
  private let descriptor: Int32
  private let isRegular: Bool
  private var waiting: [UInt8] = []
  private var lost = 0
  private var hasComplained = false
  /// The last byte that was written did not end its line.
  private var isInsideLine = false

  /// Opens a file for appending, readable by its owner only where it is new; "-" is standard error. A symbolic
  /// link is refused: somebody else may have laid it.
  init(_ path: String) throws(CommandFailure) {
    name = path == "-" ? "standard error" : shown(path)
    if path == "-" {
      descriptor = STDERR_FILENO
    } else {
      let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
      descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw .configuration(Self.refusal(shown(path), errno)) }
    }
    var information = stat()
    isRegular =
      fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    // Told by the write as well, and no reason to end the program: a reader who is gone, a limit of sizes.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  isolated deinit {
    flush()
    if descriptor != STDERR_FILENO { close(descriptor) }
  }

  private static func refusal(_ path: String, _ errorNumber: Int32) -> String {
    switch errorNumber {
    case ELOOP: "\(path) is a symbolic link, which is not followed: name the file itself."
    case ENXIO: "\(path) is a pipe that nobody reads: start its reader first."
    default: "\(path) cannot be written: \(systemErrorWords(errorNumber))."
    }
  }

  /// Whole lines with their ends.
  func append(_ lines: String) {
    if isInsideLine, waiting.isEmpty { waiting.append(0x0A) }
    if lost > 0, waiting.isEmpty {
      waiting += Array("… \(lost) lines were lost here: nobody took them\n".utf8)
      lost = 0
    }
    waiting += Array(lines.utf8)
    flush()
    if waiting.count > Self.mostWaiting { loseWaiting() }
  }

  private func loseWaiting() {
    lost += waiting.count { $0 == 0x0A }
    waiting = []
  }

  private func flush() {
    var sent = 0
    while sent < waiting.count {
      guard isRegular || isReady else { break }
      let count = waiting.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        return write(
          descriptor, rest.baseAddress, isRegular ? rest.count : min(rest.count, Self.piece))
      }
      if count > 0 {
        sent += count
        isInsideLine = waiting[sent - 1] != 0x0A
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN {
        break
      } else {
        return fail(errno)
      }
    }
    waiting.removeFirst(sent)
  }

  private var isReady: Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&poller, 1, 0) > 0
  }

  private func fail(_ errorNumber: Int32) {
    loseWaiting()
    guard !hasComplained else { return }
    hasComplained = true
    complain(
      "The log \(name) takes no more: \(systemErrorWords(errorNumber)). What follows is not logged while"
        + " that lasts.")
  }
}
