/// The submitted lines and where Up and Down stand among them. What was typed on the way, the unfinished
/// draft first of all, is kept until the next line is submitted.
struct InputHistory: Equatable, Sendable {
  static let limit = 500
  /// Of all lines together, in bytes of UTF-8.
  static let sizeLimit = 4_194_304

  private(set) var lines: [String] = []
  private var size = 0
  /// Nil stands on the draft.
  private var position: Int?
  /// What each line was changed to while it was shown.
  private var changed: [Int: String] = [:]
  private var draft = ""
  /// Only lines that begin with it are walked through.
  private var beginning = ""
  /// The line that was brought last, as it was: a change of it begins a new walk.
  private var brought: String?

  mutating func submit(_ line: String) {
    leave()
    add(line)
  }

  /// Puts a line behind the others, wherever Up and Down stand.
  mutating func add(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }), line != lines.last else { return }
    lines.append(line)
    size += line.utf8.count
    // The places in a walk are those of the lines that are there.
    guard position == nil else { return }
    var tooMany = 0
    while lines.count - tooMany > 1, lines.count - tooMany > Self.limit || size > Self.sizeLimit {
      size -= lines[tooMany].utf8.count
      tooMany += 1
    }
    lines.removeFirst(tooMany)
  }

  /// Back to the draft's place; what was changed on the way is forgotten.
  mutating func leave() {
    position = nil
    changed = [:]
    draft = ""
    beginning = ""
    brought = nil
  }

  /// The line before the one shown, nil if there is none. `shown` is what stands in the editor now. Where it is
  /// what was brought last, the walk goes on with its own beginning; else a new walk takes `beginning`.
  mutating func older(leaving shown: String, beginning: String) -> String? {
    goOn(from: shown, beginning: beginning)
    var next = (position ?? lines.count) - 1
    while next >= 0, !matches(next, instead: shown) { next -= 1 }
    guard next >= 0 else { return nil }
    keep(shown)
    return bring(next)
  }

  /// The line after the one shown; after the newest comes the draft.
  mutating func newer(leaving shown: String, beginning: String) -> String? {
    guard let now = position else { return nil }
    goOn(from: shown, beginning: beginning)
    var next = now + 1
    while next < lines.count, !matches(next, instead: shown) { next += 1 }
    keep(shown)
    return bring(next)
  }

  private mutating func goOn(from shown: String, beginning: String) {
    if beginning.isEmpty || shown != brought { self.beginning = beginning }
  }

  /// A line with other text that begins as was asked for. The same text again would look as if nothing came.
  private func matches(_ index: Int, instead shown: String) -> Bool {
    let line = changed[index] ?? lines[index]
    return beginning.isEmpty || (line.hasPrefix(beginning) && line != shown)
  }

  private mutating func bring(_ index: Int) -> String {
    position = index < lines.count ? index : nil
    let line = index < lines.count ? changed[index] ?? lines[index] : draft
    brought = line
    return line
  }

  private mutating func keep(_ shown: String) {
    if let position {
      changed[position] = shown == lines[position] ? nil : shown
    } else {
      draft = shown
    }
  }
}
