import Glibc

/// Says that this run of the program is alive, to others that share the store: a locked file, whose lock goes with
/// the program however it ends. What a run that is gone left in the outbox may be taken over.
final class RunMark {
  let name: String
  private let folder: String
  private let descriptor: Int32

  /// `name` is unlike that of any other run.
  init(name: String, folder: String) throws(StoreError) {
    self.name = name
    self.folder = folder + "/runs"
    if mkdir(self.folder, 0o700) != 0, errno != EEXIST {
      throw StoreFile.unusable(self.folder, StoreFile.words())
    }
    let path = self.folder + "/" + name
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    // Another run that looks who is there may hold it for a moment.
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      throw StoreFile.unusable(path, StoreFile.words())
    }
  }

  /// Of a run that only reads, and says so to nobody.
  init(ofReaderIn folder: String) {
    name = ""
    self.folder = folder + "/runs"
    descriptor = -1
  }

  deinit {
    guard descriptor >= 0 else { return }
    unlink(folder + "/" + name)
    close(descriptor)
  }

  /// Whether other runs are there.
  var hasCompany: Bool {
    guard let entries = opendir(folder) else { return false }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let other = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard other != ".", other != "..", other != name else { continue }
      if isLocked(folder + "/" + other) { return true }
    }
    return false
  }

  private func isLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// Whether the run of that name has ended. Its file is taken away then.
  func hasEnded(_ other: String) -> Bool {
    guard other != name, !other.isEmpty, !other.contains("/") else { return false }
    let path = folder + "/" + other
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    unlink(path)
    return true
  }
}
