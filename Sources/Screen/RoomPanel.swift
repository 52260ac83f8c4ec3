import Text

/// The windows, one in a row: number, the sign of the connection, name, what waits, and a mark for a draft. Windows of
/// several servers stand under the names of their servers.
struct RoomPanel {
  let list: WindowList
  let theme: Theme

  /// A row of the panel.
  enum Line: Equatable {
    /// So many are above or below.
    case more(Int, String)
    case server(String)
    /// The index of a window.
    case window(Int)
  }

  /// Draws into the first columns of the canvas.
  func draw(on canvas: inout Canvas, width: Int) {
    guard width > 8 else { return }
    for (row, line) in lines(height: canvas.height).enumerated() {
      switch line {
      case .more(let count, let word): more(count, word, row: row, on: &canvas, width: width)
      case .server(let name):
        canvas.put(
          cut(name, to: width - 1), row: row, column: 1, limit: width, style: theme["title.topic"])
      case .window(let index): draw(list.tag(index), row: row, on: &canvas, width: width)
      }
    }
  }

  /// What stands in the rows, at most so many.
  func lines(height: Int) -> [Line] {
    guard height > 0, list.count > 0 else { return [] }
    // What is above and below is told in a row of its own. Where names of servers take rows as well, nobody knows how
    // many fit below: some room is left for them.
    let isOneServer = list.tag(list.current).server == nil
    let page = isOneServer ? height - 1 : height / 2
    let fits = list.count <= (isOneServer ? height : height / 2)
    let first = fits ? 0 : max(0, min(list.current - height / 2, list.count - page))
    var lines: [Line] = first > 0 ? [.more(first, "above")] : []
    var server: String?
    for index in first..<list.count where lines.count < height {
      let name = list.tag(index).server
      let needsHead = name != nil && name != server
      let isLast = index == list.count - 1
      if lines.count + (needsHead ? 2 : 1) + (isLast ? 0 : 1) > height {
        return lines + [.more(list.count - index, "more")]
      }
      if needsHead, let name {
        lines.append(.server(name))
        server = name
      }
      lines.append(.window(index))
    }
    return lines
  }

  private func more(
    _ count: Int, _ word: String, row: Int, on canvas: inout Canvas, width: Int
  ) {
    canvas.put(
      cut("  +\(count) \(word)", to: width), row: row, column: 0, limit: width,
      style: theme["scroll.more"])
  }

  private func draw(_ tag: WindowTag, row: Int, on canvas: inout Canvas, width: Int) {
    let isCurrent = tag.number == list.current + 1
    let style = theme[isCurrent ? "rooms.current" : tag.part ?? "text"]
    if isCurrent { canvas.fill(row: row, columns: 0..<width, style: style) }
    let digits = "\(list.count)".count
    let number = "\(tag.number)"
    let start = (isCurrent ? "▸" : " ") + String(repeating: " ", count: digits - number.count)
    var column = canvas.put(start + number + " ", row: row, column: 0, limit: width, style: style)
    var sign = theme[tag.sign.part]
    if isCurrent {
      sign.background = style.background
      sign.attributes.formUnion(style.attributes.intersection(.reverse))
    }
    column = canvas.put(tag.sign.text, row: row, column: column, limit: width, style: sign) + 1
    var tail = tag.counts
    if tag.isMuted { tail += tail.isEmpty ? "muted" : " m" }
    if tag.hasDraft, !isCurrent { tail += tail.isEmpty ? "✎" : " ✎" }
    let space = width - column - (tail.isEmpty ? 0 : columns(of: tail) + 1)
    canvas.put(
      cut(tag.name, to: max(0, space)), row: row, column: column, limit: width, style: style)
    let end = width - columns(of: tail)
    if end > column { canvas.put(tail, row: row, column: end, limit: width, style: style) }
  }
}
