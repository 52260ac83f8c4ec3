import JSON
import Text
import WebSocket

/// The two layouts of GraphQL over WebSocket.
enum GraphQLProtocol: Equatable, Sendable {
  /// Subprotocol `graphql-transport-ws`.
  case transport
  /// Subprotocol `graphql-ws`, of the library subscriptions-transport-ws: `start`, `data` and `stop` for
  /// `subscribe`, `next` and `complete`; the server keeps the line alive with `ka`.
  case legacy

  static let legacyName = "graphql-ws"

  init(subprotocol: String?) {
    self = subprotocol == Self.legacyName ? .legacy : .transport
  }

  var name: String {
    switch self {
    case .transport: "graphql-transport-ws"
    case .legacy: Self.legacyName
    }
  }
}

/// What a GraphQL dialect knows of its line below the operations: the introduction, pings and keep-alives, and the form
/// of messages.
struct GraphQLConnection: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// connection_init was written; the acknowledgement must come before this moment.
    case introducing(until: Instant)
    case acknowledged
    /// The peer broke the protocol: nothing is read any more.
    case failed
  }

  /// What a message means for the operations.
  enum Incoming: Equatable {
    case nothing
    /// A message of the connection itself, and what is to be done about it.
    case handled([DialectOutput])
    /// The first acknowledgement, with what the server says of itself: operations may be asked for.
    case acknowledged(payload: JSON?)
    case next(id: String, payload: JSON)
    /// Ends the operation; without an id it is about none in particular.
    case error(id: String?, payload: JSON)
    case complete(id: String)
  }

  let kind: GraphQLProtocol
  var phase: Phase
  /// What a connection_error said.
  private(set) var refusal: UntrustedText?
  private let patience: Duration
  private var heartbeat: GraphQLHeartbeat

  /// The upgrade was accepted; `patience` is how long the server may take to acknowledge the introduction.
  init(_ kind: GraphQLProtocol, patience: Duration, at now: Instant) {
    self.kind = kind
    self.patience = patience
    phase = .introducing(until: now + patience)
    heartbeat = GraphQLHeartbeat(at: now)
  }

  /// When `timeReached` is to be called.
  var deadline: Instant? {
    switch phase {
    case .introducing(let until): until
    case .acknowledged: heartbeat.deadline
    case .failed: nil
    }
  }

  mutating func receive(_ kind: MessageKind, _ bytes: RawSpan, at now: Instant) -> Incoming {
    guard phase != .failed else { return .nothing }
    let isAnswer = heartbeat.messageCame(at: now)
    guard kind == .text else { return .handled(broken("Invalid message: binary")) }
    let frame: GraphQLFrame
    do throws(GraphQLFrame.Fault) {
      frame = try GraphQLFrame(bytes, self.kind)
    } catch {
      return .handled(broken(error.text))
    }
    switch frame {
    case .acknowledged(let payload):
      guard case .introducing = phase else { return .nothing }
      phase = .acknowledged
      if let time = payload?["connectionTimeoutMs"]?.integer {
        heartbeat.announce(milliseconds: time)
      }
      return .acknowledged(payload: payload)
    case .ping(let payload):
      heartbeat.beat(at: now)
      return .handled([.send(GraphQLRequest.pong(payload: payload))])
    case .pong:
      if !isAnswer { heartbeat.beat(at: now) }
      return .nothing
    case .keepAlive:
      heartbeat.beat(at: now)
      return .nothing
    case .started: return .nothing
    case .next(let id, let payload): return .next(id: id, payload: payload)
    case .error(let id, let payload): return .error(id: id, payload: payload)
    case .complete(let id): return id.map { .complete(id: $0) } ?? .nothing
    case .connectionError(let payload):
      let text = GraphQLErrors.text(in: payload)
      refusal = text
      return .handled([.notice(text)])
    }
  }

  /// Called at the moment of `deadline` or later.
  mutating func timeReached(at now: Instant) -> [DialectOutput] {
    switch phase {
    case .introducing(let until): now >= until ? notAcknowledged() : []
    case .acknowledged: heartbeatDue(at: now)
    case .failed: []
    }
  }

  /// The pong of the WebSocket to a barrier of ours is there.
  mutating func barrierPassed(at now: Instant) {
    heartbeat.reached(at: now)
  }

  private mutating func heartbeatDue(at now: Instant) -> [DialectOutput] {
    switch heartbeat.timeReached(at: now) {
    case .nothing: return []
    case .question:
      // A server that is frozen answers as a WebSocket still, by its library or by a proxy before it; the older
      // protocol has no other question.
      return kind == .legacy ? [.question] : [.send(GraphQLRequest.ping), .question]
    case .dead:
      phase = .failed
      let known = heartbeat.interval.map { ", which came every \(Self.rounded($0).words)," } ?? ""
      return [
        .fail(
          Failure(
            kind: .timeout,
            message: "The server's keep-alives\(known) have stopped, though its WebSocket answers;"
              + " the line is dialled again.", short: "no keep-alive"),
          CloseReason(CloseCode(rawValue: 4499), "Keep-alives have stopped"), retry: true)
      ]
    }
  }

  /// To tenths of a second.
  private static func rounded(_ time: Duration) -> Duration {
    let tenths =
      (time.components.seconds * 10) + time.components.attoseconds / 100_000_000_000_000_000
    return .milliseconds(tenths * 100)
  }

  private mutating func notAcknowledged() -> [DialectOutput] {
    phase = .failed
    let reason = CloseReason(
      CloseCode(rawValue: 4504), "Connection acknowledgement timeout")
    if let refusal {
      let quoted = GraphQLVerdict.quote(refusal.raw).map { ": \($0)" } ?? ""
      return [
        .fail(
          Failure(
            kind: .refused,
            message:
              "The server refused the connection\(quoted); check the token and connect again.",
            short: "refused"),
          reason, retry: false)
      ]
    }
    return [
      .fail(
        Failure(
          kind: .timeout,
          message: "The server did not acknowledge the connection in time "
            + "(\(patience.components.seconds) s); the line is dialled again.",
          short: "no acknowledgement"),
        reason, retry: true)
    ]
  }

  /// The peer broke the protocol (rule M1): close with 4400, dial again, go on at the cursor.
  mutating func broken(_ fault: String, retry: Bool = true) -> [DialectOutput] {
    phase = .failed
    let shown = UntrustedText(fault).safe(for: .line, limit: 120)
    let consequence = retry ? "; the line is dialled again" : ""
    return [
      .fail(
        Failure(
          kind: .protocol,
          message: "The server broke the \(kind.name) protocol (\(shown))\(consequence).",
          short: "protocol broken"),
        CloseReason(CloseCode(rawValue: 4400), fault.clipped(toUTF8: 123)), retry: retry)
    ]
  }

  /// What a close code means on this line.
  func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? {
    GraphQLVerdict.verdict(
      on: reason, isAcknowledged: isReady || phase == .acknowledged, told: refusal)
  }
}

extension DialectContext {
  /// The payload of connection_init: the profile's, filled with the token where that travels here.
  var introduction: JSON? {
    let template = profile.authInit
    guard let token else {
      // Without a token only what does not ask for one.
      guard let template, !template.text.utf8.contains("{token}".utf8) else { return nil }
      return template
    }
    return token.filled(into: template ?? ["Authorization": "Bearer {token}"])
  }
}
