/// The index of the texts follows the messages a little later, so that a flood of them costs no more than being
/// written: it takes ten times as long to find the trigrams of a message as to store it.
extension Store {
  /// Takes messages that are not in the index into it, at most that many. False where none are left.
  @discardableResult
  package func index(atMost count: Int) throws(StoreError) -> Bool {
    guard let last = try unindexed(atMost: count) else { return false }
    return try database.transaction(.program) { () throws(StoreError) in
      let from = try database.integer("SELECT indexed FROM progress")
      // Another program may have been faster.
      guard from < last else { return true }
      let insertion = try database.statement(
        "INSERT INTO texts (rowid, text) SELECT key, searchable(text) FROM messages WHERE key > ? AND key <= ?"
      )
      try insertion.bind(1, from)
      try insertion.bind(2, last)
      try insertion.run()
      try StoreBlocks.note(after: from, upTo: last, in: database)
      let update = try database.statement("UPDATE progress SET indexed = ?")
      try update.bind(1, last)
      try update.run()
      return true
    }
  }

  /// The key of the last of the next messages to be indexed.
  private func unindexed(atMost count: Int) throws(StoreError) -> Int64? {
    let search = try database.statement(
      """
      SELECT max(key) FROM (
        SELECT key FROM messages WHERE key > (SELECT indexed FROM progress) ORDER BY key LIMIT ?)
      """)
    try search.bind(1, count)
    defer { search.reset() }
    return try search.step() ? search.optionalInteger(0) : nil
  }

  /// To be called before messages are deleted, with a condition on their rows; within a transaction, and with
  /// `messagesWereDeleted` behind it.
  func removeFromIndex(_ condition: String) throws(StoreError) {
    try database.run(
      """
      INSERT INTO texts (texts, rowid, text) SELECT 'delete', key, searchable(text) FROM messages
      WHERE key <= (SELECT indexed FROM progress) AND \(condition)
      """)
  }

  /// The highest key may be given out again, and belongs to a message then that the index does not hold. Parts of the index
  /// keep what was taken out of it, until `clean` has merged them: that is noted with the deletion, however soon the program ends.
  func messagesWereDeleted() throws(StoreError) {
    try database.run("UPDATE progress SET traces = 1")
    try database.run(
      "UPDATE progress SET indexed = min(indexed, coalesce((SELECT max(key) FROM messages), 0))")
    try database.run(
      "DELETE FROM blocks WHERE block > (SELECT indexed FROM progress) / \(StoreBlocks.size)")
  }
}
