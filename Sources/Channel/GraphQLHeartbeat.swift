/// What a server sends only to be heard: `ka` of the older protocol, `ping` and unasked `pong` of the newer one. How far
/// apart it comes is learned, and a silence of more than twice as long is looked into: first the peer is asked, and
/// where its WebSocket answers while the server behind it stays silent, the line is given up.
struct GraphQLHeartbeat: Equatable, Sendable {
  enum Due: Equatable {
    case nothing
    /// The peer is to be asked for a sign of life.
    case question
    /// It has answered as a WebSocket, and nothing more.
    case dead
  }

  private enum Question: Equatable {
    case unasked
    case asked
    /// The WebSocket answered at that moment: everything that was under way before it is here.
    case reached(Instant)
  }

  /// The longest of the last gaps counts, so that one that came early is no reason for alarm.
  private static let mostGaps = 4
  private static let fewestGaps = 2
  /// Beats that are closer are one: some servers send two around the acknowledgement.
  private static let shortestGap: Duration = .milliseconds(250)
  /// Of a gap, and of what a server says about itself: more is a sleep of the machine, or nonsense.
  private static let longest: Duration = .seconds(3_600)
  private static let leastPatience: Duration = .seconds(10)

  private var gaps: [Duration] = []
  private var lastBeat: Instant?
  private var lastMessage: Instant
  private var question = Question.unasked
  /// How long the server is silent at most, where it says so: AppSync's `connectionTimeoutMs`.
  private var announced: Duration?

  init(at now: Instant) {
    lastMessage = now
  }

  /// How far apart the beats are; nil where that is not known.
  var interval: Duration? { gaps.count < Self.fewestGaps ? nil : gaps.max() }

  /// How long the server has been silent before that is strange; nil where nobody knows.
  private var limit: Duration? { announced ?? interval.map { $0 * 2 } }

  private var patience: Duration { max(Self.leastPatience, limit ?? .zero) }

  var deadline: Instant? {
    guard let limit else { return nil }
    switch question {
    case .unasked: return lastMessage + limit
    // Whether the WebSocket is there is found out elsewhere.
    case .asked: return nil
    case .reached(let moment): return moment + patience
    }
  }

  mutating func announce(milliseconds: Int64) {
    let time = Duration.milliseconds(milliseconds)
    if milliseconds > 0, time <= Self.longest { announced = max(time, .seconds(1)) }
  }

  /// Any message is a sign of life. True where the peer had been asked for one.
  @discardableResult
  mutating func messageCame(at now: Instant) -> Bool {
    defer { question = .unasked }
    lastMessage = now
    return question != .unasked
  }

  mutating func beat(at now: Instant) {
    guard let last = lastBeat else {
      lastBeat = now
      return
    }
    let gap = now - last
    guard gap >= Self.shortestGap else { return }
    lastBeat = now
    guard gap <= Self.longest else { return }
    if gaps.count == Self.mostGaps { gaps.removeFirst() }
    gaps.append(gap)
  }

  /// The answer to the question came.
  mutating func reached(at now: Instant) {
    if question == .asked { question = .reached(now) }
  }

  mutating func timeReached(at now: Instant) -> Due {
    guard let deadline, now >= deadline else { return .nothing }
    guard case .reached = question else {
      question = .asked
      return .question
    }
    return .dead
  }
}
