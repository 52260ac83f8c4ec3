import JSON
import Text

/// Subscriptions beside the one for new messages, on the same line: changes, who writes, who is there.
extension GraphQLDialect {
  /// Asks for those that the profile has and that were not asked for on this line in this room.
  mutating func subscribeBeside(at now: Instant) -> [DialectOutput] {
    GraphQLLine.Stream.allCases.filter { line?.streams[$0] == nil }
      .flatMap { subscribe(to: $0, at: now) }
  }

  private mutating func subscribe(
    to stream: GraphQLLine.Stream, at now: Instant
  ) -> [DialectOutput] {
    guard let operation = operation(of: stream) else { return [] }
    let id = newID()
    line?.operations[id] = .stream(stream)
    line?.streams[stream, default: GraphQLLine.StreamState(since: now)].since = now
    line?.streams[stream]?.retryAt = nil
    return [.send(GraphQLRequest.subscribe(id: id, operation, templateValues, kind))]
  }

  /// When one that ended is asked for again.
  var streamsDue: Instant? { line?.streams.values.compactMap(\.retryAt).min() }

  /// Asks again for those whose pause is over, and for what changed meanwhile.
  mutating func retryStreams(at now: Instant) -> [DialectOutput] {
    let due = GraphQLLine.Stream.allCases.filter { stream in
      line?.streams[stream]?.retryAt.map { $0 <= now } ?? false
    }
    guard !due.isEmpty else { return [] }
    let asked = due.flatMap { subscribe(to: $0, at: now) }
    return due.contains(.changes) || due.contains(.deletions) ? asked + lookAgain() : asked
  }

  private func operation(of stream: GraphQLLine.Stream) -> Profile.Operation? {
    switch stream {
    case .changes: context.profile.changes
    case .deletions: context.profile.deletions
    case .typists: context.profile.typists
    case .members: context.profile.membersAreLive ? context.profile.members : nil
    }
  }

  mutating func streamResult(
    _ payload: JSON, _ stream: GraphQLLine.Stream
  ) -> [DialectOutput] {
    var outputs: [DialectOutput] = []
    if let errors = GraphQLErrors.text(inResult: payload) {
      outputs += notice(
        "The subscription “\(stream.rawValue)” reports an error: \(errors.raw)",
        kind: "\(stream.rawValue) error")
    }
    guard let data = payload["data"], !data.isNull, let operation = operation(of: stream) else {
      return outputs
    }
    let path = PathFinder(operation.items)
    let items = MessageReader.items(at: path, in: data)
    switch stream {
    case .changes:
      let found = read(path, in: data)
      if found.unreadable > 0 {
        outputs += notice(
          "A change is no message by the profile “\(context.profile.name)”.", kind: "changes shape")
      }
      for message in found.messages { _ = ledger.isChanged(message, room: context.room) }
      let forms = found.messages.map { known(form($0)) }
      return forms.isEmpty ? outputs : outputs + [.changed(forms)]
    case .deletions:
      let forms = items.prefix(Self.mostPerPage).compactMap { deleted($0) }
      return forms.isEmpty ? outputs : outputs + [.changed(forms)]
    case .typists:
      let names = items.compactMap(\.string).filter { !$0.isEmpty && $0 != context.nick }
      return outputs + names.prefix(20).map { .typing(UntrustedText($0)) }
    case .members:
      let names = items.prefix(10_000).compactMap { $0.string.map { UntrustedText($0) } }
      return outputs + [.members(names)]
    }
  }

  /// All that need be said of it is its id.
  private mutating func deleted(_ item: JSON) -> ChatMessage? {
    guard let id = reader.readID(item) else { return nil }
    var message = ChatMessage(id: id, author: nil, text: UntrustedText(""))
    message.marks.isDeleted = true
    message.marks.revision = item.members == nil ? nil : reader.read(item)?.message.marks.revision
    _ = ledger.isChanged(message, room: context.room)
    return known(message)
  }

  /// It is asked for again, later each time it ends soon. One that ended with errors only, or of which the server says
  /// that it does not know it or wants to know who asks, is not: the answer would be the same.
  mutating func streamEnded(
    _ stream: GraphQLLine.Stream, _ error: JSON?, at now: Instant
  ) -> [DialectOutput] {
    var state = line?.streams[stream] ?? GraphQLLine.StreamState(since: now)
    if now - state.since >= Self.goodSubscription { (state.endsInRow, state.errorsInRow) = (0, 0) }
    state.endsInRow += 1
    state.errorsInRow = error == nil ? 0 : state.errorsInRow + 1
    state.isGivenUp =
      state.errorsInRow >= Self.mostLiveErrors || error.map(GraphQLErrors.isFinal) ?? false
    state.retryAt = state.isGivenUp ? nil : now + retryDelay(state.endsInRow)
    line?.streams[stream] = state
    let what =
      switch stream {
      case .changes: "what changes in the messages"
      case .deletions: "which messages are deleted"
      case .typists: "who is writing"
      case .members: "who comes and goes"
      }
    guard let error else {
      return notice(
        "The server has stopped telling \(what); it is asked for that again.",
        kind: "\(stream.rawValue) ended")
    }
    return notice(
      "The server does not tell \(what): \(GraphQLErrors.text(in: error).raw)",
      kind: "\(stream.rawValue) failed")
  }

  /// Another name in a subscription that says who listens.
  mutating func renameLive(at now: Instant) -> [DialectOutput] {
    let live = Template.all(in: .object(context.profile.live.variables))
    guard live.contains(where: { $0.name == "nick" }), line?.connection.phase == .acknowledged,
      let id = line?.live.id
    else { return [] }
    line?.operations[id] = nil
    checkSoon(after: progress[context.room]?.cursor, at: now)
    return [.send(GraphQLRequest.complete(id: id, kind))] + subscribe(at: now)
  }

  // MARK: - The embedded server

  /// What the embedded server says in its acknowledgement: that it knows what `Profile.embedded` asks for.
  static func knowsChanges(_ payload: JSON?) -> Bool {
    payload?["server"] == "parlour"
      && payload?["features"]?.array?.contains(.string("changes")) == true
  }

  /// The profile that goes for servers of which nothing is known asks for what each of them has; an embedded one has more.
  mutating func adoptWhatIsKnown(_ payload: JSON?) {
    guard context.profile.isBuiltIn else { return }
    let isWhole = context.profile.changes != nil
    guard Self.knowsChanges(payload) != isWhole else { return }
    context.profile = isWhole ? .builtIn : .embedded
    let other = GraphQLDialect(context)
    reader = other.reader
    historyItems = other.historyItems
    postItems = other.postItems
    liveItems = other.liveItems
    historyTakesCursor = other.historyTakesCursor
    liveNeedsCursor = other.liveNeedsCursor
    paging = other.paging
  }
}
