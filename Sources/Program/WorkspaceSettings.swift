package import Screen

/// What the person chose, for all windows: it goes with the one in front.
extension Workspace {
  /// What the configuration file says; before the first input.
  package mutating func begin(with settings: Settings, _ keys: KeyMap) {
    windows[current].program.settings = settings
    windows[current].program.use(keys)
  }

  /// See `Program.settingsWereSaved(_:keys:)`.
  package mutating func settingsWereSaved(_ names: [String], keys: KeyMap? = nil) {
    windows[current].program.settingsWereSaved(names, keys: keys)
  }

  /// See `Program.fitToBackground(_:)`.
  package mutating func fitToBackground(_ theme: Theme) {
    windows[current].program.fitToBackground(theme)
  }
}
