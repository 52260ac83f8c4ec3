package import JSON
package import Text
package import WebSocket

/// The layouts of messages that the program knows.
package enum DialectName: String, CaseIterable, Sendable {
  case plain, envelope, graphql
}

/// What a dialect is told about its surroundings; fixed for the life of a session, but for the room.
package struct DialectContext: Equatable, Sendable {
  package var room: String
  package var nick: String
  /// How many earlier messages are asked for.
  package var historyCount: Int
  /// The cursor to go on from (`--after`), before any message was seen.
  package var after: String?
  package var memory = DialectMemory()
  /// The token where it travels in the dialect (`--auth init`).
  package var token: Bearer?
  /// Whether a refusal leads to a fresh token and another line.
  package var renewsToken = false
  package var profile: Profile
  /// How long the server may take to acknowledge the introduction.
  package var acknowledgementTimeout: Duration
  /// The one operation that is asked for, in the place of a chat (`parlour subscribe`).
  package var operation: GraphQLTask?

  package init(
    room: String, nick: String, historyCount: Int = 50, after: String? = nil, token: Bearer? = nil,
    profile: Profile = .builtIn, acknowledgementTimeout: Duration = .seconds(10)
  ) {
    self.room = room
    self.nick = nick
    self.historyCount = historyCount
    self.after = after
    self.token = token
    self.profile = profile
    self.acknowledgementTimeout = acknowledgementTimeout
  }
}

/// Where messages come from, so that history is not announced as new.
package enum MessageOrigin: Equatable, Sendable {
  /// The first history of a room: what was said before we came.
  case history
  /// Said while we were away, fetched after a reconnect.
  case missed
  case live
  /// Said before everything that was reported: the answer to `askEarlier`, empty where nothing was.
  case earlier
}

package enum DialectOutput: Equatable, Sendable {
  /// Write a text message.
  case send(String)
  /// Ask over HTTP, on a connection of its own; `answered` is called with the same id.
  case fetch(id: String, body: String)
  /// Write a ping; `barrierPassed` is called when its pong is there. It proves that the peer has
  /// everything written before.
  case barrier
  /// The same, and the line is given up where the answer does not come in time, also where no pings are sent by the
  /// clock.
  case question
  /// The introduction is done: posts may be made.
  case ready
  /// Messages not reported before, in the order of the room; each id once in the life of a session.
  case messages([ChatMessage], MessageOrigin)
  /// A raw message of the plain dialect.
  case raw(MessageKind, [UInt8])
  /// The server has the post; with its message where the server returned it.
  case sent(nonce: String, ChatMessage?)
  /// The line was lost with the post under way; repeating it is safe, as the server knows the nonce.
  case repeatable(nonce: String)
  /// The line was lost with the post under way, and nobody can know whether it arrived.
  case unsure(nonce: String)
  /// What became of the operation of `DialectContext.operation`.
  case operation(GraphQLTaskEvent)
  /// The server did not take the post.
  case rejected(nonce: String, reason: UntrustedText)
  /// A sentence worth showing: an error of an operation, a frame that was dropped.
  case notice(UntrustedText)
  /// Who is in the room, where the dialect knows.
  case members([UntrustedText])
  /// Somebody else is writing something just now.
  case typing(UntrustedText)
  /// Messages that were said before, in the form that they have now; some of them were perhaps never reported.
  case changed([ChatMessage])
  /// The server has done a change; with the message where the server returned it.
  case changeDone(MessageChange, ChatMessage?)
  /// It has not, or nobody knows: a sentence about it.
  case changeFailed(MessageChange, UntrustedText)
  /// End the line: the peer broke the dialect or refused us. With `retry` false nothing is tried again.
  case fail(Failure, CloseReason, retry: Bool)
}

/// What became of a request over HTTP.
package enum FetchOutcome: Equatable, Sendable {
  case answered(status: Int, body: [UInt8])
  /// Why there is no answer, as the end of a sentence; `wasSent` where the server may have the request.
  case failed(String, wasSent: Bool)
}

