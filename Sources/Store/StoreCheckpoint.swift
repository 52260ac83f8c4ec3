import CSQLite

/// Moving what was written from the log into the file (a checkpoint of the WAL). SQLite does that within a write by
/// itself, which then waits for the disk; whoever has somebody waiting for the next write does it beside them.
extension Store {
  /// As many pages as SQLite gathers in the log by itself before it moves them.
  package static let usualLogPages = 1_000

  /// From now on only `checkpoint` moves what is in the log.
  package func leaveCheckpoints() { database.countLogPages() }

  /// Pages in the log after the last write, those that were moved already among them until the log begins anew. 0
  /// before `leaveCheckpoints`.
  package var logPages: Int { database.logPages }

  /// Moves what it can without waiting for anybody, and waits for the disk. May be called by any thread.
  ///
  /// Errors are the next write's to find: what could not be moved stays in the log, where it is as safe.
  package static func checkpoint(_ path: String) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    if sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK {
      // A connection that has read nothing yet does not know of the log.
      sqlite3_exec(opened, "PRAGMA user_version", nil, nil, nil)
      sqlite3_wal_checkpoint_v2(opened, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
    sqlite3_close_v2(opened)
  }
}
