/// One of the texts that may stand in place of what was typed.
package struct Candidate: Equatable, Sendable {
  /// What is put into the line.
  package var text: String
  /// What is shown; made safe.
  package var label: String
  /// What it is, in a few words; made safe.
  package var summary: String

  package init(_ text: String, label: String, summary: String = "") {
    self.text = text
    self.label = label
    self.summary = summary
  }
}

/// The candidates for what stands before the caret, one of them put into the line already.
package struct Completion: Equatable, Sendable {
  package let candidates: [Candidate]
  package private(set) var selected: Int
  /// The line as it was typed.
  private let base: LineEditor
  /// Of its text in characters: what the candidates stand in place of.
  private let range: Range<Int>

  /// Nil without candidates.
  package init?(_ candidates: [Candidate], in base: LineEditor, range: Range<Int>, backward: Bool) {
    guard !candidates.isEmpty else { return nil }
    self.candidates = candidates
    self.base = base
    self.range = range
    selected = backward ? candidates.count - 1 : 0
  }

  /// Goes to the next or the one before, around the ends.
  package mutating func step(by distance: Int) {
    selected = ((selected + distance) % candidates.count + candidates.count) % candidates.count
  }

  /// The line with the candidate in it, one step of undo from what was typed.
  package var completed: LineEditor {
    var editor = base
    editor.complete(range, with: candidates[selected].text)
    return editor
  }

  package var original: LineEditor { base }
}
