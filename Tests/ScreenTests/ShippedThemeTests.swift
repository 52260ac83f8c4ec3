import Foundation
import TestKit
import Testing

@testable import Screen

/// The files of the folder `themes`.
enum ShippedThemes {
  static let folder = URL(filePath: Programs.root).appending(path: "themes")

  /// Those that can be chosen, as the folder has them.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".theme") && $0 != "base.theme" }
      .map { String($0.dropLast(6)) }.sorted()
  }()

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name + ".theme"), encoding: .utf8)
  }

  static func load(
    _ name: String, _ depth: Theme.Depth
  ) throws -> (theme: Theme, warnings: [Theme.Warning]) {
    try Theme.parse(
      text(name), file: name + ".theme", depth: depth, parent: { try? text($0) })
  }
}

@Suite struct ShippedThemeTests {
  @Test func thirteenAreShipped() {
    #expect(
      ShippedThemes.names == [
        "catppuccin-latte", "catppuccin-mocha", "dracula", "gruvbox-dark", "high-contrast", "mono",
        "nord", "one-dark", "rose-pine", "solarized-dark", "solarized-light", "terminal",
        "tokyo-night",
      ])
  }

  @Test(
    arguments: ShippedThemes.names + ["base"],
    [Theme.Depth.none, .ansi16, .indexed256, .full])
  func aShippedThemeHasNoFault(name: String, depth: Theme.Depth) throws {
    let (theme, warnings) = try ShippedThemes.load(name, depth)
    #expect(warnings == [])
    #expect(theme.name == name)
    #expect(theme.credit != "")
    #expect((theme.variant == "base") == (name == "base"))
    #expect(theme.styles["text"] != nil || depth == .none)
    if name == "mono" {
      #expect(
        theme.styles.filter { $0.value != .plain }
          == Theme.fallback.styles.filter { $0.value != .plain })
    }
    for part in Theme.parts {
      let style = theme[part]
      #expect(style.foreground != style.background || style.foreground == .standard)
    }
  }

  /// What is read can be read: text 4.5:1 (WCAG 2, AA), everything else but lines 3:1, and in high contrast all 7:1.
  @Test(arguments: ShippedThemes.names, [Theme.Depth.indexed256, .full])
  func everyStyleHasItsContrast(name: String, depth: Theme.Depth) throws {
    let theme = try ShippedThemes.load(name, depth).theme
    let texts = ["text", "chat.text", "chat.self", "input.text", "help.text"]
    for part in Theme.parts {
      guard let contrast = Self.contrast(theme[part], depth) else { continue }
      let isText = texts.contains(part)
      let least =
        name == "high-contrast"
        ? 7 : isText && depth == .full ? 4.5 : part == "border" ? 1 : 3
      #expect(contrast >= least, "\(name) \(part) has \(contrast)")
    }
    for color in theme.nickColors {
      guard let contrast = Self.contrast(Style(color, on: theme["text"].background), depth) else {
        continue
      }
      #expect(contrast >= (name == "high-contrast" ? 7 : 3), "\(name) nick")
    }
  }

  private static func contrast(_ style: Style, _ depth: Theme.Depth) -> Double? {
    guard case .rgb(let front, let frontIndex, _) = style.foreground,
      case .rgb(let back, let backIndex, _) = style.background
    else { return nil }
    guard depth == .indexed256 else { return RGB(front).contrast(to: RGB(back)) }
    return TerminalPalette.color(of: frontIndex).contrast(to: TerminalPalette.color(of: backIndex))
  }

  @Test(arguments: ShippedThemes.names.filter { !["mono", "terminal"].contains($0) })
  func noTwoSignsRestOnColourAlone(name: String) throws {
    // In every depth the state of the line and a mention are told from text by an attribute or by words.
    let theme = try ShippedThemes.load(name, .none).theme
    #expect(theme["status"].attributes.contains(.reverse))
    #expect(theme["chat.mention"].attributes != [] || theme["chat.unread"].attributes != [])
  }
}

