/// Colours and attributes by the names of parts, with the longest prefix winning.
package struct Theme: Equatable, Sendable {
  package var name: String
  package var styles: [String: Style] { didSet { resolve() } }
  package var nickColors: [Color] { didSet { hues = nickColors.map(\.hue) } }
  /// "dark" or "light"; "base" for what is only there to be inherited from.
  package var variant = "dark"
  package var credit = ""
  /// The styles of all parts that are drawn: each row of the screen asks for several.
  private var resolved: [String: Style] = [:]
  /// Of the nick colours, in degrees.
  private(set) var hues: [Double]

  package init(name: String, styles: [String: Style], nickColors: [Color]) {
    self.name = name
    self.styles = styles
    self.nickColors = nickColors
    hues = nickColors.map(\.hue)
    resolve()
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

  /// The style of a part such as "status.online": the longest prefix that the theme has, else that of
  /// "text".
  package subscript(part: String) -> Style { resolved[part] ?? style(of: part) }

  private func style(of part: String) -> Style {
    Self.prefixes(of: part).lazy.compactMap { styles[$0] }.first ?? styles["text"] ?? .plain
  }

  private mutating func resolve() {
    resolved = [:]
    resolved.reserveCapacity(Self.parts.count)
    for part in Self.parts { resolved[part] = style(of: part) }
  }

  /// Whether a name may be looked for as a file: [a-z0-9-]{1,32}.
  package static func isValidName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      }
  }

  /// The theme of last resort, in case no file can be found: the same as `mono`.
  package static let fallback = Theme(
    name: "mono",
    styles: [
      "text": .plain,
      "border": Style(.standard, on: .standard, .dim),
      "title": Style(.standard, on: .standard, [.bold, .reverse]),
      "title.topic": Style(.standard, on: .standard, .reverse),
      "status": Style(.standard, on: .standard, .reverse),
      "status.online": Style(.standard, on: .standard, [.bold, .reverse]),
      "status.reconnecting": Style(.standard, on: .standard, [.bold, .reverse]),
      "status.error": Style(.standard, on: .standard, [.bold, .reverse]),
      "rooms.current": Style(.standard, on: .standard, .bold),
      "rooms.mention": Style(.standard, on: .standard, .reverse),
      "chat.time": Style(.standard, on: .standard, .dim),
      "chat.date": Style(.standard, on: .standard, .dim),
      "chat.self": Style(.standard, on: .standard, .bold),
      "chat.error": Style(.standard, on: .standard, .bold),
      "chat.unread": Style(.standard, on: .standard, .bold),
      "chat.mention": Style(.standard, on: .standard, .bold),
      "chat.url": Style(.standard, on: .standard, .underline),
      "chat.pending": Style(.standard, on: .standard, .dim),
      "chat.failed": Style(.standard, on: .standard, .bold),
      "chat.control": Style(.standard, on: .standard, .dim),
      "scroll.more": Style(.standard, on: .standard, .bold),
      "search.match": Style(.standard, on: .standard, .underline),
      "search.current": Style(.standard, on: .standard, .reverse),
      "input.prompt": Style(.standard, on: .standard, .bold),
      "input.hint": Style(.standard, on: .standard, .dim),
      "input.overflow": Style(.standard, on: .standard, .bold),
      "input.misspelt": Style(.standard, on: .standard, .underline),
      "input.paste": Style(.standard, on: .standard, .reverse),
      "popup": Style(.standard, on: .standard, .reverse),
      "popup.selected": Style(.standard, on: .standard, .bold),
      "help.title": Style(.standard, on: .standard, .bold),
      "help.key": Style(.standard, on: .standard, .bold),
    ],
    nickColors: [])
}

package struct ThemeError: Error, Equatable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}
