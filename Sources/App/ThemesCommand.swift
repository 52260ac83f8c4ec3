import Glibc
import Screen
import Terminal
import Text

/// `parlour themes [NAME]`: the list, or a small chat in the colours of one; as SVG too.
struct ThemesCommand {
  private let arguments: Arguments
  private let size: (width: Int, height: Int)

  init(_ arguments: Arguments) throws(CommandFailure) {
    self.arguments = arguments
    try ChatLooks.check(arguments)
    size = try Self.size(arguments.value("size") ?? "80x24")
    if arguments.operands.isEmpty, let option = ["svg", "size"].first(where: arguments.has) {
      throw .usage(
        "--\(option) needs the theme that is to be shown: parlour themes NAME --\(option)")
    }
  }

  private static func size(_ text: String) throws(CommandFailure) -> (width: Int, height: Int) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...500).contains(width), (1...200).contains(height)
    else {
      throw .usage(
        "--size \(shown(text)) is no size: write COLUMNSxROWS, such as 80x24, at most 500x200.")
    }
    return (width, height)
  }

  func run() throws(CommandFailure) -> Int32 {
    guard let name = arguments.operands.first else { return list() }
    let depth = arguments.has("svg") ? .full : depth()
    let loaded = try ThemeFiles().load(name, depth: depth)
    for warning in loaded.warnings {
      write("parlour: \(ChatLooks.sentence(warning))\n", to: STDERR_FILENO)
    }
    let grid = previewGrid(theme: loaded.theme, width: size.width, height: size.height)
    let text =
      arguments.has("svg")
      ? svg(
        of: grid, title: "Parlour in the theme \(name)", isLight: loaded.theme.variant == "light")
      : ansiText(of: grid, depth: depth)
    guard write(text, to: STDOUT_FILENO) else {
      throw CommandFailure(
        "Standard output takes no more: \(systemErrorWords()).", exitCode: ExitCode.inputOutput)
    }
    return loaded.warnings.isEmpty ? ExitCode.done : ExitCode.configuration
  }

  /// As for a chat; where the terminal says nothing of itself, as little as it can have.
  private func depth() -> Theme.Depth {
    let kind = try? TerminalKind(type: environment("TERM"))
    return chooseDepth(
      option: arguments.value("color"), noColor: environment("NO_COLOR"),
      isTerminal: isatty(STDOUT_FILENO) == 1, colorTerm: environment("COLORTERM"),
      terminfoColors: kind?.colors ?? 0)
  }

  private func list() -> Int32 {
    let files = ThemeFiles()
    let rows = files.list().compactMap { entry -> [String]? in
      guard let theme = try? files.load(entry.name, depth: .none).theme else {
        return [entry.name, "broken", entry.folder]
      }
      return theme.variant == "base"
        ? nil : [entry.name, theme.variant, entry.folder, theme.credit]
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let widest = rows.map { $0[0].count }.max() ?? 0
    for row in rows {
      let cells = row.map { UntrustedText($0).safe(for: .line, limit: 200) }
      guard isTerminal else {
        write(cells.joined(separator: "\t") + "\n", to: STDOUT_FILENO)
        continue
      }
      let name = cells[0] + String(repeating: " ", count: widest - cells[0].count)
      let credit = cells.count > 3 ? "  " + cells[3] : ""
      write("\(name)  \(cells[1].padded(6))\(credit)\n", to: STDOUT_FILENO)
    }
    return ExitCode.done
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