/// A way to lay out a chat over WebSocket messages: a value without socket and clock.
///
/// It lives as long as the session: `opened` begins a new line and `lost` ends it, while cursors, seen
/// ids and operation numbers go on.
package protocol Dialect: Sendable {
  static var name: DialectName { get }
  /// The next moment at which `timeReached` wants to be called.
  var deadline: Instant? { get }

  init(_ context: DialectContext)

  /// Which subprotocol the server selected for the line that is about to open.
  mutating func agreed(on subprotocol: String?)
  /// The upgrade was accepted.
  mutating func opened(at now: Instant) -> [DialectOutput]
  /// A message came; text has been checked as UTF-8.
  mutating func receive(_ kind: MessageKind, _ bytes: RawSpan, at now: Instant) -> [DialectOutput]
  var knowsEarlier: Bool { get }
  /// Ask for the messages of the room before the one with that cursor; only between `ready` and `lost`. They are
  /// reported with the origin `earlier`, none where there are none or it failed.
  mutating func askEarlier(before cursor: JSON, at now: Instant) -> [DialectOutput]
  /// What can be asked for by `change`, and whether a post may answer a message.
  var abilities: MessageAbilities { get }
  /// Changes a message that was said, as far as `abilities` go; called only between `ready` and `lost`. Every change is
  /// answered by `changeDone` or `changeFailed`.
  mutating func change(_ change: MessageChange, at now: Instant) -> [DialectOutput]
  /// Called only between `ready` and `lost`.
  mutating func post(_ post: Post, at now: Instant) -> [DialectOutput]
  /// Leaves the room and enters another. Off line: for the next line.
  mutating func join(room: String, at now: Instant) -> [DialectOutput]
  mutating func rename(nick: String, at now: Instant) -> [DialectOutput]
  /// Another token for the next introduction, in dialects where it travels there.
  mutating func renew(_ token: Bearer)
  /// The person is writing something: told where the server takes it. Called only between `ready` and `lost`.
  mutating func typing() -> [DialectOutput]
  mutating func barrierPassed(at now: Instant) -> [DialectOutput]
  /// What became of a `fetch`. Those that are outstanding when the line ends are given up without a word.
  mutating func answered(
    _ id: String, _ outcome: FetchOutcome, at now: Instant
  ) -> [DialectOutput]
  mutating func timeReached(at now: Instant) -> [DialectOutput]
  /// The person ends the line: what the server is told before the Close.
  mutating func leave() -> [DialectOutput]
  /// The line ended, whatever the reason: what was under way becomes `repeatable` or `unsure`.
  mutating func lost() -> [DialectOutput]
  /// What is known of a room from earlier runs. Posts that were on their way then are answered for once that can
  /// be done: `repeatable` where a repeat does no harm, `sent` where the server has them.
  mutating func recall(_ room: DialectMemory.Room)
  /// Where to go on from in a room in another run; nil while something before it is outstanding.
  func cursor(in room: String) -> JSON?
  /// What a close code means in this dialect, in words, and whether trying again can help; nil where
  /// the general table of WebSocket close codes says it as well. `isReady` tells whether the
  /// introduction had been acknowledged.
  func verdict(on reason: CloseReason, isReady: Bool) -> Verdict?
}

extension Dialect {
  /// Whether `askEarlier` leads to anything.
  package var knowsEarlier: Bool { false }
  package mutating func askEarlier(before cursor: JSON, at now: Instant) -> [DialectOutput] { [] }
  package var abilities: MessageAbilities { [] }
  package mutating func change(_ change: MessageChange, at now: Instant) -> [DialectOutput] { [] }
  package mutating func renew(_ token: Bearer) {}
  package mutating func agreed(on subprotocol: String?) {}
  package mutating func answered(
    _ id: String, _ outcome: FetchOutcome, at now: Instant
  ) -> [DialectOutput] { [] }
  package mutating func typing() -> [DialectOutput] { [] }
  package mutating func leave() -> [DialectOutput] { [] }
}
