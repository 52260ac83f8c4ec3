import Text

/// What `/set` shows: every setting with its value, what it is for and what it may be, as `/help` shows the commands.
extension HelpPage {
  /// All of them, or those whose names begin like `group`.
  static func settings(_ settings: Settings, group: String) -> [Section] {
    let usual = Settings()
    let entries = SettingTable.all.filter { $0.name.hasPrefix(group) }.map { setting in
      let value = setting.read(settings)
      let change =
        value == setting.read(usual) ? "" : "; usually \(setting.shown(setting.read(usual)))"
      return (
        "\(setting.name) = \(setting.shown(value))", "\(setting.summary) (\(setting.form)\(change))"
      )
    }
    return [Section(title: "/set NAME VALUE, and /save to keep it", entries: entries)]
  }
}

extension Theme {
  /// The one that is there where none was chosen: the terminal's own colours.
  package static let usualName = "terminal"
}

extension Setting {
  /// A value in a sentence or a list.
  package func shown(_ value: String) -> String {
    guard value.isEmpty else { return value }
    return name == "theme" ? Theme.usualName : "none"
  }
}
