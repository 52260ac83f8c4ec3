import Glibc

/// Opens links with the desktop's own program, `xdg-open`, which asks the person's settings and `$BROWSER`.
final class Browser {
  private static let program = "xdg-open"
  /// Programs that were started and have not been seen to end.
  private var children: [pid_t] = []

  /// The link is one argument of the program: no shell sees it. A sentence says what came of it.
  func open(_ link: String) -> HistoryKeeper.Word {
    reap()
    guard link.utf8.count <= 8_192, link.hasPrefix("http://") || link.hasPrefix("https://") else {
      return HistoryKeeper.Word(
        text: "The link was not opened: it is too long or no http or https link.", isError: true)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Whatever it says would be written over the screen.
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that Ctrl-C at the shell later is not for it; and no signal blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(Self.program), strdup(link), nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawnp(
      &child, Self.program, &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      let words = strerror(code).map { String(cString: $0) } ?? "unknown error"
      return HistoryKeeper.Word(
        text:
          "\(Self.program) cannot be started (\(words)): install xdg-utils, or copy the link with c.",
        isError: true)
    }
    children.append(child)
    return HistoryKeeper.Word(text: "\(Self.program) opens \(shown(link)).", isError: false)
  }

  /// A child of this process has ended.
  func reap() {
    children.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  }
}
