import JSON
import Text

/// How operations leave: over the socket, or over HTTP where the profile says so.
extension GraphQLDialect {
  func ask(
    _ id: String, _ operation: Profile.Operation, _ values: TemplateValues
  ) -> DialectOutput {
    let via = kind == .legacy ? operation.legacyVia : operation.via
    switch via {
    case .webSocket: return .send(GraphQLRequest.subscribe(id: id, operation, values, kind))
    case .http:
      let body = GraphQLRequest.body(
        document: operation.document, operationName: operation.operationName,
        variables: Template.expand(operation.variables, with: values))
      return .fetch(id: id, body: body.text)
    }
  }

  package mutating func answered(
    _ id: String, _ outcome: FetchOutcome, at now: Instant
  ) -> [DialectOutput] {
    guard let operation = line?.operations[id] else { return [] }
    switch outcome {
    case .answered(let status, let body):
      let payload = try? JSON.parse(body.span.bytes)
      if status == 401, payload?["data"]?.isNull != false {
        let text =
          payload.flatMap { GraphQLErrors.text(inResult: $0) }
          ?? UntrustedText("the server answered 401 over HTTP")
        if let outputs = refusedForToken(operation, text) {
          line?.operations[id] = nil
          return outputs
        }
        return failed(id, .string(text.raw), at: now)
      }
      // The status is of no account where the body is an answer of GraphQL.
      if let payload,
        payload["data"] != nil || payload["errors"] != nil
      {
        return next(id, payload, at: now)
      }
      let isUnreadable = (200..<300).contains(status)
      let reason =
        "the server answered \(status) over HTTP" + (isUnreadable ? " with what is no GraphQL" : "")
      switch status {
      // Done or not: the answer does not say.
      case 200..<300, 500...: return notAnswered(id, operation, reason, mayBeThere: true, at: now)
      case 408, 425, 429: return notAnswered(id, operation, reason, mayBeThere: false, at: now)
      default: return failed(id, .string(reason), at: now)
      }
    case .failed(let reason, let wasSent):
      return notAnswered(id, operation, reason, mayBeThere: wasSent, at: now)
    }
  }

  /// `mayBeThere` where the server may have done what it was asked for.
  private mutating func notAnswered(
    _ id: String, _ operation: GraphQLLine.Operation, _ reason: String, mayBeThere: Bool,
    at now: Instant
  ) -> [DialectOutput] {
    if case .post(let request) = operation {
      line?.operations[id] = nil
      return postFailed(request, reason, mayBeThere: mayBeThere, at: now)
    }
    if case .change(let request) = operation, mayBeThere {
      line?.operations[id] = nil
      return [
        .changeFailed(
          request.change,
          UntrustedText("\(request.change.words) may not have arrived: \(reason)."))
      ]
    }
    return failed(id, .string(reason), at: now)
  }

  // MARK: - Names

  /// Asks who is in the room, and once on a line which rooms there are.
  mutating func askNames() -> [DialectOutput] {
    var outputs: [DialectOutput] = []
    let isFirst = line?.isReady == false
    for (list, operation) in [
      (
        GraphQLLine.NameList.members,
        context.profile.membersAreLive ? nil : context.profile.members
      ),
      (.rooms, isFirst ? context.profile.rooms : nil),
    ] {
      guard let operation else { continue }
      let id = newID()
      line?.operations[id] = .names(list)
      outputs.append(ask(id, operation, templateValues))
    }
    return outputs
  }

  func names(_ list: GraphQLLine.NameList, in payload: JSON) -> [DialectOutput] {
    let operation = list == .rooms ? context.profile.rooms : context.profile.members
    guard let operation, let data = payload["data"], !data.isNull else {
      return namesFailed(list, GraphQLErrors.text(in: payload["errors"] ?? .null))
    }
    let names = MessageReader.items(at: PathFinder(operation.items), in: data)
      .compactMap(\.string).prefix(10_000).map { UntrustedText($0) }
    switch list {
    case .members: return [.members(Array(names))]
    case .rooms:
      let words = names.prefix(40).map(\.raw).joined(separator: ", ")
      return names.isEmpty ? [] : [.notice(UntrustedText("There are the rooms \(words)."))]
    }
  }

  func namesFailed(_ list: GraphQLLine.NameList, _ text: UntrustedText) -> [DialectOutput] {
    let what = list == .rooms ? "which rooms there are" : "who is in the room"
    return [.notice(UntrustedText("The server does not say \(what): \(text.raw)"))]
  }
}
