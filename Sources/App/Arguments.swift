import Text

/// A command line, read against the table: the command, its options and its operands.
package nonisolated struct Arguments: Equatable, Sendable {
  package var command: String
  /// Values by option name, in the order given; an option without a value has "".
  package var options: [String: [String]] = [:]
  package var operands: [String] = []
  /// The server of the configuration file that was named.
  package var server: String?

  package func has(_ name: String) -> Bool { options[name] != nil }

  /// The last value where an option stands twice, as everywhere.
  package func value(_ name: String) -> String? { options[name]?.last }

  package func values(_ name: String) -> [String] { options[name] ?? [] }

  /// Reads the words after the program's name. Options may stand before and after operands; `--` ends
  /// them; `--name=value` and `--name value` are the same; `-h` and `-V` are help and version.
  package static func parse(_ words: [String]) throws(CommandFailure) -> Arguments {
    var rest = words[...]
    var arguments = Arguments(command: "chat")
    var entry: CommandEntry
    if let first = rest.first, let named = OptionTable.command(first) {
      entry = named
      arguments.command = first
      rest = rest.dropFirst()
    } else {
      guard let chat = OptionTable.command("chat") else {
        throw .usage("This build knows no commands.")
      }
      entry = chat
    }
    while let word = rest.popFirst() {
      switch word {
      case "--":
        arguments.operands += rest
        rest = []
      case "-h": arguments.options["help"] = [""]
      case "-V": arguments.options["version"] = [""]
      case _ where word.hasPrefix("--"):
        try arguments.takeOption(word, of: entry, rest: &rest)
      case _ where word.hasPrefix("-") && word != "-":
        throw .usage("\(shown(word)) is no option: they have two dashes, see parlour --help.")
      default: arguments.operands.append(word)
      }
    }
    if !arguments.has("help"), !arguments.has("version") {
      // A server of the configuration file may stand in for the last one.
      if !entry.takesServer(arguments.operands)
        || arguments.operands.count != entry.operands.lowerBound - 1
      {
        try arguments.checkOperands(of: entry, isBare: words.isEmpty)
      }
    }
    return arguments
  }

  private mutating func takeOption(
    _ word: String, of entry: CommandEntry, rest: inout ArraySlice<String>
  ) throws(CommandFailure) {
    let body = word.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = body.contains("=") ? String(body.dropFirst(name.count + 1)) : nil
    guard let option = entry.options.first(where: { $0.name == name }) else {
      throw .usage(Self.unknownOption(name, of: entry))
    }
    if option.value == nil {
      guard attached == nil else { throw .usage("--\(name) takes no value.") }
      options[name] = [""]
    } else if let value = attached ?? rest.popFirst() {
      options[name, default: []].append(value)
    } else {
      throw .usage("--\(name) needs a value: --\(name) \(option.value ?? "")")
    }
  }

  private static func unknownOption(_ name: String, of entry: CommandEntry) -> String {
    if name == "token", entry.options.contains(where: { $0.name == "token-file" }) {
      return "There is no --token VALUE: it would stand in the process list. Use --token-file FILE,"
        + " --token-command CMD or the environment's PARLOUR_TOKEN."
    }
    let near = entry.options.filter { $0.name.hasPrefix(name) || name.hasPrefix($0.name) }
    let hint = near.first.map { " Do you mean --\($0.name)?" } ?? ""
    return "parlour \(entry.name) has no option --\(shown(name)).\(hint) See parlour help"
      + " \(entry.name)."
  }

  func checkOperands(of entry: CommandEntry, isBare: Bool) throws(CommandFailure) {
    if let first = operands.first, entry.lone.contains(first) {
      guard operands.count > 1 else { return }
      throw .usage("\(shown(operands[1])) is one word too many: parlour \(entry.name) \(first)")
    }
    if operands.count < entry.operands.lowerBound {
      throw .usage(
        isBare
          ? "Say where to chat: parlour URL, parlour NAME for a server of the configuration file, or parlour demo to look around. See parlour --help."
          : "\(entry.missing) is missing: \(entry.usage)")
    }
    if operands.count > entry.operands.upperBound {
      let extra = operands[entry.operands.upperBound]
      throw .usage("\(shown(extra)) is one word too many: \(entry.usage)")
    }
  }
}

/// A word of the command line as it may be repeated to the person.
nonisolated func shown(_ word: String) -> String {
  UntrustedText(word).safe(for: .line, limit: 80)
}
