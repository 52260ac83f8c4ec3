import TestKit
import Testing

@testable import Screen

@Suite struct ThemeTests {
  static func parse(
    _ text: String, depth: Theme.Depth = .full, parent: (String) -> String? = { _ in nil }
  ) throws -> (theme: Theme, warnings: [Theme.Warning]) {
    try Theme.parse(text, file: "my.theme", depth: depth, parent: parent)
  }

  static let small = """
    [theme]
    name = "my"
    [palette]
    bg = "#000000"
    fg = "#ffffff 231 bright-white"
    gold = "#ffd700"
    alt = "#202020"
    [styles]
    text = "fg on bg"
    status = "fg on alt"
    "status.online" = "gold bold"
    chat.time = "bright-black"
    "chat.self" = "default on default italic underline"
    [nicks]
    colors = "red gold"
    [mono]
    status = "reverse"
    """

  @Test func aThemeIsRead() throws {
    let (theme, warnings) = try Self.parse(Self.small)
    #expect(warnings == [])
    #expect(theme.name == "my")
    let white = Color.rgb(0xFFFFFF, indexed: 231, ansi: 15)
    let black = Color.rgb(0, indexed: 16, ansi: 0)
    // #ffd700 is the colour 220 of the cube, and a light yellow among the 16.
    let gold = Color.rgb(0xFFD700, indexed: 220, ansi: 11)
    let grey = Color.rgb(0x202020, indexed: 234, ansi: 0)
    #expect(theme["text"] == Style(white, on: black))
    #expect(theme["status"] == Style(white, on: grey))
    // What a style does not say comes from the shorter name.
    #expect(theme["status.online"] == Style(gold, on: grey, .bold))
    #expect(theme["status.error"] == theme["status"])
    #expect(theme["chat.time"] == Style(.ansi(8), on: black))
    #expect(theme["chat.self"] == Style(.standard, on: .standard, [.italic, .underline]))
    #expect(theme["help.key"] == theme["text"])
    #expect(theme.nickColors == [.ansi(1), gold])
  }

  @Test func sixteenColoursTakeTheNameThatStandsForTheHex() throws {
    let theme = try Self.parse(Self.small, depth: .ansi16).theme
    #expect(theme["text"] == Style(.ansi(15), on: .ansi(0)))
    #expect(theme["status.online"] == Style(.ansi(11), on: .ansi(0), .bold))
  }

  @Test func foregroundAndBackgroundNeverFallTogetherInSixteenColours() throws {
    let text = """
      [theme]
      name = "my"
      [styles]
      text = "#101010 on #000000"
      """
    #expect(try Self.parse(text, depth: .ansi16).theme["text"] == Style(.standard, on: .ansi(0)))
  }

  @Test func withoutColourTheMonoStylesCount() throws {
    let theme = try Self.parse(Self.small, depth: .none).theme
    #expect(theme["status"] == Style(.standard, on: .standard, .reverse))
    #expect(theme["status.online"] == Style(.standard, on: .standard, .bold))
    #expect(theme.nickColors == [])
    #expect(theme.color(ofNick: "ko") == .standard)
  }

