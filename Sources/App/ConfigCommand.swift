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
    name = arguments.operands.dropFirst().first
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

  /// Every setting and what the servers say, each with where it comes from. Secrets are not shown.
  private func show(_ configuration: Configuration) throws(CommandFailure) {
    if let name {
      guard let server = configuration.server(name) else {
        throw .usage("There is no server \(shown(name)) in \(configuration.file).")
      }
      return show(server, of: configuration)
    }
    let settings = configuration.chosen
    for setting in SettingTable.all {
      var value = setting.read(settings)
      var origin =
        configuration.settings[setting.name].map { "\(configuration.file):\($0.line)" }
        ?? "built in"
      if setting.name == "color", value == "auto", environment("NO_COLOR") != nil {
        (value, origin) = ("never", "environment NO_COLOR")
      }
      say("\(setting.name) = \(quoted(value))  # \(origin)")
    }
    if let name = configuration.defaultServer {
      say("default = \(quoted(name.text))  # \(configuration.file):\(name.line)")
    }
    for pair in configuration.keys {
      say(
        "keys.\(pair.action) = \(quoted(pair.key.text))  # \(configuration.file):\(pair.key.line)")
    }
    for server in configuration.servers { show(server, of: configuration) }
    for problem in configuration.problems {
      write(configuration.words(problem) + "\n", to: STDERR_FILENO)
    }
  }

  private func show(_ server: ServerEntry, of configuration: Configuration) {
    func place(_ line: Int) -> String { "# \(configuration.file):\(line)" }
    say("")
    say("[servers.\(server.name)]")
    if let url = server.url {
      let safe = (try? Endpoint(parsing: url.text))?.shown ?? "…"
      say("url = \(quoted(safe))  \(place(url.line))")
    }
    for (name, values) in server.options.sorted(by: { $0.key < $1.key }) {
      let line = server.lines[name] ?? server.line
      if ["token-file", "token-command"].contains(name), environment("PARLOUR_TOKEN") != nil {
        say("# \(name) does not count: environment PARLOUR_TOKEN")
        continue
      }
      let shown = values.map { value(of: name, $0) }
      let words =
        OptionTable.ofServers[name]?.value == nil
        ? "true" : shown.count == 1 ? shown[0] : "[\(shown.joined(separator: ", "))]"
      say("\(name) = \(words)  \(place(line))")
    }
  }

  /// A proxy's password and the value of a header that may let somebody in stay hidden.
  private func value(of name: String, _ text: String) -> String {
    switch name {
    case "proxy": quoted((try? ProxyEndpoint(parsing: text))?.shown ?? "…")
    case "header": quoted(text.prefix { $0 != ":" } + ": …")
    default: quoted(text)
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + shown(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
