import Channel
import Room
import Text

/// A list over the whole screen: a heading, rows of which one is chosen, and the keys that lead on.
struct ChoicePage {
  struct Row {
    /// What stands before the text: a time, a room, an author.
    var spans: [Span]
    var isChosen: Bool
  }

  let heading: String
  let position: String
  /// Said where there are no rows.
  let empty: String
  let theme: Theme

  /// The rows under the heading.
  static func rows(of range: Range<Int>) -> Int { max(0, range.count - 1) }

  func draw(_ rows: [Row], on canvas: inout Canvas, in range: Range<Int>) {
    guard !range.isEmpty else { return }
    for row in range { canvas.fill(row: row, style: theme["text"]) }
    let position = canvas.wayBack + position
    let left = "── " + cut(heading, to: max(0, canvas.width - columns(of: position) - 9)) + " "
    let right = " \(position) ──"
    let space = max(0, canvas.width - columns(of: left) - columns(of: right))
    canvas.put(
      left + String(repeating: "─", count: space) + right, row: range.lowerBound, column: 0,
      style: theme["title"])
    if rows.isEmpty, range.count > 1 {
      for (index, text) in wrap(empty, width: max(1, canvas.width - 2), most: range.count - 1).rows
        .enumerated()
      {
        canvas.put(
          text, row: range.lowerBound + 1 + index, column: min(1, canvas.width - 1),
          style: theme["input.hint"])
      }
    }
    for (index, line) in rows.prefix(range.count - 1).enumerated() {
      let row = range.lowerBound + 1 + index
      if line.isChosen {
        canvas.fill(row: row, style: theme["popup.selected"])
        canvas.put("▸", row: row, column: 0, style: theme["popup.selected"])
      }
      for span in line.spans {
        canvas.put(
          span.text, row: row, column: span.column,
          style: line.isChosen && span.style == theme["text"]
            ? theme["popup.selected"] : span.style)
      }
    }
  }
}

/// The page of what a search over the history has found.
struct ResultsPage {
  let results: SearchResults
  let clock: Clock
  let theme: Theme

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    let list = results.list
    let words = UntrustedText(results.text).safe(for: .line, limit: 60)
    let scope = results.room.map { "#" + UntrustedText($0).safe(for: .line, limit: 40) }
    let page = ChoicePage(
      heading: "Search “\(words)” in \(scope ?? "all rooms")",
      position: list.items.isEmpty ? "0" : "\(list.chosen + 1)/\(list.items.count)",
      empty:
        "Nothing that is kept holds “\(words)”\(scope == nil ? "" : "; /search -a \(words) looks in all rooms").",
      theme: theme)
    let shown = list.shown(rows: ChoicePage.rows(of: rows))
    page.draw(
      shown.map { index in
        ChoicePage.Row(
          spans: spans(of: list.items[index], width: canvas.width), isChosen: index == list.chosen)
      }, on: &canvas, in: rows)
  }

  private func spans(of found: FoundMessage, width: Int) -> [Span] {
    let time = LocalTime(found.kept.time, offset: clock.offset)
    var column = 2
    var spans: [Span] = []
    func put(_ text: String, _ style: Style) {
      spans.append(Span(column: column, text: text, style: style))
      column += columns(of: text) + 1
    }
    put(width >= 50 ? "\(time.shortDate) \(time.clock)" : time.shortDate, theme["chat.time"])
    if results.room == nil {
      put(
        cut("#" + UntrustedText(found.room).safe(for: .line, limit: 40), to: max(4, width / 8)),
        theme["title.topic"])
    }
    let author = found.kept.message.author?.safe(for: .nick) ?? ""
    if !author.isEmpty {
      var style = theme["chat.text"]
      style.foreground = theme.color(ofNick: author)
      put(cut(author, to: max(4, width / 8)), style)
    }
    return spans + excerpt(of: found.kept.message.text, at: column, width: width)
  }

  /// The text around the first place that was found, with all of them marked.
  private func excerpt(of text: UntrustedText, at column: Int, width: Int) -> [Span] {
    let safe = text.safe(for: .line, limit: TimelineBlocks.mostCharacters)
    let finder = TextFinder(
      words: results.text.split(whereSeparator: \.isWhitespace).map(String.init))
    let found = finder?.ranges(in: safe, most: 20) ?? []
    let space = max(1, width - column - 1)
    var start = safe.startIndex
    if let first = found.first, first.upperBound > space {
      let index = safe.utf8.index(safe.startIndex, offsetBy: max(0, first.lowerBound - space / 3))
      start = safe.unicodeScalars.index(before: safe.unicodeScalars.index(after: index))
    }
    let cutOff = safe.utf8.distance(from: safe.startIndex, to: start)
    let piece = (start > safe.startIndex ? "…" : "") + safe[start...]
    let shift = (start > safe.startIndex ? 3 : 0) - cutOff
    var looked = LookedText(text: String(piece.prefix(space + 1)))
    for range in found {
      looked.add(.match, to: range.lowerBound + shift..<range.upperBound + shift)
    }
    return looked.spans(at: column, base: theme["text"], theme: theme)
  }
}
