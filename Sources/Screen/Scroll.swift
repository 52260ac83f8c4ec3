package import Channel
package import Room

extension ViewState {
  /// Scrolls by rows, up where positive; the screen's size is that of the whole terminal. The anchor is an
  /// entry and a row of it, so that neither new messages nor another width move the view. `offset` is the
  /// clock's: it decides where the rules of the days stand.
  package mutating func scroll(
    byRows rows: Int, in room: RoomModel, width: Int, height: Int,
    offset: @escaping (Timestamp) -> Int = { _ in 0 }
  ) {
    guard let scroller = Scroller(view: self, room: room, width: width, height: height, offset)
    else { return scrollToEnd() }
    guard rows != 0 else { return }
    anchor = rows > 0 ? scroller.up(by: rows) : scroller.down(by: rows == .min ? .max : -rows)
  }

  /// Scrolls so that an entry is seen; not at all where it is.
  package mutating func reveal(
    _ serial: Int, in room: RoomModel, width: Int, height: Int,
    offset: @escaping (Timestamp) -> Int = { _ in 0 }
  ) {
    guard let scroller = Scroller(view: self, room: room, width: width, height: height, offset),
      !scroller.shows(serial)
    else { return }
    anchor = scroller.around(serial)
  }

  /// Back to following the newest messages.
  package mutating func scrollToEnd() {
    anchor = nil
  }

  package mutating func scrollToTop(
    in room: RoomModel, width: Int, height: Int,
    offset: @escaping (Timestamp) -> Int = { _ in 0 }
  ) {
    guard let scroller = Scroller(view: self, room: room, width: width, height: height, offset)
    else { return scrollToEnd() }
    anchor = scroller.top()
  }

  /// The rows that PgUp and PgDn move by: what is seen of the timeline while scrolled, less one row.
  package func pageRows(width: Int, height: Int) -> Int {
    let layout = ScreenLayout(width: width, height: height, view: self, isScrolled: true)
    return max(1, layout.timeline.count - 1)
  }
}

/// Moves an edge over the rows of a timeline, looking only at the entries on the way.
private struct Scroller {
  let blocks: TimelineBlocks
  /// Nil: at the end.
  let start: TimelineEdge?
  /// The rows of the timeline while scrolled, and those of the rule and the live rows under it.
  let paneRows: Int
  let tailRows: Int
  let waitingRows: Int

  init?(
    view: ViewState, room: RoomModel, width: Int, height: Int,
    _ offset: @escaping (Timestamp) -> Int
  ) {
    let layout = ScreenLayout(width: width, height: height, view: view, isScrolled: true)
    paneRows = layout.timeline.count
    tailRows = layout.tail.count + (layout.tailRule == nil ? 0 : 1)
    blocks = TimelineBlocks(
      room: room, view: view, theme: .fallback, offset: offset, width: width)
    guard !blocks.isEmpty, paneRows > 0 else { return nil }
    start = view.anchor.map { [blocks] in blocks.edge(of: $0) }
    waitingRows = blocks.outboxRows(most: blocks.outboxLimit(paneRows + tailRows)).count
  }

  func up(by rows: Int) -> ViewState.Anchor? {
    let end = TimelineEdge(index: blocks.last, rowsBelow: 0)
    // From the end, the rows under the rule are passed at once: they stay in sight.
    let steps =
      start == nil ? max(0, rows.addingClamped(tailRows) - waitingRows) : rows
    var edge = start ?? end
    edge.rowsBelow = edge.rowsBelow.addingClamped(steps)
    while true {
      let count = blocks.rows(at: edge.index).count
      if edge.rowsBelow < count { break }
      guard edge.index > blocks.first else {
        edge.rowsBelow = count - 1
        break
      }
      edge.rowsBelow -= count
      edge.index -= 1
    }
    return anchor(filling(edge))
  }

  func down(by rows: Int) -> ViewState.Anchor? {
    guard let start else { return nil }
    return anchor(moved(start, downBy: rows))
  }

  func top() -> ViewState.Anchor? {
    let count = blocks.rows(at: blocks.first).count
    return anchor(filling(TimelineEdge(index: blocks.first, rowsBelow: count - 1)))
  }

  /// Whether the last row of an entry is seen above the edge, and as much above it as there is room for.
  func shows(_ serial: Int) -> Bool {
    let wanted = blocks.room.firstIndex(after: serial - 1)
    var index = start?.index ?? blocks.last
    var left = paneRows + (start == nil ? tailRows - waitingRows : start?.rowsBelow ?? 0)
    guard wanted <= index else { return false }
    while index >= blocks.first, left > 0 {
      let count = blocks.rows(at: index).count
      if index == wanted { return count <= left || index == start?.index ?? blocks.last }
      left -= count
      index -= 1
    }
    return false
  }

  /// The place from which an entry is seen in the lower half of the pane.
  func around(_ serial: Int) -> ViewState.Anchor? {
    let index = min(max(blocks.first, blocks.room.firstIndex(after: serial - 1)), blocks.last)
    let edge = TimelineEdge(index: index, rowsBelow: 0)
    return anchor(filling(moved(edge, downBy: paneRows / 3) ?? edge))
  }

  /// The edge, or one further down, so that the pane above it is full.
  private func filling(_ edge: TimelineEdge) -> TimelineEdge? {
    moved(edge, downBy: paneRows - blocks.rows(above: edge, most: paneRows).count)
  }

  /// Nil where that is beyond the last entry.
  private func moved(_ edge: TimelineEdge, downBy rows: Int) -> TimelineEdge? {
    var edge = edge
    var left = rows
    edge.rowsBelow = min(edge.rowsBelow, blocks.rows(at: edge.index).count - 1)
    while left > edge.rowsBelow {
      left -= edge.rowsBelow
      edge.index += 1
      guard edge.index <= blocks.last else { return nil }
      edge.rowsBelow = blocks.rows(at: edge.index).count
    }
    edge.rowsBelow -= left
    return edge
  }

  /// Nil, which follows the end, where nothing would be hidden below the edge.
  private func anchor(_ edge: TimelineEdge?) -> ViewState.Anchor? {
    guard let edge else { return nil }
    var hidden = edge.rowsBelow + waitingRows
    var index = edge.index + 1
    while hidden <= tailRows, index <= blocks.last {
      hidden += blocks.rows(at: index).count
      index += 1
    }
    guard hidden > tailRows else { return nil }
    return ViewState.Anchor(
      serial: blocks.room.entries[edge.index].serial, rowsBelow: edge.rowsBelow)
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
