package import WebSocket

/// Try again or give up, and what to tell the person. See `verdict(…)` for the tables.
package struct Verdict: Equatable, Sendable {
  package enum Course: Equatable, Sendable {
    /// Dial again; not before `after` where the server asked for a pause.
    case retry(after: Duration?)
    case giveUp
    /// Authentication or policy: exit code 77.
    case refused
  }

  package var course: Course
  package var failure: Failure
  /// Where the line after a retry does not hold either and ends in such a way, none follows.
  package var isOnce: Bool

  package init(_ course: Course, _ failure: Failure, isOnce: Bool = false) {
    self.course = course
    self.failure = failure
    self.isOnce = isOnce
  }
}

/// What an orderly close by the peer means where the dialect has no meaning of its own for the code. The README has the
/// table with all codes and a test that compares the two.
///
/// | codes | course |
/// |---|---|
/// | 1000, 1001, 1005, 1006, 1011–1014 | retry |
/// | 1002, 1003, 1007, 1009, 1010, 4406 | give up: the same would happen again |
/// | 1008, 3000, 3003, 4401, 4403 | refused |
/// | any other | retry |
package func verdict(onClose reason: CloseReason, from endpoint: Endpoint) -> Verdict {
  let name = endpoint.hostField
  let said = reason.text.isEmpty ? "" : ", saying “\(madeSafe(reason.text))”"
  let told = "\(reason.code.words) (\(reason.code.rawValue))\(said)"
  func failure(_ kind: Failure.Kind, _ advice: String) -> Failure {
    Failure(
      kind: kind, message: "\(name) closed the connection: \(told); \(advice)",
      short: "closed: \(reason.code.words)")
  }
  return switch reason.code.rawValue {
  case 1002, 1003, 1007, 1010, 4406:
    Verdict(
      .giveUp, failure(.protocol, "check that --subprotocol and --dialect suit this server"))
  case 1009:
    Verdict(.giveUp, failure(.protocol, "send something shorter"))
  case 1008, 3000, 3003, 4401, 4403:
    Verdict(.refused, failure(.refused, "check the token"))
  default:
    Verdict(.retry(after: nil), failure(.tcp, "trying again can help"))
  }
}

/// What it means that the peer broke RFC 6455 after the upgrade: a new line may be a good one, so
/// every violation is tried again.
package func verdict(onViolation violation: ProtocolViolation, from endpoint: Endpoint) -> Verdict {
  Verdict(
    .retry(after: nil),
    Failure(
      kind: .protocol,
      message: "\(endpoint.hostField) broke the WebSocket protocol: \(words(for: violation))",
      short: "protocol error"))
}

/// What the end of a link means.
///
/// | failure | before the line was up | afterwards |
/// |---|---|---|
/// | dns, tcp, proxy, timeout, upgrade, protocol | retry | retry |
/// | tls (certificate, version) | give up | retry: a line that was cut |
/// | refused | refused | refused |
package func verdict(onLink failure: Failure, wasUp: Bool) -> Verdict {
  switch failure.kind {
  case .tls: Verdict(wasUp ? .retry(after: nil) : .giveUp, failure)
  case .refused: Verdict(.refused, failure)
  case .dns, .tcp, .proxy, .timeout, .upgrade, .protocol: Verdict(.retry(after: nil), failure)
  }
}

private func words(for violation: ProtocolViolation) -> String {
  switch violation {
  case .reservedBits: "a frame had reserved bits set"
  case .unknownOpcode(let code): "a frame had the unknown opcode \(code)"
  case .fragmentedControl: "a control frame came in fragments"
  case .oversizedControl: "a control frame was longer than 125 bytes"
  case .nonMinimalLength: "a frame's length was not in its shortest form"
  case .lengthOverflow: "a frame's length was out of range"
  case .maskedByServer: "the server masked a frame"
  case .unmaskedByClient: "a client's frame was not masked"
  case .unexpectedContinuation: "a continuation came without a message to go on with"
  case .interruptedMessage: "a message began in the middle of another"
  case .invalidUTF8: "a text was not valid UTF-8"
  case .invalidCompression: "a compressed message was broken or cut short"
  case .invalidCloseFrame: "a Close frame was not well-formed"
  case .messageTooBig(let limit): "a message had more than \(limit) bytes, see --max-message"
  case .tooManyFragments(let limit): "a message came in more than \(limit) fragments"
  }
}
