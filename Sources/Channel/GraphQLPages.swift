import JSON
import Text

/// Which messages a server puts into a page of the history that is too small for all of those behind a cursor.
enum HistoryPaging: Equatable, Sendable {
  case unknown
  /// Those next to the cursor: the rest is behind them.
  case nearest
  /// The newest: the rest lies between them and the cursor.
  case newest
}

/// What was missed, where one answer does not hold all of it, and what is asked for again later.
extension GraphQLDialect {
  /// When a history that failed is asked for again on the same line; doubled each time, a minute at most.
  static let historyRetryDelay: Duration = .seconds(5)
  static let mostHistoryRetries = 6

  private enum NextPage: Equatable {
    /// Nothing is missing.
    case none
    /// The rest is behind this one.
    case behind
    /// A larger one at the same cursor, which holds the messages of this one too.
    case larger
    /// One message at the same cursor, to know which ones the server gives.
    case probe
    /// The newest without a cursor.
    case reach
    case unreachable
  }

  /// An answer about what was missed. One that may hold the newest only is not reported before the ones between are
  /// there as well: else a line that is cut now would leave a gap behind the cursor.
  mutating func missed(
    _ messages: [ChatMessage], items: Int, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    // What the server says now counts: the cursor that it did not take is forgotten.
    if request.isFallback { progress[request.room]?.cursor = nil }
    switch request.step {
    case .page: break
    case .probe: return probed(messages, request, at: now)
    case .reach: return reached(messages, request, at: now)
    }
    var page = nextPage(after: request, items: items, messages)
    if isLeftToLive(messages, items: items, request, page) {
      return historyDone(isComplete: true, request, at: now)
    }
    var next = request
    next.page += 1
    switch page {
    case .none, .behind, .unreachable: break
    case .larger, .probe:
      next.smaller = GraphQLLine.HistoryRequest.Page(items: items, first: messages.first?.id)
      next.count = page == .probe ? 1 : min(request.count * 4, sizes.largestCount)
      next.step = page == .probe ? .probe : .page
    case .reach:
      // More than were given; so many the server takes to be asked for.
      next.found = messages
      next.step = .reach
    }
    if [.larger, .probe, .reach].contains(page) {
      line?.historyDeadline = now + Self.historyTimeout
      return askHistory(next)
    }
    // What is missing lies before the newest, and behind the nearest.
    let isBefore = paging == .newest || request.after == nil || request.isFallback
    let reported = report(messages, .missed, movesCursor: true)
    if page == .behind {
      next.smaller = nil
      next.after = progress[request.room]?.cursor
      next.count =
        request.smaller == nil ? request.count : pageSize(progress[request.room] ?? RoomProgress())
      if next.after == request.after { page = items < request.count ? .none : .unreachable }
    }
    switch page {
    case .none, .larger, .probe, .reach:
      return reported + historyDone(isComplete: true, request, at: now)
    case .behind:
      line?.historyDeadline = now + Self.historyTimeout
      return reported + askHistory(next)
    case .unreachable:
      return (isBefore ? gapLine + reported : reported + gapLine)
        + historyDone(isComplete: false, leavesGap: true, request, at: now)
    }
  }

  /// A subscription that resumes at the cursor brings all that was missed in its order. An answer that may hold the
  /// newest only would bring it out of order, and move the cursor beyond what is not there yet.
  private func isLeftToLive(
    _ messages: [ChatMessage], items: Int, _ request: GraphQLLine.HistoryRequest, _ page: NextPage
  ) -> Bool {
    guard context.profile.liveResumes, request.after != nil, !request.isFallback, line?.gap == nil,
      paging != .nearest, !looksUp(in: messages)
    else { return false }
    switch page {
    case .unreachable: return true
    case .none: return request.smaller == nil && mayBeCut(items)
    case .behind, .larger, .probe, .reach: return false
    }
  }

  /// From a server that has given more at once before, these are all.
  private func mayBeCut(_ items: Int) -> Bool {
    items >= sizes.largestPage && items >= PageSizes.leastFull
  }

  /// Whether there are posts to be looked up that are not among these.
  private func looksUp(in messages: [ChatMessage]) -> Bool {
    context.profile.looksUpPosts
      && !unresolved.allSatisfy { nonce in messages.contains { $0.nonce == nonce } }
  }

  /// The line ended over answers that may have been too large.
  mutating func askForLessAfterLoss() {
    let counts = (line?.operations ?? [:]).values.compactMap { operation in
      if case .history(let request) = operation { request.count } else { nil }
    }
    if let count = counts.max() { sizes.lost(over: count) }
  }