  @Test func faultsAreSaidWithTheirLineAndTheRestApplies() throws {
    let (theme, warnings) = try Self.parse(
      """
      [theme]
      name = "my"
      colour = "red"
      [palette]
      fg = "#fff"
      good = "#00ff00"
      [styles]
      text = "good"
      border = "pink"
      chat.tmie = "good"
      "chat.time" = 5
      title = "good on"
      [extra]
      """)
    #expect(theme["text"].foreground == .rgb(0x00FF00, indexed: 46, ansi: 10))
    #expect(theme["border"] == theme["text"])
    #expect(warnings.map(\.line) == [3, 5, 9, 10, 11, 12, 13])
    #expect(warnings.allSatisfy { $0.file == "my.theme" })
    #expect(warnings[2].message == "pink is no colour of the palette")
    #expect(
      warnings[3].message == "chat.tmie is no part of the screen, so its style is not used")
  }

  @Test func aBrokenColourIsToldOnceHoweverManyStylesUseIt() throws {
    let warnings = try Self.parse(
      """
      [theme]
      name = "my"
      [palette]
      red = "#zzzzzz"
      [styles]
      text = "red"
      border = "red"
      title = "red on red"
      [nicks]
      colors = "red"
      """
    ).warnings
    #expect(warnings.map(\.line) == [4])
  }

  @Test func aFileThatIsNoThemeIsRefusedWithFileAndLine() throws {
    #expect { try Self.parse("[theme]\nname = ") } throws: {
      ($0 as? ThemeError)?.message.hasPrefix("my.theme:2: ") == true
    }
    let long = "# " + String(repeating: "x", count: 65_536)
    #expect { try Self.parse(long) } throws: {
      ($0 as? ThemeError)?.message
        == "my.theme is larger than 64 KiB, so it is no theme; name a theme file"
    }
  }

  @Test func aChainOfInheritanceIsFollowedToItsEnd() throws {
    let themes = [
      "b": "[theme]\nname = \"b\"\ninherits = \"c\"\n[palette]\ngold = \"#111111\"\n",
      "c": "[theme]\nname = \"c\"\ninherits = \"my\"\n[styles]\nborder = \"gold\"\n",
      "my": Self.small,
    ]
    let child = "[theme]\nname = \"a\"\ninherits = \"b\"\n"
    let (theme, warnings) = try Self.parse(child, depth: .full, parent: { themes[$0] })
    #expect(warnings == [])
    #expect(theme["border"].foreground == .rgb(0x111111, indexed: 233, ansi: 0))
    #expect(theme["chat.time"].foreground == .ansi(8))
    let long = { (name: String) in
      Int(name.dropFirst()).map { "[theme]\nname = \"t\($0)\"\ninherits = \"t\($0 + 1)\"\n" }
    }
    let endless = try Self.parse("[theme]\nname = \"t0\"\ninherits = \"t1\"\n", parent: long)
    #expect(endless.warnings.map(\.message) == ["more than 8 themes stand behind this one"])
  }

  @Test func oneStepOfInheritanceIsFollowed() throws {
    let child = """
      [theme]
      name = "child"
      inherits = "my"
      [palette]
      gold = "#00ff00"
      [styles]
      text = "gold on bg"
      """
    let (theme, warnings) = try Self.parse(child, parent: { $0 == "my" ? Self.small : nil })
    #expect(warnings == [])
    #expect(theme.name == "child")
    let green = Color.rgb(0x00FF00, indexed: 46, ansi: 10)
    #expect(theme["text"].foreground == green)
    #expect(theme["status.online"].foreground == green)
    #expect(theme.nickColors == [.ansi(1), green])
  }

  @Test(arguments: [
    ("child", "child cannot inherit from itself"),
    ("../x", "../x is no name of a theme to inherit from"),
    ("gone", "there is no theme gone to inherit from; check the name"),
    ("loop", "child inherits from loop inherits from child: the circle has to be broken"),
  ]) func anotherParentIsRefused(name: String, message: String) throws {
    let text = "[theme]\nname = \"child\"\ninherits = \"\(name)\"\n[styles]\ntext = \"red\"\n"
    let loop = "[theme]\nname = \"loop\"\ninherits = \"child\"\n"
    let (theme, warnings) = try Self.parse(text, parent: { $0 == "loop" ? loop : nil })
    #expect(warnings == [Theme.Warning(file: "my.theme", line: 3, message: message)])
    #expect(theme["text"].foreground == .ansi(1))
  }

  @Test(arguments: [
    ("mono", true), ("a-1", true), ("", false), ("A", false), ("a/b", false), ("..", false),
    ("x\n", false), (String(repeating: "x", count: 33), false),
  ]) func aNameIsNoPath(name: String, isValid: Bool) {
    #expect(Theme.isValidName(name) == isValid)
  }

  @Test func dimIsLiftedUntilItCanBeRead() throws {
    // Nord, whose comment grey has 1.7 : 1.
    let text = """
      [theme]
      name = "nord"
      [palette]
      bg = "#2e3440"
      fg = "#d8dee9"
      dim = "#4c566a"
      [styles]
      chat.time = "dim"
      """
    guard case .rgb(let value, _, _) = try Self.parse(text).theme["chat.time"].foreground else {
      Issue.record("no colour")
      return
    }
    let contrast = RGB(value).contrast(to: RGB(0x2E3440))
    #expect(contrast >= 3 && contrast < 4)
  }

  @Test func theSameNickHasTheSameColour() throws {
    let theme = try Self.parse(Self.small).theme
    #expect(theme.color(ofNick: "Mira") == theme.color(ofNick: "mira"))
    let found = Set(["mira", "ko", "sana", "ada", "bob", "eve"].map { theme.color(ofNick: $0) })
    #expect(found == Set(theme.nickColors))
  }
}

