import JSON

/// Reads one server of the configuration file: its keys are the long options of the connecting commands.
nonisolated struct ServerReader {
  var entry: ServerEntry
  let folder: String
  let home: String?

  /// What is wrong with a key, as a sentence without the value of a secret.
  struct Fault {
    var message: String
    var isFatal: Bool

    static func wrong(_ message: String) -> Fault { Fault(message: message, isFatal: true) }
  }

  /// Takes one key; returns what is wrong with it.
  mutating func take(_ key: String, _ value: JSON, line: Int) -> Fault? {
    if key == "url" {
      guard let url = value.string, !url.isEmpty else {
        return .wrong("url has to be a text: url = \"wss://chat.example/ws\".")
      }
      entry.url = .init(text: url, line: line)
      return nil
    }
    if Self.isSecret(key) {
      return .wrong(
        "\(shown(key)) would be a secret in this file: write token-file = \"FILE\" or"
          + " token-command = \"CMD\" instead.")
    }
    if key == "rooms" { return takeRooms(value, line: line) }
    let singular = key.hasSuffix("s") ? String(key.dropLast()) : key
    guard
      let option = OptionTable.ofServers[key]
        ?? OptionTable.ofServers[singular].flatMap({ $0.isRepeatable ? $0 : nil })
    else {
      let names = ["url", "rooms"] + OptionTable.ofServers.keys.sorted()
      let hint = nearest(to: key, among: names).map { " Did you mean \($0)?" } ?? ""
      return Fault(
        message: "\(shown(key)) is not known in [servers.\(entry.name)].\(hint)", isFatal: false)
    }
    return take(option, value, line: line)
  }

  private mutating func take(_ option: OptionEntry, _ value: JSON, line: Int) -> Fault? {
    guard let form = option.value else {
      guard let isOn = value.bool else {
        return .wrong("\(option.name) is true or false, without quotes.")
      }
      if isOn { set(option.name, [""], line: line) }
      return nil
    }
    var texts: [String] = []
    for element in value.array ?? [value] {
      guard let text = element.bool == nil ? ConfigurationReader.scalar(element) : nil else {
        return .wrong(
          "\(option.name) takes \(form) in quotes, not "
            + "\(shown(ConfigurationReader.words(element))).")
      }
      texts.append(text)
    }
    guard option.isRepeatable || (texts.count == 1 && value.array == nil) else {
      return .wrong("\(option.name) takes one value: \(option.name) = \"\(form)\".")
    }
    if option.name == "header",
      texts.contains(where: { $0.lowercased().hasPrefix("authorization:") })
    {
      return .wrong(
        "The header Authorization holds a secret: write token-file = \"FILE\" or"
          + " token-command = \"CMD\" instead.")
    }
    if Self.ofFiles.contains(option.name) {
      texts = texts.map { path($0, mayBeName: option.name == "profile") }
    }
    set(option.name, texts, line: line)
    return nil
  }

  private mutating func takeRooms(_ value: JSON, line: Int) -> Fault? {
    let rooms = (value.array ?? [value]).map(\.string)
    guard !rooms.isEmpty, !rooms.contains(nil) else {
      return .wrong("rooms is a list of names: rooms = [\"lobby\", \"dev\"].")
    }
    set("room", rooms.compactMap(\.self), line: line)
    return nil
  }

  private mutating func set(_ name: String, _ values: [String], line: Int) {
    entry.options[name] = values
    entry.lines[name] = line
  }

  private static let ofFiles: Set<String> = [
    "token-file", "cacert", "cert", "key", "log", "profile",
  ]

  /// `~/` is the home folder; other relative paths begin at the folder of the file. The name of a profile is no path.
  private func path(_ text: String, mayBeName: Bool) -> String {
    if text.hasPrefix("~/"), let home { return home + text.dropFirst() }
    let isName = !text.contains("/") && !text.hasSuffix(".toml") && !text.hasSuffix(".json")
    return text.hasPrefix("/") || text == "-" || (mayBeName && isName) ? text : folder + "/" + text
  }

  private static func isSecret(_ key: String) -> Bool {
    ["token", "access-token", "access_token", "bearer", "password", "passwd", "secret", "api-key"]
      .contains(key.lowercased())
  }
}
