import JSON
import Text

/// Edits, deletions and reactions as mutations, and what becomes of messages that were seen.
extension GraphQLDialect {
  /// How many of the latest messages are looked at once more after a loss of the line.
  static let lookedAgain = 100

  package var abilities: MessageAbilities {
    let profile = context.profile
    var abilities: MessageAbilities = []
    if profile.edit != nil { abilities.insert(.edit) }
    if profile.delete != nil { abilities.insert(.delete) }
    if profile.react != nil { abilities.insert(.react) }
    if profile.unreact != nil { abilities.insert(.unreact) }
    if let post = profile.post,
      Template.all(in: .object(post.variables)).contains(where: { $0.name == "reply" })
    {
      abilities.insert(.reply)
    }
    return abilities
  }

  package mutating func change(_ change: MessageChange, at now: Instant) -> [DialectOutput] {
    var values = templateValues
    values["id"] = wireID(change.id)
    let operation: Profile.Operation?
    switch change.kind {
    case .edit(let text):
      operation = context.profile.edit
      values["text"] = .string(text)
    case .delete: operation = context.profile.delete
    case .react(let emoji):
      operation = context.profile.react
      values["emoji"] = .string(emoji)
    case .unreact(let emoji):
      operation = context.profile.unreact
      values["emoji"] = .string(emoji)
    }
    guard let operation else {
      return changeRefused(
        change, UntrustedText("the profile “\(context.profile.name)” does not say how"))
    }
    guard line?.connection.phase == .acknowledged else {
      return changeRefused(change, UntrustedText("the line is not up"))
    }
    let id = newID()
    line?.operations[id] = .change(
      GraphQLLine.ChangeRequest(change: change, answerBy: now + Self.postTimeout))
    return [ask(id, operation, values)]
  }

  /// The server's id of a message, with the type that it has there.
  func wireID(_ alias: String) -> JSON {
    let id = ledger.original(of: alias, room: context.room)
    if idsAreNumbers, let number = Int64(id) { return .integer(number) }
    return .string(id)
  }

  mutating func changeResult(
    _ payload: JSON, _ request: GraphQLLine.ChangeRequest
  ) -> [DialectOutput] {
    if let errors = GraphQLErrors.text(inResult: payload) {
      return refusedForToken(.change(request), inResult: payload)
        ?? changeRefused(request.change, errors)
    }
    accepted(.change(request))
    guard let data = payload["data"], !data.isNull else {
      return changeRefused(request.change, UntrustedText("the answer is empty"))
    }
    let item = changeItems(request.change.kind).flatMap {
      MessageReader.items(at: PathFinder($0), in: data).first
    }
    if item == .bool(false) { return changeRefused(request.change, UntrustedText("it says no")) }
    let message = item.flatMap { $0.members == nil ? nil : reader.read($0)?.message }
    if let message { _ = ledger.isChanged(message, room: context.room) }
    return [.changeDone(request.change, message.map { known(form($0)) })]
  }

  private func changeItems(_ kind: MessageChange.Kind) -> Profile.Path? {
    let operation =
      switch kind {
      case .edit: context.profile.edit
      case .delete: context.profile.delete
      case .react: context.profile.react
      case .unreact: context.profile.unreact
      }
    return operation.flatMap { $0.items.text.isEmpty ? nil : $0.items }
  }

  func changeRefused(_ change: MessageChange, _ reason: UntrustedText) -> [DialectOutput] {
    [.changeFailed(change, UntrustedText("\(change.words) was not done: \(reason.raw)"))]
  }

  mutating func changesTimedOut(at now: Instant) -> [DialectOutput] {
    endChanges("has not been answered for 30 seconds") { $0.answerBy <= now }
  }

  mutating func changesLost() -> [DialectOutput] {
    endChanges("was on its way when the line was lost") { _ in true }
  }

  private mutating func endChanges(
    _ words: String, _ isOver: (GraphQLLine.ChangeRequest) -> Bool
  ) -> [DialectOutput] {
    var outputs: [DialectOutput] = []
    let operations = line?.operations ?? [:]
    for id in operations.keys.sorted(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) {
      guard case .change(let request) = operations[id], isOver(request) else { continue }
      line?.operations[id] = nil
      let sentence = "\(request.change.words) \(words): look whether it was done."
      outputs.append(.changeFailed(request.change, UntrustedText(sentence)))
    }
    return outputs
  }

  // MARK: - Other forms of what was seen

  /// A message that comes once more: where the profile does not say where an edit is seen, another text is one.
  func form(_ message: ChatMessage) -> ChatMessage {
    guard context.profile.message.edited == nil, !message.isDeleted else { return message }
    var message = message
    message.marks.isEdited = true
    return message
  }

  /// Under the id by which it is known here.
  func known(_ message: ChatMessage) -> ChatMessage {
    var message = message
    message.id = ledger.alias(of: message.id, room: context.room) ?? message.id
    return message
  }

  /// Asks for the latest messages as they are now: nobody told of what changed while the line was away.
  mutating func lookAgain() -> [DialectOutput] {
    let profile = context.profile
    guard profile.tracksChanges, profile.liveMode == .event, context.historyCount > 0 else {
      return []
    }
    return askHistory(
      GraphQLLine.HistoryRequest(
        room: context.room, purpose: .look, after: nil, count: Self.lookedAgain))
  }

  /// What was not seen before is none of this answer's business: it has its place in another.
  mutating func looked(_ messages: [ChatMessage]) -> [DialectOutput] {
    let seen = messages.filter { message in
      ledger.hasSeen(message, room: context.room)
        && ledger.isChanged(message, room: context.room)
    }
    return seen.isEmpty ? [] : [.changed(seen.map { known(form($0)) })]
  }
}
