import CSQLite
import Glibc
import Synchronization

/// A VFS of SQLite on which one write fails: the default one, with a count of the calls that change something.
enum FaultyDisk {
  static let name = "faulty"

  struct Plan: Sendable {
    /// Calls that still go well; nil lets all go well.
    var callsLeft: Int?
    /// SQLITE_FULL or SQLITE_IOERR_…
    var code: Int32 = SQLITE_FULL
    /// Whether the disk stays broken.
    var stays = false
    var calls = 0
    var failures = 0
  }

  static let plan = Mutex(Plan())

  /// Nil where the call goes through.
  private static func fails() -> Int32? {
    plan.withLock { plan in
      plan.calls += 1
      guard let left = plan.callsLeft else { return nil }
      if left > 0 {
        plan.callsLeft = left - 1
        return nil
      }
      if !plan.stays { plan.callsLeft = nil }
      plan.failures += 1
      return plan.code
    }
  }

  // Made once by `registered`, before any file is opened, and never changed again.
  nonisolated(unsafe) private static var real = sqlite3_io_methods()
  nonisolated(unsafe) private static var faulty = sqlite3_io_methods()
  nonisolated(unsafe) private static var system = sqlite3_vfs()
  nonisolated(unsafe) private static var below: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static let nameBytes = strdup(name)

  static let registered: Bool = {
    sqlite3_initialize()
    guard let found = sqlite3_vfs_find(nil) else { return false }
    below = found
    system = found.pointee
    system.zName = UnsafePointer(nameBytes)
    system.xOpen = { _, name, file, flags, outFlags in
      guard let below = FaultyDisk.below, let file,
        let code = below.pointee.xOpen?(below, name, file, flags, outFlags)
      else { return SQLITE_CANTOPEN }
      guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
      FaultyDisk.real = methods.pointee
      FaultyDisk.faulty = FaultyDisk.changed(methods.pointee)
      withUnsafePointer(to: &FaultyDisk.faulty) { file.pointee.pMethods = $0 }
      return code
    }
    return withUnsafeMutablePointer(to: &system) { sqlite3_vfs_register($0, 0) } == SQLITE_OK
  }()

  private static func changed(_ methods: sqlite3_io_methods) -> sqlite3_io_methods {
    var methods = methods
    methods.xWrite = { file, bytes, count, offset in
      FaultyDisk.fails() ?? FaultyDisk.real.xWrite?(file, bytes, count, offset) ?? SQLITE_IOERR
    }
    methods.xSync = { file, flags in
      FaultyDisk.fails() ?? FaultyDisk.real.xSync?(file, flags) ?? SQLITE_IOERR
    }
    methods.xTruncate = { file, size in
      FaultyDisk.fails() ?? FaultyDisk.real.xTruncate?(file, size) ?? SQLITE_IOERR
    }
    return methods
  }
}
