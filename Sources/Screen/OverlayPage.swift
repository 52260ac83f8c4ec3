import Text

/// A page over the room: a head with its title and place, and rows that are scrolled.
struct OverlayPage {
  let title: String
  let lines: [TimelineRow]
  let scroll: Int
  let theme: Theme

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    for row in rows { canvas.fill(row: row, style: theme["text"]) }
    let page = max(1, rows.count - 1)
    let first = max(0, min(scroll, lines.count - page))
    let pages = max(1, (lines.count + page - 1) / page)
    let current = first + page >= lines.count ? pages : first / page + 1
    let position = canvas.wayBack + "\(current)/\(pages)"
    let head = Self.head(title, position: position, width: canvas.width)
    canvas.put(head, row: rows.lowerBound, column: 0, style: theme["title"])
    for (index, line) in lines[first..<min(lines.count, first + page)].enumerated() {
      for span in line.spans {
        canvas.put(
          span.text, row: rows.lowerBound + 1 + index, column: span.column, style: span.style)
      }
    }
  }

  /// Where the last page begins: it is scrolled no further.
  static func lastScroll(of lines: [TimelineRow], rows: Int) -> Int {
    max(0, lines.count - max(1, rows - 1))
  }

  /// Such as "── Help ─ keys ───── 1/3 ──".
  static func head(_ title: String, position: String, width: Int) -> String {
    let left = "── " + cut(title, to: max(0, width - max(13, columns(of: position) + 9))) + " "
    let right = " \(position) ──"
    let space = width - columns(of: left) - columns(of: right)
    return space < 0 ? cut(left, to: width) : left + String(repeating: "─", count: space) + right
  }
}

extension Canvas {
  /// How a page is left, for its head: a low screen has no row of keys under it. It stands before the place.
  var wayBack: String { height < ScreenLayout.leastWithHints && width >= 30 ? "Esc back · " : "" }
}
