import Channel
import Room
import Text

/// The room, the server, how many are here, and at the right what has to be warned of.
struct TitleRow {
  let room: RoomModel
  let theme: Theme

  func draw(on canvas: inout Canvas, row: Int) {
    canvas.fill(row: row, style: theme["title"])
    let margin = 1
    var limit = canvas.width - margin
    if let warning = room.warning {
      let shown = [warning, "! unchecked", "!"].first {
        columns(of: $0) + 8 <= canvas.width - 2 * margin
      }
      if let shown {
        limit -= columns(of: shown)
        canvas.put(shown, row: row, column: limit, style: theme["status.error"])
        limit -= 2
      }
    }
    let words = room.typists.words.first { columns(of: $0) <= (limit - margin) / 2 }
    if let words {
      limit -= columns(of: words)
      canvas.put(words, row: row, column: limit, style: theme["title.topic"])
      limit -= 2
    }
    let name = UntrustedText(room.room).safe(for: .line, limit: 80)
    let title = name.hasPrefix("#") ? name : "#" + name
    let server = UntrustedText(room.server).safe(for: .line, limit: 200)
    let here = room.members.isEmpty ? "" : " · \(room.members.count) here"
    let topics = [server.isEmpty ? here : " · " + server + here, here, ""]
    let space = limit - margin
    let topic =
      topics.first { columns(of: title) + columns(of: $0) <= space } ?? ""
    let column = canvas.put(
      cut(title, to: space), row: row, column: margin, style: theme["title"])
    canvas.put(topic, row: row, column: column, limit: limit, style: theme["title.topic"])
  }
}

extension RoomModel {
  /// As long as it lasts: nobody knows who the server is.
  var warning: String? {
    if isInsecure { return "! certificate not checked" }
    if case .online(let online) = connection, online.isInsecure {
      return "! certificate not checked"
    }
    return nil
  }
}

/// One row of keys for newcomers.
struct HintsRow {
  let theme: Theme
  let isScrolled: Bool
  let overlay: ViewState.Overlay?
  /// Those of what lies over the transcript or the input.
  var reading: [(String, String)]?
  let keys: KeyMap
  let hasList: Bool
  let isSearching: Bool

  func draw(on canvas: inout Canvas, row: Int) {
    canvas.fill(row: row, style: theme["help.text"])
    var column = 1
    for (key, does) in hints {
      let wanted = columns(of: key) + 1 + columns(of: does)
      guard column + wanted < canvas.width else { break }
      column = canvas.put(key, row: row, column: column, style: theme["help.key"])
      column = canvas.put(" " + does, row: row, column: column, style: theme["help.text"]) + 2
    }
  }

  private var hints: [(String, String)] {
    if let reading { return reading }
    switch overlay {
    case .help, .bindings:
      return [("Esc", "close"), ("PgUp PgDn", "scroll"), ("/help WORD", "search the help")]
    case .settings:
      return [("Esc", "close"), ("PgUp PgDn", "scroll"), ("/set NAME VALUE", "change one")]
    case .connection: return [("Esc", "close"), ("PgUp PgDn", "scroll"), ("F3", "frames")]
    case .frames(let frames): return Self.hints(frames)
    case .themes: return [("↑↓", "look"), ("Enter", "keep"), ("Esc", "back")]
    case .results, .links, .details, nil: break
    }
    if hasList {
      return [("Tab Up Down", "choose"), ("Enter", "take"), ("Esc", "back to what was typed")]
    }
    if isSearching {
      return [
        (name(.program(.searchHistory)), "older"), (name(.program(.searchHistoryForward)), "newer"),
        ("Enter", "edit it"), ("Esc", "back"),
      ].filter { !$0.0.isEmpty }
    }
    if isScrolled {
      return [
        (name(.program(.newest)), "newest"), (scrolling, "scroll"),
        (name(.program(.firstUnread)), "first new"), (name(.program(.searchTranscript)), "search"),
        (name(.program(.chooseMessage)), "choose"), (name(.program(.help)), "help"),
      ].filter { !$0.0.isEmpty }
    }
    return [
      (name(.program(.help)), "help"), (name(.program(.connection)), "the line"),
      (name(.program(.pageUp)), "scroll"), (name(.program(.searchTranscript)), "search"),
      (name(.program(.chooseMessage)), "choose"),
      (name(.editor(.newLine)), "new line"), (name(.program(.interrupt)), "clear"),
      ("/theme", "colours"), ("/quit", "leave"), (name(.program(.frames)), "frames"),
    ].filter { !$0.0.isEmpty }
  }

  private var scrolling: String {
    [name(.program(.pageUp)), name(.program(.pageDown))].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The first key of an action, as it is bound; nothing where it has none.
  private func name(_ action: KeyAction) -> String { keys.keys(of: action).first ?? "" }

  private static func hints(_ frames: FramesView) -> [(String, String)] {
    if frames.prompt != nil { return [("Enter", "take it"), ("Esc", "back")] }
    if frames.details != nil {
      return [("Esc", "back"), ("PgUp PgDn", "scroll"), ("Left Right", "other frames")]
    }
    return [
      ("Esc", "close"), ("Enter", "details"), ("Space", frames.frozen == nil ? "stop" : "go on"),
      ("/", "text"), ("d", "way"), ("o", "kind"), ("x", "all"), ("s", "save"),
    ]
  }
}
