import Channel
import Glibc

/// A `--token-command` that runs beside the chat: quietly, since the screen is in use, and for 10 s at most.
final class TokenCommand {
  static let timeLimit: Duration = .seconds(10)
  /// How long a command may take to end once it has closed its output.
  private static let endLimit: Duration = .milliseconds(50)

  /// To be watched until `hasEnded`; closed by `end`.
  let output: Int32
  /// When `result` is to be asked again.
  private(set) var deadline: Instant
  /// Nothing more comes from there.
  private(set) var hasEnded = false
  private let lastMoment: Instant
  private var child: pid_t?
  private var bytes: [UInt8] = []

  init(_ command: String, at now: Instant) throws(CommandFailure) {
    let started = try startTokenCommand(command, isQuiet: true, inOwnGroup: true)
    child = started.child
    output = started.output
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    lastMoment = now + Self.timeLimit
    deadline = lastMoment
  }

  /// What it came to; nil as long as it runs.
  func result(at now: Instant) -> Result<Bearer, CommandFailure>? {
    readOutput()
    // It is not asked how a command ends that would print on and on, as the token is there.
    guard bytes.count < mostTokenOutput else { return token(status: 0) }
    if !hasEnded, let child, hasExited(child) {
      // What it has left running in the background may hold its output open.
      readOutput()
      hasEnded = true
    }
    guard hasEnded else {
      return now < lastMoment ? nil : .failure(.tokenCommandIsLate(Self.timeLimit))
    }
    var status: Int32 = 0
    guard let child, waitpid(child, &status, WNOHANG) == child else {
      deadline = min(lastMoment, now + Self.endLimit)
      return now < lastMoment ? nil : .failure(.tokenCommandIsLate(Self.timeLimit))
    }
    self.child = nil
    return token(status: status)
  }

  private func token(status: Int32) -> Result<Bearer, CommandFailure> {
    do throws(CommandFailure) {
      return .success(try tokenPrinted(bytes, status: status))
    } catch {
      return .failure(error)
    }
  }

  /// Lets go of it; a command that runs is ended.
  func end() {
    close(output)
    guard let child else { return }
    self.child = nil
    kill(-child, SIGTERM)
    var status: Int32 = 0
    guard waitpid(child, &status, WNOHANG) == 0 else { return }
    // It may not want to; nobody waits for it here.
    kill(-child, SIGKILL)
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
  }

  private func readOutput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !hasEnded {
      let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes += buffer[..<count]
        hasEnded = bytes.count >= mostTokenOutput
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        hasEnded = true
      } else if errno == EAGAIN {
        return
      }
    }
  }
}
