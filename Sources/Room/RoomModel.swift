package import Channel
package import Text
import WebSocket

/// The room as a state machine with no socket, clock or terminal in it.
package struct RoomModel: Equatable, Sendable {
  /// The largest message that is taken, in bytes of UTF-8.
  package static let largestMessage = 64 << 10
  /// The most posts that may wait.
  package static let largestOutbox = 1_000

  package var connection: SessionState = .offline(.idle)
  package var room: String
  package var nick: String {
    didSet { mention = Mention(of: nick) }
  }
  /// The URL as it may be shown.
  package var server: String
  /// Empty where the dialect does not know.
  package var members: [UntrustedText] = []
  /// Who is writing something just now, where the dialect tells.
  package var typists = Typists()
  /// When the line was last lost, by the calendar, for "lost 09:22".
  package var lostAt: Timestamp?
  /// Insecure by option: said on the screen as long as it lasts.
  package var isInsecure: Bool = false
  /// Messages of others that came in this room while we were in it or away from it, its first history left
  /// out: what a count of new messages is made from.
  package internal(set) var heard = 0
  /// Those of them that name the person.
  package internal(set) var heardMentions = 0
  /// What the person is to be called by.
  package internal(set) var mention: Mention

  var timeline: Timeline
  var box = Outbox()
  var own = OwnPosts()
  var serials = Serials()
  /// Changes of messages that have not come yet.
  var early = EarlyForms()
  /// What can be done with messages, as the line that was there last had it.
  package var abilities: MessageAbilities = []
  /// The message that `/delete` was entered for just now: `/delete yes` deletes it.
  var deletionAsked: String?
  /// Messages of a dialect without ids, which are numbered here.
  var rawCount = 0
  /// What is kept of this room beyond the life of the program; see `takeRecords`.
  var keeping = RoomKeeping()
  /// Of all rooms, not taken yet.
  var records: [Record] = []
  /// Records are asked for.
  package internal(set) var isKept = false
  /// What is kept is on disk, so that leaving loses nothing.
  package var losesNothing = false
  /// What the server was asked for of the time before everything that is here and on disk.
  package internal(set) var past = RoomPast.unknown
  /// What is told of here while nobody looks.
  package internal(set) var notice = RoomNotice.usual
  /// Posts that wait or failed in other windows: they go with the program as well.
  package var postsElsewhere = 0
  var notices = ConnectionNotices()
  var dialect: DialectName = .plain
  /// Between the dialect's `ready` and the loss of the line.
  var isReady = false
  /// A post came back, so that the line may be gone although the state does not say so yet: nothing goes out
  /// until it is known. See `RoomEvent.lineHolds`.
  package internal(set) var isHeld = false
  /// The person asked for the end of the line: it is no loss.
  var isLeaving = false
  /// `/quit` was entered just now, and what would be lost has been told.
  var quitWasWarned = false

  package init(room: String, nick: String, server: String, bounds: Timeline.Bounds = .init()) {
    self.room = room
    self.nick = nick
    self.server = server
    mention = Mention(of: nick)
    timeline = Timeline(bounds: bounds)
  }

  /// What is shown of the room, in the order in which it is shown.
  package var entries: [TimelineEntry] {
    get { timeline.entries }
    set {
      timeline = Timeline()
      for entry in newValue { timeline.append(entry) }
      serials.skip(to: newValue.map(\.serial).max() ?? -1)
    }
  }

  /// What was typed and is not yet known to have arrived.
  package var outbox: [OutboxItem] {
    get { box.items }
    set { box = Outbox(newValue) }
  }

  /// The highest serial given out, -1 before the first.
  package var lastSerial: Int { serials.last }

  /// Whether a message of somebody else names the person.
  package func mentionsMe(_ message: ChatMessage) -> Bool {
    !message.isMine && mention.isIn(message.text.raw)
  }

  /// The reducer: the new state and what is to be done.
  package mutating func handle(
    _ event: RoomEvent, at now: Instant, wall: Timestamp, nonce: () -> String
  ) -> [RoomCommand] {
    switch event {
    case .channel(.typing(let name)):
      typists.note(name, at: now)
      return []
    case .channel(let event): return handle(event, wall: wall)
    case .submitted(let text): return submit(text, wall: wall, nonce: nonce)
    case .notice(let text, let isError):
      note(text.raw, isError: isError, wall: wall)
      return []
    case .lineHolds:
      isHeld = false
      return takePosts()
    case .act(let act): return perform(act, wall: wall, nonce: nonce)
    case .resend(let nonce): return box.resend(nonce: nonce) ? takePosts() : []
    case .drop(let nonce): return box.drop(nonce: nonce) ? takePosts() : []
    case .connectNow:
      return connection.isWaiting ? [.connect] : []
    case .stopConnecting:
      guard case .connecting = connection else { return [] }
      isLeaving = true
      return [.disconnect]
    }
  }

  private mutating func handle(_ event: ChannelEvent, wall: Timestamp) -> [RoomCommand] {
    switch event {
    case .stateChanged(let state):
      changeConnection(to: state, wall: wall)
      if past == .asked {
        if case .online = state {} else { past = .unknown }
      }
      return []
    case .connecting:
      box.abandonSending()
      return []
    case .opened(_, let dialect, _, _, _):
      self.dialect = dialect
      return []
    case .ready:
      box.abandonSending()
      isReady = true
      isHeld = false
    case .raw(let kind, let bytes):
      return appendRaw(kind, bytes, wall: wall)
    case .messages(let messages, let origin):
      let waiting = box.count
      let commands = merge(messages, origin, wall: wall)
      // An echo that took a post out of the outbox makes way for the next one.
      return box.count == waiting ? commands : commands + takePosts()
    case .sent(let nonce, let message):
      settle(nonce, message, wall: wall)
    case .repeatable(let nonce):
      box.putBack(nonce: nonce)
      isHeld = true
    case .unsure(let nonce):
      box.markUnsure(nonce: nonce)
      isHeld = true
    case .rejected(let nonce, let reason):
      let post = box.markFailed(nonce: nonce, reason: reason)?.post
      return Self.composingAgain(post) + takePosts()
    case .changed(let forms):
      apply(forms)
      return []
    case .changeDone(let change, let message):
      complete(change, message)
      return []
    case .changeFailed(let change, let sentence):
      note(sentence.raw, isError: true, wall: wall)
      guard case .edit(let text) = change.kind else { return [] }
      return [.composeAgain(ComposeTarget(.edit, id: change.id), text: text, nonce: nil)]
    case .members(let members):
      self.members = Self.sorted(members.prefix(10_000))
      return []
    case .notice(let text):
      noteOnce(text, wall: wall)
      return []
    case .failed(let failure):
      noteFailure(failure, wall: wall)
      return []
    case .closed(let reason, _):
      noteClose(reason, wall: wall)
      return []
    case .pong, .waiting, .gaveUp, .operation, .typing:
      // All of it stands in the state: the round trip, the countdown, the end of trying. No room has an operation.
      return []
    }
    return takePosts()
  }

  /// What may go to the line now. In the plain dialect order is the line's own.
  mutating func takePosts() -> [RoomCommand] {
    guard isReady, !isHeld else { return [] }
    return box.takeNext(allAtOnce: dialect == .plain).map { .post($0) }
  }

  mutating func note(_ sentence: String, isError: Bool = false, wall: Timestamp) {
    append(.notice(UntrustedText(sentence), isError: isError), time: wall)
  }

  /// Appends a row of which no other like it can be there; returns its serial.
  @discardableResult
  mutating func append(_ kind: TimelineEntry.Kind, time: Timestamp) -> Int {
    notices.interrupt()
    let serial = serials.next()
    let entry = TimelineEntry(kind: kind, time: time, serial: serial)
    timeline.append(entry)
    journal([entry])
    return serial
  }
}
