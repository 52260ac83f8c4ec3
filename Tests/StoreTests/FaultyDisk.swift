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

  // Used by the tests of one suite, one after the other.
  nonisolated(unsafe) private static var real = sqlite3_io_methods()
  /// The changed tables by the ones below: the database has another than its journal. All have the same functions
  /// for what is counted.
  nonisolated(unsafe) private static var faulty:
    [UnsafePointer<sqlite3_io_methods>: UnsafeMutablePointer<sqlite3_io_methods>] = [:]
  nonisolated(unsafe) private static let system =
    UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  nonisolated(unsafe) private static var below: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static let nameBytes = strdup(name)

  static let registered: Bool = {
    sqlite3_initialize()
    guard let found = sqlite3_vfs_find(nil) else { return false }
    below = found
    system.initialize(to: found.pointee)
    system.pointee.zName = UnsafePointer(nameBytes)
    system.pointee.xOpen = { _, name, file, flags, outFlags in
      guard let below = FaultyDisk.below, let file,
        let code = below.pointee.xOpen?(below, name, file, flags, outFlags)
      else { return SQLITE_CANTOPEN }
      guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
      FaultyDisk.real = methods.pointee
      let changed =
        FaultyDisk.faulty[methods] ?? UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      changed.initialize(to: FaultyDisk.changed(methods.pointee))
      FaultyDisk.faulty[methods] = changed
      file.pointee.pMethods = UnsafePointer(changed)
      return code
    }
    return sqlite3_vfs_register(system, 0) == SQLITE_OK
  }()

  private static func changed(_ methods: sqlite3_io_methods) -> sqlite3_io_methods {
    var methods = methods
    methods.xWrite = { file, bytes, count, offset in
      FaultyDisk.fails() ?? FaultyDisk.real.xWrite?(file, bytes, count, offset) ?? SQLITE_IOERR
    }
    methods.xSync = { file, flags in
      // Nobody cuts the power here: what is counted is the call.
      FaultyDisk.fails() ?? SQLITE_OK
    }
    methods.xTruncate = { file, size in
      FaultyDisk.fails() ?? FaultyDisk.real.xTruncate?(file, size) ?? SQLITE_IOERR
    }
    return methods
  }
}
