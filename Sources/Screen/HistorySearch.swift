/// The search through the lines that were sent, as readline's ^R: what is typed is the pattern, and the
/// newest line that holds it is shown.
package struct HistorySearch: Equatable, Sendable {
  /// Of a line only so much is looked at.
  static let longestLooked = 1_000
  static let longestPattern = 200

  package private(set) var pattern: String
  /// False where nothing holds the pattern, or nothing further on: the last line found is still shown.
  package private(set) var isFound = true
  /// The number of the line that is shown, and where in it the pattern begins, in characters.
  private var found: (line: Int, offset: Int)?
  /// The line as it was before.
  private let base: LineEditor
  private let lines: [String]
  /// What an earlier search looked for: ^R again takes it up.
  private let earlier: String
  private var isBackward: Bool

  package init(_ editor: LineEditor, earlier: String = "", isBackward: Bool) {
    base = editor
    lines = editor.history
    pattern = ""
    self.earlier = earlier
    self.isBackward = isBackward
  }

  package static func == (left: HistorySearch, right: HistorySearch) -> Bool {
    left.pattern == right.pattern && left.isFound == right.isFound
      && left.found?.line == right.found?.line && left.found?.offset == right.found?.offset
      && left.isBackward == right.isBackward && left.base == right.base
  }

  // MARK: Keys

  package mutating func type(_ text: String) {
    guard pattern.count + text.count <= Self.longestPattern else { return }
    pattern += text.filter { $0 != "\n" }
    // The line that is shown may go on to be the one.
    look(from: found?.line ?? (isBackward ? lines.count - 1 : 0))
  }

  package mutating func deleteBackward() {
    guard !pattern.isEmpty else { return }
    pattern.removeLast()
    found = nil
    isFound = true
    if !pattern.isEmpty { look(from: isBackward ? lines.count - 1 : 0) }
  }

  package mutating func goOn(backward: Bool) {
    isBackward = backward
    if pattern.isEmpty {
      pattern = earlier
      if !pattern.isEmpty { look(from: backward ? lines.count - 1 : 0) }
      return
    }
    guard let found else { return look(from: backward ? lines.count - 1 : 0) }
    look(from: found.line + (backward ? -1 : 1), notLike: lines[found.line])
  }

  private mutating func look(from start: Int, notLike shown: String? = nil) {
    guard !pattern.isEmpty else { return }
    let matchesCase = pattern.contains(where: \.isUppercase)
    let wanted = Self.folded(pattern[...], matchesCase)
    var line = start
    while lines.indices.contains(line) {
      if lines[line] != shown,
        let offset = Self.place(
          of: wanted, in: Self.folded(lines[line].prefix(Self.longestLooked), matchesCase),
          last: isBackward)
      {
        found = (line, offset)
        isFound = true
        return
      }
      line += isBackward ? -1 : 1
    }
    isFound = false
  }

  /// Character by character, so that places in it are places in the line.
  private static func folded(_ text: Substring, _ matchesCase: Bool) -> [String] {
    text.map { matchesCase ? String($0) : $0.lowercased() }
  }

  private static func place(of wanted: [String], in line: [String], last: Bool) -> Int? {
    guard wanted.count <= line.count else { return nil }
    let places = 0...line.count - wanted.count
    let isThere = { (place: Int) in
      line[place] == wanted[0] && line[place..<place + wanted.count].elementsEqual(wanted)
    }
    return last ? places.last(where: isThere) : places.first(where: isThere)
  }

  // MARK: What is seen, and the end

  /// The line that is shown: of the history, or the one that was being written.
  package var line: String { found.map { lines[$0.line] } ?? base.text }

  /// Where the pattern stands in it.
  package var match: Range<Int>? { found.map { $0.offset..<$0.offset + pattern.count } }

  /// The line for editing, the caret where the pattern begins.
  package var accepted: LineEditor {
    guard let found else { return base }
    var editor = base
    editor.bring(lines[found.line], caret: found.offset)
    return editor
  }

  package var original: LineEditor { base }
}
