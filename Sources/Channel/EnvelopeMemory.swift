package import JSON

/// What an earlier run knew, and what a later one is to know.
extension EnvelopeDialect {
  package mutating func recall(_ room: DialectMemory.Room) {
    for message in room.seen {
      ledger.recall(message, room: room.name)
      note(message, in: room.name)
    }
    for nonce in room.underWay { ledger.own(nonce) }
    resumed += room.underWay
  }

  /// While a page of what was missed is outstanding, what a cursor leaves behind was not told yet.
  package func cursor(in room: String) -> JSON? {
    held == nil ? cursors[room] : nil
  }

  mutating func takeResumed() -> [DialectOutput] {
    guard knowsNonces else { return [] }
    defer { resumed = [] }
    return resumed.map { .repeatable(nonce: $0) }
  }
}
