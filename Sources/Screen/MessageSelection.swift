package import Channel
package import Room
import Text

/// A message that was chosen, for what can be done with it by one letter.
package struct MessageSelection: Equatable, Sendable {
  package enum Target: Equatable, Sendable {
    /// The serial of an entry.
    case entry(Int)
    /// The nonce of a post that waits.
    case post(String)
    /// What stands on disk only, between messages that are here.
    case gap
  }

  package var target: Target
  /// Where the view was, to go back to.
  package let origin: ViewState.Anchor?
  /// What the latest action came to.
  package var said: String?
  /// The name of the file that the text is to be saved in, while it is entered.
  package var fileName: LineEditor?
  /// The candidates for that name.
  package var completion: Completion?
  /// The emoji that is to be put to it, while it is entered.
  package var emoji: LineEditor?
  /// The person is asked whether to delete it.
  package var isDeleting = false
  /// What can be done with messages here.
  package var abilities: MessageAbilities = []

  package var entered: LineEditor? { emoji ?? fileName }

  /// Begins at the newest message, or at the one at the edge of what is read; nil where there is none.
  package init?(in room: RoomModel, view: ViewState) {
    origin = view.anchor
    if view.anchor == nil, let post = room.outbox.last {
      target = .post(post.post.nonce)
      return
    }
    let edge = view.found?.serial ?? view.anchor?.serial ?? .max
    guard let entry = room.message(from: room.firstIndex(after: edge) - 1, step: -1)
    else { return nil }
    target = .entry(entry.serial)
  }

  package mutating func choose(_ target: Target) {
    said = nil
    self.target = target
  }

  /// To an older message where negative.
  package mutating func move(by count: Int, in room: RoomModel) {
    said = nil
    for _ in 0..<min(count.magnitude, 1_000) {
      guard let next = neighbour(older: count < 0, in: room) else { return }
      target = next
    }
  }

  private func neighbour(older: Bool, in room: RoomModel) -> Target? {
    switch target {
    case .entry(let serial):
      let index = older ? room.firstIndex(after: serial - 1) - 1 : room.firstIndex(after: serial)
      let entry = room.message(from: index, step: older ? -1 : 1)
      if let entry, let gap = room.gapIndex.map({ room.entries[$0].serial }),
        (serial < gap) != (entry.serial < gap)
      {
        return .gap
      }
      if let entry { return .entry(entry.serial) }
      return older ? nil : room.outbox.first.map { .post($0.post.nonce) }
    case .gap:
      let gap = room.gapIndex ?? room.entries.count
      return room.message(from: older ? gap - 1 : gap, step: older ? -1 : 1)
        .map { .entry($0.serial) }
    case .post(let nonce):
      guard let index = room.outbox.firstIndex(where: { $0.post.nonce == nonce }) else {
        // It has left the outbox: others may be there still.
        if let last = room.outbox.last { return .post(last.post.nonce) }
        return room.message(from: room.entries.count - 1, step: -1).map { .entry($0.serial) }
      }
      let next = index + (older ? -1 : 1)
      if room.outbox.indices.contains(next) { return .post(room.outbox[next].post.nonce) }
      guard older else { return nil }
      return room.message(from: room.entries.count - 1, step: -1).map { .entry($0.serial) }
    }
  }

  /// What is said where the input is otherwise, as much of it as fits into the columns.
  func words(
    width: Int, isOwn: Bool, isDeleted: Bool = false, isNotice: Bool = false,
    hasLink: Bool = false, isAnswer: Bool = false
  ) -> String {
    if let said { return cut(said, to: width) }
    var keys: [String]
    switch target {
    case .entry where isNotice: keys = ["c copy", "q quote", "s save", "a all", "Esc back"]
    case .entry where isDeleted: keys = ["i details", "Esc back"]
    case .entry:
      let changes: [(MessageAbilities, String)] = [
        (.reply, "r reply"), (.react, "+ react"), (.edit, "e edit"), (.delete, "d delete"),
      ]
      keys = changes.filter {
        abilities.contains($0.0) && (isOwn || $0.0 == .reply || $0.0 == .react)
      }.map(\.1)
      keys += ["c copy", "q quote"]
      if hasLink { keys.append("o open") }
      keys.append("i details")
      if isAnswer { keys.append("g go to what it answers") }
      keys += ["l links", "s save", "a all", "Esc back"]
    case .post:
      keys = ["c copy", "q quote", "s save", "i details", "r resend", "d drop", "Esc back"]
    case .gap: keys = ["Enter reads it", "Esc back"]
    }
    // The way back is told last of all, but always.
    while keys.count > 1, columns(of: keys.joined(separator: "  ")) > width {
      keys.remove(at: keys.count - 2)
    }
    return cut(keys.joined(separator: "  "), to: width)
  }
}

extension RoomModel {
  /// The first from that index on that can be chosen, in steps of 1 or -1.
  func message(from index: Int, step: Int) -> TimelineEntry? {
    var index = index
    while entries.indices.contains(index) {
      if entries[index].isChoosable { return entries[index] }
      index += step
    }
    return nil
  }

  /// The entry of a serial; nil where it is gone.
  package func entry(serial: Int) -> TimelineEntry? {
    let index = firstIndex(after: serial - 1)
    guard entries.indices.contains(index), entries[index].serial == serial else { return nil }
    return entries[index]
  }
}

extension TimelineEntry {
  /// Every message, and of what the program says that which may be folded.
  var isChoosable: Bool {
    guard case .notice(let text, _) = kind else { return true }
    let bytes = text.raw.utf8.prefix(Self.mayBeFolded * Self.narrowRow)
    let ends = bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return bytes.count / Self.narrowRow + ends >= Self.mayBeFolded
  }

  /// In rows.
  private static let mayBeFolded = 10
  /// In bytes.
  private static let narrowRow = 20
}
