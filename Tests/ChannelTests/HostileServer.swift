import Channel
import JSON
import TestKit
import Text
import WebSocket

/// A session against a GraphQL chat server that is honest but for what a class of hostility puts in the place of
/// single answers: literal frames, closes, cuts, silence. Time is moved by hand.
///
/// The server's store outlives its lines: what is in it at the end is what the client must have shown, once each.
struct HostileRun {
  /// What the client has just done.
  enum Moment: Sendable {
    case upgrade, introduction, subscription, history, post
  }

  enum Step: Sendable {
    /// What an honest server says at this moment.
    case honest
    /// A text message; `{live}`, `{history}` and `{post}` stand for the ids of what was asked for last.
    case text(String)
    case binary([UInt8])
    /// Bytes as they are, whatever a WebSocket allows.
    case bytes([UInt8])
    /// Without a code where it is 0.
    case close(Int, String = "")
    /// An answer to the upgrade other than 101.
    case answer(Int, [Header] = [], body: String = "")
    case cut
    case pause(Duration)
    /// From now on nothing is sent on this line, not even a pong.
    case silence
  }

  struct Stored {
    var id: String
    var author: String
    var text: String
    var nonce: String?

    var json: JSON {
      .object([
        .init("id", .string(id)), .init("room", "lobby"), .init("author", .string(author)),
        .init("text", .string(text)), .init("sentAt", "2026-01-01T00:00:00Z"),
        .init("clientId", nonce.map { .string($0) } ?? .null),
      ])
    }
  }

  static let nonce = "nonce-1"

  let moment: Moment
  let steps: [Step]
  let isEveryLine: Bool
  let profile: Profile
  /// How many bytes the first line carries to the client, and from it, before it is cut.
  var allowanceDown: Int?
  var allowanceUp: Int?
  /// When the run ends.
  var limit = Instant(.seconds(3_600))

  private(set) var session: Session
  private(set) var now = Instant()
  private(set) var events: [ChannelEvent] = []
  private(set) var store: [Stored] = []
  private(set) var lines = 0
  /// What the client sent, of all lines.
  private(set) var received: [JSON] = []
  /// Bytes of the first line, in each direction.
  private(set) var sentDown = 0
  private(set) var sentUp = 0

  private var entropy = Entropy.seeded()
  private var link = LinkID(0)
  private var end = ServerEnd()
  private var isUp = false
  private var hasAnswered = false
  private var isSilent = false
  private var texts = 0
  private var ids: [String: String] = [:]
  /// Of what the client asked for last.
  private var variables: JSON?
  private var waiting: (until: Instant, steps: [Step], moment: Moment)?
  private var bobsLines = 0
  private var isOnline = false
  private var isPostWaiting = true
  private var wasHostile = false

  init(
    at moment: Moment = .upgrade, _ steps: [Step] = [.honest], everyLine: Bool = false,
    profile: Profile = .builtIn
  ) throws {
    self.moment = moment
    self.steps = steps
    isEveryLine = everyLine
    self.profile = profile
    var configuration = SessionConfiguration(
      endpoint: try Endpoint(parsing: "ws://chat.example/"),
      subprotocols: ["graphql-transport-ws"],
      context: DialectContext(room: "lobby", nick: "ada", profile: profile))
    configuration.backoff.jitter = 0
    session = Session(configuration)
    for number in 1...5 { keep("bob", "line \(number)") }
  }

  // MARK: - The run

  /// Until the session gives up, or the time is over.
  mutating func run() {
    hand(.connect)
    var turns = 0
    while turns < 20_000, now < limit, !isOver {
      turns += 1
      if !isUp, phase == .connecting {
        isUp = true
        hand(.linkOpened(link, peer: "192.0.2.1:80", tls: nil))
      } else if !serve() {
        passTime()
      }
    }
  }

  private var phase: SessionState.Stage? {
    guard case .connecting(let connecting) = session.state,
      case .dialling(let stage, _) = connecting.phase
    else { return nil }
    return stage
  }

  private var isOver: Bool {
    if case .offline(let end) = session.state, end != .idle { true } else { false }
  }

  /// One step of the server; false where it has nothing to do before time has gone by.
  private mutating func serve() -> Bool {
    guard isUp else { return false }
    let answers = end.takeAnswers()
    if !answers.isEmpty, hasAnswered {
      deliver(answers)
      return true
    }
    if let pause = waiting {
      guard now >= pause.until else { return false }
      waiting = nil
      perform(pause.steps, at: pause.moment)
      return true
    }
    if !hasAnswered, end.request != nil {
      hasAnswered = true
      react(to: .upgrade)
      return true
    }
    guard texts < end.texts.count else { return talk() }
    hearNext()
    return true
  }

