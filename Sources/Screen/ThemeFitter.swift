/// Fits a theme's colours to what the terminal can show.
struct ThemeFitter {
  private(set) var sheet: ThemeSheet
  let depth: Theme.Depth

  init(sheet: ThemeSheet, depth: Theme.Depth) {
    self.sheet = sheet
    self.depth = depth
    liftDim()
  }

  mutating func theme() -> Theme {
    var theme = fitted()
    theme.variant = sheet.variant ?? "dark"
    theme.credit = sheet.credit ?? ""
    return theme
  }

  private mutating func fitted() -> Theme {
    let name = sheet.name ?? "unnamed"
    guard depth != .none else {
      // Names that were misspelt are said at every depth.
      _ = coloured()
      let looks = sheet.styles.merging(sheet.mono) { _, mono in mono }
      let styles = looks.mapValues { Style(.standard, on: .standard, $0.attributes) }
      return Theme(name: name, styles: styles, nickColors: [])
    }
    let styles = coloured()
    var nickColors: [Color] = []
    for word in sheet.nicks ?? [] {
      if let color = color(word) {
        nickColors.append(lifted(color, on: styles["text"]?.background ?? .standard))
      } else if !sheet.brokenColors.contains(word) {
        sheet.warn(line: nil, "\(shown(word)) in [nicks] is no colour of the palette")
      }
    }
    return Theme(name: name, styles: styles, nickColors: nickColors)
  }

  private mutating func coloured() -> [String: Style] {
    var styles: [String: Style] = [:]
    // Shorter names first, since the longer ones take from them what they do not say.
    let parts = sheet.styles.keys.sorted { left, right in
      (left == "text" ? 0 : 1, left.utf8.count, left) < (
        right == "text" ? 0 : 1, right.utf8.count, right
      )
    }
    for part in parts {
      guard var look = sheet.styles[part] else { continue }
      if let word = look.leading, look.foreground == nil, sheet.palette[word] != nil {
        look.foreground = word
        look.attributes.remove(ThemeSheet.attributes[word] ?? [])
      }
      let base =
        Theme.prefixes(of: part).dropFirst().lazy.compactMap { styles[$0] }.first
        ?? styles["text"] ?? .plain
      var style = Style(base.foreground, on: base.background, look.attributes)
      if let word = look.foreground { style.foreground = resolve(word, look) ?? style.foreground }
      if let word = look.background { style.background = resolve(word, look) ?? style.background }
      if depth == .ansi16, style.foreground == style.background { style.foreground = .standard }
      if part != "border" { style.foreground = lifted(style.foreground, on: style.background) }
      styles[part] = style
    }
    return styles
  }

  /// A colour that would be too faint on that background is mixed with `fg` until its contrast is 3:1, in the form in
  /// which the terminal shows both.
  private func lifted(_ color: Color, on background: Color) -> Color {
    guard case .rgb(let front, let index, let ansi) = color,
      case .rgb(let back, let under, _) = background,
      case .rgb(let fg, _, _) = sheet.palette["fg"]
    else { return color }
    guard depth == .indexed256 else {
      let lifted = Self.lifted(RGB(front), to: fg, on: RGB(back))
      return lifted.value == front
        ? color
        : .rgb(lifted.value, indexed: TerminalPalette.nearestIndex(to: lifted), ansi: ansi)
    }
    let floor = TerminalPalette.color(of: under)
    guard TerminalPalette.color(of: index).contrast(to: floor) < Self.leastContrast else {
      return color
    }
    for step in 1...20 {
      let mixed = RGB(front).mixed(with: fg, share: Double(step) / 20)
      let nearest = TerminalPalette.nearestIndex(to: mixed)
      if TerminalPalette.color(of: nearest).contrast(to: floor) >= Self.leastContrast || step == 20
      {
        return .rgb(mixed.value, indexed: nearest, ansi: ansi)
      }
    }
    return color
  }

  private static func lifted(_ front: RGB, to fg: RGB, on back: RGB) -> RGB {
    guard front.contrast(to: back) < leastContrast else { return front }
    for step in 1..<20 {
      let mixed = front.mixed(with: fg, share: Double(step) / 20)
      if mixed.contrast(to: back) >= leastContrast { return mixed }
    }
    return fg
  }

  /// What is smaller cannot be read by many.
  private static let leastContrast = 3.0

  private mutating func resolve(_ word: String, _ look: ThemeSheet.Look) -> Color? {
    if let color = color(word) { return color }
    if sheet.brokenColors.contains(word) { return nil }
    sheet.warn(line: look.line, "\(shown(word)) is no colour of the palette")
    return nil
  }

  /// A word of the palette, a name of the 16, "default", or "#rrggbb".
  private func color(_ word: String) -> Color? {
    guard let ink = sheet.palette[word] ?? ThemeSheet.ink(word) else { return nil }
    switch ink {
    case .standard: return .standard
    case .ansi(let index): return .ansi(index)
    case .rgb(let rgb, let indexed, let ansi):
      let ansi = ansi ?? TerminalPalette.nearestANSI(to: rgb)
      if depth == .ansi16 { return .ansi(ansi) }
      return .rgb(
        rgb.value, indexed: indexed ?? TerminalPalette.nearestIndex(to: rgb), ansi: ansi)
    }
  }

  /// The comment grey of nearly every palette is too faint for a time that someone wants to read: `dim` is
  /// mixed with `fg` until its contrast to `bg` is 3:1.
  private mutating func liftDim() {
    guard case .rgb(let dim, _, let ansi) = sheet.palette["dim"],
      case .rgb(let fg, _, _) = sheet.palette["fg"],
      case .rgb(let bg, _, _) = sheet.palette["bg"], dim.contrast(to: bg) < Self.leastContrast
    else { return }
    sheet.palette["dim"] = .rgb(Self.lifted(dim, to: fg, on: bg), indexed: nil, ansi: ansi)
  }
}
