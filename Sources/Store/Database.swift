import CSQLite

/// One connection to SQLite: it keeps prepared statements and turns result codes into typed errors.
final class Database {
  /// What must be on the disk when a transaction is over.
  enum Durability: String {
    /// Survives the end of the program; a power cut may take the last transactions, never a part of one.
    case program = "NORMAL"
    /// Survives a power cut as well: waits for the disk.
    case power = "FULL"
  }

  let path: String
  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var durability: Durability?
  /// Where SQLite says after each transaction how many pages the log has; nil while it moves them itself.
  private var pagesTold: UnsafeMutablePointer<Int32>?
  /// What holds for all connections, set before the first; refused without harm where SQLite is in use already.
  private static let isPrepared = cs_prepare() == SQLITE_OK

  /// Of a file that cannot be written, or is not to be: nothing is changed. Where not even the companions of the file can
  /// be made, as on a disk that is read only, what stands in the file alone is read.
  /// With `needsLog` a log that is there and cannot be read is an error: what stands in the file alone is an
  /// earlier state then.
  init(reading path: String, needsLog: Bool = false) throws(StoreError) {
    self.path = path
    try StoreFile.checkKinds(of: path)
    _ = Self.isPrepared
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing(
      "#", with: "%23")
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI
    var opened: OpaquePointer?
    var code = SQLITE_CANTOPEN
    let readsAlone = !needsLog || !StoreFile.hasLog(path)
    for address in ["file:\(escaped)"] + (readsAlone ? ["file:\(escaped)?immutable=1"] : []) {
      code = sqlite3_open_v2(address, &opened, flags, nil)
      // The first statement opens the file.
      if code == SQLITE_OK { code = sqlite3_exec(opened, "PRAGMA user_version", nil, nil, nil) }
      if code == SQLITE_OK { break }
      sqlite3_close_v2(opened)
      opened = nil
    }
    guard let opened else { throw StoreError(code: code, path: path, words: nil) }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    _ = cs_add_searchable(opened)
    _ = cs_configure(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = cs_configure(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA temp_store = MEMORY")
  }

  /// `patience` in milliseconds: how long another writer is waited for. `system` names a VFS other than the
  /// default one.
  init(path: String, patience: Int32, system: String? = nil) throws(StoreError) {
    self.path = path
    _ = Self.isPrepared
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = sqlite3_open_v2(path, &opened, flags, system)
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(
        code: code, path: path, words: opened.map(Self.words),
        systemError: sqlite3_system_errno(opened))
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    _ = cs_add_searchable(opened)
    sqlite3_busy_timeout(opened, patience)
    // A file that somebody has tampered with runs no code of its own.
    _ = cs_configure(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = cs_configure(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = cs_configure(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    _ = cs_configure(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA journal_size_limit = 4194304")
    try run("PRAGMA cache_size = -4000")
    try run("PRAGMA foreign_keys = ON")
    try run("PRAGMA temp_store = MEMORY")
  }

  deinit {
    for statement in statements.values { statement.finish() }
    sqlite3_close_v2(handle)
    pagesTold?.deallocate()
  }

  var logPages: Int { Int(pagesTold?.pointee ?? 0) }

  func wait(atMost patience: Int32) { sqlite3_busy_timeout(handle, patience) }

  func countLogPages() {
    guard pagesTold == nil else { return }
    let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    pages.initialize(to: 0)
    pagesTold = pages
    sqlite3_wal_hook(
      handle,
      { told, _, _, pages in
        told?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, pages)
  }

  /// Runs statements that give no rows, or whose rows do not matter.
  func run(_ text: String) throws(StoreError) {
    try check(sqlite3_exec(handle, text, nil, nil, nil))
  }

  /// A prepared statement, made once for each text.
  func statement(_ text: String) throws(StoreError) -> Statement {
    if let statement = statements[text] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared else { throw StoreError(code: SQLITE_MISUSE, path: path, words: nil) }
    let statement = Statement(prepared, of: self)
    statements[text] = statement
    return statement
  }

  /// All or nothing of what the body writes.
  func transaction<Value>(
    _ durability: Durability, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if durability != self.durability {
      try run("PRAGMA synchronous = \(durability.rawValue)")
      self.durability = durability
    }
    try run("BEGIN IMMEDIATE")
    let value: Value
    do throws(StoreError) {
      value = try body()
      try run("COMMIT")
    } catch {
      // Some errors have rolled back already; then this one has nothing to do.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
    return value
  }

  func integer(_ text: String) throws(StoreError) -> Int64 {
    let statement = try statement(text)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  var changes: Int { Int(sqlite3_changes64(handle)) }
  var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

  func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else {
      throw StoreError(
        code: code, path: path, words: Self.words(handle),
        systemError: sqlite3_system_errno(handle))
    }
  }

  private static func words(_ handle: OpaquePointer) -> String {
    sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
  }
}

extension StoreError {
  /// `systemError` is the `errno` behind a fault of the disk, 0 where it is not known: that a file cannot grow for want
  /// of room SQLite tells as such only where it writes pages.
  init(code: Int32, path: String, words: String?, systemError: Int32 = 0) {
    let words = words.map { " (\($0))" } ?? ""
    let isDisk = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    switch isDisk && StoreFile.isWantOfRoom(systemError) ? SQLITE_FULL : code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.busy, "The history \(path) is in use by another program: try again in a moment.")
    case SQLITE_FULL:
      self.init(full: path)
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT:
      self.init(.damaged, "The history \(path) is damaged\(words).")
    case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
      self.init(.unfitting, "The history \(path) is not as it should be\(words).")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      self.init(
        .unusable,
        "The history \(path) cannot be opened for writing\(words): look at its permissions.")
    default:
      self.init(
        .inputOutput, "The history \(path) cannot be read or written\(words): look at the disk.")
    }
  }
}
