import JSON
import Text

/// Edits, deletions and reactions in the envelope, where the server knows them.
extension EnvelopeDialect {
  /// Those that may be unanswered at a time.
  private static let mostChanges = 256

  package var abilities: MessageAbilities { knowsChanges ? .all : [] }

  package mutating func change(_ change: MessageChange, at now: Instant) -> [DialectOutput] {
    guard knowsChanges, changes.count < Self.mostChanges else {
      let reason = knowsChanges ? "too many others are unanswered" : "the server does not know it"
      let sentence = "\(change.words) was not done: \(reason)."
      return [.changeFailed(change, UntrustedText(sentence))]
    }
    changeCount += 1
    let nonce = "change \(changeCount)"
    changes[nonce] = change
    var members: [JSON.Member] = [
      .init("room", .string(context.room)),
      .init("id", .string(ledger.original(of: change.id, room: context.room))),
    ]
    let kind: String
    switch change.kind {
    case .edit(let text):
      kind = "edit"
      members.append(.init("text", .string(text)))
    case .delete: kind = "delete"
    case .react(let emoji):
      kind = "react"
      members.append(.init("emoji", .string(emoji)))
    case .unreact(let emoji):
      kind = "unreact"
      members.append(.init("emoji", .string(emoji)))
    }
    members.append(.init("nonce", .string(nonce)))
    return [.send(EnvelopeFrame(kind, .object(members)).text)]
  }

  mutating func changed(_ payload: JSON) -> [DialectOutput] {
    guard let reading = reader.read(payload) else { return drop() }
    guard reading.room == nil || reading.room == context.room else { return [] }
    return [.changed([known(reading.message)])]
  }

  mutating func done(_ payload: JSON) -> [DialectOutput] {
    guard let nonce = payload["nonce"]?.string else { return drop() }
    guard let change = changes.removeValue(forKey: nonce) else { return [] }
    let message = payload["message"].flatMap { reader.read($0)?.message }
    return [.changeDone(change, message.map { known($0) })]
  }

  /// What changed while we were away.
  mutating func forms(_ items: [JSON]) -> [DialectOutput] {
    let forms = items.prefix(10_000).compactMap { reader.read($0)?.message }.map { known($0) }
    return forms.isEmpty ? [] : [.changed(forms)]
  }

  /// Under the id by which it is known here.
  private mutating func known(_ message: ChatMessage) -> ChatMessage {
    note(message)
    var message = message
    message.id = ledger.alias(of: message.id, room: context.room) ?? message.id
    return message
  }

  /// How far the changes of a room were seen.
  mutating func note(_ message: ChatMessage, in room: String? = nil) {
    guard message.hasMarks, let revision = message.marks.revision else { return }
    let room = room ?? context.room
    revisions[room] = max(revisions[room] ?? revision, revision)
  }

  mutating func changesLost() -> [DialectOutput] {
    defer { changes = [:] }
    return changes.sorted { $0.key < $1.key }.map { _, change in
      let sentence =
        "\(change.words) was on its way when the line was lost: look whether it was done."
      return .changeFailed(change, UntrustedText(sentence))
    }
  }
}
