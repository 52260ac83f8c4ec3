import Channel
import JSON
package import Room
import Screen
import Text
import WebSocket

/// What was told of the things that are to be kept, so that only changes are.
struct HistoryState {
  /// How long a draft may change before it is told.
  static let draftDelay: Duration = .milliseconds(300)
  /// Rows above the screen that are fetched before they are needed, in screens.
  static let pagesAhead = 3

  var isOn = false
  var cursors: [String: JSON] = [:]
  /// The room that the draft was told for, and the draft.
  var draft = (room: "", text: "")
  var draftDue: Instant?
  var readUpTo: [String: Int] = [:]
  var lastInput: String?
  /// Lines that were entered and not told yet.
  var entered: [String] = []
  var isLoading = false
}

extension Program {
  /// From now on effects say what is to be kept: to be called before the first input. `inputs` are the lines that
  /// were entered in earlier runs, oldest first.
  package mutating func keepHistory(inputs: [String]) {
    history.isOn = true
    history.lastInput = inputs.last
    room.startKeeping()
    view.editor.restoreHistory(inputs)
  }

  package var roomName: String { room.room }

  /// The last changes, for a program that ends without being asked.
  package mutating func lastRecords() -> [Record] {
    history.draftDue = history.draftDue.map { _ in Instant() }
    return takeRecords(at: Instant())
  }

  mutating func changeKeeping(_ reachesDisk: Bool, isNew: Bool) {
    room.losesNothing = reachesDisk
    guard isNew else { return }
    room.tellAllPosts()
    history.cursors = [:]
    history.readUpTo = [:]
  }

  // MARK: - What comes back

  mutating func recall(
    _ memory: RoomMemory, room name: String, _ turn: inout Turn, _ entropy: inout Entropy
  ) {
    guard name == room.room, room.wantsMemory else { return }
    room.recall(memory)
    session.recall(
      DialectMemory.Room(
        name: name, seen: memory.messages.map(\.message),
        underWay: memory.outbox.compactMap { item in
          switch item.state {
          case .sending, .unsure: item.post.nonce
          case .pending, .failed: nil
          }
        }))
    if let place = memory.readUpTo {
      view.resumeReading(behind: room.serial(of: place))
      history.readUpTo[name] = place
    } else if let last = room.entries.last?.serial {
      view.readUpTo = last
    }
    history.draft = (name, memory.draft)
    if view.editor.isEmpty, !memory.draft.isEmpty { view.editor.setText(memory.draft) }
    for (other, count) in memory.waitingElsewhere.sorted(by: { $0.key < $1.key }) {
      let posts = count == 1 ? "1 message waits" : "\(count) messages wait"
      let sentence =
        "\(posts) in #\(other) since the last time: /join \(other) sends what can be sent."
      tell(.notice(UntrustedText(sentence), isError: false), &turn, &entropy)
    }
  }

  // MARK: - What is kept

  /// What this turn changed, as the first of its effects: a message is on disk before it is on the wire.
  mutating func keepChanges(_ turn: inout Turn) {
    guard history.isOn else { return }
    let records = takeRecords(at: turn.now)
    if !records.isEmpty { turn.effects.insert(.keep(records), at: 0) }
  }

  private mutating func takeRecords(at now: Instant) -> [Record] {
    guard history.isOn else { return [] }
    let name = room.room
    var records = room.takeRecords()
    if let cursor = session.cursor(in: name), cursor != history.cursors[name] {
      history.cursors[name] = cursor
      records.append(.cursor(cursor, room: name))
    }
    for line in history.entered where line != history.lastInput {
      history.lastInput = line
      records.append(.input(SecretFreeLine.text(of: line), room: name))
    }
    history.entered = []
    if !room.wantsMemory, view.readUpTo > -1 || history.readUpTo[name] != nil {
      let place = room.place(of: view.readUpTo)
      if place > history.readUpTo[name] ?? .min {
        history.readUpTo[name] = place
        let id = room.messageID(upTo: view.readUpTo)
        records.append(.readUpTo(place: place, id: id, room: name))
      }
    }
    takeDraft(at: now, into: &records)
    return records
  }

  private mutating func takeDraft(at now: Instant, into records: inout [Record]) {
    let name = room.room
    if history.draft.room != name {
      if !history.draft.text.isEmpty, !history.draft.room.isEmpty {
        records.append(.draft("", room: history.draft.room))
      }
      history.draft = (name, "")
    }
    // Another text for a message is no draft of a new one.
    let text = view.compose?.target.kind == .edit ? view.compose?.draft ?? "" : view.editor.text
    guard text != history.draft.text else {
      history.draftDue = nil
      return
    }
    // What was entered is kept as a post: as a draft too it would come back twice.
    let due = text.isEmpty ? now : history.draftDue ?? now + HistoryState.draftDelay
    guard due <= now else {
      history.draftDue = due
      return
    }
    history.draftDue = nil
    history.draft.text = text
    records.append(.draft(SecretFreeLine.text(of: history.draft.text), room: name))
  }
}
