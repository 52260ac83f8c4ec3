package import Glibc

/// Why a test could not start what it needs.
package struct StartFailure: Error, CustomStringConvertible {
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

/// How a child process ended.
package enum Ending: Equatable, Sendable {
  case exited(Int32)
  case signalled(Int32)

  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signalled(signal)
  }
}

/// Starts a program by its path or, without a slash, by its name in PATH. Each of the descriptors 0, 1 and 2 is
/// a duplicate of what `descriptors` gives, or the terminal at `terminalPath`, which becomes the controlling one
/// of a session of its own. Signals are as in a fresh process.
package func start(
  _ program: String, _ arguments: [String], environment: [String: String],
  descriptors: [Int32] = [], terminalPath: String? = nil
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  if let terminalPath {
    // A session leader that opens a terminal gets it as its controlling one.
    flags |= 0x80  // POSIX_SPAWN_SETSID, which the Glibc module does not bring.
    posix_spawn_file_actions_addopen(&actions, 0, terminalPath, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
  }
  for (target, descriptor) in descriptors.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  var all = sigset_t()
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setflags(&attributes, Int16(flags))

  let words = ([program] + arguments).map { strdup($0) } + [nil]
  let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for text in words + variables { free(text) } }
  var child: pid_t = 0
  let failure = posix_spawnp(&child, program, &actions, &attributes, words, variables)
  guard failure == 0 else {
    throw StartFailure(
      description: "\(program) did not start: \(String(cString: strerror(failure)))")
  }
  return child
}

/// The environment of the test process, for children that need its PATH.
package func inheritedEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"] {
    if let value = getenv(name) { result[name] = String(cString: value) }
  }
  return result
}

/// Lets other processes get on for at most 20 ms. It waits in poll(2) on no descriptor, since what is waited for
/// (the screen of tmux, the end of a child) cannot be polled; every caller bounds how often it asks.
package func letOthersWork() {
  _ = poll(nil, 0, 20)
}

extension pid_t {
  /// The ending of this child, nil if it still runs after `rounds` of 20 ms.
  package func ending(rounds: Int = 500) -> Ending? {
    for _ in 0..<rounds {
      var status: Int32 = 0
      if waitpid(self, &status, WNOHANG) == self { return Ending(waitStatus: status) }
      letOthersWork()
    }
    return nil
  }
}
