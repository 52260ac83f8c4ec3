import JSON
import Text
package import WebSocket

/// GraphQL over WebSocket, subprotocols `graphql-transport-ws` and `graphql-ws`, for any schema that a profile
/// describes.
///
/// After connection_ack the subscription is asked for first and the history after it; what arrives live
/// while the history is outstanding is held back and merged by id. After a loss the history is asked from
/// the cursor, page by page, so that nothing that was said meanwhile is missing.
package struct GraphQLDialect: Dialect {
  package static let name = DialectName.graphql

  /// How long posts wait for the history.
  static let historyTimeout: Duration = .seconds(10)
  /// When history is asked once more after a subscription that cannot resume.
  static let checkDelay: Duration = .seconds(3)
  /// How long the answer to a post may take.
  static let postTimeout: Duration = .seconds(30)
  /// A subscription that held for this long is a good one.
  static let goodSubscription: Duration = .seconds(60)
  /// Errors of the subscription in a row after which the line is given up.
  static let mostLiveErrors = 5
  static let mostPages = 200
  /// The most messages in one answer that are asked for.
  static let mostPerPage = 1000
  /// What is tried where a server refuses to give so many at once.
  static let smallerCounts = [100, 50]
  static let mostRooms = 256
  static let mostUnresolved = 256
  static let mostPostRepeats = 5

  var context: DialectContext
  var reader: MessageReader
  var historyItems: PathFinder?
  var postItems: PathFinder?
  var liveItems: PathFinder
  /// Whether the history's variables take the cursor.
  var historyTakesCursor: Bool
  /// The subscription's cursor has a default that means "from the beginning".
  var liveNeedsCursor: Bool
  /// The server writes its ids as numbers, and so are they given back.
  var idsAreNumbers = false

  var paging: HistoryPaging
  /// Seen in an answer, not only taken from the profile.
  var pagingIsProven = false
  var sizes = PageSizes(mostCount: GraphQLDialect.mostPerPage * 10)
  var ledger: MessageLedger
  var progress: [String: RoomProgress] = [:]
  /// Never used again in the life of this value, so that a late message cannot hit a newer operation.
  var lastID = 0
  var line: GraphQLLine?
  /// As the subprotocol of the line says.
  var kind = GraphQLProtocol.transport
  /// Posts that the loss of a line left in doubt, the oldest first; a message with the nonce settles them.
  var unresolved: [String] = []
  var mishaps: [String: MishapCounter] = [:]
  /// Whose paths were held against a result.
  var checked: Set<PathCheck> = []
  /// What was asked once more because the token was refused.
  var refused: Set<String> = []
  /// Posts of an earlier run that may be repeated once the history has not shown them.
  var resumed: [String] = []

  package init(_ context: DialectContext) {
    self.context = context
    let profile = context.profile
    reader = MessageReader(profile)
    historyItems = profile.history.map { PathFinder($0.items) }
    postItems = profile.post.map { PathFinder($0.items) }
    liveItems = PathFinder(profile.live.items)
    let historyTemplates = Template.all(
      in: .object(profile.history?.variables ?? []))
    historyTakesCursor = historyTemplates.contains { $0.name == "cursor" }
    liveNeedsCursor =
      profile.liveResumes && profile.history != nil
      && Template.all(in: .object(profile.live.variables)).contains { template in
        guard template.name == "cursor", case .value = template.otherwise else { return false }
        return true
      }
    // The embedded server.
    let isKnown = profile.isBuiltIn && profile.liveResumes
    paging = profile.historyOrder == .newestFirst ? .newest : isKnown ? .nearest : .unknown
    ledger = MessageLedger(nick: context.nick)
    for (room, cursor) in context.memory.cursors {
      progress[room] = RoomProgress(cursor: cursor, isEntered: true)
    }
    if let after = context.after {
      progress[context.room] = RoomProgress(
        cursor: profile.cursor(after), isEntered: true)
    }
    for room in context.memory.rooms { recall(room) }
  }

  package var deadline: Instant? {
    guard let line else { return nil }
    switch line.connection.phase {
    case .failed, .introducing: return line.connection.deadline
    case .acknowledged:
      var moments = [
        line.historyDeadline, line.historyRetry?.at, line.live.retryAt, line.check?.at,
        line.connection.deadline, line.repeatAt, streamsDue,
      ].compactMap { $0 }
      for operation in line.operations.values {
        if let answerBy = operation.answerBy { moments.append(answerBy) }
      }
      return moments.min()
    }
  }

  package mutating func agreed(on subprotocol: String?) {
    kind = GraphQLProtocol(subprotocol: subprotocol)
  }

  package mutating func opened(at now: Instant) -> [DialectOutput] {
    line = GraphQLLine(
      connection: GraphQLConnection(kind, patience: context.acknowledgementTimeout, at: now))
    mishaps = [:]
    return [.send(GraphQLRequest.connectionInit(payload: context.introduction))]
  }

  package mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, at now: Instant
  ) -> [DialectOutput] {
    switch line?.connection.receive(kind, bytes, at: now) {
    case nil, .nothing: return []
    case .handled(let outputs): return outputs
    case .acknowledged(let payload):
      adoptWhatIsKnown(payload)
      return enterRoom(at: now)
    case .next(let id, let payload): return next(id, payload, at: now)
    case .error(let id?, let payload): return failed(id, payload, at: now)
    case .error(nil, let payload):
      return notice(
        "The server reports an error: \(GraphQLErrors.text(in: payload).raw)", kind: "error")
    case .complete(let id): return completed(id, at: now)
    }
  }

  /// Results go to the operation of that id. Others are ignored: both sides may end an operation while
  /// messages are on their way.
  mutating func next(_ id: String, _ payload: JSON, at now: Instant) -> [DialectOutput] {
    switch line?.operations[id] {
    case nil: return []
    case .live: return liveResult(payload, at: now)
    case .history(let request):
      line?.operations[id] = nil
      return historyResult(payload, request, at: now)
    case .post(let request):
      line?.operations[id] = nil
      return postResult(payload, request, at: now)
    case .names(let list):
      line?.operations[id] = nil
      return names(list, in: payload)
    case .typing:
      line?.operations[id] = nil
      return []
    case .earlier(let room):
      line?.operations[id] = nil
      return earlierResult(payload, room)
    case .change(let request):
      line?.operations[id] = nil
      return changeResult(payload, request)
    case .stream(let stream): return streamResult(payload, stream)
    }
  }

  /// An `error` ends its operation and nothing else.
  mutating func failed(_ id: String, _ payload: JSON, at now: Instant) -> [DialectOutput] {
    guard let operation = line?.operations.removeValue(forKey: id) else { return [] }
    let text = GraphQLErrors.text(in: payload)
    if GraphQLErrors.wantsAuthentication(payload),
      let outputs = refusedForToken(operation, text)
    {
      return outputs
    }
    switch operation {
    case .live where GraphQLErrors.wantsAuthentication(payload): return liveRefused(text)
    case .live: return liveFailed(text, at: now)
    case .history(let request):
      let mayBeTooMany = payload.string == nil && !GraphQLErrors.wantsAuthentication(payload)
      return historyFailed(text, request, mayBeTooMany: mayBeTooMany, at: now)
    case .post(let request): return [.rejected(nonce: request.nonce, reason: text)]
    case .names(let list): return namesFailed(list, text)
    case .typing: return []
    case .earlier: return earlierFailed(text)
    case .change(let request): return changeRefused(request.change, text)
    case .stream(let stream): return streamEnded(stream, payload, at: now)
    }
  }

  private mutating func completed(_ id: String, at now: Instant) -> [DialectOutput] {
    guard let operation = line?.operations.removeValue(forKey: id) else { return [] }
    switch operation {
    case .live: return liveEnded(at: now)
    case .history(let request):
      return historyFailed(UntrustedText("it ended without a result"), request, at: now)
    case .post(let request):
      return [
        .notice(UntrustedText("The server answered a message without saying what became of it.")),
        .unsure(nonce: request.nonce),
      ]
    case .names, .typing: return []
    case .earlier: return earlierFailed(UntrustedText("it ended without a result"))
    case .change(let request):
      return changeRefused(request.change, UntrustedText("it ended without a result"))
    case .stream(let stream): return streamEnded(stream, nil, at: now)
    }
  }

  package mutating func join(room: String, at now: Instant) -> [DialectOutput] {
    guard room != context.room else { return [] }
    context.room = room
    guard line?.connection.phase == .acknowledged else { return [] }
    return leaveRoom() + enterRoom(at: now)
  }

  package mutating func typing() -> [DialectOutput] {
    guard let operation = context.profile.typing, line?.isReady == true else { return [] }
    // One at a time: a server that does not answer them gets no more.
    guard line?.operations.values.contains(.typing) == false else { return [] }
    let id = newID()
    line?.operations[id] = .typing
    return [ask(id, operation, templateValues)]
  }

  package mutating func renew(_ token: Bearer) {
    if context.token != nil { context.token = token }
  }

  package mutating func rename(nick: String, at now: Instant) -> [DialectOutput] {
    context.nick = nick
    ledger.nick = nick
    return renameLive(at: now)
  }

  package mutating func barrierPassed(at now: Instant) -> [DialectOutput] {
    line?.connection.barrierPassed(at: now)
    return []
  }

  package mutating func timeReached(at now: Instant) -> [DialectOutput] {
    let ofConnection = self.line?.connection.timeReached(at: now) ?? []
    guard let line else { return [] }
    switch line.connection.phase {
    case .failed, .introducing: return ofConnection
    case .acknowledged:
      var outputs = ofConnection + postsTimedOut(at: now) + changesTimedOut(at: now)
      if let due = line.historyDeadline, now >= due { outputs += historyTimedOut(at: now) }
      if let retry = self.line?.historyRetry, now >= retry.at {
        outputs += retryHistory(isFirst: retry.isFirst, at: now)
      }
      if let due = line.live.retryAt, now >= due { outputs += enterRoom(at: now) }
      outputs += retryStreams(at: now)
      if let due = line.repeatAt, now >= due { outputs += takeRepeats() }
      if let check = self.line?.check, now >= check.at { outputs += askAgain(after: check.after) }
      return outputs
    }
  }

  package mutating func lost() -> [DialectOutput] {
    restoreCheckpoint()
    askForLessAfterLoss()
    guard let line else { return [] }
    var outputs: [DialectOutput] = []
    let room = progress[context.room]
    let isFetchedAgain =
      room?.cursor != nil && (historyTakesCursor || context.profile.liveResumes)
    if line.held != nil, !isFetchedAgain {
      self.line?.movesCursor = false
      outputs += releaseHeld()
    }
    let posts = self.line?.operations.sortedPosts ?? []
    outputs += takeRepeats()
    outputs += changesLost()
    self.line = nil
    for post in posts {
      unresolved.append(post.nonce)
      outputs.append(
        context.profile.postRepeat == .safe
          ? .repeatable(nonce: post.nonce) : .unsure(nonce: post.nonce))
    }
    if unresolved.count > Self.mostUnresolved {
      unresolved.removeFirst(unresolved.count - Self.mostUnresolved)
    }
    return outputs
  }

  package func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? {
    let usual =
      line.map { $0.connection.verdict(on: reason, isReady: isReady) }
      ?? GraphQLVerdict.verdict(on: reason, isAcknowledged: isReady, told: nil)
    guard let rule = context.profile.retry[Int(reason.code.rawValue)] else { return usual }
    return GraphQLVerdict.verdict(by: rule, on: reason, usual)
  }
}
