package import Channel
package import Room
import Text

/// The time of day and the calendar as the person has them.
package struct Clock: Sendable {
  package var now: Instant
  package var wall: Timestamp
  /// Seconds east of UTC at a moment.
  package var offset: @Sendable (Timestamp) -> Int

  package init(now: Instant, wall: Timestamp, offset: @escaping @Sendable (Timestamp) -> Int) {
    self.now = now
    self.wall = wall
    self.offset = offset
  }
}

/// The whole screen as a value. Work is in proportion to the rows that are shown. The size is that of the chat, and
/// the panels stand beside it.
package func render(
  _ room: RoomModel, _ view: ViewState, theme: Theme, clock: Clock, facts: LineFacts? = nil,
  width: Int, height: Int, windows: WindowList? = nil, panels: PanelLayout = PanelLayout()
) -> Grid {
  Screen(
    room: room, view: view, theme: theme, clock: clock, input: view.shownInput, facts: facts,
    windows: windows, panels: panels
  )
  .grid(width: width, height: height)
}

/// Where the last page of the help begins at this size: it is scrolled no further.
package func lastHelpScroll(_ view: ViewState, theme: Theme, width: Int, height: Int) -> Int {
  let layout = ScreenLayout(
    width: width, height: height, view: view, input: view.shownInput)
  let page = HelpPage(view, theme: theme)
  return page?.lastScroll(width: max(0, width), rows: layout.status ?? max(0, height)) ?? 0
}

/// Where the last page of `/connection` begins at this size.
package func lastConnectionScroll(
  _ room: RoomModel, _ view: ViewState, facts: LineFacts, theme: Theme, clock: Clock, width: Int,
  height: Int
) -> Int {
  let page = ConnectionPage(
    room: room, facts: facts, settings: view.settings, theme: theme, clock: clock,
    width: max(0, width))
  return OverlayPage.lastScroll(
    of: page.lines(), rows: view.pageHeight(width: width, height: height))
}

/// What a frame is made of.
struct Screen {
  let room: RoomModel
  let view: ViewState
  let theme: Theme
  let clock: Clock
  let input: InputText
  /// Where a page about the line is open.
  var facts: LineFacts?
  /// Where there are several; they stand in the status line where no panel lists them.
  var windows: WindowList?
  var panels = PanelLayout()

  func grid(width: Int, height: Int) -> Grid {
    let width = max(0, width)
    var canvas = Canvas(
      width: width + panels.columns, height: max(0, height), style: theme["text"])
    canvas.inside(panels.left..<panels.left + width) { draw(on: &$0) }
    drawPanels(on: &canvas)
    return canvas.finished
  }

  private func drawPanels(on canvas: inout Canvas) {
    if panels.rooms > 0, let windows {
      RoomPanel(list: windows, theme: theme).draw(on: &canvas, width: panels.rooms)
      drawLine(column: panels.rooms, on: &canvas)
    }
    if panels.members > 0 {
      drawLine(column: canvas.width - panels.right, on: &canvas)
      MemberPanel(room: room, theme: theme).draw(on: &canvas, from: canvas.width - panels.members)
    }
  }

  private func drawLine(column: Int, on canvas: inout Canvas) {
    for row in 0..<canvas.height {
      canvas.put("│", row: row, column: column, style: theme["border"])
    }
  }

  private func draw(on canvas: inout Canvas) {
    let (width, height) = (canvas.width, canvas.height)
    let layout = ScreenLayout(width: width, height: height, view: view, input: input)
    let words = StatusWords(room, clock: clock, settings: view.settings)
    let blocks = blocks(width: width)
    let newestKey =
      view.anchor == nil ? "" : view.keys.keys(of: .program(.newest)).first ?? ""
    TimelineView(blocks: blocks, layout: layout, newestKey: newestKey)
      .draw(on: &canvas, anchor: view.anchor)
    if let row = layout.title { TitleRow(room: room, theme: theme).draw(on: &canvas, row: row) }
    drawStatus(words, blocks: blocks, layout: layout, on: &canvas)
    drawInput(words, blocks: blocks, layout: layout, on: &canvas)
    if let row = layout.hints {
      HintsRow(
        theme: theme, isScrolled: view.anchor != nil, overlay: view.overlay,
        reading: view.readingHints, keys: view.keys, hasList: view.completion != nil,
        isSearching: view.historySearch != nil
      ).draw(on: &canvas, row: row)
    }
    drawOverlay(layout, on: &canvas)
  }

  func blocks(width: Int) -> TimelineBlocks {
    TimelineBlocks(room: room, view: view, theme: theme, offset: clock.offset, width: width)
  }

  private func drawOverlay(_ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let overlay = view.overlay else { return }
    let rows = 0..<(layout.status ?? canvas.height)
    canvas.hideCursor()
    switch overlay {
    case .help, .bindings, .settings: HelpPage(view, theme: theme)?.draw(on: &canvas, rows: rows)
    case .themes(let picker): picker.draw(on: &canvas, rows: rows, theme: theme)
    case .results(let results):
      ResultsPage(results: results, clock: clock, theme: theme).draw(on: &canvas, rows: rows)
    case .links(let links): LinksPage(links: links, theme: theme).draw(on: &canvas, rows: rows)
    case .details(let details):
      DetailsPage(details: details, theme: theme).draw(on: &canvas, rows: rows)
    case .connection(let scroll):
      let page = ConnectionPage(
        room: room, facts: facts ?? LineFacts(), settings: view.settings, theme: theme,
        clock: clock, width: canvas.width)
      OverlayPage(title: page.title, lines: page.lines(), scroll: scroll, theme: theme)
        .draw(on: &canvas, rows: rows)
    case .frames(let frames):
      FramesPage(facts: facts ?? LineFacts(), view: frames, theme: theme, clock: clock)
        .draw(on: &canvas, rows: rows)
    }
  }

  private func drawStatus(
    _ words: StatusWords, blocks: TimelineBlocks, layout: ScreenLayout, on canvas: inout Canvas
  ) {
    guard let row = layout.status else { return }
    if layout.size == .stub {
      let text = StatusLine.stub(words, unread: blocks.unread)
      canvas.fill(row: row, style: theme["status"])
      canvas.put(text, row: row, column: 0, style: theme[words.part])
      return
    }
    statusLine(words, blocks: blocks, layout: layout).draw(on: &canvas, row: row)
  }

  func statusLine(
    _ words: StatusWords, blocks: TimelineBlocks, layout: ScreenLayout
  ) -> StatusLine {
    let position = view.anchor.flatMap { anchor in
      blocks.isEmpty ? nil : ScrollPosition(blocks: blocks, edge: blocks.edge(of: anchor))
    }
    return StatusLine(
      words: words, position: position, warning: layout.title == nil ? room.warning : nil,
      // The rule above the live rows says it already.
      newestKey: layout.tailRule == nil
        ? view.keys.keys(of: .program(.newest)).first ?? "" : "",
      windows: panels.rooms > 0 ? nil : windows.map { WindowStrip(list: $0, theme: theme) },
      theme: theme)
  }
}
