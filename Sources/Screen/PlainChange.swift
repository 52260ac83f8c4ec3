import Channel
import Room
import Text

/// What becomes of a message, in lines.
struct PlainChange {
  let message: ChatMessage
  /// As far as it may be read at once.
  let text: UntrustedText
  let old: MessageMarks
  let room: RoomModel
  let layout: PlainLayout

  init(
    of message: ChatMessage, text: UntrustedText, since old: MessageMarks, in room: RoomModel,
    _ layout: PlainLayout
  ) {
    self.message = message
    self.text = text
    self.old = old
    self.room = room
    self.layout = layout
  }

  var lines: [String] {
    let marks = message.marks
    let name = layout.name(room.shownName(of: message))
    guard !marks.isDeleted else { return old.isDeleted ? [] : ["* \(name) deleted a message"] }
    var lines: [String] = []
    if marks.isEdited, marks.editedAt != old.editedAt || !old.isEdited || isSameButText {
      lines += layout.rows(text, first: "* \(name) edited a message: ")
    }
    let quoted = layout.name(RoomModel.beginning(of: message))
    for reaction in marks.reactions {
      let before = old.reactions.first { $0.emoji == reaction.emoji }
      guard before?.count != reaction.count else { continue }
      let new = reaction.names.filter { before?.names.contains($0) != true }
      let who =
        (before?.count ?? 0) < reaction.count && !new.isEmpty
        ? " by " + new.map { layout.name($0.safe(for: .nick)) }.joined(separator: ", ") : ""
      lines.append("* \(room.chip(of: reaction))\(who) to \(name): \(quoted)")
    }
    for reaction in old.reactions
    where !marks.reactions.contains(where: { $0.emoji == reaction.emoji }) {
      let emoji = reaction.emoji.safe(for: .line, limit: Reaction.longest)
      lines.append("* \(emoji) was taken back from \(name): \(quoted)")
    }
    return lines
  }

  /// No time tells one edit from the next, and nothing else is another.
  private var isSameButText: Bool {
    message.marks.editedAt == nil && message.marks.reactions == old.reactions
  }

  /// A message that is told for the first time, in the form that it has.
  func told(who: String) -> [String] {
    guard message.hasMarks else { return layout.rows(text, first: who) }
    let marks = message.marks
    guard !marks.isDeleted else { return [who + "(message deleted)"] }
    var first = who
    if let target = marks.replyTo {
      let quoted = room.entry(id: target)?.message.map {
        "to \(layout.name(room.shownName(of: $0))), “\(layout.name(RoomModel.beginning(of: $0)))”"
      }
      first += "(\(quoted ?? "to an earlier message")) "
    }
    var lines = layout.rows(text, first: first)
    if marks.isEdited, let last = lines.indices.last { lines[last] += " (edited)" }
    let chips = marks.reactions.map { room.chip(of: $0) }.joined(separator: ", ")
    if !chips.isEmpty { lines.append("  \(chips)") }
    return lines
  }
}
