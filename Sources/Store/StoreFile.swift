import Glibc

/// The folder and the file of the store: the person's own and nobody else's.
enum StoreFile {
  static let name = "history.sqlite"

  /// Makes the folder (0700) and those above it, and the file (0600) where they are missing; tightens what is too
  /// open. Returns the path of the file without links in it. Throws where the folder or file is somebody else's,
  /// a link or no plain file.
  static func prepare(folder: String) throws(StoreError) -> String {
    try makeFolders(folder)
    guard let resolved = realpath(folder, nil) else {
      throw refused(folder)
    }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    var information = stat()
    guard lstat(folder, &information) == 0 else { throw refused(folder) }
    guard information.st_mode & S_IFMT == S_IFDIR else { throw unusable(folder, "it is no folder") }
    try takeOver(folder, information, mode: 0o700)
    let path = folder + "/" + name
    // Only what is not there is opened here: closing any descriptor of a file drops all locks that the process has
    // on it, those of another connection too. The folder is nobody else's, so that nothing changes meanwhile.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw refused(path)
    }
    try checkKinds(of: path)
    guard lstat(path, &information) == 0 else { throw refused(path) }
    try takeOver(path, information, mode: 0o600)
    return path
  }

  /// Throws where the file or what SQLite puts beside it is there and no plain file: whoever opens a pipe waits for
  /// ever, and a device may do anything.
  static func checkKinds(of path: String) throws(StoreError) {
    for path in [path, path + "-journal", path + "-wal", path + "-shm"] {
      var information = stat()
      guard lstat(path, &information) == 0 else { continue }
      let kind: String? =
        switch information.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link"
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
      if let kind { throw unusable(path, "it is \(kind) and no plain file; move it away") }
    }
  }

  /// Whether something was written that may not stand in the file itself yet.
  static func hasLog(_ path: String) -> Bool {
    var information = stat()
    return lstat(path + "-wal", &information) == 0 && information.st_size > 0
  }

  /// Of what is in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Which file it is, whatever it is called.
  struct Identity: Equatable {
    var device: UInt64
    var number: UInt64
  }

  /// Of the file at a path; nil where none is.
  static func identity(of path: String) -> Identity? {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    return Identity(device: UInt64(information.st_dev), number: UInt64(information.st_ino))
  }

  /// Does something that no other run is to do at the same time. The lock goes with the program, however it ends.
  static func exclusively<Value>(
    in folder: String, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refused(folder) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Renames the file and its companions so that nothing of them is lost, and returns the new name. The moment is
  /// in milliseconds since 1970.
  static func setAside(_ path: String, at moment: Int64) throws(StoreError) -> String {
    var aside = "\(path).damaged-\(moment)"
    var count = 1
    while access(aside, F_OK) == 0 {
      count += 1
      aside = "\(path).damaged-\(moment)-\(count)"
    }
    guard rename(path, aside) == 0 else { throw refused(path) }
    for companion in ["-wal", "-shm"] { _ = rename(path + companion, aside + companion) }
    return aside
  }

  private static func takeOver(
    _ path: String, _ information: stat, mode: mode_t
  ) throws(StoreError) {
    guard information.st_uid == geteuid() else {
      throw unusable(path, "it belongs to somebody else")
    }
    guard information.st_mode & 0o777 & ~mode != 0 else { return }
    guard chmod(path, mode) == 0 else { throw refused(path) }
  }

  private static func makeFolders(_ folder: String) throws(StoreError) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      // Those above belong to the desktop's rules (XDG), which say 0700 too.
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        let failure = refused(made)
        if access(made, F_OK) != 0 { throw failure }
      }
    }
  }

  static func unusable(_ path: String, _ words: String) -> StoreError {
    StoreError(.unusable, "The history cannot be kept in \(path): \(words).")
  }

  /// What the system has just refused.
  static func refused(_ path: String) -> StoreError {
    let number = errno
    if isWantOfRoom(number) { return StoreError(full: path) }
    return unusable(path, strerror(number).map { String(cString: $0) } ?? "unknown error")
  }

  static func isWantOfRoom(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }
}