  private mutating func hearNext() {
    let text = end.texts[texts]
    texts += 1
    if let message = try? JSON.parse(text) { hear(message) }
  }

  private mutating func hear(_ message: JSON) {
    received.append(message)
    let id = message["id"]?.string ?? ""
    let document = message["payload"]?["query"]?.string ?? ""
    switch message["type"]?.string {
    case "connection_init": react(to: .introduction)
    case "subscribe" where document.hasPrefix("subscription"):
      ids["live"] = id
      react(to: .subscription, message["payload"]?["variables"])
    case "subscribe" where document.hasPrefix("query"):
      ids["history"] = id
      react(to: .history, message["payload"]?["variables"])
    case "subscribe":
      ids["post"] = id
      react(to: .post, message["payload"]?["variables"])
    case "complete": if ids["live"] == id { ids["live"] = nil }
    default: break
    }
  }

  private mutating func react(to moment: Moment, _ variables: JSON? = nil) {
    self.variables = variables
    let isMine = moment == self.moment && (isEveryLine || !wasHostile)
    if isMine { wasHostile = true }
    perform(isMine ? steps : [.honest], at: moment)
  }

  private mutating func perform(_ steps: [Step], at moment: Moment) {
    for (index, step) in steps.enumerated() {
      guard isUp else { return }
      switch step {
      case .honest: answerHonestly(at: moment)
      case .text(let text):
        deliver(end.text(filled(text)))
        if text.contains("{live}"), text.contains(#""error""#) || text.contains(#""complete""#) {
          ids["live"] = nil
        }
      case .binary(let bytes): deliver(end.binary(bytes))
      case .bytes(let bytes): deliver(bytes)
      case .close(0, _): deliver([0x88, 0])
      case .close(let code, let reason): deliver(end.close(code, reason))
      case .answer(let status, let headers, let body):
        deliver(ServerHandshake.answer(status: status, reason: "", headers: headers, body: body))
      case .cut: cut()
      case .pause(let time):
        waiting = (now + time, Array(steps[(index + 1)...]), moment)
        return
      case .silence: isSilent = true
      }
    }
  }

