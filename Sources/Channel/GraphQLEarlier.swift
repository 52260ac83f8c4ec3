package import JSON
import Text

/// What was said before everything that was seen of a room: asked for when the person scrolls there.
extension GraphQLDialect {
  package var knowsEarlier: Bool { context.profile.earlier != nil }

  package mutating func askEarlier(before cursor: JSON, at now: Instant) -> [DialectOutput] {
    guard let operation = context.profile.earlier else { return [.messages([], .earlier)] }
    var values = templateValues
    values["count"] = .integer(Int64(max(50, min(context.historyCount, Self.mostPerPage))))
    values["before"] = cursor
    let id = newID()
    line?.operations[id] = .earlier(room: context.room)
    return [ask(id, operation, values)]
  }

  mutating func earlierResult(_ payload: JSON, _ room: String) -> [DialectOutput] {
    guard room == context.room else { return [] }
    if let outputs = refusedForToken(.earlier(room: room), inResult: payload) { return outputs }
    guard let operation = context.profile.earlier, let data = payload["data"], !data.isNull else {
      return earlierFailed(GraphQLErrors.text(inResult: payload) ?? UntrustedText("it is empty"))
    }
    var messages = read(PathFinder(operation.items), in: data).messages
    if context.profile.historyOrder == .newestFirst { messages.reverse() }
    return [.messages(messages.map { ledger.marked($0) }, .earlier)]
  }

  /// Nothing is asked again until the next line.
  func earlierFailed(_ text: UntrustedText) -> [DialectOutput] {
    [
      .notice(UntrustedText("The server did not give older messages: \(text.raw)")),
      .messages([], .earlier),
    ]
  }
}
