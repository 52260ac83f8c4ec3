package import JSON

/// What an earlier run knew, and what a later one is to know.
extension GraphQLDialect {
  package mutating func recall(_ room: DialectMemory.Room) {
    for message in room.seen { ledger.recall(message, room: room.name) }
    for nonce in room.underWay {
      ledger.own(nonce)
      unresolved.append(nonce)
    }
    if context.profile.postRepeat == .safe { resumed += room.underWay }
  }

  /// While the history is outstanding, what a cursor leaves behind was not told yet.
  package func cursor(in room: String) -> JSON? {
    guard line?.held == nil else { return nil }
    if let checkpoint = line?.checkpoint, checkpoint.room == room { return checkpoint.cursor }
    return progress[room]?.cursor
  }

  /// Those that the history did not show: the server knows their nonces, so that a repeat does no harm.
  mutating func takeResumed() -> [DialectOutput] {
    defer { resumed = [] }
    return resumed.filter(unresolved.contains).map { .repeatable(nonce: $0) }
  }
}
