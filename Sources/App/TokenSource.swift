import Channel
import Glibc
import Program
import Text

/// Where the bearer token comes from. There is no option with the token itself: it would stand in the
/// process list.
enum TokenSource: Equatable {
  case file(String)
  case command(String)
  case environment
  case none

  /// Options go before the environment.
  init(_ arguments: Arguments) throws(CommandFailure) {
    switch (arguments.value("token-file"), arguments.value("token-command")) {
    case (_?, _?): throw .usage("--token-file and --token-command exclude each other.")
    case (let file?, nil): self = .file(file)
    case (nil, let command?): self = .command(command)
    case (nil, nil): self = App.environment("PARLOUR_TOKEN") == nil ? .none : .environment
    }
  }

  /// A token that may have changed since: nil where the source always gives the same. A command may take
  /// 10 s, and neither asks nor says anything, since the screen is in use.
  func freshToken() throws(CommandFailure) -> Bearer? {
    switch self {
    case .none, .environment: return nil
    case .file, .command: return try token(timeLimit: .seconds(10), isQuiet: true)
    }
  }

  /// Whether another token may come than before.
  var isRenewable: Bool {
    switch self {
    case .none, .environment: false
    case .file, .command: true
    }
  }

  /// What to tell a session that wants a fresh token, which the log hides from then on.
  func answer(_ log: SessionLog?) -> SessionInput {
    do {
      if let token = try freshToken() {
        log?.hide(token)
        return .renewToken(token)
      }
      return .noFreshToken("there is no source of a fresh one")
    } catch {
      return .noFreshToken(error.message.withoutStop)
    }
  }

  /// Reads the token; runs the command, which may take 30 s.
  func token(
    timeLimit: Duration = .seconds(30), isQuiet: Bool = false
  ) throws(CommandFailure) -> Bearer? {
    switch self {
    case .none: return nil
    case .file(let path):
      let text = try readTextFile(path, limit: 65_536)
      guard let bearer = Bearer(firstLineOf: text) else {
        throw .configuration("\(shown(path)) holds no token in its first line.")
      }
      return bearer
    case .environment:
      guard let bearer = Bearer(firstLineOf: App.environment("PARLOUR_TOKEN") ?? "") else {
        throw .configuration("PARLOUR_TOKEN holds no token that a header may carry.")
      }
      return bearer
    case .command(let command):
      return try App.token(ofCommand: command, timeLimit: timeLimit, isQuiet: isQuiet)
    }
  }
}

/// Starts a command with the shell; its output can be read. Its standard input and standard error are ours, so that it may
/// ask for a password, unless it has to be quiet.
func startTokenCommand(
  _ command: String, isQuiet: Bool, inOwnGroup: Bool = false
) throws(CommandFailure) -> (child: pid_t, output: Int32) {
  var ends: [Int32] = [-1, -1]
  guard Glibc.pipe(&ends) == 0 else {
    throw CommandFailure(
      "The --token-command cannot be run: \(systemErrorWords()).", exitCode: ExitCode.inputOutput)
  }
  // No other child is to hold it open.
  _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
  do throws(ChildFailure) {
    defer { close(ends[1]) }
    let child = try startChild(["/bin/sh", "-c", command], inOwnGroup: inOwnGroup) { actions in
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
      if isQuiet { redirectNowhere([STDIN_FILENO, STDERR_FILENO], &actions) }
      for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    }
    return (child, ends[0])
  } catch {
    close(ends[0])
    throw .configuration(
      "The --token-command cannot be run: \(systemErrorWords(error.errorNumber)).")
  }
}

/// Runs a command with the shell and returns the token that it prints; at most 64 KiB are read.
func token(
  ofCommand command: String, timeLimit: Duration, isQuiet: Bool = false
) throws(CommandFailure) -> Bearer {
  let (child, output) = try startTokenCommand(command, isQuiet: isQuiet)
  let limit = ContinuousClock().now + timeLimit
  let bytes = readBounded(output, of: child, until: limit)
  // Whoever goes on printing gets a SIGPIPE.
  close(output)
  guard let bytes, let status = status(of: child, until: limit) else {
    end(child)
    throw .tokenCommandIsLate(timeLimit)
  }
  return try tokenPrinted(bytes, status: status)
}

/// The token in what a command printed before it ended with that status (of `waitpid`).
func tokenPrinted(_ bytes: [UInt8], status: Int32) throws(CommandFailure) -> Bearer {
  let isCut = bytes.count >= mostTokenOutput
  if isCut, !bytes.contains(0x0A) {
    throw .configuration(
      "The --token-command printed \(mostTokenOutput / 1024) KiB and more without the end of a line: it must "
        + "print a token.")
  }
  // Where it was cut, the status tells of the pipe that was closed before it was done.
  guard status == 0 || isCut else {
    let end = status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    throw .configuration("The --token-command failed with \(end): run it by hand to see why.")
  }
  guard let bearer = Bearer(firstLineOf: String(decoding: bytes, as: UTF8.self)) else {
    throw .configuration("The --token-command printed no token in its first line.")
  }
  return bearer
}

extension CommandFailure {
  static func tokenCommandIsLate(_ limit: Duration) -> CommandFailure {
    .configuration(
      "The --token-command was not done within \(limit.components.seconds) s: run it by hand to see why."
    )
  }
}

let mostTokenOutput = 65_536

/// Whether a child has ended; how, is still there for `waitpid`.
func hasExited(_ child: pid_t) -> Bool {
  var facts = siginfo_t()
  let options = WEXITED | WNOHANG | WNOWAIT
  return waitid(P_PID, id_t(child), &facts, options) == 0 && facts.si_signo == SIGCHLD
}

/// Reads until the child or its output ends, or as much as is read at most; nil when the time is over first.
private func readBounded(
  _ descriptor: Int32, of child: pid_t, until end: ContinuousClock.Instant
) -> [UInt8]? {
  let clock = ContinuousClock()
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while bytes.count < mostTokenOutput {
    let left = (end - clock.now) / .milliseconds(1)
    guard left > 0 else { return nil }
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Asked before it is looked whether there is more, so that nothing is missed.
    let isOver = hasExited(child)
    guard poll(&poller, 1, isOver ? 0 : Int32(min(left, 100).rounded(.up))) > 0 else {
      // What it has left running in the background may hold its output open.
      if isOver { break }
      continue
    }
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count <= 0 { break }
    bytes += buffer[..<count]
  }
  return bytes
}

/// How a child ended; nil when the time is over first.
private func status(of child: pid_t, until end: ContinuousClock.Instant) -> Int32? {
  let clock = ContinuousClock()
  var status: Int32 = 0
  while true {
    let found = waitpid(child, &status, WNOHANG)
    if found == child { return status }
    if found < 0, errno != EINTR { return nil }
    guard clock.now < end else { return nil }
    // There is no descriptor to wait for a child with on every kernel.
    poll(nil, 0, 5)
  }
}

/// Ends a child that may not want to.
private func end(_ child: pid_t) {
  kill(child, SIGTERM)
  guard status(of: child, until: ContinuousClock().now + .seconds(1)) == nil else { return }
  kill(child, SIGKILL)
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
}
