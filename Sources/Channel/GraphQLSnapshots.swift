import JSON
import Text

/// Live queries: each result is the whole list of a room's latest messages.
extension GraphQLDialect {
  /// A snapshot that came by the subscription. Where it shares nothing with the one before, there may be more between them
  /// than it shows, which the history has.
  mutating func liveSnapshot(
    _ messages: [ChatMessage], isWhole: Bool, at now: Instant
  ) -> [DialectOutput] {
    guard let room = progress[context.room], room.isEntered, !room.snapshot.isEmpty,
      let cursor = room.cursor, context.profile.history != nil, historyTakesCursor,
      line?.movesCursor == true, !messages.isEmpty,
      !messages.contains(where: { ledger.hasSeen($0, room: context.room) })
    else { return snapshot(messages, isWhole: isWhole) }
    line?.held = HeldMessages()
    _ = line?.held?.append(messages, .snapshot(isWhole: isWhole))
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: .missed, after: cursor, count: pageSize(room)))
  }

  /// A snapshot in the order of the transcript. Which way round it is, its times say; else the profile, about the history:
  /// of a list read backwards all would look deleted.
  func oldestFirst(_ messages: [ChatMessage]) -> [ChatMessage] {
    var rising = 0
    var falling = 0
    for (message, next) in zip(messages, messages.dropFirst()) {
      guard let time = message.time, let later = next.time else { continue }
      if time < later { rising += 1 }
      if time > later { falling += 1 }
    }
    let isReversed =
      rising == falling ? context.profile.historyOrder == .newestFirst : falling > rising
    return isReversed ? messages.reversed() : messages
  }

  /// What is new in a snapshot, what has another form in it, and what is gone from it.
  mutating func snapshot(_ messages: [ChatMessage], isWhole: Bool) -> [DialectOutput] {
    let room = progress[context.room] ?? RoomProgress()
    let ids = messages.suffix(Self.mostPerPage).map(\.id)
    if !ids.isEmpty { progress[context.room, default: RoomProgress()].snapshot = ids }
    let movesCursor = line?.movesCursor ?? false
    guard room.isEntered else { return firstSnapshot(messages, movesCursor: movesCursor) }
    let gone = isWhole ? Self.gone(from: room.snapshot, in: ids) : []
    let deleted = gone.compactMap { deletion(of: $0) }
    var told: [DialectOutput] = []
    var news = messages
    if messages.contains(where: { ledger.hasSeen($0, room: context.room) }) {
      // One that was deleted lets an older one into the list.
      if !room.startedEmpty { news = sinceFirstSeen(messages) }
    } else if let newest = room.newest, !room.startedEmpty {
      news.removeAll { $0.time.map { $0 < newest } ?? false }
      if context.profile.history == nil, !news.isEmpty, !room.snapshot.isEmpty {
        let sentence =
          "More was said in the meantime than the live query shows: some of it may be missing here."
        told = [.notice(UntrustedText(sentence))]
      }
    }
    return told + report(news, .live, movesCursor: movesCursor)
      + (deleted.isEmpty ? [] : [.changed(deleted)])
  }

  /// Without a history the first snapshot stands for it.
  private mutating func firstSnapshot(
    _ messages: [ChatMessage], movesCursor: Bool
  ) -> [DialectOutput] {
    progress[context.room, default: RoomProgress()].isEntered = true
    progress[context.room]?.startedEmpty = messages.isEmpty
    // Nobody asked to see the others, but they are known from now on.
    let others = report(
      Array(messages.dropLast(context.historyCount)), .history, movesCursor: movesCursor
    ).filter { output in if case .messages = output { false } else { true } }
    return others
      + report(
        Array(messages.suffix(context.historyCount)), .history, movesCursor: movesCursor)
  }

  private mutating func deletion(of id: String) -> ChatMessage? {
    guard ledger.alias(of: id, room: context.room) != nil else { return nil }
    var message = ChatMessage(id: id, author: nil, text: UntrustedText(""))
    message.marks.isDeleted = true
    return ledger.isChanged(message, room: context.room) ? known(message) : nil
  }

  /// The ids that were deleted between two snapshots. Those that are missing at the old end may have made room for new
  /// ones, or have become too old for the list, unless an older one has come into it.
  static func gone(from before: [String], in now: [String]) -> [String] {
    let present = Set(now)
    let missing = before.filter { !present.contains($0) }
    guard !missing.isEmpty else { return [] }
    // A server that shows nothing of what it showed may have lost its messages.
    guard let kept = before.firstIndex(where: present.contains) else { return [] }
    if now.first != before[kept] { return missing }
    return before[kept...].filter { !present.contains($0) }
  }
}
