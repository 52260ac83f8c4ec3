import Channel
package import Room
import Text

/// The search in the transcript while it is entered. It looks at a bounded piece of the transcript at a time, the newest
/// messages first, so that no key waits for it.
package struct TranscriptSearch: Equatable, Sendable {
  /// Bytes of text that one step looks at, times what a byte costs.
  static let stepCost = 2_000_000

  package var editor = LineEditor()
  package private(set) var isPattern = false
  package private(set) var matchesCase = false
  /// Where the view was, to go back to.
  package let origin: ViewState.Anchor?
  /// Serials of the entries that match, the newest first.
  package private(set) var matches: [Int] = []
  /// Which of them is gone to.
  package private(set) var current: Int?
  /// Entries up to this serial are still to be looked at; nil where none are.
  private var rest: Int?
  private var finder: TextFinder?

  package init(from origin: ViewState.Anchor?, text: String = "") {
    self.origin = origin
    if !text.isEmpty { editor.setText(text) }
  }

  package var isScanning: Bool { rest != nil }

  /// What is entered is no regular expression.
  package var isFaulty: Bool { isPattern && finder == nil && !editor.isEmpty }

  /// What is marked meanwhile.
  package var found: FoundText? {
    finder.map { FoundText(finder: $0, serial: current.map { matches[$0] }) }
  }

  package mutating func togglePattern(in room: RoomModel) {
    isPattern.toggle()
    restart(in: room)
  }

  package mutating func toggleCase(in room: RoomModel) {
    matchesCase.toggle()
    restart(in: room)
  }

  /// Begins anew, after the text has changed.
  package mutating func restart(in room: RoomModel) {
    matches = []
    current = nil
    let text = editor.text
    finder =
      isPattern
      ? TextFinder(pattern: text, matchesCase: matchesCase)
      : TextFinder(words: [text], matchesCase: matchesCase)
    rest = finder == nil ? nil : room.entries.last?.serial
  }

  /// Looks at the next piece.
  package mutating func advance(in room: RoomModel) {
    guard let rest, let finder else { return }
    var cost = 0
    var index = room.firstIndex(after: rest) - 1
    while index >= 0, cost < Self.stepCost {
      let entry = room.entries[index]
      let text = entry.shownText
      cost += 64 + text.utf8.count * finder.costPerByte
      if finder.isIn(text) { matches.append(entry.serial) }
      index -= 1
    }
    self.rest = index >= 0 ? room.entries[index].serial : nil
    if current == nil { chooseFirst() }
  }

  /// The nearest above where the view was, else the nearest below.
  private mutating func chooseFirst() {
    let edge = origin?.serial ?? .max
    if let index = matches.firstIndex(where: { $0 <= edge }) {
      current = index
    } else if rest == nil, !matches.isEmpty {
      current = matches.count - 1
    }
  }

  /// To an older match where positive; around the end to the other one.
  package mutating func step(by count: Int) {
    guard !matches.isEmpty else { return }
    guard let index = current else {
      current = 0
      return
    }
    let next = index + count
    if matches.indices.contains(next) {
      current = next
    } else if !isScanning {
      current = next < 0 ? matches.count - 1 : 0
    }
  }

  /// Such as "2/7": counted from the newest, as that is where the search begins.
  var position: String {
    if isFaulty { return "no pattern yet" }
    if editor.isEmpty { return "" }
    let all = "\(matches.count)\(isScanning ? "+" : "")"
    guard let current else { return isScanning ? "…" : "none" }
    return "\(current + 1)/\(all)"
  }

  var prompt: String {
    let modes = [isPattern ? "regex" : nil, matchesCase ? "case" : nil].compactMap { $0 }
    let words = ["search", position, modes.isEmpty ? "" : "(\(modes.joined(separator: ", ")))"]
    return words.filter { !$0.isEmpty }.joined(separator: " ") + ": "
  }
}

extension TimelineEntry {
  /// The text as it is drawn, before it is wrapped.
  var shownText: String {
    switch kind {
    case .message(let message):
      message.text.safe(for: .block, limit: TimelineBlocks.mostCharacters)
    case .notice(let text, _): text.safe(for: .block, limit: TimelineBlocks.mostCharacters)
    }
  }
}
