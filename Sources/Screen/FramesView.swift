package import Channel

/// What the person does with `/frames`: which frame is looked at, which are shown, what is being typed.
package struct FramesView: Equatable, Sendable {
  package enum Prompt: Equatable, Sendable {
    case filter, save
  }

  /// Which opcodes are shown.
  package enum Kind: String, CaseIterable, Sendable {
    case all, text, binary, control, heads
  }

  /// The number of the frame under the mark; nil follows the newest.
  package var selected: Int?
  /// Text that shown frames hold.
  package var text = ""
  package var direction: FrameRecord.Direction?
  package var kind = Kind.all
  /// The frames as they stood when the person stopped them; nil while they run.
  package var frozen: FrameRecord?
  /// The frame under the mark is shown alone, scrolled by rows.
  package var details: Int?
  /// They were stopped only for that.
  package var stopsForDetails = false
  package var prompt: Prompt?
  package var editor = LineEditor()
  /// Of the path that is being typed.
  package var completion: Completion?
  /// What the last command came to.
  package var message: String?

  package init(text: String = "") {
    self.text = text
  }

  package var isFiltered: Bool { !text.isEmpty || direction != nil || kind != .all }

  package func record(of facts: LineFacts) -> FrameRecord { frozen ?? facts.frames }

  /// Whether a frame is shown; `wanted` is the text as `FrameText.wanted` gives it.
  func shows(_ frame: FrameRecord.Frame, _ wanted: [UInt8]) -> Bool {
    if let direction, frame.direction != direction { return false }
    let isOfKind =
      switch kind {
      case .all: true
      case .text: frame.opcode == 1 || frame.opcode == 0
      case .binary: frame.opcode == 2 || frame.opcode == 0
      case .control: (frame.opcode ?? 0) >= 8
      case .heads: frame.opcode == nil
      }
    return isOfKind && (wanted.isEmpty || FrameText.holds(frame, wanted))
  }

  /// The numbers of the frames that are shown, at most `most` of the newest.
  package func numbers(in record: FrameRecord, most: Int = .max) -> [Int] {
    guard isFiltered else { return Array(record.numbers.suffix(most)) }
    let wanted = FrameText.wanted(text)
    var found: [Int] = []
    for number in record.numbers.reversed() {
      guard found.count < most else { break }
      if let frame = record[number], shows(frame, wanted) { found.append(number) }
    }
    return found.reversed()
  }

  /// Moves the mark; at the newest frame the view follows again.
  package mutating func move(by steps: Int, in record: FrameRecord) {
    let shown = numbers(in: record)
    guard !shown.isEmpty else { return }
    let current = selected.flatMap { mark in shown.lastIndex { $0 <= mark } } ?? shown.count - 1
    let next = min(max(0, current + min(max(steps, -shown.count), shown.count)), shown.count - 1)
    selected = next == shown.count - 1 && frozen == nil && steps > 0 ? nil : shown[next]
    if details != nil {
      details = 0
      selected = shown[next]
    }
  }

  /// The frame under the mark.
  package func marked(in record: FrameRecord) -> Int? {
    guard let selected else { return numbers(in: record, most: 1).last }
    let shown = numbers(in: record)
    return shown.last { $0 <= selected } ?? shown.first
  }

  /// All of the marked frame: nothing moves under the eyes of who reads it.
  package mutating func openDetails(_ record: FrameRecord) {
    guard let marked = marked(in: frozen ?? record) else { return }
    stopsForDetails = frozen == nil
    frozen = frozen ?? record
    selected = marked
    details = 0
  }

  package mutating func closeDetails() {
    details = nil
    if stopsForDetails { frozen = nil }
    stopsForDetails = false
  }

  package mutating func togglePause(_ record: FrameRecord) {
    if frozen == nil {
      frozen = record
      selected = selected ?? record.numbers.last
    } else {
      frozen = nil
      selected = nil
    }
  }
}
