import Channel
import Text

/// What is known of the room's part on disk.
struct RoomKeeping: Equatable, Sendable {
  /// What was read of it, or that there was nothing.
  var isRecalled = false
  /// The place of a message on disk is the serial of its entry plus this.
  var base = 0
  /// Messages stand on disk before the first entry.
  var hasEarlier = false
  /// The outbox as it was last told.
  var toldPosts: [OutboxItem] = []
}

/// Between the model and the disk: values that are handed out, and what an earlier run left.
extension RoomModel {
  /// From now on what changes is recorded; it is to be taken after every event.
  package mutating func startKeeping() {
    isKept = true
  }

  /// Whether the room may have messages on disk that were not read.
  package var wantsMemory: Bool { isKept && !keeping.isRecalled }

  /// Everything that is to be kept and was not told yet, in order.
  package mutating func takeRecords() -> [Record] {
    guard isKept else { return [] }
    recordOutbox()
    defer { records = [] }
    return records
  }

  /// The outbox was lost on disk: all of it is told once more.
  package mutating func tellAllPosts() {
    keeping.toldPosts = []
  }

  package func place(of serial: Int) -> Int { serial + keeping.base }
  package func serial(of place: Int) -> Int { place - keeping.base }

  // MARK: - What changes

  mutating func journal(_ entries: [TimelineEntry]) {
    guard isKept else { return }
    for entry in entries {
      guard let message = entry.message else { continue }
      let kept = KeptMessage(
        message: message, time: entry.time, place: place(of: entry.serial),
        behind: messageID(upTo: entry.serial - 1))
      records.append(.message(kept, room: room))
    }
  }

  /// The id of the last message up to that entry.
  package func messageID(upTo serial: Int) -> String? {
    var index = timeline.index(from: serial + 1) - 1
    while index >= 0 {
      if let message = entries[index].message { return message.id }
      index -= 1
    }
    return nil
  }

  mutating func journal(
    _ message: ChatMessage, at serial: Int, insteadOf id: String, wall: Timestamp
  ) {
    guard isKept else { return }
    let kept = KeptMessage(message: message, time: message.time ?? wall, place: place(of: serial))
    records.append(.replaced(id: id, kept, room: room))
  }

  /// What has become of the posts since they were told.
  mutating func recordOutbox() {
    guard isKept, box.items != keeping.toldPosts else { return }
    var told: [String: OutboxItem] = [:]
    for item in keeping.toldPosts { told[item.post.nonce] = item }
    for item in box.items where told.removeValue(forKey: item.post.nonce) != item {
      records.append(.post(item, room: room))
    }
    for item in keeping.toldPosts where told[item.post.nonce] != nil {
      records.append(.postEnded(nonce: item.post.nonce, room: room))
    }
    keeping.toldPosts = box.items
  }

  // MARK: - What an earlier run left

  /// Takes up a room where an earlier run left it. What was on its way then may have arrived: it is not sent again
  /// before the dialect says that a repeat does no harm. To be called before anything is said in the room.
  package mutating func recall(_ memory: RoomMemory) {
    guard !keeping.isRecalled else { return }
    keeping.isRecalled = true
    keeping.hasEarlier = memory.hasEarlier
    keeping.toldPosts = memory.outbox
    notice = memory.notice
    box = Outbox(
      memory.outbox.map { item in
        var item = item
        if item.state == .sending { item.state = .unsure }
        return item
      })
    guard let last = memory.messages.last else { return }
    if let place = memory.readUpTo {
      let unread = memory.messages.lazy.filter { $0.place > place }.map(\.message)
      heard += memory.unreadBefore + unread.count { !$0.isMine }
      heardMentions += unread.count(where: mentionsMe)
    }
    // The serials of what was said before lie below those of what is said from now on, on the same grid.
    let above = (last.place & ~(Serials.stride - 1)) + Serials.stride
    keeping.base = above - max(0, serials.last)
    let entries = entries(memory.messages, below: .max)
    if timeline.prepend(entries) {
      for entry in entries { restoreOwn(entry) }
    } else {
      keeping.hasEarlier = true
    }
  }

  /// The entries of messages from the disk that stand before an entry. Places that another program gave may fall
  /// together or go beyond it; serials never do. Only what is here already may go beyond.
  func entries(_ kept: [KeptMessage], below limit: Int) -> [TimelineEntry] {
    var next = limit
    var entries: [TimelineEntry] = []
    for kept in kept.reversed() {
      var serial = serial(of: kept.place)
      if serial < limit || !timeline.contains(id: kept.message.id) {
        serial = min(serial, next - 1)
        next = serial
      }
      entries.append(entry(kept, serial: serial))
    }
    return entries.reversed()
  }

  /// The same of those that stand behind an entry and before another one.
  func entries(_ kept: [KeptMessage], above lowest: Int, below limit: Int) -> [TimelineEntry] {
    var last = lowest
    return kept.map { kept in
      var serial = serial(of: kept.place)
      if serial < limit || !timeline.contains(id: kept.message.id) {
        serial = max(serial < limit ? serial : last, last + 1)
        last = serial
      }
      return entry(kept, serial: serial)
    }
  }

  private func entry(_ kept: KeptMessage, serial: Int) -> TimelineEntry {
    TimelineEntry(kind: .message(kept.message), time: kept.time, serial: serial)
  }

  /// An own message without the server's id still waits for the server's form of it.
  private mutating func restoreOwn(_ entry: TimelineEntry) {
    guard let message = entry.message, message.isMine, let nonce = message.nonce else { return }
    let isMadeHere = message.id == Self.idOfMade(nonce)
    own.remember(
      nonce: nonce,
      OwnPosts.Record(
        text: message.text.raw, madeSerial: isMadeHere ? entry.serial : nil, isCertain: true))
  }

  /// The id of a message that was made here out of a post, for want of the server's form.
  static func idOfMade(_ nonce: String) -> String { "post \(nonce)" }
}
