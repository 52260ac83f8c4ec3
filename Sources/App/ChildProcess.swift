import Glibc

/// A program could not be started, for this error number.
struct ChildFailure: Error {
  var errorNumber: Int32
}

/// Starts a program; `words` are its name, looked for in PATH where it has no slash, and its arguments, which no shell sees.
///
/// Signals are blocked here for the reactor, and some ignored: the child gets them as usual. `redirect` says where its
/// descriptors lead; without it they are ours. In a group of its own, Ctrl-C at the terminal is not for it. The caller
/// waits for the child.
func startChild(
  _ words: [String], inOwnGroup: Bool = false,
  redirect: (inout posix_spawn_file_actions_t) -> Void = { _ in }
) throws(ChildFailure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  redirect(&actions)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  var usual = sigset_t()
  sigemptyset(&usual)
  for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGTSTP] { sigaddset(&usual, signal) }
  posix_spawnattr_setsigdefault(&attributes, &usual)
  if inOwnGroup {
    posix_spawnattr_setpgroup(&attributes, 0)
    flags |= POSIX_SPAWN_SETPGROUP
  }
  posix_spawnattr_setflags(&attributes, Int16(flags))
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child: pid_t = 0
  let code = posix_spawnp(&child, words.first ?? "", &actions, &attributes, &arguments, environ)
  guard code == 0 else { throw ChildFailure(errorNumber: code) }
  return child
}

/// What the child reads there is empty, and what it writes there is gone: it would stand on the screen.
func redirectNowhere(_ descriptors: [Int32], _ actions: inout posix_spawn_file_actions_t) {
  for descriptor in descriptors {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
}
