/// A paste that is too much to be put into the line unasked.
package struct PasteQuestion: Equatable, Sendable {
  /// What is asked about in any case, in bytes of UTF-8.
  static let longest = 4_096

  package private(set) var text: String
  private let asksFrom: Int

  /// Nil where the paste needs no question: at most `lines` lines (0: any number, and any length) and of
  /// moderate length. A line end at the very end makes no line.
  package init?(_ text: String, lines: Int) {
    guard lines > 0, Self.lines(of: text) > lines || text.utf8.count > Self.longest else {
      return nil
    }
    self.text = typedText(from: text)
    asksFrom = lines
  }

  /// Another paste came before this one was answered: nothing of either is lost.
  package mutating func add(_ more: String) {
    guard text.utf8.count + more.utf8.count <= LineEditor.limit else { return }
    text += typedText(from: more)
  }

  /// The question, the longest form first.
  var forms: [String] {
    let count = Self.lines(of: text)
    let lines = count == 1 ? "1 line" : "\(count) lines"
    let size = Self.size(text.utf8.count)
    return [
      "? paste of \(lines), \(size): Enter insert for editing · s send as one · Esc drop",
      "? paste of \(lines), \(size): Enter insert · s send · Esc drop",
      "? \(lines): Enter insert · s send · Esc drop", "\(lines)? Enter edit, s send, Esc drop",
      "\(lines)? Enter edit, s send, Esc no", "? \(count): Enter, s, Esc", "? Enter/s/Esc",
      "?",
    ]
  }

  private static func lines(of text: String) -> Int {
    let ends = text.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return text.utf8.last == 0x0A ? max(1, ends) : ends + 1
  }

  /// In decimal units: "812 B", "2.1 kB", "1.0 MB".
  private static func size(_ bytes: Int) -> String {
    if bytes < 1_000 { return "\(bytes) B" }
    let (unit, name) = bytes < 999_950 ? (1_000, "kB") : (1_000_000, "MB")
    let tenths = (bytes * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10) \(name)"
  }
}
