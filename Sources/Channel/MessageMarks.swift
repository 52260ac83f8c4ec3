package import Text

/// What became of a message after it was said, and what it answers. Most messages have none of it.
package struct MessageMarks: Equatable, Sendable {
  package var isEdited = false
  package var editedAt: Timestamp?
  /// The server has taken its text away.
  package var isDeleted = false
  package var reactions: [Reaction] = []
  /// The server's id of the message that it answers.
  package var replyTo: String?
  /// Grows with each change of the message, where the server counts them.
  package var revision: Int64?

  package init() {}
}

/// What people put to a message.
package struct Reaction: Equatable, Sendable {
  /// Different ones that are kept of a message, and names that are kept of one.
  package static let most = 32
  package static let mostNames = 50
  /// In bytes of UTF-8.
  package static let longest = 64

  /// Mostly one; some servers have names in its place.
  package var emoji: UntrustedText
  package var count: Int
  /// Who, as far as the server tells.
  package var names: [UntrustedText]
  /// The server says that the person is among them.
  package var isMine: Bool

  package init(
    _ emoji: UntrustedText, count: Int, names: [UntrustedText] = [], isMine: Bool = false
  ) {
    self.emoji = emoji
    self.count = count
    self.names = names
    self.isMine = isMine
  }

  package func isBy(_ nick: String) -> Bool {
    isMine || names.contains { $0.raw == nick }
  }
}

/// Keeps the marks out of the message itself, which is there a million times without any.
indirect enum MarksBox: Equatable, Sendable {
  case marks(MessageMarks)

  var marks: MessageMarks {
    switch self {
    case .marks(let marks): marks
    }
  }
}

extension ChatMessage {
  package var marks: MessageMarks {
    get { box?.marks ?? MessageMarks() }
    set { box = newValue == MessageMarks() ? nil : .marks(newValue) }
  }

  package var hasMarks: Bool { box != nil }
  package var isDeleted: Bool { box?.marks.isDeleted ?? false }

  /// This message in another form of it; nil where that is not newer, or changes nothing.
  ///
  /// The server's count of changes decides where there is one, then the time of the edit. Without either the form that
  /// comes later is the newer one, but for what cannot be: nothing is deleted and then is not.
  package func changed(by form: ChatMessage) -> ChatMessage? {
    let old = marks
    var new = form.marks
    if let known = old.revision {
      guard let revision = new.revision, revision > known else { return nil }
    } else if new.revision == nil {
      if old.isDeleted, !new.isDeleted { return nil }
      if old.isEdited, !new.isEdited, !new.isDeleted { return nil }
      if let known = old.editedAt, let moment = new.editedAt, moment < known { return nil }
    }
    var changed = self
    if new.isDeleted {
      changed.text = UntrustedText("")
      new.reactions = []
    } else {
      changed.text = form.text
    }
    // Where nobody says so, it is seen in the text.
    if new.isEdited, new.editedAt == nil, new.revision == nil, !old.isEdited {
      new.isEdited = form.text != text
    }
    new.replyTo = new.replyTo ?? old.replyTo
    changed.marks = new
    return changed == self ? nil : changed
  }
}
