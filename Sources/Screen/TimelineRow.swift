import Text

/// A piece of text at a column of a row.
struct Span: Equatable {
  var column: Int
  var text: String
  var style: Style
  /// How it was measured, and is to be drawn.
  var emoji = EmojiPolicy.safe
  var link: LinkTarget?
  /// It is part of a text in a row that holds letters which are written from right to left: the direction of the whole
  /// text. Such spans of a row are kept apart together.
  var isolate: WritingDirection?
}

/// One row of the timeline, before it is placed.
struct TimelineRow: Equatable {
  var spans: [Span]
  /// What the row shows in addition where it is the topmost: whose words they are, and when, which a row
  /// under its like leaves out.
  var whenTopmost: [Span] = []
  /// The message that it is of.
  var target: MessageSelection.Target?
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
