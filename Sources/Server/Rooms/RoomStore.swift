/// All rooms with their messages.
struct RoomStore: Sendable {
  struct Posted: Equatable {
    var message: StoredMessage
    /// False for the repeat of an earlier post, which nobody is to hear again.
    var isNew: Bool
  }

  private let historyLimit: Int
  var rooms: [String: RoomHistory] = [:]
  private var total = 0
  var size = 0
  /// Counts the changes of all messages.
  var revision = 0

  init(historyLimit: Int) {
    self.historyLimit = max(1, historyLimit)
  }

  /// Keeps a message. A post whose `clientId` the room knows gives the first message back.
  mutating func post(
    _ text: String, by author: String, in room: String, clientId: String?, wall: Int64,
    replyTo: String? = nil
  ) throws(Complaint) -> Posted {
    try RoomLimits.check(room: room)
    try RoomLimits.check(nick: author)
    try RoomLimits.check(text: text)
    if let clientId { try RoomLimits.check(clientId: clientId) }
    if let clientId, let earlier = rooms[room]?.message(ofPost: clientId) {
      return Posted(message: earlier, isNew: false)
    }
    let target = try replyTo.map { (id) throws(Complaint) in try self.message(id, in: room).number }
    guard rooms[room] != nil || rooms.count < RoomLimits.rooms else {
      throw Complaint(
        "The server holds \(RoomLimits.rooms) rooms and takes no new one: use one of those there are."
      )
    }
    total += 1
    let message = StoredMessage(
      number: total, seq: rooms[room]?.nextSeq ?? 1, room: room, author: author, text: text,
      sentAt: WallTime.iso8601(milliseconds: wall), clientId: clientId, replyTo: target)
    keep(message)
    return Posted(message: message, isNew: true)
  }

  private mutating func keep(_ message: StoredMessage) {
    let others = size - (rooms[message.room]?.size ?? 0)
    rooms[message.room, default: RoomHistory()].append(message)
    rooms[message.room]?.trim(
      to: historyLimit, bytes: min(RoomLimits.bytesOfRoom, RoomLimits.bytes - others))
    size = others + (rooms[message.room]?.size ?? 0)
  }

  /// Without `after` the newest `last` messages of a room, with it the oldest `last` that follow it; oldest
  /// first either way.
  func messages(
    room: String, last: Int, after: String?, before: String? = nil
  ) throws(Complaint) -> ArraySlice<StoredMessage> {
    let count = max(0, min(last, RoomLimits.answer))
    if let before, after == nil {
      let behind = try backlog(of: room, after: before).startIndex
      // The backlog begins behind the message itself.
      return rooms[room]?.kept.prefix(upTo: max(0, behind - 1)).suffix(count) ?? []
    }
    guard let after else { return rooms[room]?.kept.suffix(count) ?? [] }
    return try backlog(of: room, after: after).prefix(count)
  }

  /// Everything that follows a message.
  func backlog(of room: String, after: String) throws(Complaint) -> ArraySlice<StoredMessage> {
    guard let number = StoredMessage.number(of: after),
      let messages = rooms[room]?.after(number)
    else {
      throw Complaint(
        "No message \(after.shortened(to: 24)) in room \(room.shortened(to: 24)): ask for the newest ones instead."
      )
    }
    return messages
  }
}
