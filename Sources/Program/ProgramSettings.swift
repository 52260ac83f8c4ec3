import Room
package import Screen
import Text
import WebSocket

/// What the person chose in this run.
struct Choices: Equatable {
  /// Names of settings that are not written into the configuration file yet.
  var unsaved: Set<String> = []
  /// The keys that the configuration file is known to have.
  var keptKeys = KeyMap.standard
  /// The theme that the program began with.
  var firstTheme: String?
}

/// `/set` and `/save`: settings by the names of their table.
extension Program {
  package var settings: Settings {
    get { view.settings }
    set { view.settings = newValue }
  }

  mutating func set(
    _ name: String?, _ value: String?, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard let name else {
      view.overlay = .settings(group: "", scroll: 0)
      return
    }
    guard let setting = SettingTable.setting(named: name.lowercased()) else {
      let group = name.lowercased()
      guard value != nil || !SettingTable.all.contains(where: { $0.name.hasPrefix(group) }) else {
        view.overlay = .settings(group: group, scroll: 0)
        return
      }
      let names = SettingTable.all.map(\.name)
      let near = names.min { Self.slips(name, $0) < Self.slips(name, $1) }
        .flatMap { Self.slips(name, $0) <= 2 ? $0 : nil }
      let hint = near.map { "did you mean \($0)?" } ?? "/set lists those there are."
      return say(
        "There is no setting “\(shortened(name))”: \(hint)", isError: true, &turn, &entropy)
    }
    guard let value else { return tellSetting(setting, &turn, &entropy) }
    change(setting, to: value, &turn, &entropy)
  }

  private mutating func change(
    _ setting: Setting, to value: String, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    let before = setting.read(view.settings)
    var value = value
    if setting.isOnOff { value = Self.onOff[value.lowercased()] ?? value }
    var changed = view.settings
    if value == "default", !setting.write(&changed, value) {
      value = setting.read(Settings())
    }
    // The setting follows once the theme was found.
    if setting.name == "theme", !value.isEmpty, value != before {
      return chooseTheme(value, &turn, &entropy)
    }
    guard setting.write(&view.settings, value) else {
      return say(
        "\(setting.name) takes \(setting.form), not “\(shortened(value))”.", isError: true, &turn,
        &entropy)
    }
    guard setting.read(view.settings) != before else {
      return tellSetting(setting, &turn, &entropy)
    }
    choices.unsaved.insert(setting.name)
    let when = setting.isForNextStart ? ", from the next start on" : ""
    say(
      "\(setting.name) is \(setting.shown(setting.read(view.settings))) now\(when); /save keeps it.",
      &turn, &entropy)
  }

  private static let onOff = [
    "true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off", "on": "on",
    "off": "off",
  ]

  mutating func saveSettings(_ turn: inout Turn, _ entropy: inout Entropy) {
    let keys = view.keys == choices.keptKeys ? nil : view.keys
    guard !choices.unsaved.isEmpty || keys != nil else {
      return say(
        "There is nothing to keep: nothing was changed with /set, /theme or /bind.", &turn, &entropy
      )
    }
    turn.effects.append(
      .saveSettings(view.settings, names: choices.unsaved.sorted(), keys: keys))
  }

  /// The settings of these names are in the configuration file, and the keys where they were written.
  package mutating func settingsWereSaved(_ names: [String], keys: KeyMap? = nil) {
    choices.unsaved.subtract(names)
    if let keys { choices.keptKeys = keys }
  }

  private mutating func tellSetting(
    _ setting: Setting, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    let value = setting.shown(setting.read(view.settings))
    say("\(setting.name) = \(value): \(setting.summary) (\(setting.form))", &turn, &entropy)
  }

  private static func slips(_ typed: String, _ meant: String) -> Int {
    SlashCommands.slips(from: String(typed.lowercased().prefix(64)), to: meant)
  }

  mutating func say(
    _ sentence: String, isError: Bool = false, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    tell(.notice(UntrustedText(sentence), isError: isError), &turn, &entropy)
  }

  func shortened(_ word: String) -> String { word.count > 40 ? word.prefix(39) + "…" : word }
}
