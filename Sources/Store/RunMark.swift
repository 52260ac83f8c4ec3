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
      throw StoreFile.refused(self.folder)
    }
    descriptor = try Self.lockNew(self.folder + "/" + name)
    removeEnded()
  }

  /// Another run that looks who is there may hold the file for a moment, and takes away one that was not locked yet.
  private static func lockNew(_ path: String) throws(StoreError) -> Int32 {
    for _ in 0..<10 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw StoreFile.refused(path) }
      var information = stat()
      guard flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &information) == 0 else {
        let failure = StoreFile.refused(path)
        unlink(path)
        close(descriptor)
        throw failure
      }
      if information.st_nlink > 0 { return descriptor }
      close(descriptor)
    }
    throw StoreFile.unusable(path, "other programs take it away")
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
  var hasCompany: Bool { others.contains { isLocked(folder + "/" + $0) } }

  /// Runs that were killed could not take their files away.
  private func removeEnded() {
    for other in others { _ = hasEnded(other) }
  }

  /// The names of other runs, of which some may have ended.
  private var others: [String] { StoreFile.names(in: folder).filter { $0 != name } }

  private func isLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// Whether the run of that name has ended. Its file is taken away then.
  func hasEnded(_ other: String) -> Bool {
    guard other != name, !other.isEmpty, !other.contains("/") else { return false }
    let path = folder + "/" + other
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Another run may be looking just now, which takes no time.
      usleep(500)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    }
    unlink(path)
    return true
  }
}
