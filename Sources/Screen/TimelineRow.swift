import Text

/// A piece of text at a column of a row.
struct Span: Equatable {
  var column: Int
  var text: String
  var style: Style
}

/// One row of the timeline, before it is placed.
struct TimelineRow: Equatable {
  var spans: [Span]
  /// What the row shows in addition where it is the topmost: whose words they are, and when, which a row
  /// under its like leaves out.
  var whenTopmost: [Span] = []
}

/// A rule across the pane with a label in its middle.
func rule(_ label: String, width: Int, line: String = "─", style: Style) -> TimelineRow {
  guard width >= 8 else {
    return TimelineRow(spans: [Span(column: 0, text: cut(label, to: width), style: style)])
  }
  let label = " " + cut(label, to: width - 6) + " "
  let left = (width - columns(of: label)) / 2
  let right = width - left - columns(of: label)
  let text =
    String(repeating: line, count: max(0, left)) + label
    + String(repeating: line, count: max(0, right))
  return TimelineRow(spans: [Span(column: 0, text: text, style: style)])
}

/// The spans of a row of text, with the addresses in it in their own style.
func spans(of text: String, at column: Int, style: Style, urlStyle: Style) -> [Span] {
  var result: [Span] = []
  var column = column
  var pending = ""
  func flush() {
    guard !pending.isEmpty else { return }
    result.append(Span(column: column, text: pending, style: style))
    column += columns(of: pending)
    pending = ""
  }
  guard text.utf8.contains(0x3A) else { return [Span(column: column, text: text, style: style)] }
  for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
    if index > 0 { pending += " " }
    if ["http://", "https://", "ws://", "wss://"].contains(where: { word.hasPrefix($0) }) {
      flush()
      result.append(Span(column: column, text: String(word), style: urlStyle))
      column += columns(of: String(word))
    } else {
      pending += word
    }
  }
  flush()
  return result
}
