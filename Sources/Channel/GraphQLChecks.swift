import JSON
import Text

/// What is asked for again: because nobody says when a subscription is live, and because a history failed.
extension GraphQLDialect {
  static let mostChecks = 6
  /// Live messages without a cursor after which the history is asked for one.
  static let mostWithoutCursor = 500

  /// The line ends, or the room is entered anew: what the check did not confirm is asked for again.
  mutating func restoreCheckpoint() {
    guard let checkpoint = line?.checkpoint else { return }
    line?.checkpoint = nil
    progress[checkpoint.room]?.cursor = checkpoint.cursor
  }

  /// History once more, from where it ended before; see `GraphQLLine.HistoryRequest.Purpose.check`.
  mutating func askAgain(after cursor: JSON?) -> [DialectOutput] {
    line?.check = nil
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: .check, after: cursor,
        count: cursor == nil
          ? max(1, min(context.historyCount, Self.mostPerPage))
          : max(50, min(context.historyCount, Self.mostPerPage))))
  }

  /// As long as there is something new in it, there may be more behind: a server may give fewer than are asked for. What
  /// the subscription should have brought shows that it was not live yet, so that the check is made once more.
  mutating func checked(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    let isNew = messages.contains { !ledger.hasSeen($0, room: context.room) }
    let outputs = report(messages, .live, movesCursor: false)
    var next = request
    next.bringsNews = request.bringsNews || isNew
    if isNew, historyTakesCursor, request.page + 1 < Self.mostPages,
      context.profile.historyOrder == .oldestFirst,
      let cursor = messages.last?.cursor, cursor != request.after
    {
      line?.checkpoint?.cursor = cursor
      next.page += 1
      next.after = cursor
      return outputs + askHistory(next)
    }
    if historyTakesCursor, context.profile.historyOrder == .oldestFirst,
      let cursor = messages.last?.cursor
    {
      line?.checkpoint?.cursor = cursor
    }
    // The first is followed by another in any case: some subscriptions take their time.
    let goesOn = next.bringsNews || line?.checks == 0
    if !goesOn || !checkLater(at: now) { line?.checkpoint = nil }
    return outputs
  }

  /// Between the last answer and the moment when the subscription is live something may be said; one that resumes
  /// brings it.
  mutating func checkSoon(after cursor: JSON?, at now: Instant) {
    guard !context.profile.liveResumes, context.profile.history != nil, line?.held == nil else {
      return
    }
    // One that was not answered yet goes further back.
    let checkpoint =
      line?.checkpoint ?? GraphQLLine.Checkpoint(room: context.room, cursor: cursor)
    line?.checkpoint = checkpoint
    line?.check = (at: now + Self.checkDelay, after: checkpoint.cursor)
    line?.checks = 0
  }

  /// Where only the history has cursors, a long talk would leave the cursor so far behind that a cut asks for all of it
  /// again, or for more than is remembered.
  mutating func advanceCursor(past messages: [ChatMessage]) -> [DialectOutput] {
    guard historyTakesCursor, messages.last?.cursor == nil, let room = progress[context.room],
      let cursor = room.cursor
    else { return [] }
    line?.withoutCursor += messages.count
    guard let count = line?.withoutCursor, count >= Self.mostWithoutCursor else { return [] }
    line?.withoutCursor = 0
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: .advance, after: cursor, count: Self.mostWithoutCursor))
  }

  mutating func advanced(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest
  ) -> [DialectOutput] {
    let outputs = report(messages, .live, movesCursor: true)
    guard request.page + 1 < Self.mostPages, context.profile.historyOrder == .oldestFirst,
      messages.count >= PageSizes.leastFull, let cursor = progress[context.room]?.cursor,
      cursor != request.after
    else { return outputs }
    var next = request
    next.page += 1
    next.after = cursor
    return outputs + askHistory(next)
  }

  /// Later each time; false where that was done often enough.
  @discardableResult
  mutating func checkLater(at now: Instant) -> Bool {
    guard let line, let checkpoint = line.checkpoint, line.checks < Self.mostChecks else {
      return false
    }
    self.line?.checks += 1
    let pause = min(.seconds(60), Self.checkDelay * (2 << line.checks))
    self.line?.check = (at: now + pause, after: checkpoint.cursor)
    return true
  }

  /// What the server did not give is asked for again on this line: who waits for the next one waits for hours.
  mutating func repeatLater(_ request: GraphQLLine.HistoryRequest, at now: Instant) {
    guard let failures = line?.historyFailures, failures < Self.mostHistoryRetries else { return }
    line?.historyFailures += 1
    line?.historyRetry = (
      at: now + min(.seconds(60), Self.historyRetryDelay * (1 << failures)),
      isFirst: request.purpose == .first
    )
  }

  mutating func retryHistory(isFirst: Bool, at now: Instant) -> [DialectOutput] {
    let room = progress[context.room] ?? RoomProgress()
    line?.historyRetry = nil
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: isFirst ? .first : .missed,
        after: isFirst ? nil : room.cursor,
        count: pageSize(isFirst ? RoomProgress() : room)))
  }
}
