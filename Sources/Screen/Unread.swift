import Channel
package import Room
import Text

extension RoomModel {
  /// The index of the first entry with a greater serial; serials grow, so that half of the rest falls away
  /// at each step.
  func firstIndex(after serial: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].serial > serial { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// What others said while the person was away from the end, as far back as 1000 entries.
  func unread(in view: ViewState) -> TimelineBlocks.Unread? {
    guard let mark = view.unreadAfter ?? view.markWhileAway else { return nil }
    let start = max(firstIndex(after: mark), entries.count - 1000)
    let end = view.unreadUpTo.map { firstIndex(after: $0) } ?? entries.count
    guard start < end else { return nil }
    var unread: TimelineBlocks.Unread?
    for index in start..<end {
      guard case .message(let message) = entries[index].kind, !message.isMine else { continue }
      var found = unread ?? TimelineBlocks.Unread(index: index, count: 0, mentions: 0)
      found.count += 1
      if end - index <= 200, mentionsMe(message) { found.mentions += 1 }
      unread = found
    }
    return unread
  }
}

extension ViewState {
  /// What counts as read although `markRead(in:)` was not called since the person went away.
  fileprivate var markWhileAway: Int? {
    readUpTo >= 0 && (anchor != nil || !isFocused) ? readUpTo : nil
  }

  /// To be called after every change of the room or the view, before drawing: what stands at the end is
  /// read as long as the person looks at it. When they come back from elsewhere, the rule above what is new
  /// stays where it is, until they write something or go away again.
  package mutating func markRead(in room: RoomModel) {
    guard let last = room.entries.last?.serial else { return }
    guard isFocused, anchor == nil else {
      if unreadAfter == nil || unreadUpTo != nil {
        unreadAfter = readUpTo
        unreadUpTo = nil
      }
      return
    }
    if isCatchingUp {
      guard case .online = room.connection else { return }
      isCatchingUp = false
    }
    if unreadAfter != nil, unreadUpTo == nil {
      if room.unread(in: self) == nil { unreadAfter = nil } else { unreadUpTo = last }
    } else if last > readUpTo, room.hasOwn(after: readUpTo) {
      unreadAfter = nil
      unreadUpTo = nil
    }
    readUpTo = max(readUpTo, last)
  }
}

extension ViewState {
  /// An earlier run left its place, and what was missed since is still coming in.
  package var hasLeftOff: Bool { isCatchingUp }

  /// Nothing that is there counts as new.
  package mutating func readAll(in room: RoomModel) {
    readUpTo = max(readUpTo, room.lastSerial)
    unreadAfter = nil
    unreadUpTo = nil
  }

  /// An earlier run was left at that serial: the rule of what is new stands behind it until the line is there and
  /// what was missed has come.
  package mutating func resumeReading(behind serial: Int) {
    readUpTo = serial
    unreadAfter = serial
    unreadUpTo = nil
    isCatchingUp = true
  }
}

extension ViewState {
  /// The serial of the first message that is new; nil where none is.
  package func firstUnread(in room: RoomModel) -> Int? {
    room.unread(in: self).map { room.entries[$0.index].serial }
  }
}

extension RoomModel {
  /// The next message that names the person, on one side of a serial or from the end; nil where there is none in
  /// memory.
  package func mention(older: Bool, than serial: Int?) -> TimelineEntry? {
    let step = older ? -1 : 1
    var index =
      serial.map { older ? firstIndex(after: $0 - 1) - 1 : firstIndex(after: $0) }
      ?? (older ? entries.count - 1 : entries.count)
    while entries.indices.contains(index) {
      if let message = entries[index].message, mentionsMe(message) { return entries[index] }
      index += step
    }
    return nil
  }

  fileprivate func hasOwn(after serial: Int) -> Bool {
    entries[firstIndex(after: serial)...].suffix(200).contains { entry in
      if case .message(let message) = entry.kind { message.isMine } else { false }
    }
  }
}
