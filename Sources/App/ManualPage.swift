import Room
import Screen

/// The manual, parlour(1), in the man macros: made from the tables of commands, options, slash commands, keys
/// and settings. `parlour help man` prints it.
nonisolated enum ManualPage {
  static var text: String {
    """
    .TH PARLOUR 1 "" "parlour \(HelpPage.version)" "User Commands"
    .SH NAME
    parlour \\- chat in a terminal over WebSockets
    .SH SYNOPSIS
    \(OptionTable.commands.map { ".nf\n\(escaped($0.usage))\n.fi" }.joined(separator: "\n"))
    .SH DESCRIPTION
    .B parlour
    talks to chat servers over WebSockets (RFC 6455), also to GraphQL servers by graphql\\-transport\\-ws,
    and comes back by itself when the line is lost.
    .SH COMMANDS
    \(OptionTable.commands.map(command).joined(separator: "\n"))
    .SH IN THE CHAT
    \(SlashCommands.all.map { item($0.usage, sentence($0.summary)) }.joined(separator: "\n"))
    .SH KEYS
    \(escaped(KeyTable.notation))
    The name in parentheses is what a key is bound to; /bind and the configuration file change it.
    \(KeyTable.sections.map(section).joined(separator: "\n"))
    .SH SETTINGS
    Names for /set and the configuration file.
    \(SettingTable.all.map { item($0.name, sentence($0.summary) + " (\($0.form))") }.joined(separator: "\n"))
    .SH EXIT STATUS
    \(ends.map { item("\($0.code)", $0.words) }.joined(separator: "\n"))
    .SH ENVIRONMENT
    \(variables.map { item($0.name, $0.words) }.joined(separator: "\n"))
    .SH FILES
    \(files.map { item($0.name, $0.words) }.joined(separator: "\n"))

    """
  }

  private static let ends: [(code: Int, words: String)] = [
    (0, "Done."), (64, "Wrong usage."), (65, "A message that is not what the dialect demands."),
    (69, "Unreachable, TLS refused, or gave up."), (74, "Input/output error."),
    (76, "The peer broke the protocol."), (77, "Refused: authentication."),
    (78, "A configuration file that is missing or wrong."), (130, "Interrupted."),
  ]

  private static let variables: [(name: String, words: String)] = [
    ("PARLOUR_TOKEN", "The bearer token, where no option names one."),
    ("VISUAL, EDITOR", "The editor for a message (^X^E)."),
    ("NO_COLOR", "Where it is not empty: attributes instead of colours."),
    (
      "wss_proxy, https_proxy, ws_proxy, http_proxy, all_proxy, no_proxy",
      "The way through proxies."
    ),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR, TMPDIR", "Where files are."),
  ]

  private static let files: [(name: String, words: String)] = [
    ("$XDG_CONFIG_HOME/parlour/", "Configuration, themes and profiles of your own (~/.config)."),
    ("$XDG_STATE_HOME/parlour/", "The history (~/.local/state), readable by you alone."),
  ]

  private static func command(_ entry: CommandEntry) -> String {
    let head = ".SS \(escaped(entry.usage))\n\(escaped(entry.summary))"
    let options = entry.options.map { option in
      item(
        "--" + option.name + (option.value.map { " " + $0 } ?? ""),
        option.help + (option.isRepeatable ? " Repeatable." : ""))
    }
    return ([head] + options).joined(separator: "\n")
  }

  private static func section(_ section: KeySection) -> String {
    let rows = section.rows.map { row in
      item(KeysPage.keys(row), sentence(row.does) + (row.action.map { " (\($0.name))" } ?? ""))
    }
    return ([".SS \(escaped(section.title))"] + rows).joined(separator: "\n")
  }

  private static func item(_ term: String, _ words: String) -> String {
    ".TP\n.B \"\(escaped(term).replacing("\"", with: "\\(dq"))\"\n\(escaped(words))"
  }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// Text that roff takes as it is: a backslash, a hyphen that may be copied into a shell, quotes and the first
  /// sign of a line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\(rs"
      case "-": result += "\\-"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
