import Text

/// What `/set` shows: every setting with its value, what it is for and what it may be, as `/help` shows the commands.
extension HelpPage {
  /// All of them, or those whose names begin like `group`.
  static func settings(_ settings: Settings, group: String) -> [Section] {
    let usual = Settings()
    let entries = SettingTable.all.filter { $0.name.hasPrefix(group) }.map { setting in
      let value = setting.read(settings)
      let change =
        value == setting.read(usual) ? "" : "; usually \(Setting.shown(setting.read(usual)))"
      return (
        "\(setting.name) = \(Setting.shown(value))", "\(setting.summary) (\(setting.form)\(change))"
      )
    }
    return [Section(title: "/set NAME VALUE, and /save to keep it", entries: entries)]
  }
}

extension Setting {
  /// A value in a sentence or a list.
  package static func shown(_ value: String) -> String { value.isEmpty ? "none" : value }
}
