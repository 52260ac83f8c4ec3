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

  mutating func submit(_ line: String) {
    leave()
    guard line.contains(where: { !$0.isWhitespace }), line != lines.last else { return }
    lines.append(line)
    size += line.utf8.count
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
  }

  /// The line before the one shown, nil if there is none. `shown` is what stands in the editor now.
  mutating func older(leaving shown: String) -> String? {
    let next = (position ?? lines.count) - 1
    guard next >= 0 else { return nil }
    keep(shown)
    position = next
    return changed[next] ?? lines[next]
  }

  /// The line after the one shown; after the newest comes the draft.
  mutating func newer(leaving shown: String) -> String? {
    guard let now = position else { return nil }
    keep(shown)
    let next = now + 1
    position = next < lines.count ? next : nil
    return next < lines.count ? changed[next] ?? lines[next] : draft
  }

  private mutating func keep(_ shown: String) {
    if let position {
      changed[position] = shown == lines[position] ? nil : shown
    } else {
      draft = shown
    }
  }
}