  private var gapLine: [DialectOutput] {
    [
      .notice(
        UntrustedText(
          "More was said while you were away than the server gives: some of it may be missing here."
        ))
    ]
  }

  /// A page of one at the cursor begins with the same message as the page before where it holds the nearest. The page
  /// is asked for again, with that known.
  private mutating func probed(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    let beginsAlike = messages.isEmpty || messages.first?.id == request.smaller?.first
    paging = beginsAlike ? .nearest : .newest
    pagingIsProven = true
    var next = request
    next.page += 1
    next.step = .page
    next.smaller = nil
    next.count = pageSize(progress[request.room] ?? RoomProgress())
    line?.historyDeadline = now + Self.historyTimeout
    return askHistory(next)
  }

  /// The newest messages of the room: nothing is missing where the one at the cursor is among them.
  mutating func reached(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    let start = messages.lastIndex { $0.cursor == request.after }
    if start == nil, isLeftToLive(messages, items: messages.count, request, .unreachable) {
      return historyDone(isComplete: true, request, at: now)
    }
    let rest = start.map { Array(messages[($0 + 1)...]) } ?? []
    let ids = Set(rest.map(\.id))
    let reported = report(
      request.found.filter { !ids.contains($0.id) } + rest, .missed, movesCursor: true)
    if start != nil { return reported + historyDone(isComplete: true, request, at: now) }
    return gapLine + reported
      + historyDone(isComplete: false, leavesGap: true, request, at: now)
  }

  /// A page that is full by number may have been cut. Where nobody knows at which end, a larger one at the same
  /// cursor shows it: it begins with the same message, or with an earlier one.
  private mutating func nextPage(
    after request: GraphQLLine.HistoryRequest, items: Int, _ messages: [ChatMessage]
  ) -> NextPage {
    let isFull = items >= request.count
    let first = messages.first?.id
    guard request.after != nil, historyTakesCursor, !request.isFallback else {
      return reachesBack(messages, request, isFull: isFull) ? .none : .unreachable
    }
    if let smaller = request.smaller {
      let beginsAlike = smaller.first == first
      let isLonger = items > smaller.items
      if !pagingIsProven, !beginsAlike || isFull || isLonger {
        paging = beginsAlike ? .nearest : .newest
        pagingIsProven = true
      }
      if !isLonger {
        // There is no more, or the server gives no more at once.
        if !pagingIsProven { return .probe }
        return paging == .newest ? .reach : .behind
      }
    }
    guard isFull else { return behindShort(request, items: items, messages) }
    if paging == .nearest { return request.page + 1 < Self.mostPages ? .behind : .unreachable }
    if request.count < sizes.largestCount { return .larger }
    return pagingIsProven || items < 2 ? .unreachable : .probe
  }

  /// Whether the newest messages leave nothing out behind those that were seen.
  private func reachesBack(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest, isFull: Bool
  ) -> Bool {
    if messages.contains(where: { ledger.hasSeen($0, room: context.room) }) { return true }
    // In an empty room, or at a server that lost its store, there may be nothing to reach back to.
    let isAllNew = request.isFallback || progress[request.room]?.startedEmpty == true
    // A round number may be a limit of the server's own.
    let isCut = messages.count >= PageSizes.leastFull && messages.count % 5 == 0
    return !isFull && !isCut && (isAllNew || messages.isEmpty)
  }

  /// Fewer than were asked for: there are no more, or the server gives no more at once. Where the subscription brings
  /// the rest nobody need know.
  private func behindShort(
    _ request: GraphQLLine.HistoryRequest, items: Int, _ messages: [ChatMessage]
  ) -> NextPage {
    let isWanted =
      !context.profile.liveResumes || line?.gap != nil || looksUp(in: messages)
    guard isWanted, let last = messages.last else { return .none }
    // From a server that has given more at once before, these are all.
    let mayBeCut = items >= sizes.largestPage
    guard messages.contains(where: { !ledger.hasSeen($0, room: context.room) }) else {
      // What came live before a check has moved the cursor stands behind the cursor.
      let isBeginning = paging != .newest && mayBeCut && last.cursor != request.after
      return isBeginning && request.page + 1 < Self.mostPages ? .behind : .none
    }
    if mayBeCut, !pagingIsProven, items > 1, paging != .nearest { return .probe }
    if paging == .newest { return mayBeCut ? .reach : .none }
    // What follows a message that came live comes live.
    if line?.held?.messages.contains(where: { $0.id == last.id }) == true { return .none }
    return request.page + 1 < Self.mostPages ? .behind : .unreachable
  }
}
