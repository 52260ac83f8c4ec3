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
    case unreachable
  }

  /// An answer about what was missed. One that may hold the newest only is not reported before the ones between are
  /// there as well: else a line that is cut now would leave a gap behind the cursor.
  mutating func missed(
    _ messages: [ChatMessage], items: Int, _ request: GraphQLLine.HistoryRequest, at now: Instant
  ) -> [DialectOutput] {
    // What the server says now counts: the cursor that it did not take is forgotten.
    if request.isFallback { progress[request.room]?.cursor = nil }
    var page = nextPage(after: request, items: items, first: messages.first?.id)
    var next = request
    next.page += 1
    if page == .larger {
      next.smaller = GraphQLLine.HistoryRequest.Page(items: items, first: messages.first?.id)
      next.count = min(request.count * 4, Self.mostPerPage * 10)
      line?.historyDeadline = now + Self.historyTimeout
      return askHistory(next)
    }
    let reported = report(messages, .missed, movesCursor: true)
    if page == .behind {
      next.smaller = nil
      next.after = progress[request.room]?.cursor
      next.count =
        request.smaller == nil ? request.count : pageSize(progress[request.room] ?? RoomProgress())
      if next.after == request.after { page = .unreachable }
    }
    switch page {
    case .none, .larger: return reported + historyDone(isComplete: true, request, at: now)
    case .behind:
      line?.historyDeadline = now + Self.historyTimeout
      return reported + askHistory(next)
    case .unreachable:
      return reported
        + notice(
          "So much was said while you were away that not all of it could be fetched; some may be missing.",
          kind: "history gap") + historyDone(isComplete: false, request, at: now)
    }
  }

  /// A page that is full by number may have been cut. Where nobody knows at which end, a larger one at the same
  /// cursor shows it: it begins with the same message, or with an earlier one.
  private mutating func nextPage(
    after request: GraphQLLine.HistoryRequest, items: Int, first: String?
  ) -> NextPage {
    let isFull = items >= request.count
    guard request.after != nil, historyTakesCursor, !request.isFallback else {
      return isFull ? .unreachable : .none
    }
    if let smaller = request.smaller {
      let beginsAlike = smaller.first == first
      if paging == .unknown, !beginsAlike || isFull { paging = beginsAlike ? .nearest : .newest }
      if items <= smaller.items {
        // There is no more, or the server gives no more at once.
        return paging == .newest ? .unreachable : .behind
      }
    }
    guard isFull else { return .none }
    if paging == .nearest { return request.page + 1 < Self.mostPages ? .behind : .unreachable }
    return request.count < Self.mostPerPage * 10 ? .larger : .unreachable
  }

  // MARK: - Once more

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

  /// As long as there is something new in it, there may be more behind: a server may give fewer than are asked for.
  mutating func checked(
    _ messages: [ChatMessage], _ request: GraphQLLine.HistoryRequest
  ) -> [DialectOutput] {
    let isNew = messages.contains { !ledger.hasSeen($0, room: context.room) }
    let outputs = report(messages, .live, movesCursor: false)
    guard isNew, historyTakesCursor, request.page + 1 < Self.mostPages,
      context.profile.historyOrder == .oldestFirst,
      let cursor = messages.last?.cursor, cursor != request.after
    else { return outputs }
    var next = request
    next.page += 1
    next.after = cursor
    return outputs + askHistory(next)
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
