package import JSON

/// What earlier runs of the program saw of a server: dialects go on from there.
package struct DialectMemory: Equatable, Sendable {
  /// What is known of a room.
  package struct Room: Equatable, Sendable {
    package var name: String
    /// The last messages, in order.
    package var seen: [ChatMessage]
    /// The nonces of posts that may have arrived.
    package var underWay: [String]

    package init(name: String, seen: [ChatMessage], underWay: [String]) {
      self.name = name
      self.seen = seen
      self.underWay = underWay
    }
  }

  /// Where to go on from, by room.
  package var cursors: [String: JSON] = [:]
  package var rooms: [Room] = []

  package init() {}
}

extension Dialect {
  package mutating func recall(_ room: DialectMemory.Room) {}
  package func cursor(in room: String) -> JSON? { nil }
}

extension Session {
  /// Hands over what is known of a room, before anything is heard of it on a line.
  package mutating func recall(_ room: DialectMemory.Room) {
    configuration.context.memory.rooms.append(room)
    dialect?.recall(room)
  }

  /// Where to go on from in a room, once everything before it was told; nil where that is not known now.
  package func cursor(in room: String) -> JSON? {
    dialect?.cursor(in: room)
  }
}
