import JSON
import Text

/// What a GraphQL dialect knows of the current line; everything here ends with it.
struct GraphQLLine: Sendable {
  /// An operation that was asked for and has not ended.
  enum Operation: Equatable, Sendable {
    case live
    case history(HistoryRequest)
    case post(PostRequest)
    /// "I am writing": whatever comes of it, nobody waits for it.
    case typing
    /// What was said before everything that was seen of a room.
    case earlier(room: String)
    /// A query for names: the rooms, or who is in the room.
    case names(NameList)
    case change(ChangeRequest)
    /// A subscription beside the one for new messages.
    case stream(Stream)

    /// When an answer must be there.
    var answerBy: Instant? {
      switch self {
      case .post(let request): request.answerBy
      case .change(let request): request.answerBy
      case .live, .history, .typing, .earlier, .names, .stream: nil
      }
    }
  }

  /// What else is subscribed to in a room.
  enum Stream: String, CaseIterable, Sendable {
    case changes, deletions, typists, members
  }

  /// How one of these subscriptions fares on this line.
  struct StreamState: Equatable, Sendable {
    var since: Instant
    /// It ended; when to ask again.
    var retryAt: Instant?
    /// Ends in a row, those with an error among them.
    var endsInRow = 0
    var errorsInRow = 0
    /// It is not asked for on this line any more.
    var isGivenUp = false
  }

  struct ChangeRequest: Equatable, Sendable {
    var change: MessageChange
    var answerBy: Instant
  }

  enum NameList: Equatable, Sendable {
    case rooms, members
  }

  struct HistoryRequest: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
      /// The room's last messages, before anything of it was seen.
      case first
      /// What was said since the cursor.
      case missed
      /// Once more a little later: nobody says when a subscription is live, and what was said in between
      /// came neither by it nor in the first answer.
      case check
      /// What was seen before, in the form that it has now: it may have changed while nobody listened.
      case look
      /// To have a newer cursor: live messages bring none.
      case advance
    }

    /// How many items an answer held, and the id of the oldest message in it.
    struct Page: Equatable, Sendable {
      var items: Int
      var first: String?
    }

    /// What an answer about what was missed is for.
    enum Step: Equatable, Sendable {
      case page
      /// One message at the same cursor: whether a server gives those next to it or the newest.
      case probe
      /// The newest without a cursor: whether they reach back to it.
      case reach
    }

    var room: String
    var purpose: Purpose
    var after: JSON?
    /// How many messages were asked for.
    var count: Int
    /// How many requests went before this one for the same purpose.
    var page = 0
    /// The smaller page that was asked for at the same cursor before, and was full.
    var smaller: Page?
    /// The server did not take the cursor; this request does without.
    var isFallback = false
    /// What the server said to that.
    var complaint: UntrustedText?
    /// What the server said to the number that was asked for.
    var refused: UntrustedText?
    var step = Step.page
    /// What the page before held, which is not reported yet.
    var found: [ChatMessage] = []
    /// An earlier page of the same check held what had not come live.
    var bringsNews = false
  }

  /// Where a room was read to without a doubt: what was said between that and the moment when the subscription went
  /// live may have come by neither.
  struct Checkpoint: Equatable, Sendable {
    var room: String
    var cursor: JSON?
  }

  /// A post over HTTP that did not get through, to be made once more.
  struct PostRepeat: Equatable, Sendable {
    var nonce: String
    /// The server may have it all the same.
    var mayBeThere: Bool
  }

  struct PostRequest: Equatable, Sendable {
    var nonce: String
    var room: String
    var answerBy: Instant
  }

  /// The subscription.
  struct Live: Equatable, Sendable {
    var id: String?
    var since: Instant?
    /// It ended; when to ask again.
    var retryAt: Instant?
    var errorsInRow = 0
    var endsInRow = 0
  }

  var connection: GraphQLConnection
  var isReady = false
  /// It was told that the server does not know the cursor any more.
  var isForgotten = false
  var operations: [String: Operation] = [:]
  var live = Live()
  var streams: [Stream: StreamState] = [:]
  /// Set while an answer about earlier messages is outstanding.
  var held: HeldMessages?
  /// How long posts wait for that answer.
  var historyDeadline: Instant?
  /// When to ask again for a history that failed, and whether it was the first of the room.
  var historyRetry: (at: Instant, isFirst: Bool)?
  var historyFailures = 0
  /// When to ask for history once more, and from which cursor.
  var check: (at: Instant, after: JSON?)?
  var checks = 0
  /// Set until that was answered.
  var checkpoint: Checkpoint?
  var repeats: [PostRepeat] = []
  var repeatAt: Instant?
  var failuresOfPosts = 0
  /// Messages without ids that the subscription may still bring: the history, or the answer to a post, has shown them.
  var echoes: [String: Int] = [:]
  /// How many live messages without a cursor came since the last one with one.
  var withoutCursor = 0
  /// Numbers that no message came for, while they are asked for.
  var gap: ClosedRange<Int64>?
  /// Whether live messages may move the cursor: not before everything older was fetched.
  var movesCursor = false
  /// The subscription waits for the first answer, as it can only begin at a cursor.
  var subscribesAfterHistory = false
}

/// How far a room was read.
struct RoomProgress: Equatable, Sendable {
  /// Of the last message; where to go on from.
  var cursor: JSON?
  /// The first history was answered, or is not wanted.
  var isEntered = false
  /// Nothing had been said in it when it was entered.
  var startedEmpty = false
  /// The ids of the latest snapshot, in its order.
  var snapshot: [String] = []
  /// When the newest message was said.
  var newest: Timestamp?
  /// The highest number of a message, where the server counts.
  var lastSeq: Int64?

  /// Something of it was seen: what is new now was missed.
  var isKnown: Bool { isEntered || cursor != nil }
}

extension [String: GraphQLLine.Operation] {
  /// The posts under way, in the order in which they were made.
  var sortedPosts: [GraphQLLine.PostRequest] {
    compactMap { id, operation in
      if case .post(let request) = operation { (Int(id) ?? 0, request) } else { nil }
    }
    .sorted { $0.0 < $1.0 }
    .map { $0.1 }
  }
}
