import CSQLite

/// A prepared statement with its parameters and its current row.
final class Statement {
  private let handle: OpaquePointer
  private unowned let database: Database
  private var isFinished = false

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  /// Frees it; the database does so before it closes.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    sqlite3_finalize(handle)
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Parameters count from 1.
  func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
    try database.check(sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ index: Int32, _ value: Int) throws(StoreError) {
    try bind(index, Int64(value))
  }

  func bind(_ index: Int32, _ value: Bool) throws(StoreError) {
    try bind(index, value ? 1 : 0 as Int64)
  }

  /// Nil binds NULL, as does nothing at all.
  func bind(_ index: Int32, _ value: Int64?) throws(StoreError) {
    if let value { try bind(index, value) }
  }

  func bind(_ index: Int32, _ value: String?) throws(StoreError) {
    guard var value else { return }
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        // An empty string may have no address, which SQLite would take for NULL.
        guard let start = text.baseAddress else { return cs_bind_text(handle, index, "", 0) }
        return cs_bind_text(handle, index, start, Int32(clamping: text.count))
      }
    }
    try database.check(code)
  }

  /// True with a row, false at the end, which resets the statement.
  func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else {
      try database.check(code)
      return false
    }
    return false
  }

  /// Runs a statement that gives no rows.
  func run() throws(StoreError) {
    while try step() {}
  }

  // MARK: The current row; columns count from 0

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Of a text, in UTF-8.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// Broken UTF-8 of a damaged file becomes U+FFFD.
  func optionalText(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
