import JSON
import Text
import WebSocket

/// The room: the subscription, and what its results say.
extension GraphQLDialect {
  /// Asks for what is said from now on, and for what was said before.
  mutating func enterRoom(at now: Instant) -> [DialectOutput] {
    restoreCheckpoint()
    let room = progress[context.room] ?? RoomProgress()
    line?.live.retryAt = nil
    line?.historyRetry = nil
    line?.check = nil
    // An answer that is still outstanding would be about the same.
    var outputs = endOperations { if case .history = $0 { true } else { false } }
    line?.movesCursor =
      context.profile.history == nil || (context.profile.liveResumes && room.cursor != nil)
    line?.subscribesAfterHistory = liveNeedsCursor && room.cursor == nil
    if line?.subscribesAfterHistory == false { outputs += subscribe(at: now) }
    outputs += askNames()
    if context.profile.history == nil {
      outputs += gapWithoutHistory() + readyOnce()
    } else {
      if line?.held == nil { line?.held = HeldMessages() }
      line?.historyDeadline = now + Self.historyTimeout
      outputs += askHistory(
        GraphQLLine.HistoryRequest(
          room: context.room, purpose: room.isKnown ? .missed : .first, after: room.cursor,
          count: pageSize(room)))
    }
    return outputs + subscribeBeside(at: now)
  }

  /// Ends what belongs to the room that is left.
  mutating func leaveRoom() -> [DialectOutput] {
    restoreCheckpoint()
    let outputs = endOperations { $0.answerBy == nil }
    line?.live = GraphQLLine.Live()
    line?.streams = [:]
    line?.held = nil
    line?.historyDeadline = nil
    line?.historyRetry = nil
    line?.historyFailures = 0
    line?.check = nil
    return outputs
  }

  /// The server is told that their results are no longer of interest. They are forgotten before it is
  /// said, so that nothing that is on its way revives them.
  private mutating func endOperations(
    _ isUnwanted: (GraphQLLine.Operation) -> Bool
  ) -> [DialectOutput] {
    let unwanted = (line?.operations ?? [:]).filter { isUnwanted($0.value) }
    let ids = unwanted.keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    for id in ids { line?.operations[id] = nil }
    return ids.map { .send(GraphQLRequest.complete(id: $0, kind)) }
  }

  mutating func subscribe(at now: Instant) -> [DialectOutput] {
    line?.subscribesAfterHistory = false
    var values = templateValues
    if context.profile.liveResumes, let cursor = progress[context.room]?.cursor {
      values["cursor"] = cursor
    }
    let id = newID()
    line?.operations[id] = .live
    line?.live.id = id
    line?.live.since = now
    return [.send(GraphQLRequest.subscribe(id: id, context.profile.live, values, kind))]
  }

  mutating func newID() -> String {
    lastID += 1
    return String(lastID)
  }

  /// What every operation may name.
  var templateValues: TemplateValues {
    TemplateValues([
      "room": .string(context.room), "nick": .string(context.nick),
      "count": .integer(Int64(max(1, context.historyCount))),
    ])
  }

  mutating func readyOnce() -> [DialectOutput] {
    let resumed = takeResumed()
    guard line?.isReady == false else { return resumed }
    line?.isReady = true
    return resumed + [.ready]
  }

  mutating func liveResult(_ payload: JSON, at now: Instant) -> [DialectOutput] {
    var outputs: [DialectOutput] = []
    let errors = GraphQLErrors.text(inResult: payload)
    if let errors {
      outputs += notice("The subscription reports an error: \(errors.raw)", kind: "live error")
    }
    guard let data = payload["data"], !data.isNull else {
      if let errors, GraphQLErrors.wantsAuthentication(payload["errors"] ?? .null) {
        return liveRefused(errors)
      }
      if errors == nil {
        outputs += notice("The subscription sent an empty result.", kind: "live empty")
      }
      return outputs
    }
    line?.live.errorsInRow = 0
    line?.live.endsInRow = 0
    let astray = checkPaths(of: .live, liveItems, in: data)
    outputs += astray
    let isSnapshot = context.profile.liveMode == .snapshot
    let found = read(liveItems, in: data)
    let messages = isSnapshot ? oldestFirst(found.messages) : found.messages
    let isWhole = errors == nil && found.unreadable == 0
    if astray.isEmpty, found.unreadable > 0 || (found.items == 0 && !isSnapshot) {
      outputs += notice(
        "The subscription sent something that is no message by the profile “\(context.profile.name)”.",
        kind: "live shape")
    }
    if line?.held != nil {
      let kind = isSnapshot ? HeldMessages.Batch.Kind.snapshot(isWhole: isWhole) : .said
      let hasRoom = line?.held?.append(messages, kind) ?? true
      return hasRoom ? outputs : outputs + releaseHeld()
    }
    if let gap = gap(before: messages), let request = requestForGap(gap, at: now) {
      line?.held = HeldMessages()
      _ = line?.held?.append(messages, isSnapshot ? .snapshot(isWhole: isWhole) : .said)
      return outputs + request
    }
    if isSnapshot { return outputs + liveSnapshot(messages, isWhole: isWhole, at: now) }
    return outputs + report(messages, .live, movesCursor: line?.movesCursor ?? false, isAnew: true)
      + advanceCursor(past: messages)
  }

