/// A grid as text with the sequences of a terminal (SGR), for a program that only writes: a line a row, each put back
/// to normal at its end. Without colours only the attributes are left.
package func ansiText(of grid: Grid, depth: Theme.Depth) -> String {
  var text = ""
  for row in 0..<grid.height {
    var last = Style.plain
    for column in 0..<grid.width {
      let cell = grid[row: row, column: column]
      if cell.text.isEmpty { continue }
      if cell.style != last {
        text += "\u{1B}[0\(parameters(of: cell.style, depth: depth))m"
        last = cell.style
      }
      text += cell.text
    }
    text += (last == .plain ? "" : "\u{1B}[0m") + "\n"
  }
  return text
}

private func parameters(of style: Style, depth: Theme.Depth) -> String {
  var text = ""
  for (attribute, number) in [
    (Attributes.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
  ] where style.attributes.contains(attribute) {
    text += ";\(number)"
  }
  return text + parameters(of: style.foreground, depth: depth, base: 30)
    + parameters(of: style.background, depth: depth, base: 40)
}

private func parameters(of color: Color, depth: Theme.Depth, base: Int) -> String {
  func indexed(_ index: UInt8) -> String {
    ";\(Int(index & 7) + base + (index & 15 > 7 ? 60 : 0))"
  }
  switch (color, depth) {
  case (.standard, _), (_, .none): return ""
  case (.ansi(let index), _), (.rgb(_, _, let index), .ansi16): return indexed(index)
  case (.rgb(_, let index, _), .indexed256): return ";\(base + 8);5;\(index)"
  case (.rgb(let value, _, _), .full):
    return ";\(base + 8);2;\(value >> 16 & 0xFF);\(value >> 8 & 0xFF);\(value & 0xFF)"
  }
}
