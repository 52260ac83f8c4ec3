/// The input line as a value: text, caret, kill ring, undo, history.
package struct LineEditor: Equatable, Sendable {
  /// May hold "\n" after a multi-line paste or Alt-Enter.
  package private(set) var text: String = ""
  /// The caret as a number of characters (grapheme clusters) from the start.
  package private(set) var caret: Int = 0

  package enum Outcome: Equatable, Sendable {
    /// The key is not the editor's.
    case ignored
    case edited
    /// Enter on text: the line is now empty and in the history.
    case submitted(String)
  }

  package init() {}

  package mutating func handle(_ key: Key) -> Outcome {
    fatalError("interface only")
  }

  /// Replaces everything, the caret at the end (a draft that is restored).
  package mutating func setText(_ newText: String) {
    fatalError("interface only")
  }
}
