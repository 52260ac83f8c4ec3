import Glibc

/// Runs the program with the process's arguments and returns its exit code.
package func runParlour() -> Int32 {
  keepStandardDescriptors()
  do {
    return try run(Arguments.parse(Array(CommandLine.arguments.dropFirst())))
  } catch {
    write("parlour: \(error.message)\n", to: STDERR_FILENO)
    return error.exitCode
  }
}

/// A standard descriptor that came closed is taken up by one that reads where it would be written and the other
/// way round: else the first socket would get its number, and what belongs into a pipe would go to a server.
private func keepStandardDescriptors() {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
  where fcntl(descriptor, F_GETFD) < 0 {
    _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

private func run(_ given: Arguments) throws(CommandFailure) -> Int32 {
  let configuration =
    given.needsConfiguration ? try ConfigurationFile.load() : Configuration(file: "")
  let arguments = try given.resolved(with: configuration, environment: environment)
  do throws(CommandFailure) {
    return try perform(arguments, configuration)
  } catch {
    throw configuration.placed(error, of: arguments)
  }
}

private func perform(
  _ arguments: Arguments, _ configuration: Configuration
) throws(CommandFailure) -> Int32 {
  if arguments.has("version") {
    write("parlour \(HelpPage.version)\n", to: STDOUT_FILENO)
    return ExitCode.done
  }
  if arguments.has("help") {
    // `parlour --help` is about the program, `parlour cat --help` about the command.
    let word = CommandLine.arguments.dropFirst().first {
      OptionTable.command($0) != nil || pages[$0] != nil
    }
    return try help(word.map { [$0] } ?? [])
  }
  if arguments.command != "chat" {
    for warning in configuration.warnings(for: arguments) {
      write("parlour: \(warning)\n", to: STDERR_FILENO)
    }
  }
  switch arguments.command {
  case "help": return try help(arguments.operands)
  case "themes": return try ThemesCommand(arguments).run()
  case "config": return try ConfigCommand(arguments).run()
  case "completion": return try CompletionCommand(arguments).run()
  case "check": return try CheckCommand(arguments).run()
  case "serve": return try ServeCommand(arguments).run()
  case "cat": return try CatCommand(arguments).run()
  case "subscribe": return try SubscribeCommand(arguments).run()
  case "profile" where arguments.operands == ["list"]: return ProfileCommand.list()
  case "profile": return try ProfileCommand(arguments).run()
  case "bench": return try BenchCommand(arguments).run()
  case "history": return try HistoryCommand(arguments).run()
  case "demo": return try DemoCommand(arguments, configuration).run()
  default: return try ChatCommand(arguments, configuration).run()
  }
}

/// Pages of the help that are about no command.
private let pages: [String: () -> String] = [
  "keys": { KeysPage.text }, "man": { ManualPage.text },
]

/// What of a command is meant, such as the guess of profile, stands on the command's page.
private func help(_ words: [String]) throws(CommandFailure) -> Int32 {
  let command = words.first
  if let extra = words.dropFirst().first,
    command.flatMap(OptionTable.command)?.words.contains(extra) != true
  {
    throw .usage("\(shown(extra)) is one word too many: parlour help [COMMAND|keys|man]")
  }
  if let command, let page = pages[command] {
    write(page(), to: STDOUT_FILENO)
    return ExitCode.done
  }
  guard let command else {
    write(HelpPage.overview, to: STDOUT_FILENO)
    return ExitCode.done
  }
  guard let entry = OptionTable.command(command) else {
    let meant = OptionTable.suggestion(for: command).map { " Do you mean \($0)?" } ?? ""
    throw .usage("There is no command \(shown(command)).\(meant) See parlour --help.")
  }
  write(HelpPage.page(for: entry), to: STDOUT_FILENO)
  return ExitCode.done
}

/// Writes all of a text; false where the descriptor takes no more. Where a signal is to end the program, a reader who does
/// not read misses the rest.
@discardableResult
func write(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  if let outlet = Outlet.of(descriptor) {
    guard case .failed(let errorNumber) = outlet.write(bytes) else { return true }
    errno = errorNumber
    return false
  }
  var rest = bytes
  while !rest.isEmpty {
    let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      return false
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}
