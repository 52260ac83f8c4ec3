package import Channel
import JSON
import Text

/// What became of a message, as it stands in its row and in an export.
package enum StoreMarks {
  package static func text(_ marks: MessageMarks) -> String {
    var members: [JSON.Member] = []
    if marks.isEdited { members.append(.init("edited", .bool(true))) }
    if let time = marks.editedAt { members.append(.init("at", .integer(time.milliseconds))) }
    if marks.isDeleted { members.append(.init("deleted", .bool(true))) }
    if let target = marks.replyTo { members.append(.init("reply", .string(target))) }
    if let revision = marks.revision { members.append(.init("revision", .integer(revision))) }
    if !marks.reactions.isEmpty {
      members.append(.init("reactions", .array(marks.reactions.map(json))))
    }
    return JSON.object(members).text
  }

  private static func json(_ reaction: Reaction) -> JSON {
    var members: [JSON.Member] = [
      .init("emoji", .string(reaction.emoji.raw)), .init("count", .integer(Int64(reaction.count))),
    ]
    if !reaction.names.isEmpty {
      members.append(.init("names", .array(reaction.names.map { .string($0.raw) })))
    }
    if reaction.isMine { members.append(.init("mine", .bool(true))) }
    return .object(members)
  }

  /// What cannot be read is left out: the file may have been changed by hand.
  package static func read(_ text: String) -> MessageMarks {
    var marks = MessageMarks()
    guard let value = try? JSON.parse(text) else { return marks }
    marks.isEdited = value["edited"]?.bool ?? false
    marks.editedAt = value["at"]?.integer.map { Timestamp(milliseconds: $0) }
    marks.isDeleted = value["deleted"]?.bool ?? false
    marks.replyTo = value["reply"]?.string
    marks.revision = value["revision"]?.integer
    marks.reactions = (value["reactions"]?.array ?? []).prefix(Reaction.most).compactMap { item in
      guard let emoji = item["emoji"]?.string, let count = item["count"]?.integer, count > 0 else {
        return nil
      }
      let names = (item["names"]?.array ?? []).prefix(Reaction.mostNames).compactMap(\.string)
      return Reaction(
        UntrustedText(emoji), count: Int(clamping: count), names: names.map { UntrustedText($0) },
        isMine: item["mine"]?.bool ?? false)
    }
    return marks
  }
}
