import Room
import Text

/// A place in the timeline: the edge under a row, given as the entry and how many of its rows are below.
struct TimelineEdge: Equatable {
  var index: Int
  var rowsBelow: Int
}

extension TimelineBlocks {
  /// The last rows above an edge, at most that many; older entries are not even looked at.
  func rows(above edge: TimelineEdge, most: Int) -> [TimelineRow] {
    guard most > 0, !isEmpty, edge.index >= first else { return [] }
    var blocks: [[TimelineRow]] = []
    var count = 0
    var index = edge.index
    while index >= first, count < most {
      var block = rows(at: index)
      if index == edge.index { block.removeLast(min(max(0, edge.rowsBelow), block.count - 1)) }
      blocks.append(block)
      count += block.count
      index -= 1
    }
    return Array(blocks.reversed().joined().suffix(most))
  }

  /// The newest rows with what waits to be sent behind them.
  func newestRows(most: Int) -> [TimelineRow] {
    let waiting = outboxRows(most: outboxLimit(most))
    let above = rows(above: TimelineEdge(index: last, rowsBelow: 0), most: most - waiting.count)
    return above + waiting
  }

  func outboxLimit(_ paneRows: Int) -> Int { max(1, paneRows * 2 / 3) }

  /// The edge that an anchor holds, in the rows of this width.
  func edge(of anchor: ViewState.Anchor) -> TimelineEdge {
    let index = min(max(first, room.firstIndex(after: anchor.serial - 1)), last)
    guard index >= 0, index < room.entries.count, room.entries[index].serial == anchor.serial
    else { return TimelineEdge(index: index, rowsBelow: 0) }
    return TimelineEdge(index: index, rowsBelow: anchor.rowsBelow)
  }
}

/// Draws the timeline into its rows, and the newest rows apart from them while scrolled up.
struct TimelineView {
  let blocks: TimelineBlocks
  let layout: ScreenLayout
  /// The key that leads to the newest message; empty where there is none.
  var newestKey = ""

  func draw(on canvas: inout Canvas, anchor: ViewState.Anchor?) {
    for (rows, range) in panes(anchor: anchor) { place(rows, in: range, on: &canvas) }
    if let anchor, let ruleRow = layout.tailRule, !blocks.isEmpty {
      let words =
        ScrollPosition(blocks: blocks, edge: blocks.edge(of: anchor)).words
        + (newestKey.isEmpty ? "" : " ═ \(newestKey) end")
      let line = rule(
        words, width: blocks.width, line: "═", style: blocks.theme["scroll.more"])
      draw(line, row: ruleRow, on: &canvas, isTopmost: false)
    }
  }

  /// What stands in the row of the screen; nil where that is none of the timeline, or blank.
  func line(at row: Int, anchor: ViewState.Anchor?) -> TimelineRow? {
    for (rows, range) in panes(anchor: anchor) where range.contains(row) {
      let index = rows.count - (range.upperBound - row)
      return rows.indices.contains(index) ? rows[index] : nil
    }
    return nil
  }

  /// The rows of the timeline and where they go, and while scrolled up those of the live tail.
  private func panes(
    anchor: ViewState.Anchor?
  ) -> [(rows: [TimelineRow], range: Range<Int>)] {
    guard !blocks.isEmpty else {
      let rows = blocks.outboxRows(most: layout.timeline.count)
      return [(rows.isEmpty ? welcome : rows, layout.timeline)]
    }
    guard let anchor else {
      return [(blocks.newestRows(most: layout.timeline.count), layout.timeline)]
    }
    let above = blocks.rows(above: blocks.edge(of: anchor), most: layout.timeline.count)
    guard layout.tailRule != nil else { return [(above, layout.timeline)] }
    return [
      (above, layout.timeline), (blocks.newestRows(most: layout.tail.count), layout.tail),
    ]
  }

  private var welcome: [TimelineRow] {
    let text =
      blocks.isCleared
      ? "The screen was cleared; what is said from now on stands here."
      : "Nothing was said here yet. Write something and press Enter; F1 shows the keys."
    return wrap(text, width: max(1, blocks.width - 2), most: layout.timeline.count).rows.map {
      TimelineRow(spans: [
        Span(column: blocks.width > 2 ? 1 : 0, text: $0, style: blocks.theme["input.hint"])
      ])
    }
  }

  /// The newest row stands lowest, next to where one writes.
  private func place(_ rows: [TimelineRow], in range: Range<Int>, on canvas: inout Canvas) {
    let rows = rows.suffix(range.count)
    var row = range.upperBound - rows.count
    for (index, line) in rows.enumerated() {
      draw(line, row: row, on: &canvas, isTopmost: index == 0)
      row += 1
    }
  }

  private func draw(
    _ line: TimelineRow, row: Int, on canvas: inout Canvas, isTopmost: Bool
  ) {
    var isolate = 0
    for span in line.spans + (isTopmost ? line.whenTopmost : []) {
      guard let direction = span.isolate else {
        canvas.put(
          span.text, row: row, column: span.column, limit: blocks.width, style: span.style,
          emoji: span.emoji, link: span.link)
        continue
      }
      if isolate == 0 { isolate = canvas.beginIsolate(direction) }
      canvas.put(
        clusters(of: span.text, emoji: span.emoji), row: row, column: span.column,
        limit: blocks.width, style: span.style, link: span.link, isolate: isolate)
    }
  }
}

/// How far the view is from the end, in words.
struct ScrollPosition: Equatable {
  var below: Int
  var percent: Int
  var new: Int
  var mentions: Int

  init(blocks: TimelineBlocks, edge: TimelineEdge) {
    below = max(0, blocks.last - edge.index) + (edge.rowsBelow > 0 ? 1 : 0)
    let all = max(1, blocks.last - blocks.first + 1)
    percent = min(100, max(0, (edge.index - blocks.first + 1) * 100 / all))
    new = blocks.unread?.count ?? 0
    mentions = blocks.unread?.mentions ?? 0
  }

  var words: String {
    var parts = ["\(below) below"]
    if new > 0 { parts.append("\(new) new") }
    if mentions > 0 { parts.append(mentions == 1 ? "1 mention" : "\(mentions) mentions") }
    return parts.joined(separator: " · ")
  }
}
