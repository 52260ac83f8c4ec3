import Text
import WebSocket

extension ChannelEvent {
  /// What the log says about it; nil where that stands there already or is nobody's concern.
  package func logLine(to url: String) -> LogLine? {
    switch self {
    case .stateChanged(.offline(.stopped)): LogLine(.notice, "disconnected")
    case .stateChanged(.offline(.refused)): LogLine(.error, "refused: no further attempt is made")
    case .stateChanged: nil
    case .connecting(let attempt): LogLine(.notice, "connecting, attempt \(attempt), to \(url)")
    case .opened(let subprotocol, let dialect, let isCompressed, let peer, let tls):
      LogLine(
        .notice,
        "opened: \(peer), \(tls ?? "no TLS"), subprotocol \(subprotocol ?? "none"), "
          + "dialect \(dialect.rawValue), \(isCompressed ? "" : "not ")compressed")
    case .ready: LogLine(.debug, "the dialect is ready")
    case .messages(_, .live), .raw: nil
    case .messages(let messages, .history):
      LogLine(.debug, "the room's history came: \(Self.count(messages))")
    case .messages(let messages, .missed):
      LogLine(.debug, "what was missed came: \(Self.count(messages))")
    case .messages(let messages, .earlier):
      LogLine(.debug, "older messages came: \(Self.count(messages))")
    case .sent(let nonce, _): LogLine(.debug, "the server has the post \(nonce)")
    case .repeatable(let nonce): LogLine(.debug, "the post \(nonce) can be made again")
    case .unsure(let nonce):
      LogLine(.debug, "nobody can know whether the post \(nonce) arrived")
    case .rejected(let nonce, let reason):
      LogLine(.notice, "the server did not take the post \(nonce): \(reason.raw)")
    case .typing: nil
    case .changed(let messages): LogLine(.debug, "\(Self.count(messages)) changed")
    case .changeDone(let change, _): LogLine(.debug, "\(change.words) was done")
    case .changeFailed(_, let sentence): LogLine(.notice, sentence.raw)
    case .members(let names): LogLine(.debug, "\(names.count) members are in the room")
    case .notice(let text): LogLine(.notice, text.raw)
    case .operation(.started(let again)):
      LogLine(.debug, "the operation was asked for\(again ? " again" : "")")
    case .operation(.result): nil
    case .operation(.failed): LogLine(.notice, "the server refused the operation")
    case .operation(.completed): LogLine(.debug, "the operation is complete")
    case .operation(.inDoubt): LogLine(.notice, "nobody can know whether the mutation was done")
    case .operation(.broken): LogLine(.error, "the server broke the protocol")
    case .pong: nil
    case .closed(let reason, let isClean):
      LogLine(
        .notice,
        "closed: \(reason.code.rawValue) \(reason.code.words)"
          + (reason.text.isEmpty ? "" : ", “\(reason.text)”")
          + (isClean ? "" : ", without the other end's Close"))
    case .failed(let failure):
      LogLine(
        .error,
        "failed (\(failure.kind.rawValue)\(failure.status.map { " \($0)" } ?? "")): "
          + failure.message)
    case .waiting(let attempt, let delay):
      LogLine(.notice, "waiting \(delay.words), then attempt \(attempt)")
    case .gaveUp(let attempts, let failure):
      LogLine(.error, "gave up after \(attempts) attempts: \(failure.short)")
    }
  }

  private static func count(_ messages: [ChatMessage]) -> String {
    messages.count == 1 ? "one message" : "\(messages.count) messages"
  }
}
