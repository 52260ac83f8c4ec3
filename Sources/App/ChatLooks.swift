import Screen

/// Which theme a chat begins with, and how much colour it has.
struct ChatLooks {
  let files = ThemeFiles()
  let depth: Theme.Depth
  private(set) var theme = Theme.fallback
  /// What is worth saying once the chat is there.
  private(set) var warnings: [String] = []
  /// Whether the background is light, as far as the environment says.
  private(set) var isLight: Bool?
  /// The themes of the settings for either background, of which the terminal's answer decides.
  private let pair: (light: String, dark: String)?

  init(_ arguments: Arguments, _ settings: Settings, colors: Int) throws(CommandFailure) {
    depth = chooseDepth(
      option: arguments.value("color") ?? settings.color.rawValue,
      noColor: environment("NO_COLOR"), isTerminal: true,
      colorTerm: environment("COLORTERM"), terminfoColors: colors)
    isLight = Background.isLight(colorFGBG: environment("COLORFGBG"))
    let isFree = arguments.value("theme") == nil && settings.theme.isEmpty
    let hasPair = !settings.lightTheme.isEmpty || !settings.darkTheme.isEmpty
    pair = isFree && hasPair ? (settings.lightTheme, settings.darkTheme) : nil
    if let wish = arguments.value("theme") {
      // One that was asked for must be there.
      take(try files.load(wish, depth: depth))
    } else {
      choose(settings.theme.isEmpty ? fitting(isLight: isLight ?? false) : settings.theme)
    }
  }

  /// What is wrong with the options is said also where there is no terminal.
  static func check(_ arguments: Arguments) throws(CommandFailure) {
    if let option = arguments.value("color"), ColorChoice(rawValue: option) == nil {
      throw .usage("--color \(shown(option)) is none of auto, never, 16, 256 and 24bit.")
    }
    if let name = arguments.value("theme") { _ = try ThemeFiles().load(name, depth: .none) }
  }

  /// The terminal is worth asking for its background: it decides between two themes.
  var asksBackground: Bool { pair != nil && isLight == nil }

  /// The theme for the background that the terminal told of; nil where it is the one that is there.
  mutating func heard(isLight: Bool) -> Theme? {
    self.isLight = isLight
    guard pair != nil else { return nil }
    let name = fitting(isLight: isLight)
    guard name != theme.name, let loaded = try? files.load(name, depth: depth) else { return nil }
    theme = loaded.theme
    return theme
  }

  private func fitting(isLight: Bool) -> String {
    guard let pair else { return Theme.usualName }
    let name = isLight ? pair.light : pair.dark
    return name.isEmpty ? Theme.usualName : name
  }

  /// Where the wish of the configuration is not there, the program's own theme serves, and where there is no file at
  /// all, one without colours.
  private mutating func choose(_ name: String) {
    do throws(CommandFailure) {
      take(try files.load(name, depth: depth))
    } catch {
      warnings.append(error.message)
      if name != Theme.usualName, let loaded = try? files.load(Theme.usualName, depth: depth) {
        theme = loaded.theme
      }
    }
  }

  private mutating func take(_ loaded: (theme: Theme, warnings: [Theme.Warning])) {
    theme = loaded.theme
    warnings += loaded.warnings.map(Self.sentence)
  }

  nonisolated static func sentence(_ warning: Theme.Warning) -> String {
    let place = warning.line.map { "\(warning.file):\($0)" } ?? warning.file
    return "\(place): \(warning.message)"
  }

  // MARK: - In the chat

  /// What is wrong with a theme's file, a sentence each.
  func faults(of name: String) -> [String] {
    do throws(CommandFailure) {
      return try files.load(name, depth: .full).warnings.map(Self.sentence)
    } catch {
      return [error.message]
    }
  }

  /// Writes settings into the configuration file; a theme goes where the file has a pair of them to the one for this
  /// background.
  func save(
    _ settings: Settings, names: [String], keys: KeyMap?
  ) throws(CommandFailure) -> String {
    let file = try ConfigurationFile.load().settings
    let hasPair = file["theme"] == nil && (file["theme.light"] ?? file["theme.dark"]) != nil
    let values = names.compactMap { name -> (name: String, value: String)? in
      guard let setting = SettingTable.setting(named: name) else { return nil }
      let place =
        name == "theme" && hasPair ? (isLight == true ? "theme.light" : "theme.dark") : name
      return (place, setting.read(settings))
    }
    return try ConfigurationFile.save(values, keys: keys)
  }
}
