/// Colours and attributes by the names of parts, with the longest prefix winning.
package struct Theme: Equatable, Sendable {
  package var name: String
  package var styles: [String: Style]
  package var nickColors: [Color]

  package init(name: String, styles: [String: Style], nickColors: [Color]) {
    self.name = name
    self.styles = styles
    self.nickColors = nickColors
  }

  /// What the theme's file got wrong: the rest applies all the same.
  package struct Warning: Equatable, Sendable {
    package var file: String
    package var line: Int?
    package var message: String

    package init(file: String, line: Int?, message: String) {
      self.file = file
      self.line = line
      self.message = message
    }
  }

  /// How much colour the terminal can show.
  package enum Depth: Int, Comparable, Sendable {
    case none = 0
    case ansi16 = 16
    case indexed256 = 256
    case full = 16_777_216

    package static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
  }

  /// The style of a part such as "status.online": the longest prefix that the theme has.
  package subscript(part: String) -> Style {
    fatalError("interface only")
  }

  /// The colour of a nick: the same everywhere, by XEP-0392.
  package func color(ofNick nick: String) -> Color {
    fatalError("interface only")
  }

  /// Reads a theme file. `parent` gives the text of the theme it inherits from. Throws a sentence with file
  /// and line where the file is no theme at all; lesser faults are warnings.
  package static func parse(
    _ text: String, file: String, depth: Depth, parent: (String) -> String?
  ) throws(ThemeError) -> (theme: Theme, warnings: [Warning]) {
    fatalError("interface only")
  }

  /// Whether a name may be looked for as a file: [a-z0-9-]{1,32}.
  package static func isValidName(_ name: String) -> Bool {
    fatalError("interface only")
  }

  /// The theme of last resort, in case no file can be found: the same as `mono`.
  package static var fallback: Theme {
    fatalError("interface only")
  }
}

package struct ThemeError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}
