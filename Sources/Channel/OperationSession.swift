package import WebSocket

/// What asks for the one operation of `parlour subscribe`: a `Session` with its line, or an `HTTPOperation` without.
package protocol OperationSession {
  var state: SessionState { get }
  /// A fresh token is to be handed in; see `Session.wantsToken`.
  var wantsToken: Bool { get }
  /// When `timeReached` is to be handed in next.
  var deadline: Instant? { get }

  /// See `Session`'s own.
  var untaken: Int { get }

  /// See `Session`'s own.
  mutating func note(calendar wall: Timestamp, at now: Instant)
  mutating func handle(
    _ input: SessionInput, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction]
  mutating func receive(
    _ bytes: RawSpan, from link: LinkID, at now: Instant, entropy: inout Entropy
  ) -> [SessionAction]
}

extension OperationSession {
  package var untaken: Int { 0 }
  package mutating func note(calendar wall: Timestamp, at now: Instant) {}
}

extension Session: OperationSession {}
