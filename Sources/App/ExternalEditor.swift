import Glibc
import Screen

/// The person's own editor, running on the terminal that the chat gave back meanwhile. The text travels in a file
/// that only the person can read, and that is gone afterwards whatever happened.
final class ExternalEditor {
  private static let defaults = ["editor", "nano", "vim", "vi"]
  private static let fileName = "message.txt"

  private let command: String
  private let folder: String
  private let text: String
  private let child: pid_t
  private var isRemoved = false
  /// What Ctrl-\ did before: meanwhile it is the editor's alone.
  private var quitAction = sigaction()

  private var path: String { folder + "/" + Self.fileName }

  /// Writes the text and starts the editor. Throws a sentence where one of them fails; then nothing is left behind.
  init(_ text: String) throws(CommandFailure) {
    guard let command = Self.command() else {
      throw .configuration(
        "There is no editor: set VISUAL or EDITOR, or install one of nano and vim.")
    }
    self.command = command
    self.text = text
    folder = try Self.makeFolder()
    do throws(CommandFailure) {
      try Self.write(text, to: folder + "/" + Self.fileName)
      child = try Self.start(command, on: folder + "/" + Self.fileName)
    } catch {
      Self.remove(folder)
      throw error
    }
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGQUIT, &ignored, &quitAction)
  }

  isolated deinit { remove() }

  /// After a SIGCHLD: nil while the editor still runs; else the new text (nil where it is as it was), or the
  /// sentence why there is none.
  func finish() -> Result<String?, CommandFailure>? {
    var status: Int32 = 0
    let found = waitpid(child, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    defer { remove() }
    guard found == child else { return .failure(failure("was lost sight of")) }
    let code = status >> 8 & 0xFF
    let signal = status & 0x7F
    if signal != 0 { return .failure(failure("was ended by signal \(signal)")) }
    // A shell tells the end by a signal that way.
    if code > 128 { return .failure(failure("was ended by signal \(code - 128)")) }
    if code == 127 {
      return .failure(failure("was not found: set VISUAL or EDITOR to one that is there"))
    }
    guard code == 0 else { return .failure(failure("ended with exit status \(code)")) }
    do throws(CommandFailure) {
      var new = try readTextFile(path, limit: LineEditor.limit)
      while new.last == "\n" || new.last == "\r\n" { new.removeLast() }
      return .success(new == text ? nil : new)
    } catch {
      return .failure(error)
    }
  }

  /// The program ends first: the editor is told, and the text is taken away.
  func abandon() {
    kill(child, SIGHUP)
    remove()
  }

  private func failure(_ words: String) -> CommandFailure {
    CommandFailure(
      "The editor “\(shown(command))” \(words); the text in the input is as it was.",
      exitCode: ExitCode.inputOutput)
  }

  private func remove() {
    guard !isRemoved else { return }
    isRemoved = true
    sigaction(SIGQUIT, &quitAction, nil)
    Self.remove(folder)
  }

  // MARK: - The steps

  /// VISUAL goes before EDITOR, as everywhere; either may hold arguments.
  private static func command() -> String? {
    for name in ["VISUAL", "EDITOR"] {
      if let command = environment(name), command.contains(where: { !$0.isWhitespace }) {
        return command
      }
    }
    let folders = (environment("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return defaults.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
  }

  /// A new folder with mode 0700 in the runtime folder of the login, else where temporary files go.
  private static func makeFolder() throws(CommandFailure) -> String {
    let places = [environment("XDG_RUNTIME_DIR"), environment("TMPDIR"), "/tmp"]
    for place in places.compactMap({ $0 }) where place.hasPrefix("/") {
      var template = Array((place + "/parlour-XXXXXX").utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    throw CommandFailure(
      "There is no place for the text to edit: \(systemErrorWords()). Set TMPDIR to a folder of yours.",
      exitCode: ExitCode.inputOutput)
  }

  private static func write(_ text: String, to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "The text cannot be written for the editor: \(systemErrorWords()).",
        exitCode: ExitCode.inputOutput)
    }
    // With a line end, as editors leave it; it is taken away again.
    let isWritten = App.write(text.isEmpty ? "" : text + "\n", to: descriptor)
    let error = errno
    guard close(descriptor) == 0, isWritten else {
      throw CommandFailure(
        "The text cannot be written for the editor: \(systemErrorWords(error)).",
        exitCode: ExitCode.inputOutput)
    }
  }

  private static func start(_ command: String, on path: String) throws(CommandFailure) -> pid_t {
    // The shell splits a command with arguments; the path comes as an argument of its own. A plain command takes the
    // shell's place, so that signals for it reach it; where the shell stays above the editor, Ctrl-C and Ctrl-\ are
    // for the editor alone.
    let isPlain = !command.contains { ";|&<>()$`\\\"'=#".contains($0) }
    let head = isPlain ? "exec " : "trap : INT QUIT; "
    do throws(ChildFailure) {
      return try startChild(["/bin/sh", "-c", head + command + " \"$@\"", "sh", path])
    } catch {
      throw CommandFailure(
        "The editor “\(shown(command))” cannot be started: \(systemErrorWords(error.errorNumber)).",
        exitCode: ExitCode.inputOutput)
    }
  }

  /// The folder with whatever the editor left in it beside the text: swap files, backups.
  private static func remove(_ folder: String) {
    for name in SharedFolders.files(in: folder) where name != "." && name != ".." {
      unlink(folder + "/" + name)
    }
    rmdir(folder)
  }
}
