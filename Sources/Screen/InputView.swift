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
    let lines = input.text.split(separator: "\n", omittingEmptySubsequences: false)
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
    let lines = input.text.split(separator: "\n", omittingEmptySubsequences: false)
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
    if window.isCutLeft {
      canvas.put("‹", row: row, column: column, style: theme["input.overflow"])
    }
    if window.isCutRight {
      canvas.put("›", row: row, column: column + window.width - 1, style: theme["input.overflow"])
    }
    if let caret = window.caretColumn { canvas.park(cursorRow: row, column: column + caret) }
  }

  private func caretPlace(in lines: [Substring]) -> (line: Int, column: Int) {
    var left = max(0, input.caret)
    for (index, line) in lines.enumerated() {
      let count = line.count
      if left <= count { return (index, left) }
      left -= count + 1
    }
    return (max(0, lines.count - 1), lines.last?.count ?? 0)
  }
}

/// The part of a line that is seen: all of it where it fits, else pages of half a width, so that the text
/// does not move with every key.
struct InputWindow: Equatable {
  struct Shown: Equatable {
    /// Counted from the start of the line.
    var character: Int
    var clusters: [Cluster]
  }

  var cells: [Shown] = []
  var isCutLeft = false
  var isCutRight = false
  var caretColumn: Int?
  let width: Int
  private let emoji: EmojiPolicy

  init(line: Substring, caret: Int?, width: Int, emoji: EmojiPolicy = .safe) {
    self.width = width
    self.emoji = emoji
    let before = caret ?? 0
    var skipped = 0
    if before >= width || line.prefix(before).reduce(0, { $0 + self.width(of: $1) }) >= width {
      let step = max(1, width / 2)
      skipped = max(0, (before / step - 1) * step)
      let widths = line.dropFirst(skipped).prefix(before - skipped).map(self.width(of:))
      var column = widths.reduce(0, +)
      for own in widths where column >= max(1, width - 1) {
        column -= own
        skipped += 1
      }
    }
    isCutLeft = skipped > 0 && width > 2
    var column = 0
    var position = skipped
    for character in line.dropFirst(skipped) {
      if position == caret { caretColumn = column }
      let own = shown(character)
      let ownWidth = own.reduce(0) { $0 + $1.width }
      guard column + ownWidth <= width else {
        isCutRight = width > 2
        break
      }
      cells.append(Shown(character: position, clusters: own))
      column += ownWidth
      position += 1
    }
    if position == caret { caretColumn = min(column, width - 1) }
    // The mark of what is cut off may not hide the character under the caret.
    if isCutRight, let caretColumn, caretColumn >= width - 1 { isCutRight = false }
  }

  private func width(of character: Character) -> Int {
    guard !character.isASCII else { return 1 }
    return shown(character).reduce(0) { $0 + $1.width }
  }

  /// A character as the input shows it; a tab as its picture, since it is sent as a tab, and a mark without a
  /// letter on a dotted circle, since it would hang on the prompt.
  private func shown(_ character: Character) -> [Cluster] {
    if character == "\t" { return [Cluster(text: "␉", width: 1)] }
    var text = String(character)
    if let first = character.unicodeScalars.first, Self.isMark(first) { text = "\u{25CC}" + text }
    return Text.clusters(of: UntrustedText(text).safe(for: .line, limit: 8), emoji: emoji)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
