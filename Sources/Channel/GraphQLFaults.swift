import Text
import WebSocket

/// What the peer did wrong, told once and no more often than a person can read.
extension GraphQLDialect {
  /// The peer broke the protocol (rule M1): close with 4400, dial again, go on at the cursor.
  mutating func broken(_ fault: String) -> [DialectOutput] {
    line?.phase = .failed
    let shown = UntrustedText(fault).safe(for: .line, limit: 120)
    return [
      .fail(
        Failure(
          kind: .protocol,
          message: "The server broke the graphql-transport-ws protocol (\(shown)); "
            + "the line is dialled again.",
          short: "protocol broken"),
        CloseReason(CloseCode(rawValue: 4400), fault.clipped(toUTF8: 123)), retry: true)
    ]
  }

  /// Neither an acknowledgement nor a refusal by a close code.
  mutating func introductionTimedOut() -> [DialectOutput] {
    let refusal = line?.refusal
    line?.phase = .failed
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
            + "(\(context.acknowledgementTimeout.components.seconds) s); the line is dialled again.",
          short: "no acknowledgement"),
        reason, retry: true)
    ]
  }

  /// Told the first time and whenever the count of its kind on this line has doubled.
  mutating func notice(_ text: String, kind: String) -> [DialectOutput] {
    mishaps[kind, default: MishapCounter()].happened() ? [.notice(UntrustedText(text))] : []
  }
}
