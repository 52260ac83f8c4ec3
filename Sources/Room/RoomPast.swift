package import Channel
package import JSON

/// Where in a room's transcript to go.
package enum TranscriptPlace: Equatable, Sendable {
  case oldest
  case message(id: String, place: Int)
  /// The first message that was said at that moment or later.
  case moment(Timestamp)
}

/// A piece of a room's transcript, in order.
package struct TranscriptPage: Equatable, Sendable {
  package var messages: [KeptMessage]
  /// Others stand before them, and behind them.
  package var hasEarlier: Bool
  package var hasLater: Bool
  /// The place of the message that was asked for.
  package var target: Int?

  package init(
    messages: [KeptMessage] = [], hasEarlier: Bool = false, hasLater: Bool = false,
    target: Int? = nil
  ) {
    self.messages = messages
    self.hasEarlier = hasEarlier
    self.hasLater = hasLater
    self.target = target
  }
}

/// A message that a search has found, and where it was said.
package struct FoundMessage: Equatable, Sendable {
  package var room: String
  package var kept: KeptMessage

  package init(room: String, kept: KeptMessage) {
    self.room = room
    self.kept = kept
  }
}

/// What became of asking the server for what stands before everything else.
package enum RoomPast: Equatable, Sendable {
  case unknown, asked
  /// There is nothing more to be had.
  case ended
}

/// The past of a room, as far as it is read from the disk.
extension RoomModel {
  /// The first message here where others stand before it on disk.
  package var oldestWithEarlier: KeptMessage? {
    guard isKept, keeping.hasEarlier || timeline.hasDropped,
      let first = timeline.entries.first(where: { $0.message != nil })
    else { return nil }
    return kept(first)
  }

  /// The last message before those that stand on disk only; nil where none do.
  package var newestBeforeGap: KeptMessage? {
    guard isKept, let index = timeline.gapIndex,
      let last = timeline.entries[..<index].last(where: { $0.message != nil })
    else { return nil }
    return kept(last)
  }

  /// The index of the first entry behind what stands on disk only.
  package var gapIndex: Int? { timeline.gapIndex }

  /// Where the person reads, so that what is kept in memory lies around it; nil at the end.
  package mutating func holdPlace(_ serial: Int?) {
    timeline.held = isKept ? serial : nil
    if let gap = timeline.gap, serial ?? .max >= gap { timeline.leavePast() }
  }

  /// Puts messages from the disk before the first entry.
  package mutating func extend(by messages: [KeptMessage], hasEarlier: Bool) {
    keeping.hasEarlier = hasEarlier
    timeline.hasDropped = false
    if !timeline.prepend(entries(messages, below: timeline.entries.first?.serial ?? .max)) {
      keeping.hasEarlier = false
      timeline.hasDropped = false
    }
  }

  /// Puts messages from the disk behind `newestBeforeGap`.
  package mutating func fill(by messages: [KeptMessage], hasLater: Bool) {
    guard let gap = timeline.gap, let index = timeline.gapIndex else { return }
    let lowest = timeline.entries[..<index].last?.serial ?? gap - Serials.stride
    timeline.fill(entries(messages, above: lowest, below: gap), isAll: !hasLater)
  }

  /// Takes a page of the transcript for reading; the newest entries stay where they are.
  package mutating func show(_ page: TranscriptPage) {
    guard !page.messages.isEmpty else { return }
    timeline.keepLast(Timeline.newestKept)
    let limit = timeline.entries.first?.serial ?? .max
    timeline.show(entries(page.messages, below: limit), isAll: !page.hasLater)
    keeping.hasEarlier = page.hasEarlier
  }

  /// Where the server is asked to go on from; nil where the disk has more, or nothing is known to ask with.
  package var oldestCursor: JSON? {
    guard past == .unknown, oldestWithEarlier == nil else { return nil }
    return timeline.entries.lazy.compactMap { $0.message?.cursor }.first
  }

  /// The server was asked.
  package mutating func awaitEarlier() {
    past = .asked
  }

  /// What was said before everything else, from the server.
  mutating func takeEarlier(_ messages: [ChatMessage], wall: Timestamp) {
    guard past == .asked else { return }
    let fresh = messages.filter { !timeline.contains(id: $0.id) }.map { early.latest(of: $0) }
    past = fresh.isEmpty ? .ended : .unknown
    // The person is elsewhere by now, and what stands first here is not the first on disk.
    guard oldestWithEarlier == nil else { return }
    let first = timeline.entries.first?.serial ?? 0
    var serial = (first & ~(Serials.stride - 1)) - fresh.count * Serials.stride
    let entries = fresh.map { message in
      defer { serial += Serials.stride }
      return TimelineEntry(kind: .message(message), time: message.time ?? wall, serial: serial)
    }
    // Without a disk to read it from again, nothing makes room for it.
    guard isKept || timeline.hasRoom(for: entries) else {
      past = .ended
      return
    }
    if timeline.prepend(entries) { journal(entries) } else { past = .ended }
  }

  private func kept(_ entry: TimelineEntry) -> KeptMessage? {
    entry.message.map { KeptMessage(message: $0, time: entry.time, place: place(of: entry.serial)) }
  }
}
