import Glibc
import Program

/// Text that the person wants in a file of their choice. What is there already stays as it is.
enum NewFile {
  /// Writes it, readable by the owner only, and says what became of it.
  static func save(_ text: String, to path: String) -> ProgramInput {
    do throws(CommandFailure) {
      let place = expanded(path)
      try write(Array(text.utf8), to: place)
      let lines = text.utf8.count { $0 == 0x0A }
      let what = lines == 1 ? "1 line is" : "\(lines) lines are"
      return .saved("\(what) in \(shown(place)) now.", isError: false)
    } catch {
      return .saved(error.message, isError: true)
    }
  }

  /// "~/" is the home folder, as in a shell.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment("HOME"), !home.isEmpty else { return path }
    return home + path.dropFirst(1)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .configuration(refusal(shown(path), errno)) }
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .configuration(
          "\(shown(path)) is not whole: \(systemErrorWords()). Make room and save again.")
      }
      sent += count
    }
  }

  private static func refusal(_ path: String, _ errorNumber: Int32) -> String {
    switch errorNumber {
    case EEXIST: "\(path) is there already, and was left alone: choose another name."
    case ENOENT: "\(path) cannot be made, since its directory is not there: make that first."
    default: "\(path) cannot be made (\(systemErrorWords(errorNumber))): choose another name."
    }
  }
}
