/// A grid as a picture (SVG 1.1): rectangles for backgrounds, one text for each run of cells of one style, stretched to
/// its columns so that it stays aligned whatever font is there. Colours that are the terminal's own are those that xterm
/// has, on white where the theme is for a light background and on black elsewhere.
package func svg(of grid: Grid, title: String, isLight: Bool) -> String {
  var picture = Picture(isLight: isLight)
  for row in 0..<grid.height { picture.draw(row, of: grid) }
  let width = picture.text(grid.width * Picture.cellWidth + 2 * Picture.margin)
  let height = picture.text(grid.height * Picture.cellHeight + 2 * Picture.margin)
  let back = picture.background(at: grid)
  return """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
    viewBox="0 0 \(width) \(height)" role="img">
    <title>\(escaped(title))</title>
    <rect width="100%" height="100%" rx="6" fill="\(back)"/>
    <g font-family="ui-monospace, Menlo, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace" \
    font-size="15" xml:space="preserve">
    \(picture.lines.joined(separator: "\n"))
    </g>
    </svg>

    """
}

/// Text inside of an element, or an attribute in double quotes; what XML cannot hold becomes U+FFFD.
private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case _
    where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      || scalar.value & 0xFFFE == 0xFFFE:
      result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private struct Picture {
  static let cellWidth = 9
  static let cellHeight = 19
  static let margin = 8

  let isLight: Bool
  var lines: [String] = []

  init(isLight: Bool) {
    self.isLight = isLight
  }

  func text(_ number: Int) -> String { "\(number)" }

  func background(at grid: Grid) -> String {
    grid.cells.last.map { hex($0.style.background, isFront: false) }
      ?? hex(.standard, isFront: false)
  }

  /// A run of cells of one style; a wide cluster is one by itself, since fonts give it another width.
  private struct Run {
    var text: String
    var columns: Range<Int>
    var style: Style
    var isWide: Bool
  }

  mutating func draw(_ row: Int, of grid: Grid) {
    var runs: [Run] = []
    for column in 0..<grid.width {
      let cell = grid[row: row, column: column]
      if cell.text.isEmpty {
        if let last = runs.indices.last {
          runs[last].columns = runs[last].columns.lowerBound..<column + 1
        }
        continue
      }
      let isWide = column + 1 < grid.width && grid[row: row, column: column + 1].text.isEmpty
      if let last = runs.indices.last, runs[last].style == cell.style, !isWide, !runs[last].isWide {
        runs[last].text += cell.text
        runs[last].columns = runs[last].columns.lowerBound..<column + 1
      } else {
        runs.append(
          Run(text: cell.text, columns: column..<column + 1, style: cell.style, isWide: isWide))
      }
    }
    let page = background(at: grid)
    for run in runs { fill(run, row: row, page: page) }
    for run in runs { write(run, row: row) }
  }

  private func colors(of style: Style) -> (front: String, back: String) {
    let front = hex(style.foreground, isFront: true)
    let back = hex(style.background, isFront: false)
    return style.attributes.contains(.reverse) ? (back, front) : (front, back)
  }

  private mutating func fill(_ run: Run, row: Int, page: String) {
    let back = colors(of: run.style).back
    guard back != page else { return }
    lines.append(
      "<rect x=\"\(x(run.columns.lowerBound))\" y=\"\(y(row))\" width=\"\(run.columns.count * Self.cellWidth)\" "
        + "height=\"\(Self.cellHeight)\" fill=\"\(back)\"/>")
  }

  private mutating func write(_ run: Run, row: Int) {
    let blanks = run.text.prefix { $0 == " " }.count
    guard blanks < run.text.count else { return }
    // Blanks at both ends need no letters, so that what is left has its width.
    var text = run.text.dropFirst(blanks)
    var columns = run.columns.lowerBound + blanks..<run.columns.upperBound
    while text.last == " " {
      text.removeLast()
      columns = columns.lowerBound..<columns.upperBound - 1
    }
    var attributes = ""
    if run.style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if run.style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    if run.style.attributes.contains(.underline) { attributes += " text-decoration=\"underline\"" }
    if run.style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
    lines.append(
      "<text x=\"\(x(columns.lowerBound))\" y=\"\(y(row) + 14)\" textLength=\"\(columns.count * Self.cellWidth)\" "
        + "lengthAdjust=\"spacingAndGlyphs\" fill=\"\(colors(of: run.style).front)\"\(attributes)>"
        + "\(escaped(String(text)))</text>")
  }

  private func x(_ column: Int) -> Int { Self.margin + column * Self.cellWidth }
  private func y(_ row: Int) -> Int { Self.margin + row * Self.cellHeight }

  private func hex(_ color: Color, isFront: Bool) -> String {
    let value: UInt32 =
      switch color {
      case .standard where isFront: isLight ? 0x1A1A1A : 0xE5E5E5
      case .standard: isLight ? 0xFFFFFF : 0x101010
      case .ansi(let index): TerminalPalette.ansi[Int(index & 15)].value
      case .rgb(let value, _, _): value & 0xFF_FFFF
      }
    return "#" + String(value | 0x100_0000, radix: 16).dropFirst()
  }
}
