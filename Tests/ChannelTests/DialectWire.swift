import Channel
import JSON
import Testing
import Text
import WebSocket

/// A dialect with a clock that is moved by hand, and short names for what goes over its line.
struct DialectWire {
  var dialect: any Dialect
  var now = Instant(.zero)

  init(_ name: DialectName, _ context: DialectContext) {
    dialect = makeDialect(name, context)
  }

  mutating func open() -> [DialectOutput] { dialect.opened(at: now) }

  mutating func receive(_ text: String) -> [DialectOutput] {
    dialect.receive(.text, text.utf8Span.span.bytes, at: now)
  }

  mutating func receive(_ value: JSON) -> [DialectOutput] { receive(value.text) }

  mutating func post(_ nonce: String, _ text: String) -> [DialectOutput] {
    dialect.post(Post(nonce: nonce, text: text), at: now)
  }

  mutating func answered(_ id: String, _ outcome: FetchOutcome) -> [DialectOutput] {
    dialect.answered(id, outcome, at: now)
  }

  mutating func join(_ room: String) -> [DialectOutput] { dialect.join(room: room, at: now) }

  /// Lets the time go by; the deadlines that fall into it are told in order.
  mutating func pass(_ duration: Duration) -> [DialectOutput] {
    let end = now + duration
    var outputs: [DialectOutput] = []
    var steps = 0
    while let due = dialect.deadline, due <= end, steps < 1_000 {
      now = max(now, due)
      outputs += dialect.timeReached(at: now)
      steps += 1
    }
    now = end
    return outputs
  }
}

extension [DialectOutput] {
  /// The messages that were written, as JSON.
  var sent: [JSON] {
    compactMap { output in
      if case .send(let text) = output { try? JSON.parse(text) } else { nil }
    }
  }

  /// Every message that was reported, with where it comes from.
  private var reported: [(message: ChatMessage, origin: MessageOrigin)] {
    var found: [(message: ChatMessage, origin: MessageOrigin)] = []
    for case .messages(let messages, let origin) in self {
      found += messages.map { (message: $0, origin: origin) }
    }
    return found
  }

  var texts: [String] { reported.map(\.message.text.raw) }
  var ids: [String] { reported.map(\.message.id) }
  /// Id and origin of every message.
  var origins: [String] { reported.map { "\($0.message.id) \($0.origin)" } }

  var notices: [String] {
    compactMap { output in
      if case .notice(let text) = output { text.raw } else { nil }
    }
  }

  var failure: (failure: Failure, reason: CloseReason, retry: Bool)? {
    for case .fail(let failure, let reason, let retry) in self { return (failure, reason, retry) }
    return nil
  }

  var isReady: Bool { contains(.ready) }
}
