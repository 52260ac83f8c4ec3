import Text

/// The list of themes over the chat, of which the chosen one is shown at once.
package struct ThemePicker: Equatable, Sendable {
  /// Never empty.
  package private(set) var themes: [Theme]
  package private(set) var selected: Int
  /// What is put back where nothing is chosen.
  package let before: Theme

  /// Nil where there is nothing to choose from.
  package init?(_ themes: [Theme], current: Theme) {
    guard !themes.isEmpty else { return nil }
    self.themes = themes
    before = current
    selected = themes.firstIndex { $0.name == current.name } ?? 0
  }

  package var choice: Theme { themes[selected] }

  package mutating func move(by rows: Int) {
    selected = min(max(0, selected + rows), themes.count - 1)
  }

  /// The next one whose name begins with that letter, around the end.
  package mutating func move(toLetter letter: Character) {
    for step in 1...themes.count {
      let index = (selected + step) % themes.count
      if themes[index].name.first == letter {
        selected = index
        return
      }
    }
  }

  package mutating func choose(_ index: Int) {
    if themes.indices.contains(index) { selected = index }
  }

  /// The number of the theme in that row of the screen, where `draw` shows one.
  func theme(atRow row: Int, rows: Range<Int>) -> Int? {
    let count = min(themes.count, rows.count - 2)
    let top = rows.upperBound - count - 2
    guard count > 0, (top + 1..<top + 1 + count).contains(row) else { return nil }
    return min(max(0, selected - count / 2), themes.count - count) + row - top - 1
  }

  /// A box on the right, so that the chat beside it shows what the theme does.
  func draw(on canvas: inout Canvas, rows: Range<Int>, theme: Theme) {
    let room = rows.count - 2
    guard room > 0 else { return }
    let count = min(themes.count, room)
    let widest = themes.map { $0.name.count + $0.variant.count + 5 }.max() ?? 0
    let width = min(canvas.width, max(34, widest))
    let left = canvas.width - width
    let first = min(max(0, selected - count / 2), themes.count - count)
    let top = rows.upperBound - count - 2
    let title = " Theme \(selected + 1)/\(themes.count)"
    line(title, row: top, from: left, on: &canvas, style: theme["popup"])
    for (offset, one) in themes[first..<first + count].enumerated() {
      let isChosen = first + offset == selected
      let style = theme[isChosen ? "popup.selected" : "popup"]
      let row = top + 1 + offset
      line((isChosen ? " ▸ " : "   ") + one.name, row: row, from: left, on: &canvas, style: style)
      let column = canvas.width - one.variant.count - 1
      if column > left + one.name.count + 3 {
        canvas.put(one.variant, row: row, column: column, style: style)
      }
    }
    line(
      " ↑↓ look  Enter keep  Esc back", row: rows.upperBound - 1, from: left, on: &canvas,
      style: theme["popup"])
  }

  private func line(
    _ text: String, row: Int, from left: Int, on canvas: inout Canvas, style: Style
  ) {
    canvas.fill(row: row, columns: left..<canvas.width, style: style)
    canvas.put(cut(text, to: canvas.width - left), row: row, column: left, style: style)
  }
}
