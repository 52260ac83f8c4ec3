import Channel
import Room
import Screen
import Text

/// Tab: the candidates for the word before the caret, in turn.
struct Completion: Equatable {
  /// Of the text in characters: what the candidates stand in place of.
  var range: Range<Int>
  var candidates: [String]
  var index: Int
}

extension Program {
  /// Completes the command or nick before the caret; pressed again, the next one takes its place. It only
  /// ever puts text into the line.
  mutating func complete(backward: Bool) {
    var next: Completion
    if let running = completion {
      next = running
      next.index += backward ? -1 : 1
      next.index = (next.index + next.candidates.count) % next.candidates.count
    } else {
      guard let first = candidates(backward: backward) else { return }
      next = first
    }
    let text = next.candidates[next.index]
    view.editor.complete(next.range, with: text)
    next.range = next.range.lowerBound..<view.editor.caret
    completion = next.candidates.count > 1 ? next : nil
  }

  private func candidates(backward: Bool) -> Completion? {
    let before = Array(view.editor.text).prefix(view.editor.caret)
    let start = before.lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    let word = before[start...]
    guard !word.isEmpty else { return nil }
    let found: [String]
    if start == 0, word.first == "/" {
      let name = String(word.dropFirst()).lowercased()
      found = SlashCommands.all.filter { $0.name.hasPrefix(name) }
        .map { "/\($0.name)" + ($0.argument == nil ? "" : " ") }
    } else {
      let isAddressed = word.first == "@"
      let name = String(isAddressed ? word.dropFirst() : word).lowercased()
      let tail = start == 0 && !isAddressed ? ": " : " "
      found = nicks.filter { $0.lowercased().hasPrefix(name) && !name.isEmpty }
        .map { (isAddressed ? "@" : "") + $0 + tail }
    }
    guard !found.isEmpty else { return nil }
    return Completion(
      range: start..<before.count, candidates: found, index: backward ? found.count - 1 : 0)
  }

  /// Whoever spoke last comes first, then the other members; not oneself.
  private var nicks: [String] {
    var seen: Set<String> = [room.nick]
    var result: [String] = []
    func add(_ name: UntrustedText) {
      let name = name.safe(for: .nick)
      if !name.isEmpty, seen.insert(name).inserted { result.append(name) }
    }
    for entry in room.entries.suffix(500).reversed() {
      if case .message(let message) = entry.kind, !message.isMine, let author = message.author {
        add(author)
      }
    }
    for member in room.members.prefix(1_000) { add(member) }
    return result
  }
}
