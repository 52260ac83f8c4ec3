import Channel
import Glibc

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

  /// Reads the token; runs the command, which may take 30 s.
  func token() throws(CommandFailure) -> Bearer? {
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
      let text = try output(ofCommand: command, timeLimit: .seconds(30))
      guard let bearer = Bearer(firstLineOf: text) else {
        throw .configuration("The --token-command printed no token in its first line.")
      }
      return bearer
    }
  }
}

/// Runs a command with the shell and returns what it prints, at most 64 KiB. Its standard input and
/// standard error are ours, so that it may ask for a password.
func output(ofCommand command: String, timeLimit: Duration) throws(CommandFailure) -> String {
  var ends: [Int32] = [-1, -1]
  guard Glibc.pipe(&ends) == 0 else {
    throw CommandFailure(
      "The --token-command cannot be run: \(systemErrorWords()).", exitCode: ExitCode.inputOutput)
  }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
  posix_spawn_file_actions_addclose(&actions, ends[0])
  posix_spawn_file_actions_addclose(&actions, ends[1])
  // Signals are blocked here for the reactor; the child gets them as usual.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var unblocked = sigset_t()
  sigemptyset(&unblocked)
  posix_spawnattr_setsigmask(&attributes, &unblocked)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  defer { posix_spawn_file_actions_destroy(&actions) }
  let words = ["sh", "-c", command]
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child: pid_t = 0
  let failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
  close(ends[1])
  defer { close(ends[0]) }
  guard failure == 0 else {
    throw .configuration(
      "The --token-command cannot be run: \(systemErrorWords(failure)).")
  }
  let text = readBounded(ends[0], timeLimit: timeLimit)
  if text == nil { kill(child, SIGTERM) }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0, errno == EINTR {}
  guard let text else {
    throw .configuration("The --token-command printed no token within 30 s.")
  }
  guard status == 0 else {
    let end = status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
    throw .configuration("The --token-command failed with \(end): run it by hand to see why.")
  }
  return text
}

/// Reads until the end or until a whole line is there; nil when the time is over first.
private func readBounded(_ descriptor: Int32, timeLimit: Duration) -> String? {
  let clock = ContinuousClock()
  let end = clock.now + timeLimit
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while bytes.count < 65_536 {
    let left = (end - clock.now) / .milliseconds(1)
    guard left > 0 else { return nil }
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, Int32(left.rounded(.up))) > 0 else { continue }
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count <= 0 { break }
    bytes += buffer[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}
