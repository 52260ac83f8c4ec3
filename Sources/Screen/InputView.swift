import Text

/// The input: the prompt, the text around the caret, and where the caret is.
struct InputView {
  let input: InputText
  /// Made safe.
  let prompt: String
  /// Said while nothing is typed.
  let hint: String
  let theme: Theme
  var emoji = EmojiPolicy.safe
  /// Characters of the text in a look of their own.
  var marked: Range<Int> = 0..<0
  var markedPart = "search.match"
  /// At the right end of the first row, in that part's look; made safe.
  var note = (text: "", part: "input.hint")

  func draw(on canvas: inout Canvas, rows: Range<Int>, from firstColumn: Int = 0) {
    guard !rows.isEmpty, canvas.width > firstColumn else { return }
    let lines = lines
    let place = caretPlace(in: lines)
    let first = min(max(0, place.line - rows.count + 1), max(0, lines.count - rows.count))
    let start = firstColumn + columns(of: prompt)
    let end = drawNote(row: rows.lowerBound, from: start, on: &canvas)
    // Counted only where something is marked: the lines above may be many.
    var offset =
      marked.isEmpty ? 0 : lines.prefix(first).reduce(0) { $0 + $1.count + 1 }
    for row in rows {
      let index = first + row - rows.lowerBound
      canvas.fill(
        row: row, columns: firstColumn..<(row == rows.lowerBound ? end : canvas.width),
        style: theme["input.text"])
      guard index < lines.count else { continue }
      if index == 0 {
        canvas.put(prompt, row: row, column: firstColumn, style: theme["input.prompt"])
      } else if start - firstColumn >= 5, row == rows.lowerBound {
        canvas.put(
          counter("↑", first, width: start - firstColumn), row: row, column: firstColumn,
          limit: start, style: theme["input.hint"])
      } else if start - firstColumn >= 5, row == rows.upperBound - 1, index + 1 < lines.count {
        canvas.put(
          counter("↓", lines.count - index - 1, width: start - firstColumn), row: row,
          column: firstColumn, limit: start, style: theme["input.hint"])
      }
      let window = InputWindow(
        line: lines[index], caret: index == place.line ? place.column : nil,
        width: max(1, (row == rows.lowerBound ? end : canvas.width) - start), emoji: emoji)
      draw(window, row: row, column: start, offset: offset, on: &canvas)
      if !marked.isEmpty { offset += lines[index].count + 1 }
    }
    if input.text.isEmpty, !hint.isEmpty, start + 1 + columns(of: hint) < canvas.width {
      canvas.put(
        hint, row: rows.lowerBound, column: start + 1, style: theme["input.hint"])
    }
  }

  /// How many lines are out of sight, with a blank between that and the text.
  private func counter(_ sign: String, _ count: Int, width: Int) -> String {
    let forms = ["\(sign) \(count)", "\(sign)\(count)", "\(sign)\(count / 1000)k"]
    return forms.first { columns(of: $0) < width } ?? sign
  }

  /// The place in the text, in characters, that stands at a column of a row of these, in a chat of that width.
  func caret(row: Int, column: Int, rows: Range<Int>, width: Int) -> Int? {
    guard rows.contains(row) else { return nil }
    let lines = lines
    let place = caretPlace(in: lines)
    let first = min(max(0, place.line - rows.count + 1), max(0, lines.count - rows.count))
    let index = min(first + row - rows.lowerBound, lines.count - 1)
    let start = columns(of: prompt)
    let end = row == rows.lowerBound ? noteStart(from: start, width: width) : width
    let window = InputWindow(
      line: lines[index], caret: index == place.line ? place.column : nil,
      width: max(1, end - start), emoji: emoji)
    var left = start
    var character = window.cells.last.map { $0.character + 1 } ?? 0
    for cell in window.cells {
      left += cell.clusters.reduce(0) { $0 + $1.width }
      if column < left {
        character = cell.character
        break
      }
    }
    return lines.prefix(index).reduce(0) { $0 + $1.count + 1 } + character
  }

  private func noteStart(from start: Int, width: Int) -> Int {
    let own = columns(of: note.text) + 1
    return own > 1 && width - start >= own + 8 ? width - own : width
  }

  /// Gives the column where the text has to end.
  private func drawNote(row: Int, from start: Int, on canvas: inout Canvas) -> Int {
    let end = noteStart(from: start, width: canvas.width)
    guard end < canvas.width else { return end }
    canvas.fill(row: row, columns: end..<canvas.width, style: theme["input.text"])
    canvas.put(note.text, row: row, column: end + 1, style: theme[note.part])
    return end
  }

  private func draw(
    _ window: InputWindow, row: Int, column: Int, offset: Int, on canvas: inout Canvas
  ) {
    if let plain = window.plain, marked.isEmpty {
      canvas.put(plain, row: row, column: column, style: theme["input.text"])
      finish(window, row: row, column: column, on: &canvas)
      return
    }
    var end = column
    let isolate =
      window.cells.contains { cell in cell.clusters.contains { holdsRightToLeft($0.text) } }
      ? canvas.beginIsolate(firstDirection(of: input.text)) : 0
    for cell in window.cells {
      let isMarked = marked.contains(offset + cell.character)
      end = canvas.put(
        cell.clusters, row: row, column: end, style: theme[isMarked ? markedPart : "input.text"],
        isolate: isolate)
    }
    finish(window, row: row, column: column, on: &canvas)
  }

  /// Marks what is cut off, and parks the cursor.
  private func finish(
    _ window: InputWindow, row: Int, column: Int, on canvas: inout Canvas
  ) {
    if window.isCutLeft {
      canvas.put("‹", row: row, column: column, style: theme["input.overflow"])
    }
    if window.isCutRight {
      canvas.put("›", row: row, column: column + window.width - 1, style: theme["input.overflow"])
    }
    if let caret = window.caretColumn { canvas.park(cursorRow: row, column: column + caret) }
  }

  /// Most inputs are one line, which is seen without looking at each character.
  private var lines: [Substring] {
    guard input.text.utf8.contains(UInt8(ascii: "\n")) else { return [input.text[...]] }
    return input.text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private func caretPlace(in lines: [Substring]) -> (line: Int, column: Int) {
    var left = max(0, input.caret)
    for (index, line) in lines.enumerated() {
      let count = isPrintableASCII(line) ? line.utf8.count : line.count
      if left <= count { return (index, left) }
      left -= count + 1
    }
    return (max(0, lines.count - 1), lines.last?.count ?? 0)
  }
}
