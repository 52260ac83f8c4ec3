import JSON
import Text

/// Gaps in the numbers of a room, where the server counts its messages.
extension GraphQLDialect {
  /// The numbers that are missing before these messages; nil where nothing is.
  func gap(before messages: [ChatMessage]) -> ClosedRange<Int64>? {
    guard let first = messages.first, let seq = first.seq,
      let last = progress[context.room]?.lastSeq, seq > last, seq - 1 > last,
      !ledger.hasSeen(first, room: context.room)
    else { return nil }
    return (last + 1)...(seq - 1)
  }

  /// Asks the history for them; nil where there is none that takes a cursor.
  mutating func requestForGap(_ gap: ClosedRange<Int64>, at now: Instant) -> [DialectOutput]? {
    guard context.profile.history != nil, historyTakesCursor,
      let room = progress[context.room], let cursor = room.cursor
    else { return nil }
    line?.gap = gap
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: .missed, after: cursor, count: pageSize(room)))
  }

  /// The history has answered: what it did not have either is said.
  mutating func gapNotice() -> [DialectOutput] {
    guard let gap = line?.gap else { return [] }
    line?.gap = nil
    let first = line?.held?.messages.first?.seq ?? gap.upperBound + 1
    let last = progress[context.room]?.lastSeq ?? gap.lowerBound - 1
    guard last < first - 1 else { return [] }
    let numbers =
      last + 1 == first - 1
      ? "Message \(last + 1) is" : "Messages \(last + 1) to \(first - 1) are"
    return [.notice(UntrustedText("\(numbers) missing: the server does not have them any more."))]
  }

  /// Where nothing can be asked for, what was said while nobody listened is said to be unknown.
  mutating func gapWithoutHistory() -> [DialectOutput] {
    guard !context.profile.liveResumes, context.profile.liveMode == .event else { return [] }
    let isFirst = progress[context.room]?.isEntered != true
    progress[context.room, default: RoomProgress()].isEntered = true
    guard !isFirst else { return [] }
    return [
      .notice(
        UntrustedText(
          "What was said in the meantime is not known: the profile “\(context.profile.name)” has no"
            + " “history” to ask for it."))
    ]
  }
}
