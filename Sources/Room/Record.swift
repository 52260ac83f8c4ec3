package import Channel
package import JSON

/// A message as it stands in the transcript of a room.
package struct KeptMessage: Equatable, Sendable {
  package var message: ChatMessage
  /// The server's time where it gave one, else when it was seen here.
  package var time: Timestamp
  /// Orders the transcript: it grows from message to message, with room between two for what is put there
  /// later. The serial of the message's entry, counted from where the room's transcript began on disk.
  package var place: Int
  /// The id of the message that it stands behind, where it is told with its room's transcript. Of two programs in one
  /// room each counts places for itself: this says where it belongs in what the other one wrote.
  package var behind: String?

  package init(message: ChatMessage, time: Timestamp, place: Int, behind: String? = nil) {
    self.message = message
    self.time = time
    self.place = place
    self.behind = behind
  }
}

/// Something that is to outlive the program, told in the order in which it came about.
package enum Record: Equatable, Sendable {
  /// Stands in the transcript from now on. One whose id the room has already is no other message.
  case message(KeptMessage, room: String)
  /// The server's form of a message takes the place of the one that was made here, which had that id.
  case replaced(id: String, KeptMessage, room: String)
  /// A message has another form; where it is not known, nothing is kept of it.
  case changed(ChatMessage, room: String)
  /// A post was entered, or what is known of it has changed. On disk before it is on the wire.
  case post(OutboxItem, room: String)
  /// A post left the outbox: the server has it, or the person gave it up.
  case postEnded(nonce: String, room: String)
  /// Where to go on from in a room.
  case cursor(JSON, room: String)
  /// What is typed and not entered yet; empty where there is nothing.
  case draft(String, room: String)
  /// A line that was entered, for the history of the input, and the room in which it was.
  case input(String, room: String? = nil)
  /// What is told of in a room while nobody looks.
  case notice(RoomNotice, room: String)
  /// The person has read up to this place.
  case readUpTo(place: Int, id: String?, room: String)

  /// Whether it may not wait for others to be written with: what was typed would be lost, or sent twice. What the server
  /// said is asked for again where it was not written.
  package var isUrgent: Bool {
    switch self {
    case .post, .postEnded, .input, .notice: true
    case .message(let kept, _), .replaced(_, let kept, _): kept.message.isMine
    case .changed, .cursor, .draft, .readUpTo: false
    }
  }
}

/// What is known of a room from earlier runs.
package struct RoomMemory: Equatable, Sendable {
  /// The last messages, in order.
  package var messages: [KeptMessage] = []
  /// Others stand before them on disk.
  package var hasEarlier = false
  package var outbox: [OutboxItem] = []
  package var draft = ""
  package var notice = RoomNotice.usual
  /// Nil where nobody has read the room yet.
  package var readUpTo: Int?
  /// Messages of others that nobody has read and that stand before these.
  package var unreadBefore = 0
  /// Posts that wait in other rooms of the server, by room.
  package var waitingElsewhere: [String: Int] = [:]

  package init() {}
}
