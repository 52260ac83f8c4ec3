import Glibc
import Screen

/// Where the configuration file is, reading it and writing it.
enum ConfigurationFile {
  static let mostBytes = 256 << 10

  /// The folder of the program's configuration; nil where the environment names no home.
  static var folder: String? {
    let home = environment("HOME").map { $0 + "/.config" }
    guard var base = environment("XDG_CONFIG_HOME") ?? home else { return nil }
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    return base + "/parlour"
  }

  static var path: String? { folder.map { $0 + "/config.toml" } }

  /// Reads the file; one that is not there says nothing. Throws where it cannot be read or is no TOML, and where
  /// others could have written a command into it.
  static func load() throws(CommandFailure) -> Configuration {
    guard let path, let folder else { return Configuration(file: "config.toml") }
    guard let (text, information) = try contents(of: path) else {
      return Configuration(file: shown(path))
    }
    let configuration = try ConfigurationReader.read(
      text, file: shown(path), folder: folder, home: environment("HOME"))
    if configuration.servers.contains(where: { $0.options["token-command"] != nil }) {
      try requireOwn(information, path: path)
    }
    return configuration
  }

  /// The text and what the system knows of the file; nil where there is none.
  static func contents(of path: String) throws(CommandFailure) -> (String, stat)? {
    // Not blocking, or a pipe of that name would be waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .configuration("\(shown(path)) cannot be read: \(systemErrorWords()).")
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw .configuration("\(shown(path)) is no file: put the configuration there, or nothing.")
    }
    guard let bytes = readAll(descriptor, limit: mostBytes) else {
      throw .configuration("\(shown(path)) cannot be read: \(systemErrorWords()).")
    }
    guard bytes.count <= mostBytes else {
      throw .configuration(
        "\(shown(path)) is larger than \(mostBytes >> 10) KiB: is it the right file?")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .configuration("\(shown(path)) is not UTF-8 text.")
    }
    return (text, information)
  }

  /// A command of the file is run with the person's rights: nobody else may write it.
  private static func requireOwn(_ information: stat, path: String) throws(CommandFailure) {
    guard information.st_mode & S_IWOTH == 0 else {
      throw .configuration(
        "\(shown(path)) names a token-command and can be written by everybody: chmod o-w it.")
    }
    guard information.st_uid == geteuid() || information.st_uid == 0 else {
      throw .configuration(
        "\(shown(path)) names a token-command and belongs to somebody else: make it your own.")
    }
  }

  /// Writes changed settings and keys into the file, all or none of them, and returns a sentence. What else is in it
  /// stays.
  static func save(
    _ values: [(name: String, value: String)], keys: KeyMap? = nil
  ) throws(CommandFailure) -> String {
    guard let path, let folder else {
      throw .configuration("There is no HOME, so there is no place to keep settings: set HOME.")
    }
    let before = try contents(of: path)
    var text = try ConfigurationEditor.text(before?.0 ?? "", file: shown(path), setting: values)
    if let keys {
      text = try ConfigurationEditor.text(text, file: shown(path), binding: keys)
    }
    if before == nil { try makeFolder(folder) }
    // A link is followed, so that a file kept elsewhere stays there.
    let target = before == nil ? path : real(path)
    let mode = before.map { $0.1.st_mode & 0o777 } ?? 0o600
    try replace(target, with: text, mode: mode)
    let names = values.map(\.name) + (keys == nil ? [] : ["keys"])
    let isOne = values.count == 1 && keys == nil
    return "\(names.joined(separator: ", ")) \(isOne ? "is" : "are") kept in \(shown(path))."
  }

  private static func makeFolder(_ folder: String) throws(CommandFailure) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EACCES, errno != EROFS {
        throw unwritable(folder)
      }
    }
  }

  private static func real(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The old file or the new one is there at every moment, never half of one.
  private static func replace(
    _ path: String, with text: String, mode: mode_t
  ) throws(CommandFailure) {
    let draft = path + ".\(getpid()).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw unwritable(path) }
    let isWritten =
      write(text, to: descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard isWritten, rename(draft, path) == 0 else {
      let number = isWritten ? errno : failure
      unlink(draft)
      throw unwritable(path, number)
    }
  }

  private static func unwritable(_ path: String, _ number: Int32 = errno) -> CommandFailure {
    CommandFailure(
      "\(shown(path)) cannot be written: \(systemErrorWords(number)).",
      exitCode: ExitCode.inputOutput)
  }
}
