import Glibc
import Program
import Screen
import Terminal

/// Tells somebody who does not look: by a sequence to the terminal, else by the desktop.
final class Notifier {
  /// As long as a notice of the desktop may be on its way; D-Bus waits for 25 s where nobody answers.
  private static let mostTime: Duration = .seconds(10)

  private let program: String?
  private let way = TerminalNotice.detect { environment($0) }
  /// There is one at a time.
  private var child: (pid: pid_t, since: ContinuousClock.Instant)?

  init() {
    let hasDesktop = ["DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "DISPLAY"].contains {
      environment($0)?.isEmpty == false
    }
    program = hasDesktop ? Self.find("notify-send") : nil
  }

  func tell(_ notice: Notice, on presenter: Presenter) {
    let settings = notice.settings
    if let form = TerminalNotice.form(settings.noticeTerminal, detected: way) {
      let sequence = TerminalNotice.bytes(
        title: notice.title, body: notice.body, form: form, isInTmux: environment("TMUX") != nil,
        passesTmux: settings.passesTmux)
      if !sequence.isEmpty { return presenter.tell(sequence) }
    }
    if settings.notifiesDesktop, let program { spawn(program, notice) }
  }

  /// A child has ended.
  func reap() {
    guard let child else { return }
    var status: Int32 = 0
    if waitpid(child.pid, &status, WNOHANG) != 0 { self.child = nil }
  }

  private func spawn(_ program: String, _ notice: Notice) {
    reap()
    if let child {
      if ContinuousClock().now - child.since > Self.mostTime { kill(child.pid, SIGKILL) }
      return
    }
    // It is only a notice: where there is no process for it, nobody is told.
    let pid = try? startChild(
      [program, "--app-name=parlour", "--", notice.title, Self.withoutMarkup(notice.body)]
    ) { redirectNowhere([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], &$0) }
    if let pid { child = (pid, ContinuousClock().now) }
  }

  /// The body of a notice of the desktop may hold markup, and what others say shall not.
  private static func withoutMarkup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func find(_ name: String) -> String? {
    (environment("PATH") ?? "").split(separator: ":").lazy
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
