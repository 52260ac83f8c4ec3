import JSON

/// A message of a room, as the server keeps it.
struct StoredMessage: Equatable, Sendable {
  /// Counts through all rooms, from 1.
  var number: Int
  /// Its place in the room, from 1.
  var seq: Int
  var room: String
  var author: String
  var text: String
  /// ISO 8601 in UTC with milliseconds.
  var sentAt: String
  /// What the client made up for the post, by which a repeat is known.
  var clientId: String?
  /// The number of the message that it answers.
  var replyTo: Int?
  /// ISO 8601, as `sentAt`.
  var editedAt: String?
  /// Its text is gone then.
  var deletedAt: String?
  /// In the order in which they came.
  var reactions: [MessageReaction] = []
  /// Which change of all was the last of this message; nil where there was none.
  var revision: Int?

  var id: String { "m\(number)" }

  /// The number of an id, nil for what is no id of this server.
  static func number(of id: String) -> Int? {
    guard id.first == "m", id.count <= 19, let number = Int(id.dropFirst()), number > 0,
      id == "m\(number)"
    else { return nil }
    return number
  }

  /// Roughly what it costs to keep.
  var size: Int {
    text.utf8.count + author.utf8.count + room.utf8.count + (clientId?.utf8.count ?? 0) + 128
      + reactions.reduce(0) { $0 + $1.size }
  }
}

/// What people put to a message.
struct MessageReaction: Equatable, Sendable {
  var emoji: String
  /// Never empty.
  var authors: [String]

  var size: Int { authors.reduce(emoji.utf8.count + 32) { $0 + $1.utf8.count + 16 } }
}
