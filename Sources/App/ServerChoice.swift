import Screen

/// Servers by their names: what the configuration file says stands in for options that are not there.
extension Arguments {
  /// The command line with what the file says about the server it names. The command line goes before the environment,
  /// and that before the file.
  package nonisolated func resolved(
    with configuration: Configuration, environment: (String) -> String?
  ) throws(CommandFailure) -> Arguments {
    guard let entry = OptionTable.command(command), entry.takesServer(operands), !has("version"),
      !has("help")
    else { return self }
    var result = self
    if operands.count == entry.operands.lowerBound - 1, let name = configuration.defaultServer {
      result.operands.append(name.text)
    }
    try result.checkOperands(
      of: entry, isBare: command == "chat" && operands.isEmpty && options.isEmpty)
    // A chat has a window for each, with options of its own.
    guard result.operands.count == entry.operands.lowerBound, let word = result.operands.last else {
      return result
    }
    return try result.naming(word, by: configuration, environment: environment)
  }

  /// The same with one server as the last operand, by its URL, or by its name and with what the file says of it.
  nonisolated func naming(
    _ word: String, by configuration: Configuration, environment: (String) -> String?
  ) throws(CommandFailure) -> Arguments {
    var result = self
    guard let entry = OptionTable.command(command) else { return self }
    result.operands = operands.prefix(max(0, entry.operands.lowerBound - 1)) + [word]
    guard !word.contains("://") else { return result }
    guard let server = configuration.server(word) else {
      let names = configuration.servers.map(\.name)
      let near = nearest(to: word, among: names)
      // What is nearly a command is told by what reads the URL.
      guard ServerEntry.isValidName(word), near != nil || OptionTable.suggestion(for: word) == nil
      else { return result }
      let hint =
        near.map { "Did you mean \($0)?" }
        ?? (names.isEmpty
          ? "It names no servers: begin with ws:// or wss://."
          : "There are: \(names.joined(separator: ", ")).")
      throw .usage(
        "\(shown(word)) is neither a URL nor a server of \(configuration.file). \(hint)")
    }
    if let problem = configuration.problems.first(where: { $0.server == server.name && $0.isFatal })
    {
      throw .configuration(configuration.words(problem))
    }
    guard let url = server.url else { return result }
    result.operands[result.operands.count - 1] = url.text
    result.take(server, of: entry, environment: environment)
    return result
  }

  private nonisolated mutating func take(
    _ server: ServerEntry, of entry: CommandEntry, environment: (String) -> String?
  ) {
    var given = Set(options.keys)
    // Of these one says all: what is given on the command line is not mixed with what stands in the file.
    for group in [["token-file", "token-command"], ["ipv4", "ipv6"], ["cert", "key"]]
    where group.contains(where: given.contains) {
      given.formUnion(group)
    }
    if environment("PARLOUR_TOKEN") != nil { given.formUnion(["token-file", "token-command"]) }
    for (name, values) in server.options where !given.contains(name) {
      guard entry.options.contains(where: { $0.name == name }) else { continue }
      // Only a chat has several rooms at once.
      options[name] = name == "room" && entry.name != "chat" ? Array(values.prefix(1)) : values
    }
    self.server = server.name
  }
}

extension Arguments {
  /// Settings are wanted, or a server is named (or left to be named) by the file.
  nonisolated var needsConfiguration: Bool {
    if has("help") || has("version") { return false }
    guard let entry = OptionTable.command(command) else { return false }
    if command == "chat" || command == "demo" { return true }
    guard entry.takesServer(operands) else { return false }
    return operands.count < entry.operands.lowerBound || operands.last?.contains("://") != true
  }
}

extension Configuration {
  /// What is worth saying to somebody who runs a command: what is wrong with the settings, and with the server in use.
  nonisolated func warnings(for arguments: Arguments) -> [String] {
    problems.filter { problem in
      guard let server = problem.server else { return true }
      return server == arguments.server
    }.map(words)
  }

  /// A fault of an option that was not on the command line is told with its place in the file.
  nonisolated func placed(_ failure: CommandFailure, of arguments: Arguments) -> CommandFailure {
    guard let name = arguments.server, let entry = server(name), failure.message.hasPrefix("--")
    else { return failure }
    let option = String(failure.message.dropFirst(2).prefix { $0 != " " && $0 != ":" })
    guard let line = entry.lines[option], entry.options[option] == arguments.options[option] else {
      return failure
    }
    return .configuration("\(file):\(line): \(failure.message.dropFirst(2))")
  }
}
