import JSON
import Room
import Screen
import TOML

/// Reads the configuration file: settings by the names of `SettingTable`, servers by those of `OptionTable`.
package nonisolated struct ConfigurationReader {
  private let document: TOMLDocument
  private var configuration: Configuration
  private let folder: String

  /// `file` is how the file is called in sentences, `folder` where relative paths in it begin and `home` what `~` stands
  /// for. Throws where the text is no TOML.
  package static func read(
    _ text: String, file: String, folder: String, home: String?
  ) throws(CommandFailure) -> Configuration {
    let document: TOMLDocument
    do {
      document = try TOMLDocument.parse(text)
    } catch {
      throw .configuration("\(file):\(error.line): \(error.message)")
    }
    var reader = ConfigurationReader(document, file: file, folder: folder)
    reader.readTop(home: home)
    return reader.configuration
  }

  private init(_ document: TOMLDocument, file: String, folder: String) {
    self.document = document
    self.folder = folder
    configuration = Configuration(file: file)
  }

  private mutating func readTop(home: String?) {
    for member in document.root.members ?? [] {
      switch member.key {
      case "servers": readServers(member.value, home: home)
      case "keys": readKeys(member.value)
      case "default":
        guard let name = member.value.string else {
          complain(["default"], "default has to be the name of a server: default = \"NAME\".")
          continue
        }
        configuration.defaultServer = .init(text: name, line: line(["default"]))
      default: readSetting(member.value, path: [member.key])
      }
    }
    if let wanted = configuration.defaultServer, configuration.server(wanted.text) == nil {
      complain(
        ["default"],
        "There is no server \(shown(wanted.text)): write it under [servers.\(shown(wanted.text))].")
    }
    configuration.problems.sort { $0.line < $1.line }
  }

  // MARK: - Settings

  private mutating func readSetting(_ value: JSON, path: [String]) {
    let name = path.joined(separator: ".")
    if let members = value.members {
      guard SettingTable.all.contains(where: { $0.name.hasPrefix(name + ".") }) else {
        return complain(path, "[\(shown(name))] is not known here.\(Self.hint(name))")
      }
      for member in members { readSetting(member.value, path: path + [member.key]) }
      return
    }
    guard let setting = SettingTable.setting(named: name) else {
      return complain(path, "\(shown(name)) is not known.\(Self.hint(name))")
    }
    var scratch = Settings()
    guard let text = Self.text(value, of: setting), setting.write(&scratch, text) else {
      return complain(
        path, "\(name) takes \(Self.form(of: setting)), not \(shown(Self.words(value))).")
    }
    configuration.settings[name] = .init(text: text, line: line(path))
  }

  private static func text(_ value: JSON, of setting: Setting) -> String? {
    switch value {
    case .bool(let isOn): setting.isOnOff ? (isOn ? "on" : "off") : nil
    default: scalar(value)
    }
  }

  private static func form(of setting: Setting) -> String {
    setting.isOnOff ? "true or false" : setting.form
  }

  /// What was probably meant, as a sentence behind a blank.
  private static func hint(_ name: String) -> String {
    let top = SettingTable.all.map(\.name) + ["default", "keys", "servers"]
    if OptionTable.ofServers[name] != nil { return " It belongs under [servers.NAME]." }
    return nearest(to: name, among: top).map { " Did you mean \($0)?" } ?? ""
  }

  // MARK: - Keys

  private mutating func readKeys(_ value: JSON) {
    guard value.members != nil else {
      return complain(["keys"], "[keys] is a table of pairs such as program.help = \"F1\".")
    }
    readKeys(value, path: ["keys"])
    let pairs = configuration.keys.map { (action: $0.action, key: $0.key.text) }
    for (pair, error) in configuration.keyMap.apply(pairs) {
      configuration.problems.append(
        .init(line: configuration.keys[pair].key.line, message: error.message))
    }
  }

  /// Names of actions have parts, so that they may come as tables in tables.
  private mutating func readKeys(_ value: JSON, path: [String]) {
    let action = path.dropFirst().joined(separator: ".")
    switch value {
    case .object(let members):
      for member in members { readKeys(member.value, path: path + [member.key]) }
    case .string(let key):
      configuration.keys.append((action, .init(text: key, line: line(path))))
    case .array(let keys) where keys.allSatisfy({ $0.string != nil }):
      for key in keys.compactMap(\.string) {
        configuration.keys.append((action, .init(text: key, line: line(path))))
      }
    default:
      complain(path, "\(shown(action)) needs a key or a list of keys, as texts in quotes.")
    }
  }

  // MARK: - Servers

  private mutating func readServers(_ value: JSON, home: String?) {
    guard let members = value.members else {
      return complain(
        ["servers"], "Servers are tables of their own: [servers.NAME], with url = \"wss://…\".")
    }
    for member in members {
      let path = ["servers", member.key]
      guard ServerEntry.isValidName(member.key) else {
        complain(
          path,
          "\(shown(member.key)) is no name for a server: take letters, digits, - and _, at most 64."
        )
        continue
      }
      guard let options = member.value.members else {
        complain(path, "A server is a table: [servers.\(member.key)], with url = \"wss://…\".")
        continue
      }
      var server = ServerReader(
        entry: ServerEntry(name: member.key, line: line(path)), folder: folder, home: home)
      for option in options {
        let place = line(path + [option.key])
        if let fault = server.take(option.key, option.value, line: place) {
          configuration.problems.append(
            .init(
              line: place, message: fault.message, server: member.key, isFatal: fault.isFatal))
        }
      }
      if server.entry.url == nil, !options.contains(where: { $0.key == "url" }) {
        configuration.problems.append(
          .init(
            line: line(path), message: "\(member.key) has no url: write url = \"wss://…\".",
            server: member.key, isFatal: true))
      }
      if OptionTable.command(member.key) != nil {
        complain(
          path,
          "\(member.key) is also a command: the server is reached by parlour chat \(member.key).",
          server: member.key)
      }
      configuration.servers.append(server.entry)
    }
  }

  private func line(_ path: [String]) -> Int {
    var path = path
    while !path.isEmpty {
      if let line = document.line(of: path) { return line }
      path.removeLast()
    }
    return 1
  }

  private mutating func complain(_ path: [String], _ message: String, server: String? = nil) {
    configuration.problems.append(.init(line: line(path), message: message, server: server))
  }

  /// A text, a number or a truth value as a person writes it; nil for lists and tables.
  static func scalar(_ value: JSON) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bigInteger(let digits): digits
    case .double(let number): "\(number)"
    case .bool(let isOn): isOn ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  static func words(_ value: JSON) -> String {
    switch value {
    case .array: "a list"
    case .object: "a table"
    case .string(let text): "“\(text)”"
    default: scalar(value) ?? "nothing"
    }
  }
}

/// The one of some words that was probably meant: by at most two slips of the finger, or one in a short word.
nonisolated func nearest(to word: String, among words: [String]) -> String? {
  let word = String(word.lowercased().prefix(64))
  let best = words.map { ($0, SlashCommands.slips(from: word, to: $0)) }.min { $0.1 < $1.1 }
  guard let best, best.1 <= (word.utf8.count <= 4 ? 1 : 2) else { return nil }
  return best.0
}
