import Room
package import Screen
import Text
import WebSocket

/// `/theme`: by name, from the list, and what else is to be done with a theme.
extension Program {
  /// What follows `/theme` instead of a name.
  static let themeVerbs = ["reload", "check", "save", "reset"]

  mutating func chooseTheme(_ word: String, _ turn: inout Turn, _ entropy: inout Entropy) {
    switch word {
    case "reload": turn.effects.append(.loadTheme(theme.name))
    case "check": turn.effects.append(.checkTheme(theme.name))
    case "save":
      view.settings.theme = theme.name
      turn.effects.append(.saveSettings(view.settings, names: ["theme"], keys: nil))
    case "reset":
      turn.effects.append(.loadTheme(choices.firstTheme ?? theme.name))
    case _ where Theme.isValidName(word): turn.effects.append(.loadTheme(word))
    default:
      say(
        "“\(shortened(word))” cannot be the name of a theme, which has only a-z, 0-9 and -: "
          + "/theme lists those there are.", isError: true, &turn, &entropy)
    }
  }

  mutating func take(_ theme: Theme, _ turn: inout Turn, _ entropy: inout Entropy) {
    rememberTheme()
    self.theme = theme
    chose(theme.name)
    say("The theme is \(theme.name) now; /save keeps it.", &turn, &entropy)
  }

  /// The theme for the background, once it is known: no choice of the person.
  package mutating func fitToBackground(_ theme: Theme) {
    if case .themes = view.overlay { return }
    self.theme = theme
  }

  /// One that is only looked at in the list is not the theme yet.
  var themeBeforePicking: Theme {
    if case .themes(let picker) = view.overlay { picker.before } else { theme }
  }

  private mutating func rememberTheme() {
    choices.firstTheme = choices.firstTheme ?? theme.name
  }

  private mutating func chose(_ name: String) {
    guard view.settings.theme != name else { return }
    view.settings.theme = name
    choices.unsaved.insert("theme")
  }

  // MARK: - The list

  mutating func showPicker(_ themes: [Theme]) {
    guard let picker = ThemePicker(themes, current: theme) else { return }
    rememberTheme()
    view.overlay = .themes(picker)
    theme = picker.choice
  }

  mutating func pressInPicker(_ key: Key, _ turn: inout Turn, entropy: inout Entropy) {
    guard case .themes(var picker) = view.overlay else { return }
    let page = max(1, height / 2)
    switch key {
    case .up, .wheelUp, .control("p"), .backTab: picker.move(by: -1)
    case .down, .wheelDown, .control("n"), .tab: picker.move(by: 1)
    case .pageUp: picker.move(by: -page)
    case .pageDown: picker.move(by: page)
    case .home, .alt("<"): picker.move(by: -picker.themes.count)
    case .end, .alt(">"): picker.move(by: picker.themes.count)
    case .enter:
      view.overlay = nil
      return take(picker.choice, &turn, &entropy)
    case .escape, .control("c"), .control("g"):
      view.overlay = nil
      theme = picker.before
      return
    case .character(let letter): picker.move(toLetter: letter)
    default: return
    }
    theme = picker.choice
    view.overlay = .themes(picker)
  }
}
