import Text

/// The candidates above the input, the selected one marked.
struct CompletionList {
  /// The most rows it takes.
  static let mostRows = 8

  let completion: Completion
  let theme: Theme

  /// The number of the candidate in that row of the screen, where `draw` shows one.
  func candidate(atRow row: Int, above bottom: Int) -> Int? {
    let count = completion.candidates.count
    let height = min(count, Self.mostRows, bottom)
    guard height > 0, (bottom - height..<bottom).contains(row) else { return nil }
    return min(max(0, completion.selected - height / 2), count - height) + row - bottom + height
  }

  /// Draws over the rows in front of `bottom`, as many as fit and are needed.
  func draw(on canvas: inout Canvas, above bottom: Int, column: Int) {
    let count = completion.candidates.count
    let height = min(count, Self.mostRows, bottom)
    guard height > 0, canvas.width > 0 else { return }
    // The selected one in the middle, where there is more than fits.
    let first = min(max(0, completion.selected - height / 2), count - height)
    let shown = completion.candidates[first..<first + height]
    let labelWidth = shown.map { columns(of: $0.label) }.max() ?? 0
    let summaryWidth = shown.map { columns(of: $0.summary) }.max() ?? 0
    let position = count > height ? " \(completion.selected + 1)/\(count)" : ""
    let wanted =
      2 + labelWidth + (summaryWidth > 0 ? 2 + summaryWidth : 0) + columns(of: position) + 1
    let width = min(wanted, canvas.width)
    let start = min(max(0, column), canvas.width - width)
    for (index, candidate) in shown.enumerated() {
      let row = bottom - height + index
      let isSelected = first + index == completion.selected
      let style = theme[isSelected ? "popup.selected" : "popup"]
      canvas.fill(row: row, columns: start..<start + width, style: style)
      let limit = start + width
      var end = limit - 1
      if isSelected, !position.isEmpty, width > columns(of: position) + 8 {
        end = limit - columns(of: position) - 1
        canvas.put(position, row: row, column: end, limit: limit, style: style)
      }
      // The sign says it where colours do not.
      canvas.put(isSelected ? "›" : " ", row: row, column: start, limit: limit, style: style)
      let label = cut(candidate.label, to: max(1, end - start - 2))
      canvas.put(label, row: row, column: start + 2, limit: end, style: style)
      let place = start + 2 + labelWidth + 2
      if !candidate.summary.isEmpty, place + 4 <= end {
        canvas.put(
          cut(candidate.summary, to: end - place), row: row, column: place, limit: end, style: style
        )
      }
    }
  }
}
