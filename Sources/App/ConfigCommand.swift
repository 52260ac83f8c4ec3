import Channel
import Glibc
import Net
import Screen

/// `parlour config check|path|show`: the configuration file told, and never changed.
struct ConfigCommand {
  private let verb: String
  private let name: String?

  init(_ arguments: Arguments) throws(CommandFailure) {
    verb = arguments.operands.first ?? ""
    // As the section is called in the file.
    name = arguments.operands.dropFirst().first.map {
      $0.hasPrefix("servers.") ? String($0.dropFirst("servers.".count)) : $0
    }
    guard ["check", "path", "show"].contains(verb) else {
      throw .usage("parlour config knows check, path and show, not \(shown(verb)).")
    }
    if let name, verb != "show" {
      throw .usage("\(shown(name)) is one word too many: parlour config \(verb)")
    }
  }

  func run() throws(CommandFailure) -> Int32 {
    guard let path = ConfigurationFile.path else {
      throw .configuration("There is no HOME, and so no configuration file: set HOME.")
    }
    switch verb {
    case "path":
      say(path)
      return ExitCode.done
    case "check": return try check(path)
    default:
      try show(ConfigurationFile.load())
      return ExitCode.done
    }
  }

  private func say(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
  }

  // MARK: - check

  private func check(_ path: String) throws(CommandFailure) -> Int32 {
    guard access(path, F_OK) == 0 else {
      say("\(shown(path)) is not there, so everything is as it comes.")
      return ExitCode.done
    }
    let configuration = try ConfigurationFile.load()
    let problems = configuration.problems + themes(configuration) + trials(configuration)
    for problem in problems.sorted(by: { $0.line < $1.line }) {
      write(configuration.words(problem) + "\n", to: STDERR_FILENO)
    }
    guard problems.isEmpty else { return ExitCode.configuration }
    let counts = [
      (configuration.settings.count, "setting"), (configuration.servers.count, "server"),
    ]
    let words = counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    say("\(shown(path)) is right: \(words).")
    return ExitCode.done
  }

  private func themes(_ configuration: Configuration) -> [Configuration.Problem] {
    let files = ThemeFiles()
    return ["theme", "theme.light", "theme.dark"].compactMap { name in
      guard let value = configuration.settings[name], !value.text.isEmpty else { return nil }
      do throws(CommandFailure) {
        _ = try files.load(value.text, depth: .none)
        return nil
      } catch {
        return Configuration.Problem(line: value.line, message: error.message)
      }
    }
  }

  /// Each option by itself, so that a fault has the line it stands on; and all of a server together.
  private func trials(_ configuration: Configuration) -> [Configuration.Problem] {
    var problems: [Configuration.Problem] = []
    for server in configuration.servers {
      guard let url = server.url else { continue }
      var arguments = Arguments(command: "chat")
      arguments.operands = [url.text]
      func trial(_ options: [String: [String]], line: Int) -> Configuration.Problem? {
        arguments.options = options
        do throws(CommandFailure) {
          let options = try ConnectOptions(arguments, identity: .trial)
          _ = try ClientLine(options, reactor: Machine.reactor(), tokens: Tokens())
          return nil
        } catch {
          let message =
            error.message.hasPrefix("--") ? String(error.message.dropFirst(2)) : error.message
          return Configuration.Problem(line: line, message: message, server: server.name)
        }
      }
      if let problem = trial([:], line: url.line) {
        problems.append(problem)
        continue
      }
      let before = problems.count
      for (name, values) in server.options where name != "key" {
        var options = [name: values]
        if name == "cert" { options["key"] = server.options["key"] }
        if let problem = trial(options, line: server.lines[name] ?? server.line) {
          problems.append(problem)
        }
      }
      if problems.count == before, let problem = trial(server.options, line: server.line) {
        problems.append(problem)
      }
    }
    return problems
  }

  // MARK: - show

  /// All that counts or a server of it, as a file that says the same.
  private func show(_ configuration: Configuration) throws(CommandFailure) {
    let text = ConfigurationText(configuration, environment: environment)
    if let name {
      guard let server = configuration.server(name) else {
        let names = configuration.servers.map(\.name)
        let hint =
          nearest(to: name, among: names).map { " Did you mean \($0)?" }
          ?? (names.isEmpty ? "" : " There are: \(names.joined(separator: ", ")).")
        throw .usage("There is no server \(shown(name)) in \(configuration.file).\(hint)")
      }
      for line in text.lines(of: server) { say(line) }
      return
    }
    for line in text.lines { say(line) }
    for problem in configuration.problems {
      write(configuration.words(problem) + "\n", to: STDERR_FILENO)
    }
  }
}
