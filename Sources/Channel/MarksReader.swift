import JSON
import Text

/// Finds what became of a message in a result, by the paths of the profile.
struct MarksReader: Sendable {
  private let edited: PathFinder?
  private let deleted: PathFinder?
  private let reply: PathFinder?
  private let revision: PathFinder?
  private let reactions: PathFinder?
  private let parts: Parts?

  private struct Parts: Sendable {
    let emoji: PathFinder
    let count: PathFinder?
    let names: PathFinder?
    let mine: PathFinder?
  }

  /// Nil where the profile has none of these paths.
  init?(_ paths: Profile.MessagePaths) {
    edited = paths.edited.map { PathFinder($0) }
    deleted = paths.deleted.map { PathFinder($0) }
    reply = paths.reply.map { PathFinder($0) }
    revision = paths.revision.map { PathFinder($0) }
    reactions = paths.reactions.map { PathFinder($0) }
    parts = paths.reaction.map {
      Parts(
        emoji: PathFinder($0.emoji), count: $0.count.map { PathFinder($0) },
        names: $0.names.map { PathFinder($0) }, mine: $0.mine.map { PathFinder($0) })
    }
    let all = [edited, deleted, reply, revision, reactions]
    guard all.contains(where: { $0 != nil }) else { return nil }
  }

  func read(_ item: JSON, _ reader: MessageReader) -> MessageMarks {
    var marks = MessageMarks()
    marks.isDeleted = deleted?.first(in: item).map(Self.says) ?? false
    if let edit = edited?.first(in: item), Self.says(edit) {
      marks.isEdited = true
      marks.editedAt = reader.timestamp(edit)
    }
    marks.replyTo = reader.identifier(reply?.first(in: item))
    marks.revision = revision?.first(in: item).flatMap(MessageReader.number(of:))
    if !marks.isDeleted, let reactions {
      marks.reactions = read(reactions: MessageReader.items(at: reactions, in: item))
    }
    return marks
  }

  /// What stands for yes: anything but null, false, zero and an empty text.
  private static func says(_ value: JSON) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .string(let text): !text.isEmpty
    case .double, .bigInteger, .array, .object: true
    }
  }

  /// Those of one emoji together: some servers have a reaction of each person.
  private func read(reactions items: [JSON]) -> [Reaction] {
    var found: [Reaction] = []
    for item in items.prefix(10_000) {
      let emoji = parts == nil ? item.string : parts?.emoji.first(in: item)?.string
      guard let emoji, !emoji.isEmpty, emoji.utf8.count <= Reaction.longest else { continue }
      let names = parts?.names.map { MessageReader.items(at: $0, in: item) } ?? []
      let texts = names.compactMap(\.string)
      let count = parts?.count?.first(in: item).flatMap(MessageReader.number(of:))
      let number = count.map { Int(clamping: max(0, $0)) } ?? max(1, names.count)
      guard number > 0 else { continue }
      let isMine = parts?.mine?.first(in: item).map(Self.says) ?? false
      let index =
        found.firstIndex { $0.emoji.raw == emoji }
        ?? {
          guard found.count < Reaction.most else { return nil }
          found.append(Reaction(UntrustedText(emoji), count: 0))
          return found.count - 1
        }()
      guard let index else { continue }
      let (sum, overflow) = found[index].count.addingReportingOverflow(number)
      found[index].count = overflow ? .max : sum
      found[index].isMine = found[index].isMine || isMine
      let room = Reaction.mostNames - found[index].names.count
      found[index].names += texts.prefix(max(0, room)).map {
        UntrustedText(String($0.prefix(100)))
      }
    }
    return found
  }
}
