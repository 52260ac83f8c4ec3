import JSON
import Text
package import WebSocket

/// One operation over GraphQL's subprotocols, in the place of a chat.
///
/// A subscription is asked for again on every new line, a query until its result is there, both under an id that
/// was never used before; a mutation is asked for once.
package struct GraphQLTaskDialect: Dialect {
  package static let name = DialectName.graphql

  private enum Progress: Equatable {
    case unasked
    /// Asked for under this id, on the line that is there.
    case underWay(id: String)
    /// The line was lost before the end.
    case interrupted
    case over
  }

  private var context: DialectContext
  private let task: GraphQLTask?
  private var kind = GraphQLProtocol.transport
  private var connection: GraphQLConnection?
  private var progress = Progress.unasked
  private var lastID = 0
  private var hasResult = false
  /// The token was refused, and nothing was answered since.
  private var wasRefused = false

  package init(_ context: DialectContext) {
    self.context = context
    task = context.operation
  }

  package var deadline: Instant? { connection?.deadline }

  package mutating func agreed(on subprotocol: String?) {
    kind = GraphQLProtocol(subprotocol: subprotocol)
  }

  package mutating func opened(at now: Instant) -> [DialectOutput] {
    connection = GraphQLConnection(kind, patience: context.acknowledgementTimeout, at: now)
    return [.send(GraphQLRequest.connectionInit(payload: context.introduction))]
  }

  package mutating func receive(
    _ kind: MessageKind, _ bytes: RawSpan, at now: Instant
  ) -> [DialectOutput] {
    switch connection?.receive(kind, bytes, at: now) {
    case nil, .nothing: return []
    case .handled(let outputs): return withoutRetry(outputs)
    case .acknowledged: return [.ready] + ask()
    case .next(let id, let payload):
      return isCurrent(id) ? next(payload, in: bytes) : []
    case .error(let id?, let payload):
      return isCurrent(id) ? failed(payload, in: bytes) : []
    case .error(nil, let payload):
      let text = GraphQLErrors.text(in: payload)
      return [.notice(UntrustedText("The server reports an error: \(text.raw)"))]
    case .complete(let id): return isCurrent(id) ? completed() : []
    }
  }

  private func isCurrent(_ id: String) -> Bool { progress == .underWay(id: id) }

  /// Whoever writes a server wants to see its fault, not another attempt at it.
  private mutating func withoutRetry(_ outputs: [DialectOutput]) -> [DialectOutput] {
    guard case .fail(let failure, let reason, true)? = outputs.last, failure.kind == .protocol
    else { return outputs }
    return connection.map { connection in
      var connection = connection
      return [.operation(.broken)] + connection.broken(reason.text, retry: false)
    } ?? outputs
  }

  private mutating func ask() -> [DialectOutput] {
    guard let task, progress == .unasked || progress == .interrupted else { return [] }
    let isAgain = progress == .interrupted
    lastID += 1
    let id = String(lastID)
    progress = .underWay(id: id)
    return [
      request(id, task), .operation(.started(again: isAgain)),
    ]
  }

  /// Over the older protocol many servers take subscriptions only, and others never say that a query is over.
  private func request(_ id: String, _ task: GraphQLTask) -> DialectOutput {
    guard kind == .legacy, task.kind != .subscription else {
      return .send(
        GraphQLRequest.subscribe(
          id: id, document: task.document, operationName: task.operationName,
          variables: task.variables, kind))
    }
    return .fetch(
      id: id,
      body: GraphQLRequest.body(
        document: task.document, operationName: task.operationName, variables: task.variables
      ).text)
  }

  package mutating func answered(
    _ id: String, _ outcome: FetchOutcome, at now: Instant
  ) -> [DialectOutput] {
    guard isCurrent(id) else { return [] }
    progress = .over
    switch outcome {
    case .answered(let status, let body):
      let payload = try? JSON.parse(body.span.bytes)
      if let refused = refused(payload, isSaid: status == 401) { return refused }
      if let result = GraphQLTaskResult(ofHTTP: body) {
        return result.hasDataMember
          ? [.operation(.result(result)), .operation(.completed)] : [.operation(.failed(result))]
      }
      return unanswered("the server answered \(status) over HTTP", isDone: status >= 500)
    case .failed(let reason, let wasSent): return unanswered(reason, isDone: wasSent)
    }
  }

  /// `isDone` where the server may have done what it was asked for.
  private func unanswered(_ reason: String, isDone: Bool) -> [DialectOutput] {
    [
      .notice(UntrustedText("The \(task?.kind.rawValue ?? "operation") has no result: \(reason).")),
      .operation(isDone && task?.kind == .mutation ? .inDoubt : .broken),
    ]
  }

  /// Where the server wants another token and there may be one, the operation, which it did not carry out, is asked for
  /// once more on a line with that. `result` has `errors` and perhaps `data`.
  private mutating func refused(_ result: JSON?, isSaid: Bool = false) -> [DialectOutput]? {
    let isRefused =
      isSaid && result?["data"]?.isNull != false || GraphQLErrors.isRefusal(ofAll: result)
    // Of several fields of a mutation, the first may have been carried out.
    let isUndone = task?.kind != .mutation || result?["data"] == nil || task?.hasOneField == true
    guard isRefused, isUndone, context.renewsToken, !wasRefused else {
      wasRefused = false
      return nil
    }
    wasRefused = true
    progress = .interrupted
    connection?.phase = .failed
    let text = result.flatMap { GraphQLErrors.text(inResult: $0) } ?? UntrustedText("")
    let what = "the \(task?.kind.rawValue ?? "operation")"
    return [GraphQLVerdict.tokenRefused(for: what, text)]
  }

  private mutating func next(_ payload: JSON, in message: RawSpan) -> [DialectOutput] {
    if let refused = refused(payload) { return refused }
    hasResult = true
    let result = DialectOutput.operation(
      .result(
        GraphQLTaskResult(
          text: Self.text(of: payload, in: message) { $0 },
          errors: GraphQLErrors.sentences(inResult: payload),
          hasData: payload["data"].map { !$0.isNull } ?? false)))
    // One result is all that a query or a mutation has, unless it says that parts of it follow (@defer).
    guard task?.kind != .subscription, payload["hasNext"] != .bool(true) else { return [result] }
    progress = .over
    return [result, .operation(.completed)]
  }

  private mutating func failed(_ payload: JSON, in message: RawSpan) -> [DialectOutput] {
    if let refused = refused(["errors": payload]) { return refused }
    progress = .over
    let text = Self.text(of: payload, in: message) { text in
      // The older protocol sends a single error; `errors` is a list in any case.
      let isList = payload.array != nil
      return Array("{\"errors\":\(isList ? "" : "[")".utf8) + text
        + Array((isList ? "}" : "]}").utf8)
    }
    return [
      .operation(
        .failed(
          GraphQLTaskResult(
            text: text, errors: GraphQLErrors.sentences(in: payload), hasData: false)))
    ]
  }

  private mutating func completed() -> [DialectOutput] {
    progress = .over
    if task?.kind == .subscription || hasResult { return [.operation(.completed)] }
    let sentence = "The server ended the \(task?.kind.rawValue ?? "operation") without a result."
    return [.notice(UntrustedText(sentence)), .operation(.broken)]
  }

  /// The payload of a message as it stands there, in one line.
  private static func text(
    of payload: JSON, in message: RawSpan, _ wrap: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    guard let range = JSONText.member("payload", in: message) else {
      return wrap(Array(payload.text.utf8))
    }
    return wrap(JSONText.line(message.extracting(range)))
  }

  package mutating func timeReached(at now: Instant) -> [DialectOutput] {
    connection?.timeReached(at: now) ?? []
  }

  package mutating func leave() -> [DialectOutput] {
    guard case .underWay(let id) = progress else { return [] }
    // Forgotten before it is said: what is on its way is of no interest any more.
    progress = .over
    return [.send(GraphQLRequest.complete(id: id, kind))]
  }

  package mutating func lost() -> [DialectOutput] {
    connection = nil
    guard case .underWay = progress else { return [] }
    if task?.kind == .mutation {
      progress = .over
      return [.operation(.inDoubt)]
    }
    progress = .interrupted
    return []
  }

  package func verdict(on reason: CloseReason, isReady: Bool) -> Verdict? {
    guard let connection else {
      return GraphQLVerdict.verdict(on: reason, isAcknowledged: isReady, told: nil)
    }
    return connection.verdict(on: reason, isReady: isReady)
  }

  package mutating func renew(_ token: Bearer) {
    if context.token != nil { context.token = token }
  }

  // A task has no room, no nick and no posts.

  package mutating func post(_ post: Post, at now: Instant) -> [DialectOutput] {
    [.rejected(nonce: post.nonce, reason: UntrustedText("this is no chat"))]
  }

  package mutating func join(room: String, at now: Instant) -> [DialectOutput] { [] }
  package mutating func rename(nick: String, at now: Instant) -> [DialectOutput] { [] }

  package mutating func barrierPassed(at now: Instant) -> [DialectOutput] {
    connection?.barrierPassed(at: now)
    return []
  }
}
