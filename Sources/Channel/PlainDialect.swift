package import WebSocket

/// Raw text: every message of the peer is shown as it is, and what is typed goes out as it is. There are no
/// authors, ids or history. A post counts as sent when the pong of a ping written after it is there.
package struct PlainDialect: Dialect {
  package static let name = DialectName.plain

  private var unconfirmed = BarrierQueue()

  package init(_ context: DialectContext) {}

  package var deadline: Instant? { nil }

  package mutating func opened(at now: Instant) -> [DialectOutput] {
    [.ready]
  }

  package mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, at now: Instant
  ) -> [DialectOutput] {
    [.raw(kind, bytes.withUnsafeBytes { Array($0) })]
  }

  package mutating func post(_ post: Post, at now: Instant) -> [DialectOutput] {
    [.send(post.text)] + unconfirmed.posted(post.nonce)
  }

  package mutating func join(room: String, at now: Instant) -> [DialectOutput] { [] }

  package mutating func rename(nick: String, at now: Instant) -> [DialectOutput] { [] }

  package mutating func barrierPassed(at now: Instant) -> [DialectOutput] {
    unconfirmed.barrierPassed()
  }

  package mutating func timeReached(at now: Instant) -> [DialectOutput] { [] }

  package mutating func lost() -> [DialectOutput] {
    unconfirmed.takeAll().map { .unsure(nonce: $0) }
  }

  package func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? { nil }
}
