import Text
import WebSocket

/// What the close codes of graphql-transport-ws servers mean, in words.
enum GraphQLVerdict {
  /// How long an attempt waits that is made once, for it may be of no use.
  static let slowRetry: Duration = .seconds(30)

  /// `isAcknowledged` tells whether connection_ack had come; `told` is the text of a connection_error.
  static func verdict(
    on reason: CloseReason, isAcknowledged: Bool, told: UntrustedText?
  ) -> Verdict? {
    if let told { return refused(reason, text: told.raw) }
    let text = reason.text
    switch reason.code.rawValue {
    case 4401, 4403, 1008: return refused(reason, text: text)
    case 1000 where !isAcknowledged, 1002 where !isAcknowledged:
      return refused(reason, text: text)
    // Hasura's way to say that a token is over.
    case 4400 where saysTokenIsWrong(text): return refused(reason, text: text)
    case 1002, 1003, 1007, 1010:
      return giveUp(
        reason, "The server ended the connection over a fault in the protocol",
        "report it to whoever runs the server")
    case 1009:
      return giveUp(
        reason, "The server does not take a message of this size",
        "shorten or drop the message before you connect again")
    case 4400:
      return giveUp(
        reason, "The server found a message of ours invalid", "check the profile's documents")
    case 4406:
      return giveUp(
        reason, "The server does not speak graphql-transport-ws",
        "choose another subprotocol or server")
    case 4409:
      return giveUp(
        reason, "The server says that an operation's id was in use, which is a fault of Parlour",
        "report it")
    case 4429:
      return giveUp(
        reason, "The server says that the connection was introduced twice, though it was not",
        "report it to whoever runs the server")
    case 1000: return retry(reason, .tcp, "The server ended the connection")
    case 1001: return retry(reason, .tcp, "The server is going away")
    case 1005: return retry(reason, .tcp, "The server ended the connection without a reason")
    case 1006: return retry(reason, .tcp, "The line was cut")
    case 1011, 4500: return retry(reason, .tcp, "The server had an internal error")
    case 1012: return retry(reason, .tcp, "The server restarts")
    case 1013: return retry(reason, .tcp, "The server is busy")
    case 1014: return retry(reason, .tcp, "A gateway before the server failed")
    case 3008: return retry(reason, .timeout, "The server missed our answer to its pings")
    case 4408: return retry(reason, .timeout, "The server did not get our introduction in time")
    case 4499: return retry(reason, .timeout, "The line had frozen")
    case 4504: return retry(reason, .timeout, "The server did not acknowledge us in time")
    // graphql-ws's own: it could not read us, or could not go on.
    case 4004, 4005: return retry(reason, .tcp, "The server could not go on with the connection")
    // Such as too many subscriptions: nobody knows whether another attempt helps, and a quick one hardly does.
    case 4000...4999:
      var verdict = retry(
        reason, .tcp, "The server ended the connection for a reason of its own",
        advice: "it is tried once more in \(slowRetry.words).")
      verdict.course = .retry(after: slowRetry)
      verdict.isOnce = true
      return verdict
    default: return nil
    }
  }

  /// What the profile says about a close code, in the words of what it means otherwise.
  static func verdict(
    by rule: Profile.Retry, on reason: CloseReason, _ usual: Verdict?
  ) -> Verdict {
    var failure =
      usual?.failure
      ?? Failure(
        kind: .tcp, message: sentence(reason, "The server ended the connection") + ".",
        short: short(reason, reason.text))
    switch rule {
    case .retry:
      if failure.kind == .refused { failure.kind = .tcp }
      if case .retry? = usual?.course, usual?.isOnce == false {
        return usual ?? Verdict(.retry(after: nil), failure)
      }
      return Verdict(.retry(after: nil), failure)
    case .stop:
      if failure.kind == .refused { failure.kind = .protocol }
      return Verdict(.giveUp, failure)
    case .refused:
      failure.kind = .refused
      return Verdict(.refused, failure)
    }
  }

  private static func saysTokenIsWrong(_ text: String) -> Bool {
    let text = text.lowercased()
    return [
      "jwtexpired", "jwt expired", "verify jwt", "invalid jwt", "token expired",
      "token has expired",
    ].contains { text.contains($0) }
  }

  private static func refused(_ reason: CloseReason, text: String) -> Verdict {
    let quoted = quote(text) ?? quote(reason.text)
    return Verdict(
      .refused,
      Failure(
        kind: .refused,
        message:
          "The server refused the connection\(quoted.map { ": \($0)" } ?? " without a reason")"
          + " (close code \(reason.code.rawValue)); check the token and connect again.",
        short: short(reason, text)))
  }

  private static func giveUp(
    _ reason: CloseReason, _ what: String, _ advice: String
  ) -> Verdict {
    Verdict(
      .giveUp,
      Failure(
        kind: .protocol, message: "\(sentence(reason, what)); \(advice).",
        short: short(reason, reason.text)))
  }

  private static func retry(
    _ reason: CloseReason, _ kind: Failure.Kind, _ what: String,
    advice: String = "trying again helps as a rule."
  ) -> Verdict {
    Verdict(
      .retry(after: nil),
      Failure(
        kind: kind, message: "\(sentence(reason, what)); \(advice)",
        short: short(reason, reason.text)))
  }

  private static func sentence(_ reason: CloseReason, _ what: String) -> String {
    "\(what)\(quote(reason.text).map { ": \($0)" } ?? "") (close code \(reason.code.rawValue))"
  }

  private static func short(_ reason: CloseReason, _ text: String) -> String {
    let words = UntrustedText(text).safe(for: .line, limit: 40)
    return words.isEmpty
      ? "closed with \(reason.code.rawValue)" : "\(reason.code.rawValue) \(words)"
  }

  /// Text from the wire, made safe for a sentence; nil where there is none.
  static func quote(_ text: String) -> String? {
    let safe = UntrustedText(text).safe(for: .line, limit: 200)
    return safe.isEmpty ? nil : "“\(safe)”"
  }
}

extension GraphQLVerdict {
  /// An operation on a line that stands was refused for its token: the line ends, so that the next one has another.
  static func tokenRefused(for what: String, _ text: UntrustedText) -> DialectOutput {
    let quoted = quote(text.raw).map { ": \($0)" } ?? ""
    return .fail(
      Failure(
        kind: .refused,
        message:
          "The server refused \(what) for its token\(quoted); check the token and connect again.",
        short: "token refused"),
      CloseReason(.normal, "Token refused"), retry: false)
  }
}
