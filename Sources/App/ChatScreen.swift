import Channel
import Glibc
import Program
import Screen
import Terminal
import Text

/// The terminal of a chat: opened with the right depth of colour and theme, given back at the end.
final class ChatScreen {
  let presenter: Presenter
  let depth: Theme.Depth
  let themes = ThemeFiles()
  let theme: Theme
  /// What is worth saying once the chat is there: a theme's faults, a missing locale.
  let warnings: [String]

  /// Checks everything that can be said in a plain sentence before the terminal is taken over.
  init(_ arguments: Arguments) throws(CommandFailure) {
    try Self.check(arguments, files: themes)
    let encoding = TextEncoding.adopt()
    let kind: TerminalKind
    do {
      try Presenter.requireTerminal(input: STDIN_FILENO, output: STDOUT_FILENO)
      kind = try TerminalKind(
        type: environment("TERM"), program: environment("TERM_PROGRAM"))
    } catch {
      throw .usage(error.message)
    }
    depth = Self.depth(arguments, kind: kind)
    var warnings = [encoding.warning].compactMap { $0 }
    (theme, warnings) = try Self.theme(arguments, from: themes, depth: depth, warnings: warnings)
    self.warnings = warnings
    do {
      presenter = try Presenter(kind: kind, encoding: encoding, depth: depth)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.unavailable)
    }
  }

  /// What is wrong with the options is said also where there is no terminal.
  private static func check(
    _ arguments: Arguments, files: ThemeFiles
  ) throws(CommandFailure) {
    if let option = arguments.value("color"),
      !["auto", "never", "16", "256", "24bit"].contains(option)
    {
      throw .usage("--color \(shown(option)) is none of auto, never, 16, 256 and 24bit.")
    }
    if let name = arguments.value("theme") { _ = try files.load(name, depth: .none) }
  }

  private static func depth(_ arguments: Arguments, kind: TerminalKind) -> Theme.Depth {
    chooseDepth(
      option: arguments.value("color"), noColor: environment("NO_COLOR"), isTerminal: true,
      colorTerm: environment("COLORTERM"), terminfoColors: kind.colors)
  }

  /// A theme that was asked for must be there; without a wish the fallback serves where no file is found.
  private static func theme(
    _ arguments: Arguments, from files: ThemeFiles, depth: Theme.Depth, warnings: [String]
  ) throws(CommandFailure) -> (Theme, [String]) {
    let wish = arguments.value("theme")
    do throws(CommandFailure) {
      let loaded = try files.load(wish ?? "terminal", depth: depth)
      return (loaded.theme, warnings + loaded.warnings.map(sentence))
    } catch {
      if wish != nil { throw error }
      return (.fallback, warnings + [error.message])
    }
  }

  static func sentence(_ warning: Theme.Warning) -> String {
    let place = warning.line.map { "\(warning.file):\($0)" } ?? warning.file
    return "\(place): \(warning.message)"
  }
}
