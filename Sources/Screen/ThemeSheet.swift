import JSON
import TOML

/// What one theme file says, before colours are fitted to a terminal.
struct ThemeSheet {
  /// An entry of the palette: the terminal's own colour, one of the 16, or 24 bits with what stands for it.
  enum Ink: Equatable {
    case standard
    case ansi(UInt8)
    case rgb(RGB, indexed: UInt8?, ansi: UInt8?)
  }

  /// A style as it is written: what is not said is taken from the shorter name, and at last from "text".
  struct Look: Equatable {
    var foreground: String?
    var background: String?
    var attributes: Attributes = []
    /// The first word where it is an attribute: a palette may have a colour of that name, such as `dim`.
    var leading: String?
    var line: Int?
  }

  let file: String
  var name: String?
  var inherits: String?
  var variant: String?
  var credit: String?
  var palette: [String: Ink] = [:]
  /// Entries of the palette that are no colour: told once, and not for each style that uses them.
  var brokenColors: Set<String> = []
  var styles: [String: Look] = [:]
  var mono: [String: Look] = [:]
  var nicks: [String]?
  private(set) var warnings: [Theme.Warning] = []
  private let document: TOMLDocument

  init(_ document: TOMLDocument, file: String) {
    self.document = document
    self.file = file
    readHead()
    readPalette()
    styles = readLooks("styles")
    mono = readLooks("mono")
    readNicks()
    for member in document.root.members ?? []
    where !["theme", "palette", "styles", "nicks", "mono"].contains(member.key) {
      warn(
        [member.key],
        "[\(shown(member.key))] is no part of a theme; known are theme, palette, styles, nicks and mono"
      )
    }
  }

  mutating func warn(line: Int?, _ message: String) {
    warnings.append(Theme.Warning(file: file, line: line, message: message))
  }

  private mutating func warn(_ path: [String], _ message: String) {
    warn(line: document.line(of: path), message)
  }

  private mutating func readHead() {
    for member in document.root["theme"]?.members ?? [] {
      let path = ["theme", member.key]
      guard let value = member.value.string else {
        warn(path, "\(shown(member.key)) has to be a text in quotes")
        continue
      }
      switch member.key {
      case "name": name = value
      case "inherits": inherits = value
      case "variant":
        if ["dark", "light", "base"].contains(value) {
          variant = value
        } else {
          warn(path, "variant is either dark or light")
        }
      case "credit": credit = value
      default:
        warn(
          path,
          "\(shown(member.key)) is not known in [theme]; known are name, variant, credit and inherits"
        )
      }
    }
  }

  private mutating func readPalette() {
    for member in document.root["palette"]?.members ?? [] {
      let path = ["palette", member.key]
      if let text = member.value.string, let ink = Self.ink(text) {
        palette[member.key] = ink
      } else {
        brokenColors.insert(member.key)
        warn(
          path,
          "\(shown(member.key)) is no colour; write \"#rrggbb\", \"#rrggbb 0…255 name\", one of the 16 names, or \"default\""
        )
      }
    }
  }

  /// "default", a name of the 16, or "#rrggbb [index] [name]".
  static func ink(_ text: String) -> Ink? {
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 3 else { return nil }
    guard first.hasPrefix("#") else {
      guard words.count == 1 else { return nil }
      if first == "default" { return .standard }
      return TerminalPalette.names.firstIndex(of: String(first)).map { .ansi(UInt8($0)) }
    }
    let digits = first.dropFirst()
    guard digits.utf8.count == 6, digits.utf8.allSatisfy({ isHexDigit($0) }),
      let value = UInt32(digits, radix: 16)
    else { return nil }
    var indexed: UInt8?
    var ansi: UInt8?
    for word in words.dropFirst() {
      if indexed == nil, ansi == nil, let number = UInt8(word) {
        indexed = number
      } else if ansi == nil, let index = TerminalPalette.names.firstIndex(of: String(word)) {
        ansi = UInt8(index)
      } else {
        return nil
      }
    }
    return .rgb(RGB(value), indexed: indexed, ansi: ansi)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  private mutating func readLooks(_ table: String) -> [String: Look] {
    guard let members = document.root[table]?.members else { return [:] }
    var looks: [String: Look] = [:]
    // Dotted keys come as tables in tables; a name in quotes is one key. Both mean the same.
    var open = members.map { (path: [table, $0.key], part: $0.key, value: $0.value) }
    while let (path, part, value) = open.popLast() {
      if let inner = value.members {
        guard path.count < 6 else { continue }
        open += inner.map { (path + [$0.key], part + "." + $0.key, $0.value) }
      } else if !Theme.isKnown(part: part) {
        warn(path, "\(shown(part)) is no part of the screen, so its style is not used")
      } else if let text = value.string, var look = Self.look(text) {
        look.line = document.line(of: path)
        looks[part] = look
      } else {
        warn(
          path,
          "the style of \(part) has to be written as \"COLOUR on COLOUR bold dim italic underline reverse\", each of them optional"
        )
      }
    }
    return looks
  }

  /// "fg [on bg] [attributes]"; nil where it is written in another way.
  static func look(_ text: String) -> Look? {
    var look = Look()
    var expectsBackground = false
    for word in text.split(separator: " ").map(String.init) {
      if expectsBackground {
        look.background = word
        expectsBackground = false
      } else if let attribute = attributes[word] {
        if look == Look() { look.leading = word }
        look.attributes.insert(attribute)
      } else if word == "on", look.background == nil {
        expectsBackground = true
      } else if look.foreground == nil, look.background == nil {
        look.foreground = word
      } else {
        return nil
      }
    }
    return expectsBackground ? nil : look
  }

  static let attributes: [String: Attributes] = [
    "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse,
  ]

  private mutating func readNicks() {
    for member in document.root["nicks"]?.members ?? [] {
      if member.key == "colors", let text = member.value.string {
        nicks = text.split(separator: " ").map(String.init)
      } else {
        warn(["nicks", member.key], "[nicks] takes one line: colors = \"red green …\"")
      }
    }
  }
}
