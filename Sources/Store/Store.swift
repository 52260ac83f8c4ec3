package import Channel
import Glibc
import JSON
import Room

/// What was read and written, on disk: transcripts, outbox, drafts, the history of the input and how far the person
/// has read. One SQLite file, shared by all runs of the program; every method is a transaction.
///
/// Errors are thrown and nothing is half written. It belongs to the one thread that opened it.
package final class Store {
  /// The file.
  package let path: String
  /// What the person should know about how it was opened, such as that a damaged file was set aside.
  package private(set) var warnings: [String] = []

  let database: Database
  /// The parts of the index are being merged; see `clean`.
  var isCleaning = false
  let mark: RunMark
  /// The file that is open: another run may have set it aside.
  private let identity: StoreFile.Identity?
  /// Nothing is written.
  package let isForReading: Bool
  /// Keys of servers and rooms, as they never change.
  private var serverKeys: [String: Int64] = [:]
  private var roomKeys: [RoomName: Int64] = [:]

  /// See `name(of:in:)`.
  var names: [MessageName: String] = [:]

  struct RoomName: Hashable {
    var server: String
    var room: String
  }

  /// Opens the store in that folder, and makes both where they are missing.
  ///
  /// - Parameters:
  ///   - run: a name for this run of the program, unlike any other's.
  ///   - moment: now, for the name of a damaged file that is set aside.
  ///   - patience: how long another writer is waited for, in milliseconds.
  ///   - system: the VFS of SQLite that is used, for tests.
  package init(
    folder: String, run: String, at moment: Timestamp, patience: Int32 = 250, system: String? = nil
  ) throws(StoreError) {
    path = try StoreFile.prepare(folder: folder)
    let resolved = String(path.dropLast(StoreFile.name.count + 1))
    var found = StoreFile.identity(of: path)
    do throws(StoreError) {
      database = try Self.open(path, patience, system)
    } catch {
      guard error.kind == .damaged || error.kind == .unfitting else { throw error }
      let path = path
      let damaged = found
      let renewed: (database: Database, aside: String?) = try StoreFile.exclusively(in: resolved) {
        () throws(StoreError) in
        // Another run may have been faster, and writes into a new one already.
        let isThere = damaged == StoreFile.identity(of: path)
        let aside = isThere ? try StoreFile.setAside(path, at: moment.milliseconds) : nil
        _ = try StoreFile.prepare(folder: folder)
        return (try Self.open(path, patience, system), aside)
      }
      database = renewed.database
      found = StoreFile.identity(of: path)
      if let aside = renewed.aside {
        warnings.append(
          "The history \(path) was damaged: it was set aside as \(aside), and a new one begins. "
            + "sqlite3 \(aside) .recover may bring back what it held.")
      }
    }
    identity = found
    isForReading = false
    mark = try RunMark(name: run, folder: resolved)
  }

  /// Opens a store that is there and writes nothing, not even into the index of the search: for a disk that is full or
  /// read only. With `needsLog` it has to be all of it, not an earlier state.
  package init(reading folder: String, needsLog: Bool = false) throws(StoreError) {
    path = folder + "/" + StoreFile.name
    database = try Database(reading: path, needsLog: needsLog)
    try Schema.check(database)
    mark = RunMark(ofReaderIn: folder)
    identity = StoreFile.identity(of: path)
    isForReading = true
  }

  private static func open(
    _ path: String, _ patience: Int32, _ system: String?
  ) throws(StoreError) -> Database {
    let database = try Database(path: path, patience: patience, system: system)
    try Schema.migrate(database)
    // Fails where a table or a column is not what it should be, or its beginning cannot be read.
    for text in [Self.lastMessages, Self.insertMessage, Self.insertPost, Self.readRoom] {
      _ = try database.statement(text)
    }
    for table in [
      "servers", "rooms", "messages", "outbox", "drafts", "inputs", "progress", "texts_data",
      "blocks",
    ] {
      _ = try database.integer("SELECT count(*) FROM (SELECT 1 FROM \(table) NOT INDEXED LIMIT 1)")
    }
    return database
  }

  // MARK: Servers and rooms

  func serverKey(_ server: String) throws(StoreError) -> Int64 {
    if let key = serverKeys[server] { return key }
    let insertion = try database.statement(
      "INSERT INTO servers (url) VALUES (?) ON CONFLICT DO NOTHING")
    try insertion.bind(1, server)
    try insertion.run()
    let key = try findServer(server) ?? database.lastKey
    serverKeys[server] = key
    return key
  }

  /// Nil where nothing is known of it.
  func findServer(_ server: String) throws(StoreError) -> Int64? {
    let search = try database.statement("SELECT key FROM servers WHERE url = ?")
    try search.bind(1, server)
    defer { search.reset() }
    return try search.step() ? search.integer(0) : nil
  }

  /// Makes the room where it is not there.
  func roomKey(_ name: String, on server: String) throws(StoreError) -> Int64 {
    let place = RoomName(server: server, room: name)
    if let key = roomKeys[place] { return key }
    let serverKey = try serverKey(server)
    let insertion = try database.statement(
      "INSERT INTO rooms (server, name) VALUES (?, ?) ON CONFLICT DO NOTHING")
    try insertion.bind(1, serverKey)
    try insertion.bind(2, name)
    try insertion.run()
    guard let key = try findRoom(name, of: serverKey) else {
      throw StoreError(.damaged, "The history \(path) is damaged (a room is gone).")
    }
    roomKeys[place] = key
    return key
  }

  func findRoom(_ name: String, of serverKey: Int64) throws(StoreError) -> Int64? {
    let search = try database.statement("SELECT key FROM rooms WHERE server = ? AND name = ?")
    try search.bind(1, serverKey)
    try search.bind(2, name)
    defer { search.reset() }
    return try search.step() ? search.integer(0) : nil
  }

  /// After a transaction that was taken back, keys that it made are not there any more.
  func forgetKeys() {
    serverKeys = [:]
    roomKeys = [:]
  }

  /// Whether the file that is open is the one that others find: false once it was set aside or deleted.
  package var isAtItsPath: Bool { identity == StoreFile.identity(of: path) }

  /// Takes the damaged file out of the way, unless another run has done so; the store is not to be used after it.
  /// Returns a sentence.
  package func setAside(at moment: Timestamp) -> String {
    let folder = String(path.dropLast(StoreFile.name.count + 1))
    do throws(StoreError) {
      return try StoreFile.exclusively(in: folder) { () throws(StoreError) in
        guard isAtItsPath else {
          return "The history \(path) is damaged: another parlour has set it aside."
        }
        let aside = try StoreFile.setAside(path, at: moment.milliseconds)
        return
          "The history \(path) is damaged: it was set aside as \(aside), of which sqlite3 \(aside) .recover may bring"
          + " back what it held."
      }
    } catch {
      return error.message
    }
  }

  /// How long another writer is waited for from now on, in milliseconds.
  package func wait(atMost patience: Int32) { database.wait(atMost: patience) }
}
