import Channel
import Room
import Text

/// What lies under the status line: the input, or what is asked or searched for in its place.
extension Screen {
  func drawInput(
    _ words: StatusWords, blocks: TimelineBlocks, layout: ScreenLayout, on canvas: inout Canvas
  ) {
    var column = 0
    if layout.status == nil, !layout.input.isEmpty {
      // A single row: the state stands before the input.
      let text = StatusLine.stub(words, unread: blocks.unread)
      column = canvas.put(
        text, row: layout.input.lowerBound, column: 0, style: theme[words.part])
      if column + 3 <= canvas.width { column += 1 }
    }
    if view.search != nil || view.selection != nil {
      return PromptRow(view: view, room: room, theme: theme).draw(
        input, on: &canvas, rows: layout.input, from: column)
    }
    if let question = view.pasteQuestion {
      return draw(question, rows: layout.input, from: column, on: &canvas)
    }
    if let search = view.historySearch {
      return draw(search, rows: layout.input, from: column, on: &canvas)
    }
    let field = inputField(layout, width: canvas.width - column)
    field.draw(on: &canvas, rows: layout.input, from: column)
    if let completion = view.completion {
      CompletionList(completion: completion, theme: theme).draw(
        on: &canvas, above: layout.listBottom, column: column + columns(of: field.prompt) - 2)
    }
  }

  /// The input itself, in so many columns.
  func inputField(_ layout: ScreenLayout, width: Int) -> InputView {
    var prompt: String
    switch layout.size {
    case .normal: prompt = cut(room.shownNick, to: 20) + "> "
    case .narrow: prompt = cut(room.shownNick, to: 8) + "> "
    case .stub: prompt = width >= 8 ? "> " : ""
    }
    if let compose = view.compose, width >= 12 {
      prompt = compose.prompt(layout.size)
    }
    let hint =
      switch room.connection {
      case .online: ""
      case .connecting: "(what you send waits until the line is up)"
      case .offline: "(what you send waits until you connect)"
      }
    var field = InputView(
      input: input, prompt: prompt, hint: hint, theme: theme, emoji: view.settings.emoji)
    if let left = MessageRoom(input.text, limit: RoomModel.largestMessage) {
      field.note = (left.words, left.overflow == nil ? "input.hint" : "input.overflow")
      field.marked = (left.overflow ?? .max)..<Int.max
      field.markedPart = "input.overflow"
    }
    return field
  }

  private func draw(
    _ question: PasteQuestion, rows: Range<Int>, from column: Int, on canvas: inout Canvas
  ) {
    guard let row = rows.first else { return }
    let space = canvas.width - column
    let text = question.forms.first { columns(of: $0) < space } ?? "?"
    for row in rows {
      canvas.fill(row: row, columns: column..<canvas.width, style: theme["input.text"])
    }
    canvas.fill(row: row, columns: column..<canvas.width, style: theme["input.paste"])
    let end = canvas.put(text, row: row, column: column, style: theme["input.paste"])
    canvas.park(cursorRow: row, column: end)
  }

  private func draw(
    _ search: HistorySearch, rows: Range<Int>, from column: Int, on canvas: inout Canvas
  ) {
    guard let row = rows.first else { return }
    for row in rows {
      canvas.fill(row: row, columns: column..<canvas.width, style: theme["input.text"])
    }
    let pattern = UntrustedText(search.pattern).safe(for: .line)
    let name = search.isFound ? "(search) " : "(search: none) "
    let space = canvas.width - column
    var prompt = name + pattern + ": "
    if columns(of: prompt) > space / 2 {
      prompt = cut(pattern, to: max(1, space / 2 - 2)) + ": "
    }
    // One row: the line ends are shown as signs.
    let line = String(search.line.map { $0 == "\n" ? "↵" : $0 })
    InputView(
      input: InputText(line, caret: search.match?.lowerBound ?? 0), prompt: prompt, hint: "",
      theme: theme, emoji: view.settings.emoji, marked: search.match ?? 0..<0
    ).draw(on: &canvas, rows: row..<row + 1, from: column)
  }
}
