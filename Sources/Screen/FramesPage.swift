import Channel
import Text

/// `/frames`: the last frames as a list that follows the newest, or one of them in full.
package struct FramesPage {
  let facts: LineFacts
  let view: FramesView
  let theme: Theme
  let clock: Clock

  package init(facts: LineFacts, view: FramesView, theme: Theme, clock: Clock) {
    self.facts = facts
    self.view = view
    self.theme = theme
    self.clock = clock
  }

  private var record: FrameRecord { view.record(of: facts) }
  private var words: FrameText { FrameText(hiding: facts.secrets) }

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    for row in rows { canvas.fill(row: row, style: theme["text"]) }
    var rows = rows
    if rows.count > 2, view.prompt != nil || view.message != nil {
      rows = rows.lowerBound..<rows.upperBound - 1
    }
    let last = rows.upperBound
    if let number = view.details.flatMap({ _ in view.marked(in: record) }),
      let frame = record[number]
    {
      let lines = details(of: frame, width: canvas.width)
      OverlayPage(
        title: "Frame \(number) ─ \(kind(of: frame))", lines: lines, scroll: view.details ?? 0,
        theme: theme
      ).draw(on: &canvas, rows: rows)
    } else {
      drawList(on: &canvas, rows: rows)
    }
    guard last < canvas.height, view.prompt != nil || view.message != nil else { return }
    drawPrompt(on: &canvas, row: last)
  }

  // MARK: - The list

  private func drawList(on canvas: inout Canvas, rows: Range<Int>) {
    let head = OverlayPage.head(title, position: canvas.wayBack + place, width: canvas.width)
    canvas.put(head, row: rows.lowerBound, column: 0, style: theme["title"])
    let rows = rows.lowerBound + 1..<rows.upperBound
    guard !rows.isEmpty else { return }
    let (shown, mark) = window(rows.count)
    guard !shown.isEmpty else {
      let sentence =
        view.isFiltered
        ? "No frame is shown by this filter; x takes it away." : "No frame has come or gone yet."
      canvas.put(
        cut(sentence, to: canvas.width), row: rows.lowerBound, column: 0, style: theme["help.text"])
      return
    }
    for (index, number) in shown.enumerated() {
      guard let frame = record[number] else { continue }
      let row = rows.lowerBound + index
      let isMarked = number == mark
      let style = isMarked ? theme["popup.selected"] : theme["text"]
      if isMarked { canvas.fill(row: row, style: style) }
      canvas.put(isMarked ? ">" : " ", row: row, column: 0, style: style)
      draw(frame, on: &canvas, row: row, isMarked ? style : nil)
    }
  }

  /// The frames that fit, with the marked one among them.
  private func window(_ count: Int) -> (shown: [Int], mark: Int?) {
    guard view.selected != nil else {
      let shown = view.numbers(in: record, most: count)
      return (shown, shown.last)
    }
    let all = view.numbers(in: record)
    guard let mark = view.marked(in: record), let index = all.firstIndex(of: mark) else {
      return ([], nil)
    }
    let first = max(0, min(index - count / 2, all.count - count))
    return (Array(all[first..<min(all.count, first + count)]), mark)
  }

  private func draw(
    _ frame: FrameRecord.Frame, on canvas: inout Canvas, row: Int, _ marked: Style?
  ) {
    let isNarrow = canvas.width < 60
    let time = LocalTime(clock.wall(of: frame.at), offset: clock.offset)
    let sign = frame.direction == .received ? "<" : ">"
    let name = FrameText.name(of: frame.opcode)
    let kindStyle = marked ?? theme[(frame.opcode ?? 0) >= 8 ? "chat.notice" : "help.key"]
    var column = 1
    func put(_ text: String, _ width: Int, _ style: Style, isRight: Bool = false) {
      let shown = cut(text, to: width)
      let start = isRight ? column + width - columns(of: shown) : column
      canvas.put(shown, row: row, column: start, style: style)
      column += width + 1
    }
    let exact = LocalTime.precise(clock.wall(of: frame.at), offset: clock.offset)
    put(isNarrow ? time.clock : exact, isNarrow ? 5 : 12, marked ?? theme["chat.time"])
    put(sign, 1, kindStyle)
    put(name, isNarrow ? 5 : 6, kindStyle)
    if !isNarrow { put(flags(of: frame), 4, marked ?? theme["help.text"]) }
    put(size(of: frame), isNarrow ? 6 : 8, marked ?? theme["help.text"], isRight: true)
    let space = canvas.width - column
    guard space > 0 else { return }
    let text = UntrustedText(words.line(frame, most: max(16, 2 * space))).safe(
      for: .line, limit: 2 * space + 16)
    canvas.put(cut(text, to: space), row: row, column: column, style: marked ?? theme["text"])
  }

  /// "F" for FIN, "1" to "3" for reserved bits.
  private func flags(of frame: FrameRecord.Frame) -> String {
    guard frame.opcode != nil else { return "" }
    var text = frame.isFinal ? "F" : "-"
    for (index, bit) in [UInt8(4), 2, 1].enumerated() where frame.reservedBits & bit != 0 {
      text += "\(index + 1)"
    }
    return text
  }

  private func size(of frame: FrameRecord.Frame) -> String {
    frame.length < 100_000 ? "\(frame.length)" : AmountWords.bytes(Double(frame.length))
  }

  private var title: String {
    var parts = ["Frames"]
    if let direction = view.direction { parts.append(direction.rawValue) }
    if view.kind != .all { parts.append(view.kind.rawValue) }
    if !view.text.isEmpty {
      parts.append("“\(UntrustedText(view.text).safe(for: .line, limit: 30))”")
    }
    if view.frozen != nil { parts.append("stopped") }
    return parts.joined(separator: " ─ ")
  }

  private var place: String {
    let count = record.numbers.count
    guard view.selected != nil, let mark = view.marked(in: record) else { return "\(count)" }
    return "\(mark - record.numbers.lowerBound + 1)/\(count)"
  }

  private func drawPrompt(on canvas: inout Canvas, row: Int) {
    guard let prompt = view.prompt else {
      let text = UntrustedText(view.message ?? "").safe(for: .line, limit: 300)
      canvas.put(cut(text, to: canvas.width), row: row, column: 0, style: theme["chat.notice"])
      return
    }
    let label = prompt == .filter ? "holds: " : "save as: "
    InputView(
      input: InputText(view.editor.text, caret: view.editor.caret), prompt: label, hint: "",
      theme: theme
    ).draw(on: &canvas, rows: row..<row + 1, from: 0)
    if let completion = view.completion {
      CompletionList(completion: completion, theme: theme).draw(on: &canvas, above: row, column: 0)
    }
  }

  // MARK: - One frame

  private func kind(of frame: FrameRecord.Frame) -> String {
    (frame.direction == .received ? "received " : "sent ") + FrameText.name(of: frame.opcode)
  }

  func details(of frame: FrameRecord.Frame, width: Int) -> [TimelineRow] {
    let time = LocalTime.precise(clock.wall(of: frame.at), offset: clock.offset)
    let length = AmountWords.count(Int(clamping: frame.length))
    var about = "\(time), line \(frame.line), \(length) bytes on the wire"
    if let restored = frame.restoredLength { about += ", \(AmountWords.count(restored)) restored" }
    if frame.opcode != nil {
      about += frame.isFinal ? ", FIN" : ", no FIN"
      for (index, bit) in [UInt8(4), 2, 1].enumerated() where frame.reservedBits & bit != 0 {
        about += ", RSV\(index + 1)"
      }
    }
    let bytes = width >= 76 ? 16 : width >= 44 ? 8 : 4
    let texts = [about, ""] + words.lines(frame, columns: bytes)
    return texts.enumerated().flatMap { index, text in
      let safe = UntrustedText(text).safe(for: .line, limit: 8_192)
      return wrap(safe, width: max(1, width)).rows.map {
        TimelineRow(spans: [
          Span(column: 0, text: $0, style: theme[index == 0 ? "help.key" : "text"])
        ])
      }
    }
  }

  /// Where the last page of the details begins.
  package func lastScroll(width: Int, rows: Int) -> Int {
    guard let frame = view.marked(in: record).flatMap({ record[$0] }) else { return 0 }
    return OverlayPage.lastScroll(of: details(of: frame, width: width), rows: rows)
  }

  /// What the file is to hold: every frame that is shown, a line of JSON each.
  package func saved() -> String {
    view.numbers(in: record).compactMap { record[$0] }
      .map { words.record($0, at: clock.wall(of: $0.at)) }.joined()
  }
}

extension FramesPage {
  private static let mostPlain = 200

  /// A line for each of the last frames, for a program that only writes.
  var plainLines: [String] {
    let numbers = view.numbers(in: record, most: Self.mostPlain)
    guard !numbers.isEmpty else {
      return [view.isFiltered ? "* No frame holds that." : "* No frame has come or gone yet."]
    }
    return numbers.compactMap { record[$0] }.map { frame in
      let time = LocalTime.precise(clock.wall(of: frame.at), offset: clock.offset)
      let verb = frame.direction == .received ? "received" : "sent"
      let text = UntrustedText(words.line(frame, most: 400)).safe(for: .line, limit: 400)
      return
        "* \(time) \(verb) \(FrameText.name(of: frame.opcode)), \(size(of: frame)) bytes: \(text)"
    }
  }
}
