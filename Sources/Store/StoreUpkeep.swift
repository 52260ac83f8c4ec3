package import Channel

/// What the store holds, in numbers.
package struct StoreFigures: Equatable, Sendable {
  package var servers = 0
  package var rooms = 0
  package var messages = 0
  /// Posts that wait or whose fate is not known.
  package var posts = 0
  package var oldest: Timestamp?
  package var newest: Timestamp?
  /// Bytes of the file, without its log.
  package var bytes = 0

  package init() {}
}

extension Store {
  package func figures() throws(StoreError) -> StoreFigures {
    var figures = StoreFigures()
    figures.servers = Int(try database.integer("SELECT count(*) FROM servers"))
    figures.rooms = Int(try database.integer("SELECT count(*) FROM rooms"))
    figures.messages = Int(try database.integer("SELECT count(*) FROM messages"))
    figures.posts = Int(try database.integer("SELECT count(*) FROM outbox"))
    if figures.messages > 0 {
      figures.oldest = Timestamp(
        milliseconds: try database.integer("SELECT min(time) FROM messages"))
      figures.newest = Timestamp(
        milliseconds: try database.integer("SELECT max(time) FROM messages"))
    }
    let pages = try database.integer("PRAGMA page_count")
    figures.bytes = Int(pages * (try database.integer("PRAGMA page_size")))
    return figures
  }

  /// Deletes the messages from before a moment, so that nothing of them stays in the file. Returns how many.
  package func prune(before moment: Timestamp) throws(StoreError) -> Int {
    try database.run("PRAGMA secure_delete = ON")
    var count = 0
    while true {
      let deleted = try database.transaction(.program) { () throws(StoreError) in
        let last = try lastOfNext(before: moment)
        guard let last else { return 0 }
        let condition = "key <= \(last) AND time < \(moment.milliseconds)"
        try removeFromIndex(condition)
        try database.run("DELETE FROM messages WHERE \(condition)")
        let deleted = database.changes
        try messagesWereDeleted()
        return deleted
      }
      guard deleted > 0 else { break }
      count += deleted
    }
    guard count > 0 else { return 0 }
    // Deleted texts leave traces in the index until its parts are merged.
    try database.run("INSERT INTO texts (texts) VALUES ('optimize')")
    do throws(StoreError) {
      try database.run("VACUUM")
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      guard error.kind == .busy else { throw error }
      // Another program reads: the room is used again later.
    }
    return count
  }

  private func lastOfNext(before moment: Timestamp) throws(StoreError) -> Int64? {
    let search = try database.statement(
      "SELECT max(key) FROM (SELECT key FROM messages WHERE time < ? ORDER BY key LIMIT 10000)")
    try search.bind(1, moment.milliseconds)
    defer { search.reset() }
    return try search.step() ? search.optionalInteger(0) : nil
  }

  /// What SQLite finds wrong with the file; empty where it is whole. Reads all of it.
  package func faults() throws(StoreError) -> [String] {
    let search = try database.statement("PRAGMA integrity_check(20)")
    defer { search.reset() }
    var faults: [String] = []
    while try search.step() { faults.append(search.text(0)) }
    return faults == ["ok"] ? [] : faults
  }
}
