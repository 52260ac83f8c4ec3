import JSON
import Text

/// Earlier messages: asked for page by page, merged by id with what comes live.
extension GraphQLDialect {
  /// How many messages to ask for.
  func pageSize(_ room: RoomProgress) -> Int {
    guard room.isKnown else {
      // One at least, to have a cursor.
      return max(1, min(context.historyCount, Self.mostPerPage))
    }
    // Without a cursor there is only one page.
    let isPaged = room.cursor != nil && historyTakesCursor
    return isPaged ? max(50, min(context.historyCount, Self.mostPerPage)) : Self.mostPerPage
  }

  mutating func askHistory(_ request: GraphQLLine.HistoryRequest) -> [DialectOutput] {
    guard let history = context.profile.history else { return [] }
    var values = templateValues
    values["count"] = .integer(Int64(request.count))
    if let after = request.after { values["cursor"] = after }
    let id = newID()
    line?.operations[id] = .history(request)
    return [ask(id, history, values)]
  }

  mutating func historyResult(
    _ payload: JSON, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    let errors = GraphQLErrors.text(inResult: payload)
    guard let data = payload["data"], !data.isNull, let items = historyItems,
      errors == nil || !items.all(in: data).isEmpty
    else {
      return historyFailed(errors ?? UntrustedText("it is empty"), request, at: now)
    }
    let astray = checkPaths(of: .history, items, in: data)
    var outputs = astray
    if let errors {
      outputs += notice("The history has errors: \(errors.raw)", kind: "history error")
    }
    let found = read(items, in: data)
    var messages = found.messages
    if context.profile.historyOrder == .newestFirst { messages.reverse() }
    if request.purpose != .first, request.after == nil || !historyTakesCursor {
      messages = sinceFirstSeen(messages)
    }
    if astray.isEmpty, found.unreadable > 0 {
      outputs += notice(
        "The history holds something that is no message by the profile “\(context.profile.name)”.",
        kind: "history shape")
    }
    // A page that is full by number may have been cut.
    let isFull = found.items >= request.count
    switch request.purpose {
    case .check:
      return outputs + report(messages, .live, movesCursor: false)
    case .first:
      let reported = report(messages, .history, movesCursor: true)
      progress[request.room, default: RoomProgress()].isEntered = true
      // Nobody asked to see it: the last message was fetched for its cursor.
      if context.historyCount > 0 { outputs += reported }
      return outputs + historyDone(isComplete: true, request, at: now)
    case .missed:
      // What the server says now counts: the cursor that it did not take is forgotten.
      if request.isFallback { progress[request.room]?.cursor = nil }
      outputs += report(messages, .missed, movesCursor: true)
      guard isFull else { return outputs + historyDone(isComplete: true, request, at: now) }
      if let next = nextPage(after: request) {
        line?.historyDeadline = now + Self.historyTimeout
        return outputs + askHistory(next)
      }
      outputs += notice(
        "So much was said while you were away that not all of it could be fetched; some may be missing.",
        kind: "history gap")
      return outputs + historyDone(isComplete: false, request, at: now)
    }
  }

  /// The request for the rest of what was missed; nil where there is no way to ask for it.
  private func nextPage(
    after request: GraphQLLine.HistoryRequest
  ) -> GraphQLLine.HistoryRequest? {
    guard request.page + 1 < Self.mostPages, !request.isFallback, request.after != nil,
      historyTakesCursor
    else { return nil }
    var next = request
    next.page += 1
    switch context.profile.historyOrder {
    case .oldestFirst:
      let cursor = progress[request.room]?.cursor
      guard cursor != request.after else { return nil }
      next.after = cursor
    case .newestFirst:
      // The newest came; the ones between are behind the same cursor, in a larger page.
      guard request.count < Self.mostPerPage * 10 else { return nil }
      next.count = min(request.count * 4, Self.mostPerPage * 10)
    }
    return next
  }

  /// An answer without a cursor goes further back than what was missed: what stands before the first
  /// message that was seen is older than our coming.
  private func sinceFirstSeen(_ messages: [ChatMessage]) -> [ChatMessage] {
    let first = messages.firstIndex { ledger.hasSeen($0, room: context.room) }
    return first.map { Array(messages[$0...]) } ?? messages
  }

  mutating func historyFailed(
    _ text: UntrustedText, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    if request.purpose == .check { return [] }
    let told = notice("The server did not give the history: \(text.raw)", kind: "history failed")
    // A server that lost its store does not know the cursor.
    if request.after != nil, historyTakesCursor, !request.isFallback {
      var again = request
      again.after = nil
      again.isFallback = true
      again.count = pageSize(RoomProgress(isEntered: true))
      line?.historyDeadline = now + Self.historyTimeout
      return told + askHistory(again)
    }
    if progress[request.room]?.cursor == nil { line?.movesCursor = true }
    return told + historyDone(isComplete: false, request, at: now)
  }

  /// The answer takes too long: posts need not wait for it. If it comes later, it is merged then.
  mutating func historyTimedOut(at now: Instant) -> [DialectOutput] {
    line?.historyDeadline = nil
    var outputs = notice("The server does not answer for the history.", kind: "history late")
    if line?.subscribesAfterHistory == true { outputs += subscribe(at: now) }
    return outputs + releaseHeld() + readyOnce()
  }

  private mutating func historyDone(
    isComplete: Bool, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    line?.historyDeadline = nil
    if isComplete { line?.movesCursor = true }
    let checkpoint = progress[context.room]?.cursor
    var outputs = gapNotice() + releaseHeld()
    if isComplete, request.purpose == .missed, !request.isFallback { outputs += lookUpPosts() }
    outputs += readyOnce()
    if line?.subscribesAfterHistory == true { outputs += subscribe(at: now) }
    if !context.profile.liveResumes, isComplete {
      line?.check = (at: now + Self.checkDelay, after: checkpoint)
    }
    return outputs
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

  mutating func releaseHeld() -> [DialectOutput] {
    guard let held = line?.held else { return [] }
    line?.held = nil
    return report(held.messages, .live, movesCursor: line?.movesCursor ?? false)
  }

  /// Reports what is new of these messages of the current room, and which of our posts they settle.
  mutating func report(
    _ messages: [ChatMessage], _ origin: MessageOrigin, movesCursor: Bool
  ) -> [DialectOutput] {
    var new: [ChatMessage] = []
    var settled: [DialectOutput] = []
    for message in messages {
      let entry = ledger.enter(message, room: context.room)
      if entry.isNew { new.append(entry.message) }
      if let nonce = message.nonce, settle(nonce) {
        settled.append(.sent(nonce: nonce, entry.message))
      }
      if let seq = message.seq {
        let room = progress[context.room] ?? RoomProgress()
        progress[context.room, default: RoomProgress()].lastSeq = max(room.lastSeq ?? seq, seq)
      }
      if movesCursor, let cursor = message.cursor {
        progress[context.room, default: RoomProgress()].cursor = cursor
      }
    }
    boundRooms()
    return (new.isEmpty ? [] : [.messages(new, origin)]) + settled
  }

  private mutating func boundRooms() {
    guard progress.count > Self.mostRooms,
      let victim = progress.keys.first(where: { $0 != context.room })
    else { return }
    progress[victim] = nil
  }
}
