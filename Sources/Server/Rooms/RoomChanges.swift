/// What becomes of messages after they were said.
extension RoomStore {
  struct Changed: Equatable {
    var message: StoredMessage
    /// False where it was so already, and nobody is to hear of it.
    var isNew: Bool
  }

  /// The message of an id in a room.
  func message(_ id: String, in room: String) throws(Complaint) -> StoredMessage {
    guard let number = StoredMessage.number(of: id), let message = rooms[room]?.message(number)
    else {
      throw Complaint(
        "No message \(id.shortened(to: 24)) in room \(room.shortened(to: 24)): it is too old, or was never there."
      )
    }
    return message
  }

  mutating func edit(
    _ id: String, in room: String, by author: String, to text: String, wall: Int64
  ) throws(Complaint) -> Changed {
    var message = try ownMessage(id, in: room, of: author, "edited")
    try RoomLimits.check(text: text)
    guard !text.isEmpty else {
      throw Complaint("The text is empty: delete the message instead.")
    }
    guard message.text != text else { return Changed(message: message, isNew: false) }
    message.text = text
    message.editedAt = WallTime.iso8601(milliseconds: wall)
    return try put(message)
  }

  /// Its text and its reactions are gone; that there was a message stays. Deleting it again does nothing.
  mutating func delete(
    _ id: String, in room: String, by author: String, wall: Int64
  ) throws(Complaint) -> Changed {
    var message = try message(id, in: room)
    try Self.check(author, owns: message, "deleted")
    guard message.deletedAt == nil else { return Changed(message: message, isNew: false) }
    message.text = ""
    message.reactions = []
    message.deletedAt = WallTime.iso8601(milliseconds: wall)
    return try put(message)
  }

  mutating func react(
    _ emoji: String, to id: String, in room: String, by author: String
  ) throws(Complaint) -> Changed {
    try RoomLimits.check(nick: author)
    try RoomLimits.check(emoji: emoji)
    var message = try livingMessage(id, in: room)
    guard let index = message.reactions.firstIndex(where: { $0.emoji == emoji }) else {
      guard message.reactions.count < RoomLimits.reactions else {
        throw Complaint(
          "Message \(message.id) has \(RoomLimits.reactions) different reactions: join one of them."
        )
      }
      message.reactions.append(MessageReaction(emoji: emoji, authors: [author]))
      return try put(message)
    }
    guard !message.reactions[index].authors.contains(author) else {
      return Changed(message: message, isNew: false)
    }
    guard message.reactions[index].authors.count < RoomLimits.reactors else {
      throw Complaint("Message \(message.id) has as many of these reactions as are kept.")
    }
    message.reactions[index].authors.append(author)
    return try put(message)
  }

  mutating func unreact(
    _ emoji: String, to id: String, in room: String, by author: String
  ) throws(Complaint) -> Changed {
    var message = try livingMessage(id, in: room)
    guard let index = message.reactions.firstIndex(where: { $0.emoji == emoji }),
      message.reactions[index].authors.contains(author)
    else { return Changed(message: message, isNew: false) }
    message.reactions[index].authors.removeAll { $0 == author }
    if message.reactions[index].authors.isEmpty { message.reactions.remove(at: index) }
    return try put(message)
  }

  /// What changed behind a revision, at most as many as one answer holds: the latest changes.
  func changes(in room: String, since revision: Int) -> [StoredMessage] {
    let changed = (rooms[room]?.kept ?? []).filter { $0.revision.map { $0 > revision } ?? false }
    guard changed.count > RoomLimits.answer else { return changed }
    return Array(
      changed.sorted { ($0.revision ?? 0) < ($1.revision ?? 0) }.suffix(RoomLimits.answer))
  }

  private func livingMessage(_ id: String, in room: String) throws(Complaint) -> StoredMessage {
    let message = try message(id, in: room)
    guard message.deletedAt == nil else {
      throw Complaint("Message \(message.id) was deleted: there is nothing left to change.")
    }
    return message
  }

  private func ownMessage(
    _ id: String, in room: String, of author: String, _ what: String
  ) throws(Complaint) -> StoredMessage {
    let message = try livingMessage(id, in: room)
    try Self.check(author, owns: message, what)
    return message
  }

  private static func check(
    _ author: String, owns message: StoredMessage, _ what: String
  ) throws(Complaint) {
    guard message.author == author else {
      throw Complaint(
        "Message \(message.id) is by \(message.author.shortened(to: 24)): only one's own can be \(what)."
      )
    }
  }

  private mutating func put(_ message: StoredMessage) throws(Complaint) -> Changed {
    var message = message
    let growth = message.size - (rooms[message.room]?.message(message.number)?.size ?? 0)
    let isFull =
      (rooms[message.room]?.size ?? 0) + growth > RoomLimits.bytesOfRoom
      || size + growth > RoomLimits.bytes
    guard growth <= 0 || !isFull else {
      throw Complaint("The room \(message.room.shortened(to: 24)) is full: say it anew.")
    }
    revision += 1
    message.revision = revision
    rooms[message.room]?.replace(message)
    size += growth
    return Changed(message: message, isNew: true)
  }
}