/// What is read most can be read on any palette of 16 colours: the places of a scheme's own palette are no help
/// to those who have another one.
@Suite struct SixteenColourTests {
  /// As xterm has them: a common palette that belongs to no theme.
  private static let xterm: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  @Test(arguments: ShippedThemes.names.filter { $0 != "mono" })
  func theTextIsReadableOnAPaletteOfAnotherScheme(name: String) throws {
    let theme = try ShippedThemes.load(name, .ansi16).theme
    for part in ["text", "chat.text", "title", "title.topic", "status", "input.text", "help.text"] {
      guard let front = Self.value(theme[part].foreground),
        let back = Self.value(theme[part].background)
      else { continue }
      #expect(RGB(front).contrast(to: RGB(back)) >= 3, "\(name) \(part)")
    }
  }

  /// Nil for the terminal's own.
  private static func value(_ color: Color) -> UInt32? {
    switch color {
    case .standard: nil
    case .ansi(let index), .rgb(_, _, let index): xterm[Int(index & 15)]
    }
  }
}

@Suite struct ThemePreviewTests {
  @Test(arguments: ["terminal", "gruvbox-dark", "solarized-light"])
  func aThemeIsShownByAConversation(name: String) throws {
    let theme = try ShippedThemes.load(name, .full).theme
    let grid = previewGrid(theme: theme, width: 72, height: 16)
    #expect(brokenPromise(of: grid) == nil)
    #expect(Golden.difference(Golden.text(of: grid, styles: true), "preview-\(name)") == nil)
  }
}

@Suite struct ColorDepthTests {
  @Test(
    arguments: [
      // Option, NO_COLOR, terminal, COLORTERM, terminfo, depth.
      (nil, nil, true, nil, 256, Theme.Depth.indexed256),
      ("auto", nil, true, nil, 8, .ansi16), ("auto", nil, true, nil, 16, .ansi16),
      ("auto", nil, true, nil, 16_777_216, .full), ("auto", nil, true, nil, 0, .none),
      ("auto", nil, true, nil, -1, .none), ("auto", nil, true, "truecolor", 256, .full),
      ("auto", nil, true, "24bit", 8, .full), ("auto", nil, true, "yes", 8, .ansi16),
      ("auto", "1", true, "truecolor", 256, .none), ("auto", "", true, "truecolor", 256, .full),
      ("auto", nil, false, "truecolor", 256, .none), ("never", nil, true, "truecolor", 256, .none),
      ("16", "1", false, nil, 0, .ansi16), ("256", nil, true, "truecolor", 8, .indexed256),
      ("24bit", "1", true, nil, 8, .full),
    ] as [(String?, String?, Bool, String?, Int, Theme.Depth)])
  func theDepthIsChosenInOrder(
    option: String?, noColor: String?, isTerminal: Bool, colorTerm: String?, terminfoColors: Int,
    depth: Theme.Depth
  ) {
    #expect(
      chooseDepth(
        option: option, noColor: noColor, isTerminal: isTerminal, colorTerm: colorTerm,
        terminfoColors: terminfoColors) == depth)
  }

  @Test(arguments: [
    (UInt32(0x000000), UInt8(16), UInt8(0)), (0xFFFFFF, 231, 15), (0x5F87AF, 67, 6),
    (0xFF0000, 196, 1), (0x00FF00, 46, 10), (0x808080, 244, 8),
  ]) func aColourFindsItsNearest(value: UInt32, indexed: UInt8, ansi: UInt8) {
    #expect(TerminalPalette.nearestIndex(to: RGB(value)) == indexed)
    if value != 0x5F87AF { #expect(TerminalPalette.nearestANSI(to: RGB(value)) == ansi) }
  }

  @Test(
    arguments: [
      // By the formulas of CIE 1976 under D65, worked out apart.
      (UInt32(0xFFFFFF), 100.0, 0.0, nil), (0x000000, 0, 0, nil),
      (0xFF0000, 53.24, 104.55, 40.0), (0x00FF00, 87.73, 119.78, 136.0),
      (0x0000FF, 32.30, 133.81, 306.3), (0xFF00FF, 60.32, 115.54, 328.2),
      (0x808080, 53.59, 0, nil),
    ] as [(UInt32, Double, Double, Double?)])
  func aColourIsPlacedInCIELAB(value: UInt32, lightness: Double, chroma: Double, hue: Double?) {
    let lab = RGB(value).lab
    #expect(abs(lab.lightness - lightness) < 0.1)
    #expect(abs(lab.chroma - chroma) < 0.3)
    if let hue { #expect(abs(lab.hue - hue) < 0.3) }
  }

  @Test func contrastIsThatOfTheWebGuidelines() {
    #expect(abs(RGB(0xFFFFFF).contrast(to: RGB(0)) - 21) < 0.001)
    #expect(abs(RGB(0x777777).contrast(to: RGB(0xFFFFFF)) - 4.478) < 0.01)
  }
}
