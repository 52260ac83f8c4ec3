import Channel
import Text
import WebSocket

/// A dialect for tests: introduces itself with "init" where it has to, understands a few words of the
/// peer, and keeps posts until a barrier has passed.
struct ScriptedDialect<Naming: ScriptNaming>: Dialect {
  static var name: DialectName { Naming.name }

  private(set) var context: DialectContext
  var deadline: Instant?
  private var lines = 0
  private var underWay: [String] = []

  init(_ context: DialectContext) {
    self.context = context
  }

  mutating func opened(at now: Instant) -> [DialectOutput] {
    lines += 1
    let greeting = DialectOutput.notice(UntrustedText("line \(lines) in \(context.room)"))
    if Naming.isReadyAtOnce { return [greeting, .ready] }
    deadline = now + context.acknowledgementTimeout
    return [greeting, .send("init \(context.token?.secret ?? "nobody")")]
  }

  mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, at now: Instant
  ) -> [DialectOutput] {
    let copy = bytes.withUnsafeBytes { [UInt8]($0) }
    switch String(decoding: copy, as: UTF8.self) {
    case "ack":
      deadline = nil
      return [.ready]
    case "nonsense":
      return [.fail(failure(.protocol), CloseReason(CloseCode(rawValue: 4400), "bad"), retry: true)]
    case "hopeless":
      return [.fail(failure(.protocol), CloseReason(CloseCode(rawValue: 4400)), retry: false)]
    case "go away":
      return [.fail(failure(.refused), CloseReason(.normal), retry: false)]
    default:
      return [.raw(kind, copy)]
    }
  }

  mutating func post(_ post: Post, at now: Instant) -> [DialectOutput] {
    underWay.append(post.nonce)
    return [.send(post.text), .barrier]
  }

  mutating func join(room: String, at now: Instant) -> [DialectOutput] { [.send("join \(room)")] }

  mutating func rename(nick: String, at now: Instant) -> [DialectOutput] {
    [.send("nick \(nick)")]
  }

  mutating func renew(_ token: Bearer) {
    if context.token != nil { context.token = token }
  }

  mutating func barrierPassed(at now: Instant) -> [DialectOutput] {
    underWay.isEmpty ? [] : [.sent(nonce: underWay.removeFirst(), nil)]
  }

  mutating func timeReached(at now: Instant) -> [DialectOutput] {
    deadline = nil
    return [
      .fail(failure(.timeout), CloseReason(CloseCode(rawValue: 4504), "no ack"), retry: true)
    ]
  }

  mutating func lost() -> [DialectOutput] {
    defer { underWay = [] }
    deadline = nil
    return underWay.map { .unsure(nonce: $0) } + [.notice(UntrustedText("lost \(lines)"))]
  }

  func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? {
    guard reason.code == .normal, !isReady else { return nil }
    return Verdict(.refused, failure(.refused))
  }

  private func failure(_ kind: Failure.Kind) -> Failure {
    Failure(kind: kind, message: "scripted \(kind.rawValue)")
  }
}

protocol ScriptNaming: Sendable {
  static var name: DialectName { get }
  static var isReadyAtOnce: Bool { get }
}

enum ReadyAtOnce: ScriptNaming {
  static let name = DialectName.plain
  static let isReadyAtOnce = true
}

enum WaitsForAck: ScriptNaming {
  static let name = DialectName.graphql
  static let isReadyAtOnce = false
}

extension Profile {
  /// A profile of which the session needs the Authorization template alone.
  static func bare(authHeader: String? = nil) -> Profile {
    Profile(
      name: "bare", subprotocols: [], authHeader: authHeader, authInit: nil, history: nil,
      historyOrder: .oldestFirst, post: nil, postRepeat: .ask,
      live: Operation(document: "", operationName: nil, variables: [], items: Path("")),
      liveMode: .event, liveResumes: false,
      message: MessagePaths(
        id: nil, cursor: nil, author: nil, text: Path("text"), time: nil, room: nil, nonce: nil),
      time: .iso8601)
  }
}
