import Channel
import Glibc
import Program
import Screen
import Terminal
import Text

/// Themes and settings of a chat: what touches their files, and the terminal's background.
extension ChatLoop {
  /// How long the terminal may take to tell its background.
  private static let backgroundPatience: Duration = .milliseconds(100)

  func loadTheme(_ name: String) {
    do throws(CommandFailure) {
      let loaded = try screen.looks.files.load(name, depth: screen.looks.depth)
      feed(.themeLoaded(loaded.theme))
      for warning in loaded.warnings { complain(ChatLooks.sentence(warning)) }
    } catch {
      complain(error.message)
    }
  }

  func checkTheme(_ name: String) {
    let faults = screen.looks.faults(of: name)
    for fault in faults { complain(fault) }
    if faults.isEmpty {
      feed(.notice(UntrustedText("The theme \(name) has no fault."), isError: false))
    }
  }

  func save(_ settings: Settings, _ names: [String], _ keys: KeyMap?) {
    do throws(CommandFailure) {
      let sentence = try screen.looks.save(settings, names: names, keys: keys)
      workspace.settingsWereSaved(names, keys: keys)
      feed(.notice(UntrustedText(sentence), isError: false))
    } catch {
      complain(error.message)
    }
  }

  private func complain(_ sentence: String) {
    feed(.notice(UntrustedText(sentence), isError: true))
  }

  /// Asked once the first screen stands, so that nobody waits for the answer.
  func askBackground() {
    guard screen.looks.asksBackground, screen.presenter.askBackground() else { return }
    backgroundDue = Machine.now() + Self.backgroundPatience
  }

  /// A late answer changes nothing: colours that turn under the eyes are worse than the wrong ones.
  func heard(isLight: Bool) {
    guard let due = backgroundDue else { return }
    backgroundDue = nil
    guard Machine.now() <= due, let theme = screen.looks.heard(isLight: isLight) else { return }
    workspace.fitToBackground(theme)
    isDirty = true
  }
}
