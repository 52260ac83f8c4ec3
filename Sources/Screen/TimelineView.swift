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

  func draw(on canvas: inout Canvas, anchor: ViewState.Anchor?) {
    guard !blocks.isEmpty else {
      let rows = blocks.outboxRows(most: layout.timeline.count)
      place(rows.isEmpty ? welcome : rows, in: layout.timeline, on: &canvas)
      return
    }
    guard let anchor else {
      place(blocks.newestRows(most: layout.timeline.count), in: layout.timeline, on: &canvas)
      return
    }
    let edge = blocks.edge(of: anchor)
    place(
      blocks.rows(above: edge, most: layout.timeline.count), in: layout.timeline, on: &canvas)
    if let ruleRow = layout.tailRule {
      let words = ScrollPosition(blocks: blocks, edge: edge).words + " ═ M-> end"
      let line = rule(
        words, width: blocks.width, line: "═", style: blocks.theme["scroll.more"])
      draw(line, row: ruleRow, on: &canvas, isTopmost: false)
      place(blocks.newestRows(most: layout.tail.count), in: layout.tail, on: &canvas)
    }
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
    for span in line.spans + (isTopmost ? line.whenTopmost : []) {
      canvas.put(
        span.text, row: row, column: span.column, limit: blocks.width, style: span.style)
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