  private func filled(_ text: String) -> String {
    guard text.contains("{") else { return text }
    return ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  // MARK: - Honesty

  private mutating func answerHonestly(at moment: Moment) {
    switch moment {
    case .upgrade: deliver(end.acceptance(subprotocol: "graphql-transport-ws"))
    case .introduction: deliver(end.text(#"{"type":"connection_ack"}"#))
    case .subscription:
      guard profile.liveResumes, let after = variables?["after"]?.string else { return }
      for message in stored(after: after) { push(message) }
    case .history:
      let page = stored(after: variables?["after"]?.string)
      let count = Int(variables?["last"]?.integer ?? 0)
      let some = variables?["after"] == nil ? page.suffix(count) : page.prefix(count)
      send("history", "messages", .array(some.map(\.json)))
    case .post:
      let nonce = variables?["clientId"]?.string
      let known = store.first { nonce != nil && $0.nonce == nonce }
      let kept = known ?? keep("ada", variables?["text"]?.string ?? "", nonce)
      send("post", "postMessage", kept.json)
      if known == nil { push(kept) }
    }
  }

  private func stored(after id: String?) -> [Stored] {
    guard let id, let index = store.firstIndex(where: { $0.id == id }) else { return store }
    return Array(store[(index + 1)...])
  }

  @discardableResult
  private mutating func keep(_ author: String, _ text: String, _ nonce: String? = nil) -> Stored {
    let message = Stored(id: "m\(store.count + 1)", author: author, text: text, nonce: nonce)
    store.append(message)
    return message
  }

  private mutating func push(_ message: Stored) {
    guard ids["live"] != nil else { return }
    deliver(
      end.text(
        filled(
          #"{"id":"{live}","type":"next","payload":{"data":{"messageAdded":"# + message.json.text
            + "}}}")))
  }

  private mutating func send(_ operation: String, _ field: String, _ value: JSON) {
    deliver(
      end.text(
        filled(
          "{\"id\":\"{\(operation)}\",\"type\":\"next\",\"payload\":{\"data\":{\"\(field)\":")
          + value.text + "}}}"))
    deliver(end.text(filled("{\"id\":\"{\(operation)}\",\"type\":\"complete\"}")))
  }

  // MARK: - What happens by itself

  /// Bob says something while the line is quiet, and while it is down; ada posts once.
  private mutating func talk() -> Bool {
    guard isOnline, ids["live"] != nil else { return false }
    if isPostWaiting {
      isPostWaiting = false
      hand(.post(Post(nonce: Self.nonce, text: "mine")))
      return true
    }
    guard bobsLines < 2 || (lines > 1 && bobsLines < 4) else { return false }
    bobsLines += 1
    push(keep("bob", "live \(bobsLines)"))
    return true
  }

  private mutating func passTime() {
    let moments = [session.deadline, isUp ? waiting?.until : nil].compactMap { $0 }
    guard let next = moments.min() else {
      now = limit
      return
    }
    now = max(now, next)
    if session.deadline.map({ $0 <= now }) == true { hand(.timeReached) }
  }

  private mutating func cut() {
    isUp = false
    hand(
      .linkEnded(
        link, Failure(kind: .tcp, message: "The line was reset by the peer", short: "reset")))
  }

  private mutating func deliver(_ bytes: [UInt8]) {
    guard isUp, !isSilent else { return }
    var bytes = bytes[...]
    let left = lines == 1 ? allowanceDown.map { $0 - sentDown } : nil
    if let left { bytes = bytes.prefix(left) }
    if lines == 1 { sentDown += bytes.count }
    let all = Array(bytes)
    var position = 0
    repeat {
      let rest = all.span.bytes.extracting(position...)
      take(session.receive(rest, from: link, at: now, entropy: &entropy))
      position = all.count - session.untaken
    } while position < all.count
    if let left, left <= bytes.count, isUp { cut() }
  }

  private mutating func hand(_ input: SessionInput) {
    take(session.handle(input, at: now, entropy: &entropy))
  }

  private mutating func take(_ actions: [SessionAction]) {
    var isCut = false
    for action in actions {
      switch action {
      case .openLink(let opened, _): begin(opened)
      case .write(let written, let bytes) where written == link && isUp:
        isCut = serverTakes(bytes) || isCut
      case .finishLink(let over) where over == link: isUp = false
      case .dropLink(let over) where over == link: isUp = false
      case .write, .finishLink, .dropLink: break
      case .event(let event):
        events.append(event)
        heard(event)
      }
    }
    if isCut, isUp { cut() }
  }

  /// True where the line ends with these bytes.
  private mutating func serverTakes(_ bytes: [UInt8]) -> Bool {
    guard lines == 1 else {
      end.take(bytes)
      return false
    }
    let left = allowanceUp.map { $0 - sentUp } ?? .max
    let some = Array(bytes.prefix(left))
    sentUp += some.count
    end.take(some)
    guard left <= bytes.count else { return false }
    // What has arrived is dealt with, but the answers find nobody.
    isSilent = true
    while texts < end.texts.count { hearNext() }
    return true
  }

  private mutating func begin(_ opened: LinkID) {
    link = opened
    end = ServerEnd()
    lines += 1
    isUp = false
    hasAnswered = false
    isSilent = false
    isOnline = false
    texts = 0
    ids = [:]
    waiting = nil
    // Said while nobody was there to hear it.
    if lines > 1, bobsLines < 3 {
      bobsLines = 3
      keep("bob", "meanwhile")
    }
  }

  private mutating func heard(_ event: ChannelEvent) {
    switch event {
    case .ready: isOnline = true
    case .repeatable(Self.nonce): isPostWaiting = true
    // The outbox has it no longer.
    case .sent(Self.nonce, _): isPostWaiting = false
    case .failed, .closed: isOnline = false
    default: break
    }
  }
}

// MARK: - What came of it

extension HostileRun {
  var shown: [ChatMessage] {
    var shown: [ChatMessage] = []
    for case .messages(let messages, _) in events { shown += messages }
    return shown
  }

  /// Every sentence that a person could read.
  var told: [String] {
    events.compactMap { event in
      switch event {
      case .failed(let failure): failure.message
      case .closed(let reason, _): "closed with \(reason.code.rawValue) \(reason.text)"
      case .notice(let text): text.raw
      case .rejected(_, let reason): "rejected: \(reason.raw)"
      default: nil
      }
    }
  }

  var waits: [Duration] {
    events.compactMap { if case .waiting(_, let delay) = $0 { delay } else { nil } }
  }

  /// What became of ada's post.
  var ends: [String] {
    events.compactMap { event in
      switch event {
      case .sent(Self.nonce, _): "sent"
      case .unsure(Self.nonce): "unsure"
      case .rejected(Self.nonce, _): "rejected"
      default: nil
      }
    }
  }
}