@Suite struct PictureTests {
  /// The pictures of the README are what the program draws today.
  @Test(arguments: ["gruvbox-dark", "solarized-light", "high-contrast"])
  func thePicturesOfTheREADMEAreThoseOfTheProgram(name: String) throws {
    let theme = try ShippedThemes.load(name, .full).theme
    let grid = previewGrid(theme: theme, width: 80, height: 20)
    let picture = svg(
      of: grid, title: "Parlour in the theme \(name)", isLight: theme.variant == "light")
    let file = ShippedThemes.folder.appending(path: name + ".svg")
    if ProcessInfo.processInfo.environment["PARLOUR_RECORD"] == "1" {
      try Data(picture.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == picture)
    let parser = XMLShape(picture)
    #expect(parser.problem == nil)
  }

  @Test func textIsEscapedAndStaysAligned() {
    var grid = Grid(width: 8, height: 1)
    for (column, text) in ["<", "&", "\"", "中", "", "\u{1B}", "x", " "].enumerated() {
      grid[row: 0, column: column] = Cell(text, .plain)
    }
    let picture = svg(of: grid, title: "a<b>&", isLight: false)
    #expect(picture.contains("<title>a&lt;b&gt;&amp;</title>"))
    #expect(
      picture.contains(
        "textLength=\"27\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#e5e5e5\">&lt;&amp;&quot;</text>"
      ))
    // A wide cluster is a text of its own, of two columns.
    #expect(
      picture.contains(
        "textLength=\"18\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#e5e5e5\">中</text>"))
    #expect(picture.contains(">\u{FFFD}x</text>"))
    #expect(!picture.contains("\u{1B}"))
  }
}

/// Whether tags are closed in order; Foundation's parser of XML is a library of its own on Linux.
private struct XMLShape {
  private(set) var problem: String?

  init(_ text: String) {
    var open: [Substring] = []
    for match in text.matches(of: /<(\/?)([a-z]+)[^<>]*?(\/?)>/) {
      if !match.output.1.isEmpty {
        if open.popLast() != match.output.2 { problem = "\(match.output.2) ends out of order" }
      } else if match.output.3.isEmpty {
        open.append(match.output.2)
      }
    }
    if !open.isEmpty { problem = "\(open) is not closed" }
    if text.contains(/&(?!amp;|lt;|gt;|quot;)/) { problem = "a bare &" }
  }
}

@Suite struct GridTextTests {
  @Test func coloursAreWrittenInTheFormOfTheDepth() {
    var grid = Grid(width: 3, height: 1)
    let style = Style(.rgb(0xFF8700, indexed: 208, ansi: 11), on: .ansi(12), [.bold, .underline])
    grid[row: 0, column: 0] = Cell("a", style)
    grid[row: 0, column: 1] = Cell("b", style)
    #expect(ansiText(of: grid, depth: .full) == "\u{1B}[0;1;4;38;2;255;135;0;104mab\u{1B}[0m \n")
    #expect(ansiText(of: grid, depth: .indexed256) == "\u{1B}[0;1;4;38;5;208;104mab\u{1B}[0m \n")
    #expect(ansiText(of: grid, depth: .ansi16) == "\u{1B}[0;1;4;93;104mab\u{1B}[0m \n")
    #expect(ansiText(of: grid, depth: .none) == "\u{1B}[0;1;4mab\u{1B}[0m \n")
  }
}

@Suite struct BackgroundTests {
  @Test(
    arguments: [
      ("15;0", false), ("0;15", true), ("0;default;15", true), ("7;8", false), ("0;7", true),
      ("15;default", nil), ("", nil), (nil, nil), ("0;300", nil),
    ] as [(String?, Bool?)])
  func theVariableTellsTheBackground(value: String?, isLight: Bool?) {
    #expect(Background.isLight(colorFGBG: value) == isLight)
  }

  @Test(
    arguments: [
      ("11;rgb:ffff/ffff/ffff", true), ("11;rgb:0000/0000/0000", false),
      ("11;rgb:fd/f6/e3", true), ("11;rgba:1e1e/1e1e/2e2e/ffff", false), ("11;rgb:f/f/f", true),
      ("10;rgb:ffff/ffff/ffff", nil), ("11;rgb:ffff/ffff", nil), ("11;rgb:fffff/0/0", nil),
      ("11;white", nil), ("", nil),
    ] as [(String, Bool?)])
  func theTerminalsAnswerIsUnderstood(answer: String, isLight: Bool?) {
    #expect(Background.isLight(answer: answer.utf8) == isLight)
  }

  @Test(arguments: ["\u{7}", "\u{1B}\\"])
  func anAnswerIsNoTypedTextHoweverItIsSplit(end: String) {
    let bytes = Array("a\u{1B}]11;rgb:ffff/ffff/ffff\(end)b".utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let keys = decoder.feed(Array(bytes[..<cut])) + decoder.feed(Array(bytes[cut...]))
      #expect(keys == [.character("a"), .background(isLight: true), .character("b")])
    }
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}]52;c;secret\(end)x".utf8)) == [.character("x")])
  }
}
