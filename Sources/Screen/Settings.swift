/// What a person may choose about the chat, with the value that each choice has by itself.
///
/// A value without a name or a text form: those stand in `SettingTable`, from which `/set`, the configuration file
/// and completion are made.
package struct Settings: Equatable, Sendable {
  /// A row with the most useful keys under the input.
  package var showsHints = true
  /// The theme by its name; empty: the one for the background, else that of the program.
  package var theme = ""
  /// The theme on a light background, where `theme` names none.
  package var lightTheme = ""
  /// The theme on a dark background, where `theme` names none.
  package var darkTheme = ""
  package var color = ColorChoice.auto

  package init() {}
}

/// How much colour a person wants; `auto` is what the terminal can show.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, never
  case ansi16 = "16"
  case indexed256 = "256"
  case full = "24bit"
}
