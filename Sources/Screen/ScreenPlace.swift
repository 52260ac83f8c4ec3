import Channel
package import Room
import Text

/// What the person points at with the mouse.
package enum ScreenPlace: Equatable, Sendable {
  /// A link in the transcript, as it may be opened.
  case link(String)
  case message(MessageSelection.Target)
  /// The rule under which the newest messages stand.
  case tail
  /// A place in the line, in characters.
  case caret(Int)
  /// One of the candidates of a completion.
  case candidate(Int)
  /// An item of the list that lies over the screen.
  case item(Int)
  /// The state of the connection, in the status line.
  case connection
  /// A window in the status line, by its index.
  case window(Int)
  case nothing
}

/// What is drawn at a cell; the place and the size are of the chat without its panels. `windows` and `panels` are those
/// that the screen was drawn with.
package func screenPlace(
  row: Int, column: Int, in room: RoomModel, _ view: ViewState, clock: Clock, width: Int,
  height: Int, windows: WindowList? = nil, panels: PanelLayout = PanelLayout()
) -> ScreenPlace {
  Screen(
    room: room, view: view, theme: .fallback, clock: clock, input: view.shownInput,
    windows: windows, panels: panels
  )
  .place(row: row, column: column, width: width, height: height)
}

extension Screen {
  fileprivate func place(row: Int, column: Int, width: Int, height: Int) -> ScreenPlace {
    guard (0..<width).contains(column), (0..<height).contains(row) else { return .nothing }
    let layout = ScreenLayout(width: width, height: height, view: view, input: input)
    if let overlay = view.overlay {
      if row == layout.status { return status(layout, column: column, width: width) }
      return item(of: overlay, row: row, rows: layout.status ?? height).map(ScreenPlace.item)
        ?? .nothing
    }
    let isWriting =
      view.search == nil && view.selection == nil && view.pasteQuestion == nil
      && view.historySearch == nil
    if isWriting, let completion = view.completion,
      let index = CompletionList(completion: completion, theme: theme)
        .candidate(atRow: row, above: layout.listBottom)
    {
      return .candidate(index)
    }
    if row == layout.status { return status(layout, column: column, width: width) }
    if layout.input.contains(row) {
      guard isWriting, layout.status != nil else { return .nothing }
      return inputField(layout, width: width)
        .caret(row: row, column: column, rows: layout.input, width: width)
        .map(ScreenPlace.caret) ?? .nothing
    }
    if row == layout.tailRule { return .tail }
    guard
      let line = TimelineView(blocks: blocks(width: width), layout: layout).line(
        at: row, anchor: view.anchor)
    else { return .nothing }
    for span in line.spans {
      let end = span.column + columns(of: span.text, emoji: span.emoji)
      if let link = span.link, (span.column..<end).contains(column) { return .link(link.uri) }
    }
    return line.target.map(ScreenPlace.message) ?? .nothing
  }

  private func status(_ layout: ScreenLayout, column: Int, width: Int) -> ScreenPlace {
    guard layout.size != .stub else { return .connection }
    let words = StatusWords(room, clock: clock, settings: view.settings)
    return statusLine(words, blocks: blocks(width: width), layout: layout)
      .place(column: column, width: width)
  }

  private func item(of overlay: ViewState.Overlay, row: Int, rows: Int) -> Int? {
    func item<Item>(_ list: ChoiceList<Item>) -> Int? {
      let shown = list.shown(rows: ChoicePage.rows(of: 0..<rows))
      return row > 0 && shown.indices.contains(shown.lowerBound + row - 1)
        ? shown.lowerBound + row - 1 : nil
    }
    switch overlay {
    case .results(let results): return item(results.list)
    case .links(let links): return item(links.list)
    case .themes(let picker): return picker.theme(atRow: row, rows: 0..<rows)
    case .help, .bindings, .settings, .details, .connection, .frames: return nil
    }
  }
}
