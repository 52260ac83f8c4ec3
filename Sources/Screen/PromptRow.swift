import Channel
import Room
import Text

/// What stands in the place of the input while the person searches or has chosen a message.
struct PromptRow {
  let view: ViewState
  let room: RoomModel
  let theme: Theme

  func draw(_ input: InputText, on canvas: inout Canvas, rows: Range<Int>, from column: Int) {
    if let search = view.search {
      let prompt = canvas.width - column < 24 ? "/" : search.prompt
      InputView(input: input, prompt: prompt, hint: "", theme: theme, emoji: view.settings.emoji)
        .draw(on: &canvas, rows: rows, from: column)
    } else if let selection = view.selection {
      if selection.entered != nil {
        let prompt = selection.emoji == nil ? "save as: " : "react with: "
        InputView(
          input: input, prompt: prompt, hint: selection.emoji == nil ? "" : "(👍 or a name)",
          theme: theme
        ).draw(on: &canvas, rows: rows, from: column)
        if let completion = selection.completion {
          CompletionList(completion: completion, theme: theme)
            .draw(on: &canvas, above: rows.lowerBound, column: column)
        }
        return
      }
      for row in rows {
        canvas.fill(row: row, columns: column..<canvas.width, style: theme["input.text"])
      }
      guard let row = rows.first else { return }
      var message: ChatMessage?
      var isNotice = false
      if case .entry(let serial) = selection.target, let entry = room.entry(serial: serial) {
        message = entry.message
        isNotice = message == nil
      }
      canvas.put(
        selection.words(
          width: max(0, canvas.width - column), isOwn: message.map(room.isOwn) ?? false,
          isDeleted: message?.isDeleted ?? false, isNotice: isNotice,
          hasLink: message.map { !LinkList(of: $0, in: room).list.items.isEmpty } ?? false,
          isAnswer: message?.marks.replyTo != nil), row: row, column: column,
        style: theme["input.prompt"])
      canvas.hideCursor()
    }
  }
}

extension ViewState {
  /// The keys of what lies over the transcript or the input; nil where nothing does.
  var readingHints: [(String, String)]? {
    switch overlay {
    case .results:
      return [("Up Down", "choose"), ("Enter", "go there"), ("Esc", "back")]
    case .links:
      return [("Up Down", "choose"), ("Enter", "open"), ("c", "copy"), ("Esc", "back")]
    case .details: return [("Esc", "back"), ("c", "copy")]
    case .help, .bindings, .settings, .connection, .frames, .themes, nil: break
    }
    guard overlay == nil else { return nil }
    if search != nil {
      return [
        ("Enter", "keep"), ("Esc", "back"), ("Up Down", "step"), ("M-c", "case"), ("M-r", "regex"),
        ("^G", "all rooms"),
      ]
    }
    if let selection {
      if selection.emoji != nil {
        return [("Enter", "react"), ("Tab", "names"), ("Esc", "do not")]
      }
      if selection.fileName != nil { return [("Enter", "save"), ("Esc", "do not")] }
      if selection.isDeleting { return [("y", "delete"), ("any other key", "keep it")] }
      return [("Up Down", "choose"), ("Esc", "back"), ("F1", "help")]
    }
    if let compose {
      let sends = compose.target.kind == .edit ? "change it" : "answer"
      return [("Enter", sends), ("Esc", "leave it")]
    }
    return nil
  }
}