  /// The messages of this room in a result, in the order in which they stand; how many items the result
  /// holds, and how many of them are no messages.
  mutating func read(
    _ path: PathFinder, in data: JSON
  ) -> (messages: [ChatMessage], items: Int, unreadable: Int) {
    var messages: [ChatMessage] = []
    var unreadable = 0
    let items = MessageReader.items(at: path, in: data)
    for item in items {
      guard let reading = reader.read(item) else {
        unreadable += 1
        continue
      }
      // The server took the name of the room as it was written here.
      if let room = reading.room, room != context.room,
        room.lowercased() != context.room.lowercased()
      {
        continue
      }
      if reading.hasNumericID { idsAreNumbers = true }
      messages.append(reading.message)
    }
    return (messages, items.count, unreadable)
  }

  mutating func liveFailed(_ text: UntrustedText, at now: Instant) -> [DialectOutput] {
    noteEndOfLive(at: now)
    let isForgotten = namesCursor(text)
    line?.live.errorsInRow += 1
    let errors = line?.live.errorsInRow ?? 1
    guard errors < Self.mostLiveErrors else { return liveGivenUp(text) }
    // Nothing else finds out whether it is the cursor that the server does not take.
    if errors >= 2, context.profile.history == nil { progress[context.room]?.cursor = nil }
    let delay = retryDelay(errors)
    line?.live.retryAt = now + delay
    if isForgotten { return forgottenNotice() }
    return notice("The server ended the subscription: \(text.raw)", kind: "live failed")
  }

  mutating func liveEnded(at now: Instant) -> [DialectOutput] {
    noteEndOfLive(at: now)
    line?.live.endsInRow += 1
    let delay = retryDelay(line?.live.endsInRow ?? 1)
    line?.live.retryAt = now + delay
    return notice(
      "The server ended the subscription without a reason; it is asked for again.",
      kind: "live ended")
  }

  private mutating func noteEndOfLive(at now: Instant) {
    if let since = line?.live.since, now - since >= Self.goodSubscription {
      line?.live.errorsInRow = 0
      line?.live.endsInRow = 0
    }
    line?.live.id = nil
    line?.live.since = nil
  }

  /// 1, 2, 4 … seconds, a minute at most.
  func retryDelay(_ failures: Int) -> Duration {
    .seconds(min(60, 1 << min(max(failures - 1, 0), 6)))
  }

  /// The server refuses the subscription again and again.
  mutating func liveGivenUp(_ text: UntrustedText) -> [DialectOutput] {
    end(
      .protocol, text, " \(Self.mostLiveErrors) times in a row",
      advice: "check the profile's “live” part and what the token allows.")
  }

  /// The server wants to know who asks (the extension's code is Apollo's convention): the token does not do.
  mutating func liveRefused(_ text: UntrustedText) -> [DialectOutput] {
    end(.refused, text, advice: "check the token and connect again.")
  }

  private mutating func end(
    _ kind: Failure.Kind, _ text: UntrustedText, _ howOften: String = "", advice: String
  ) -> [DialectOutput] {
    line?.connection.phase = .failed
    let quoted = GraphQLVerdict.quote(text.raw).map { ": \($0)" } ?? ""
    return [
      .fail(
        Failure(
          kind: kind,
          message: "The server refused the subscription\(howOften)\(quoted); \(advice)",
          short: "subscription refused"),
        CloseReason(.normal, "Subscription refused"), retry: false)
    ]
  }
}
