import JSON
import Text
import WebSocket

/// Operations that a server refuses for the token, on a line that stands.
extension GraphQLDialect {
  /// The server did not do what was asked, and wants another token: it is asked once more on a line with a fresh one. Nil
  /// where there is none to be had, or the same was refused with a fresh one before.
  mutating func refusedForToken(
    _ operation: GraphQLLine.Operation, _ text: UntrustedText
  ) -> [DialectOutput]? {
    guard context.renewsToken, let (key, what) = Self.words(for: operation) else { return nil }
    guard refused.insert(key).inserted else {
      // The person may post it again.
      if case .post = operation { refused.remove(key) }
      return nil
    }
    if refused.count > Self.mostUnresolved { refused = [key] }
    var outputs: [DialectOutput] = []
    switch operation {
    case .post(let request): outputs = [.repeatable(nonce: request.nonce)]
    case .change(let request): outputs = changeRefused(request.change, text)
    case .earlier: outputs = earlierFailed(text)
    case .live, .history, .typing, .names, .stream: break
    }
    line?.connection.phase = .failed
    return outputs + [GraphQLVerdict.tokenRefused(for: what, text)]
  }

  /// The same for a result that has no data but errors.
  mutating func refusedForToken(
    _ operation: GraphQLLine.Operation, inResult payload: JSON
  ) -> [DialectOutput]? {
    guard GraphQLErrors.isRefusal(ofAll: payload), let text = GraphQLErrors.text(inResult: payload)
    else { return nil }
    return refusedForToken(operation, text)
  }

  /// A later refusal is a new one.
  mutating func accepted(_ operation: GraphQLLine.Operation) {
    guard !refused.isEmpty, let (key, _) = Self.words(for: operation) else { return }
    refused.remove(key)
  }

  /// What is refused alike, and its name in a sentence; nil for what is not worth another line.
  private static func words(for operation: GraphQLLine.Operation) -> (key: String, what: String)? {
    switch operation {
    case .post(let request): ("post \(request.nonce)", "a message")
    case .history, .earlier: ("history", "the history")
    case .change: ("change", "a change")
    case .live, .typing, .names, .stream: nil
    }
  }
}
