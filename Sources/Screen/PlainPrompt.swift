import Text

/// The one line that is not finished: what is being typed. It is written forwards and taken back by backspaces only.
package struct PlainPrompt: Equatable, Sendable {
  private var shown = ""

  package init() {}

  /// The bytes that turn what is shown into `typed`.
  package mutating func show(_ typed: String) -> String {
    let text = Self.line(typed)
    guard text != shown else { return "" }
    let kept = zip(text, shown).prefix { $0 == $1 }.count
    let gone = columns(of: String(shown.dropFirst(kept)))
    let back = String(repeating: "\u{8}", count: gone)
    let blanks = String(repeating: " ", count: gone)
    shown = text
    return back + blanks + back + text.dropFirst(kept)
  }

  /// The bytes that put finished lines before what is being typed, which is then written once more.
  package mutating func put(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    let finished = lines.map { $0 + "\n" }.joined()
    return shown.isEmpty ? finished : "\n" + finished + shown
  }

  /// What is being typed, on a row that others have begun: the shell's, after a suspension.
  package func again() -> String { shown }

  /// The line was entered: what follows begins a new one.
  package mutating func end() -> String {
    shown = ""
    return "\n"
  }

  /// On one line, and safe to be written.
  private static func line(_ typed: String) -> String {
    typed.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { UntrustedText(String($0)).safe(for: .plainOutput) }.joined(separator: " / ")
  }
}
