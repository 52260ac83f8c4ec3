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
    do throws(ChildFailure) {
      children.append(
        try startChild([Self.program, link], inOwnGroup: true) { redirectNowhere([0, 1, 2], &$0) })
    } catch {
      return HistoryKeeper.Word(
        text:
          "\(Self.program) cannot be started (\(systemErrorWords(error.errorNumber))): install xdg-utils, or copy the link with c.",
        isError: true)
    }
    return HistoryKeeper.Word(text: "\(Self.program) opens \(shown(link)).", isError: false)
  }

  /// A child of this process has ended.
  func reap() {
    children.removeAll { waitpid($0, nil, WNOHANG) != 0 }
  }
}
