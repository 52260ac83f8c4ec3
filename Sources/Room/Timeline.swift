package import Channel
import Text

/// What was said and what happened in one room, in the order in which it is shown.
///
/// A message stands once, whatever way it came: its id is kept with its serial, so that a batch of n messages
/// costs O(n) and a message is found by its id. It is bounded both in entries and in bytes of text; the oldest are dropped, a block at a
/// time, so that dropping costs O(1) for each entry that is appended.
package struct Timeline: Equatable, Sendable {
  package struct Bounds: Equatable, Sendable {
    package var entries: Int
    /// UTF-8 bytes of all texts together.
    package var textBytes: Int

    package init(entries: Int = 20_000, textBytes: Int = 64 << 20) {
      self.entries = max(1, entries)
      self.textBytes = max(0, textBytes)
    }
  }

  package internal(set) var entries: [TimelineEntry] = []
  /// The serial of the message with an id.
  var ids: [String: Int] = [:]
  var textBytes = 0
  package let bounds: Bounds
  /// Older entries were here once, and made room for newer ones.
  var hasDropped = false
  /// The serial of the first entry behind messages that stand on disk and not here; nil where none do.
  package internal(set) var gap: Int?
  /// The entry that the person reads at, where all of the transcript is on disk: what has to go for want of room goes
  /// elsewhere.
  var held: Int?

  package init(bounds: Bounds = Bounds()) {
    self.bounds = bounds
  }

  package func contains(id: String) -> Bool {
    ids[id] != nil
  }

  /// Appends one entry. A message whose id is there already is left out.
  package mutating func append(_ entry: TimelineEntry) {
    if case .message(let message) = entry.kind {
      guard ids[message.id] == nil else { return }
      ids[message.id] = entry.serial
    }
    entries.append(entry)
    textBytes += entry.size
    trim()
  }

  /// Adds messages in the order of the room; returns those that were not there yet, where they stand now.
  ///
  /// Live ones are appended, but before own ones of a later time at the end: the answer to a post may overtake what
  /// others said before it. History and missed ones go before the later ones among the newest entries,
  /// compared by the server's time, where both have one; else they stand by arrival. What is shown
  /// already never changes its order, nor do the messages of the batch.
  package mutating func merge(
    _ messages: [ChatMessage], isLive: Bool, seenAt wall: Timestamp, serials: inout Serials
  ) -> [TimelineEntry] {
    let fresh = messages.filter { message in
      guard ids[message.id] == nil else { return false }
      // The serial follows.
      ids[message.id] = -1
      return true
    }
    guard let first = fresh.first else { return [] }
    var added = fresh.map { message in
      TimelineEntry(kind: .message(message), time: message.time ?? wall, serial: 0)
    }[...]
    textBytes += added.reduce(0) { $0 + $1.size }
    let start = isLive ? placeBeforeOwn(laterThan: first.time) : placeBeforeLater(than: first.time)
    let shown = Array(entries[start...])
    entries.removeSubrange(start...)
    var placed: [TimelineEntry] = []
    placed.reserveCapacity(fresh.count)
    for entry in shown {
      while let next = added.first, entry.isLater(than: next),
        let serial = serials.next(between: entries.last?.serial, and: entry.serial)
      {
        placed.append(entries.append(next, numbered: serial))
        added.removeFirst()
      }
      entries.append(entry)
    }
    for entry in added { placed.append(entries.append(entry, numbered: serials.next())) }
    for entry in placed { entry.message.map { ids[$0.id] = entry.serial } }
    trim()
    return placed
  }

  /// The entry of the message with that id; nil where it is not here.
  package func entry(id: String) -> TimelineEntry? {
    ids[id].flatMap { position(of: $0) }.map { entries[$0] }
  }

  private func position(of serial: Int) -> Int? {
    let index = index(from: serial)
    return index < entries.count && entries[index].serial == serial ? index : nil
  }

  /// Changes an entry in its place; false where it is gone.
  @discardableResult
  package mutating func replace(serial: Int, with kind: TimelineEntry.Kind, time: Timestamp) -> Bool
  {
    guard let index = position(of: serial) else { return false }
    textBytes -= entries[index].size
    if case .message(let old) = entries[index].kind { ids[old.id] = nil }
    entries[index].kind = kind
    entries[index].time = time
    textBytes += entries[index].size
    if case .message(let new) = kind { ids[new.id] = serial }
    return true
  }

  /// Drops the oldest down to `count`.
  package mutating func keepLast(_ count: Int) {
    leavePast()
    drop(entries.count - max(0, count))
  }

  /// The index behind the last message that is not an own one of a later time.
  private func placeBeforeOwn(laterThan time: Timestamp?) -> Int {
    guard let time else { return entries.count }
    var place = entries.count
    while place > gapIndex ?? 0, let other = entries[place - 1].serverTime, other > time,
      entries[place - 1].message?.isMine == true
    {
      place -= 1
    }
    return place
  }

  /// The index behind the last message that is not later than `time`.
  private func placeBeforeLater(than time: Timestamp?) -> Int {
    guard let time else { return entries.count }
    var place = entries.count
    var index = entries.count
    let first = gapIndex ?? 0
    while index > first {
      index -= 1
      guard let other = entries[index].serverTime else { continue }
      if other <= time { break }
      place = index
    }
    return place
  }
}

extension [TimelineEntry] {
  fileprivate mutating func append(_ entry: TimelineEntry, numbered serial: Int) -> TimelineEntry {
    let entry = TimelineEntry(kind: entry.kind, time: entry.time, serial: serial)
    append(entry)
    return entry
  }
}

extension TimelineEntry {
  /// By the server's time of both; false where one has none.
  fileprivate func isLater(than other: TimelineEntry) -> Bool {
    guard let time = serverTime, let otherTime = other.serverTime else { return false }
    return time > otherTime
  }

  /// Nil where only the moment of arrival is known.
  fileprivate var serverTime: Timestamp? {
    switch kind {
    case .message(let message): message.time
    case .notice: nil
    }
  }

  var size: Int {
    switch kind {
    case .message(let message):
      message.text.raw.utf8.count + message.id.utf8.count + (message.author?.raw.utf8.count ?? 0)
    case .notice(let text, _): text.raw.utf8.count
    }
  }
}
