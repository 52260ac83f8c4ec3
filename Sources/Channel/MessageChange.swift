import Text

/// Something that the person wants to become of a message that was said.
package struct MessageChange: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case edit(String)
    case delete
    case react(String)
    case unreact(String)
  }

  /// As the message is known here.
  package var id: String
  package var kind: Kind

  package init(id: String, _ kind: Kind) {
    self.id = id
    self.kind = kind
  }

  /// What was asked for, as the beginning of a sentence about it.
  package var words: String {
    switch kind {
    case .edit: "The edit"
    case .delete: "The deletion"
    case .react, .unreact: "The reaction"
    }
  }
}

/// What a line can do with messages besides saying new ones.
package struct MessageAbilities: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let edit = MessageAbilities(rawValue: 1)
  package static let delete = MessageAbilities(rawValue: 2)
  package static let react = MessageAbilities(rawValue: 4)
  package static let unreact = MessageAbilities(rawValue: 8)
  package static let reply = MessageAbilities(rawValue: 16)
  package static let all: MessageAbilities = [.edit, .delete, .react, .unreact, .reply]
}

extension ChatMessage {
  /// What the message becomes by a change that the server took without giving the message back.
  package func changed(by kind: MessageChange.Kind, nick: String) -> ChatMessage? {
    guard !isDeleted else { return nil }
    var changed = self
    var marks = self.marks
    switch kind {
    case .edit(let text):
      changed.text = UntrustedText(text)
      marks.isEdited = true
    case .delete:
      changed.text = UntrustedText("")
      marks.isDeleted = true
      marks.reactions = []
    case .react(let emoji):
      let index = marks.reactions.firstIndex { $0.emoji.raw == emoji }
      guard let index else {
        marks.reactions.append(
          Reaction(UntrustedText(emoji), count: 1, names: [UntrustedText(nick)]))
        break
      }
      guard !marks.reactions[index].isBy(nick) else { return nil }
      // A server may have said any number.
      let (sum, overflow) = marks.reactions[index].count.addingReportingOverflow(1)
      marks.reactions[index].count = overflow ? .max : sum
      marks.reactions[index].names.append(UntrustedText(nick))
    case .unreact(let emoji):
      guard let index = marks.reactions.firstIndex(where: { $0.emoji.raw == emoji }),
        marks.reactions[index].isBy(nick)
      else { return nil }
      marks.reactions[index].count -= 1
      marks.reactions[index].isMine = false
      marks.reactions[index].names.removeAll { $0.raw == nick }
      if marks.reactions[index].count < 1 { marks.reactions.remove(at: index) }
    }
    changed.marks = marks
    return changed == self ? nil : changed
  }
}
