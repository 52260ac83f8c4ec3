import Text

/// How lines are made that are only written.
package struct PlainLayout: Equatable, Sendable {
  /// Names and texts that are written from right to left are kept apart from the rest of their lines.
  package var isolates = true

  package init() {}

  /// A name that was made safe, in a line.
  func name(_ safe: String) -> String { isolates ? isolated(safe) : safe }

  /// A line for each of the text; those behind the first are set in by two blanks.
  func rows(_ text: UntrustedText, first: String) -> [String] {
    text.raw.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated().map { index, line in
        (index == 0 ? first : "  ") + name(UntrustedText(String(line)).safe(for: .plainOutput))
      }
  }
}
