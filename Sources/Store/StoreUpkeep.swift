package import Channel
import Glibc
package import Room

/// What the store holds, in numbers.
package struct StoreFigures: Equatable, Sendable {
  package struct Server: Equatable, Sendable {
    /// As `Endpoint.identity` names it.
    package var url: String
    package var rooms: Int
    package var messages: Int
  }

  /// By their URLs.
  package var servers: [Server] = []
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
    let servers = try database.statement(
      """
      SELECT url, (SELECT count(*) FROM rooms WHERE server = servers.key),
        (SELECT count(*) FROM rooms JOIN messages ON room = rooms.key WHERE server = servers.key)
      FROM servers ORDER BY url
      """)
    defer { servers.reset() }
    while try servers.step() {
      figures.servers.append(
        StoreFigures.Server(
          url: servers.text(0), rooms: Int(servers.integer(1)), messages: Int(servers.integer(2))))
    }
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

  /// Messages that are deleted in one transaction: others that write wait for it.
  private static let stepOfDeletion = 500
  /// So long others get a chance between two transactions; in microseconds.
  private static let pause: UInt32 = 10_000

  /// Deletes the messages from before a moment, so that nothing of them stays in the file. Returns how many.
  package func prune(before moment: Timestamp) throws(StoreError) -> Int {
    try database.run("PRAGMA secure_delete = ON")
    var count = 0
    while true {
      let deleted = try database.transaction(.program) { () throws(StoreError) in
        let last = try lastOfNext(before: moment)
        guard let last else { return 0 }
        let condition = "key <= \(last) AND time < \(moment.milliseconds)"
        try forgetInputs(ofMessages: condition)
        try removeFromIndex(condition)
        try database.run("DELETE FROM messages WHERE \(condition)")
        let deleted = database.changes
        try messagesWereDeleted()
        return deleted
      }
      guard deleted > 0 else { break }
      count += deleted
      makeWay()
    }
    // Another program may have kept an earlier one from the end of it.
    let isClear = count == 0 ? try !hasTraces() : false
    if !isClear { try wipe() }
    return count
  }

  /// Deletes the transcript of a room, of all rooms of a server or, with nil for both, of all there are, so that
  /// nothing of it stays in the file, its index or its log, with the drafts there. What waits to be sent stays. Where
  /// to go on from is kept: what was forgotten is not fetched again. Returns how many messages those were.
  package func forget(server: String?, room: String?) throws(StoreError) -> Int {
    try database.run("PRAGMA secure_delete = ON")
    let search = try database.statement(
      """
      SELECT rooms.key FROM rooms JOIN servers ON servers.key = rooms.server
      WHERE (?1 IS NULL OR url = ?1) AND (?2 IS NULL OR name = ?2)
      """)
    try search.bind(1, server)
    try search.bind(2, room)
    var keys: [Int64] = []
    while try search.step() { keys.append(search.integer(0)) }
    // Commands too: there may be anything in them.
    if server == nil, room == nil { try database.run("DELETE FROM inputs") }
    var count = 0
    for key in keys {
      // Of lines that are older than the places of lines, those that said something.
      try forgetInputs(ofMessages: "room = \(key)")
      try database.run("DELETE FROM inputs WHERE room = \(key)")
      try database.run("DELETE FROM drafts WHERE room = \(key)")
      while case let deleted = try erase("room = \(key)", atMost: Self.stepOfDeletion), deleted > 0
      {
        count += deleted
        makeWay()
      }
    }
    try wipe()
    return count
  }

  /// Deletes some messages that are not to be kept any longer, at most so many in each room, the oldest first. False
  /// where nothing was left to do.
  package func pruneStep(
    _ retention: Retention, at now: Timestamp, atMost count: Int
  ) throws(StoreError) -> Bool {
    guard retention != .all else { return false }
    let rooms = try database.statement("SELECT key FROM rooms")
    var keys: [Int64] = []
    while try rooms.step() { keys.append(rooms.integer(0)) }
    var isMore = false
    for key in keys {
      guard let edge = try edge(of: retention, at: now, in: key, atMost: count) else { continue }
      try database.run("PRAGMA secure_delete = ON")
      try forgetInputs(ofMessages: "room = \(key) AND place < \(edge)")
      let deleted = try erase("room = \(key) AND place < \(edge)", atMost: count)
      isMore = isMore || deleted > 0
    }
    return isMore
  }

  /// The place before which messages go; nil where none do.
  private func edge(
    of retention: Retention, at now: Timestamp, in room: Int64, atMost count: Int
  ) throws(StoreError) -> Int64? {
    switch retention {
    case .all: return nil
    case .newest(let kept):
      let search = try database.statement(
        "SELECT place FROM messages WHERE room = ? ORDER BY place DESC LIMIT 1 OFFSET ?")
      try search.bind(1, room)
      try search.bind(2, kept - 1)
      defer { search.reset() }
      return try search.step() ? search.integer(0) : nil
    case .age(let age):
      let search = try database.statement(
        "SELECT place, time FROM messages WHERE room = ? ORDER BY place LIMIT ?")
      try search.bind(1, room)
      try search.bind(2, count)
      defer { search.reset() }
      let (moment, overflow) = now.milliseconds.subtractingReportingOverflow(age)
      guard !overflow else { return nil }
      var edge: Int64?
      while try search.step() {
        guard search.integer(1) < moment, search.integer(0) < .max else { break }
        edge = search.integer(0) + 1
      }
      return edge
    }
  }

  /// Deletes messages that fulfil a condition, at most so many; returns how many.
  private func erase(_ condition: String, atMost count: Int) throws(StoreError) -> Int {
    try database.transaction(.program) { () throws(StoreError) in
      let keys =
        "key IN (SELECT key FROM messages WHERE \(condition) ORDER BY place LIMIT \(count))"
      try removeFromIndex(keys)
      try database.run("DELETE FROM messages WHERE \(keys)")
      let deleted = database.changes
      if deleted > 0 { try messagesWereDeleted() }
      return deleted
    }
  }

  /// Lets other runs write, if there are any.
  private func makeWay() {
    if mark.hasCompany { usleep(Self.pause) }
  }

  /// Takes the traces of what was deleted out of the files. While other runs are there it is done in small steps, and
  /// the file stays as large as it was: to make it smaller keeps all others from writing for as long as that takes.
  /// Where another program reads, which only the file says that was not told to be a run, `hasTraces` stays true.
  private func wipe() throws(StoreError) {
    try database.run("UPDATE progress SET traces = 1")
    guard !mark.hasCompany else {
      while try clean() { makeWay() }
      return
    }
    // Deleted texts leave traces in the index until its parts are merged.
    try database.run("INSERT INTO texts (texts) VALUES ('optimize')")
    do throws(StoreError) {
      try database.run("VACUUM")
    } catch {
      guard error.kind == .busy else { throw error }
      // Another program reads: the room is used again later.
    }
    guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return }
    try database.run("UPDATE progress SET traces = 0")
  }

  private func lastOfNext(before moment: Timestamp) throws(StoreError) -> Int64? {
    let search = try database.statement(
      "SELECT max(key) FROM (SELECT key FROM messages WHERE time < ? ORDER BY key LIMIT \(Self.stepOfDeletion))"
    )
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
