import JSON
import Text

/// Earlier messages: asked for, and merged by id with what comes live. GraphQLPages.swift has what takes more than one
/// request.
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
    var request = request
    request.count = min(request.count, sizes.largestCount)
    var values = templateValues
    values["count"] = .integer(Int64(request.count))
    if let after = request.after, request.step != .reach { values["cursor"] = after }
    let id = newID()
    line?.operations[id] = .history(request)
    return [ask(id, history, values)]
  }

  mutating func historyResult(
    _ payload: JSON, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    let errors = GraphQLErrors.text(inResult: payload)
    if let outputs = refusedForToken(.history(request), inResult: payload) { return outputs }
    guard let data = payload["data"], !data.isNull, let items = historyItems,
      case let found = read(items, in: data), errors == nil || !found.messages.isEmpty,
      // Of a room in which something was said, nothing is no answer.
      request.purpose == .first || progress[request.room]?.startedEmpty == true || found.items > 0
        || !items.leadsToNull(in: data)
    else {
      let mayBeTooMany =
        errors != nil && !GraphQLErrors.wantsAuthentication(payload["errors"] ?? .null)
      return historyFailed(
        errors ?? UntrustedText("it is empty"), request, mayBeTooMany: mayBeTooMany, at: now)
    }
    let astray = checkPaths(of: .history, items, in: data)
    var outputs = astray
    if let errors {
      outputs += notice("The history has errors: \(errors.raw)", kind: "history error")
    }
    var messages = found.messages
    if context.profile.historyOrder == .newestFirst { messages.reverse() }
    sizes.given(found.items)
    accepted(.history(request))
    if request.purpose != .first, request.after == nil || !historyTakesCursor,
      progress[request.room]?.startedEmpty != true
    {
      messages = sinceFirstSeen(messages)
    }
    if astray.isEmpty, found.unreadable > 0 {
      outputs += notice(
        "The history holds something that is no message by the profile “\(context.profile.name)”.",
        kind: "history shape")
    }
    switch request.purpose {
    case .check:
      return outputs + checked(messages, request, at: now)
    case .look:
      return outputs + looked(messages)
    case .advance:
      return outputs + advanced(messages, request)
    case .first:
      let reported = report(messages, .history, movesCursor: true)
      progress[request.room, default: RoomProgress()].isEntered = true
      progress[request.room]?.startedEmpty = found.items == 0
      // Nobody asked to see it: the last message was fetched for its cursor.
      if context.historyCount > 0 { outputs += reported }
      return outputs + historyDone(isComplete: true, request, at: now)
    case .missed:
      return outputs + missed(messages, items: found.items, request, at: now)
    }
  }

  /// An answer without a cursor goes further back than what was missed: what stands before the first
  /// message that was seen is older than our coming.
  func sinceFirstSeen(_ messages: [ChatMessage]) -> [ChatMessage] {
    let first = messages.firstIndex { ledger.hasSeen($0, room: context.room) }
    return first.map { Array(messages[$0...]) } ?? messages
  }

  /// `mayBeTooMany` where the server may take fewer messages at once than were asked for.
  mutating func historyFailed(
    _ text: UntrustedText, _ request: GraphQLLine.HistoryRequest, mayBeTooMany: Bool = false,
    at now: Instant
  ) -> [DialectOutput] {
    if request.purpose == .check { checkLater(at: now) }
    if request.purpose == .check || request.purpose == .look { return [] }
    if request.purpose == .advance { return [] }
    var refused = request
    refused.refused = text
    if mayBeTooMany, request.complaint != text, let smaller = askSmaller(refused, at: now) {
      return smaller
    }
    if let given = askByNumber(request, at: now) { return given }
    if request.step == .reach { return reached([], request, at: now) }
    let told =
      request.after != nil && namesCursor(text)
      ? forgottenNotice()
      : notice("The server did not give the history: \(text.raw)", kind: "history failed")
    // A server that lost its store does not know the cursor.
    if request.after != nil, historyTakesCursor, !request.isFallback {
      var again = request
      again.after = nil
      again.isFallback = true
      again.complaint = text
      again.step = .page
      again.count = pageSize(RoomProgress(isEntered: true))
      line?.historyDeadline = now + Self.historyTimeout
      return told + askHistory(again)
    }
    if progress[request.room]?.cursor == nil { line?.movesCursor = true }
    repeatLater(request, at: now)
    return told + historyDone(isComplete: false, request, at: now)
  }

  /// The largest number that a refusal names below that one: “exceeds the limit of 25”.
  private static func number(in refusal: UntrustedText, below count: Int) -> Int? {
    let words = refusal.raw.prefix(1024).lowercased()
    guard ["limit", "max", "exceed", "at most", "too many", "than"].contains(where: words.contains)
    else { return nil }
    return words.utf8.split { !(0x30...0x39).contains($0) }
      .compactMap { Int(String(decoding: $0, as: UTF8.self)) }.filter { 1..<count ~= $0 }.max()
  }

  /// A server may refuse to give so many at once.
  private mutating func askSmaller(
    _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput]? {
    let named = request.refused.flatMap { Self.number(in: $0, below: request.count) }
    guard let smaller = named ?? Self.smallerCounts.first(where: { $0 < request.count }) else {
      return nil
    }
    sizes.refused(above: smaller)
    var again = request
    again.complaint = nil
    again.refused = nil
    again.count = smaller
    if request.smaller != nil {
      again.step = pagingIsProven ? .page : .probe
      again.count = pagingIsProven ? again.count : 1
      again.smaller = pagingIsProven ? nil : request.smaller
    }
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(again)
  }

  /// A cursor that the person gave may be a number for the server, whatever the document says.
  private mutating func askByNumber(
    _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput]? {
    guard case .string(let text)? = request.after, text == context.after, historyTakesCursor,
      let number = Int64(text)
    else { return nil }
    var again = request
    again.after = .integer(number)
    progress[request.room]?.cursor = again.after
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(again)
  }

  /// The answer takes too long: posts need not wait for it. If it comes later, it is merged then.
  mutating func historyTimedOut(at now: Instant) -> [DialectOutput] {
    line?.historyDeadline = nil
    var outputs = notice("The server does not answer for the history.", kind: "history late")
    for case .history(let request) in (line?.operations ?? [:]).values
    where request.purpose == .first || request.purpose == .missed { repeatLater(request, at: now) }
    if line?.subscribesAfterHistory == true { outputs += subscribe(at: now) }
    return outputs + releaseHeld() + readyOnce()
  }

  /// With `leavesGap`, nothing will bring what is missing, and the room is gone on with behind it.
  mutating func historyDone(
    isComplete: Bool, leavesGap: Bool = false, _ request: GraphQLLine.HistoryRequest,
    at now: Instant
  ) -> [DialectOutput] {
    line?.historyDeadline = nil
    let goesOn = isComplete || leavesGap
    if goesOn {
      line?.movesCursor = true
      line?.historyRetry = nil
      line?.historyFailures = 0
    }
    let cursor = progress[context.room]?.cursor
    var outputs = gapNotice() + releaseHeld()
    if isComplete, request.purpose == .missed, !request.isFallback { outputs += lookUpPosts() }
    outputs += readyOnce()
    if line?.subscribesAfterHistory == true { outputs += subscribe(at: now) }
    if goesOn { checkSoon(after: cursor, at: now) }
    if goesOn, request.purpose == .missed { outputs += lookAgain() }
    return outputs
  }

  mutating func releaseHeld() -> [DialectOutput] {
    guard let held = line?.held else { return [] }
    line?.held = nil
    let movesCursor = line?.movesCursor ?? false
    guard context.profile.liveMode == .snapshot else {
      return report(held.messages, .live, movesCursor: movesCursor, isAnew: true)
    }
    return held.batches.flatMap { batch in
      switch batch.kind {
      case .said: report(batch.messages, .live, movesCursor: movesCursor)
      case .snapshot(let isWhole): snapshot(batch.messages, isWhole: isWhole)
      }
    }
  }

  /// Reports what is new of these messages of the current room, and which of our posts they settle.
  ///
  /// With `isAnew`, what has no id is another message though one like it was seen: people say “ok” more than once.
  mutating func report(
    _ messages: [ChatMessage], _ origin: MessageOrigin, movesCursor: Bool, isAnew: Bool = false
  ) -> [DialectOutput] {
    var new: [ChatMessage] = []
    var changed: [ChatMessage] = []
    var settled: [DialectOutput] = []
    let tracksChanges = context.profile.tracksChanges
    for message in messages {
      let entry = ledger.enter(
        message, room: context.room, isAnew: isAnew && !isEcho(of: message))
      if entry.isNew {
        new.append(entry.message)
        // It may come by the subscription as well.
        if !isAnew, MessageReader.isMadeUp(message.id) {
          line?.echoes[message.id, default: 0] += 1
        }
      } else if entry.isChanged, entry.message.hasMarks || tracksChanges {
        changed.append(form(entry.message))
      }
      if let nonce = message.nonce, settle(nonce) {
        settled.append(.sent(nonce: nonce, entry.message))
      }
      if context.profile.liveMode == .snapshot, let time = message.time {
        let room = progress[context.room] ?? RoomProgress()
        progress[context.room, default: RoomProgress()].newest = max(room.newest ?? time, time)
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
    return (new.isEmpty ? [] : [.messages(new, origin)])
      + (changed.isEmpty ? [] : [.changed(changed)]) + settled
  }

  private mutating func boundRooms() {
    guard progress.count > Self.mostRooms,
      let victim = progress.keys.first(where: { $0 != context.room })
    else { return }
    progress[victim] = nil
  }
}
