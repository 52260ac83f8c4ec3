import Glibc

/// Files that were set aside, since they were damaged: they hold what was said before.
extension Store {
  /// Their paths, without those of their companions.
  package var damaged: [String] { asides.filter { !Self.isCompanion($0) }.sorted() }

  /// Deletes them, and returns how many.
  package func deleteDamaged() throws(StoreError) -> Int {
    let files = asides
    for path in files where unlink(path) != 0 && errno != ENOENT { throw StoreFile.refused(path) }
    return files.count { !Self.isCompanion($0) }
  }

  private static func isCompanion(_ path: String) -> Bool {
    path.hasSuffix("-wal") || path.hasSuffix("-shm")
  }

  private var asides: [String] {
    let folder = String(path.dropLast(StoreFile.name.count + 1))
    return StoreFile.names(in: folder).filter { $0.hasPrefix(StoreFile.name + ".damaged-") }
      .map { folder + "/" + $0 }
  }
}
