import Channel
import Screen

/// What counts, written as a configuration file that says the same; the place of each value stands behind it.
///
/// What is secret is left out, and what does not count, or is not set, is a comment.
package nonisolated struct ConfigurationText {
  private let configuration: Configuration
  private let environment: (String) -> String?

  package init(_ configuration: Configuration, environment: @escaping (String) -> String?) {
    self.configuration = configuration
    self.environment = environment
  }

  package var lines: [String] {
    settings + keys + configuration.servers.flatMap { [""] + lines(of: $0) }
  }

  private var settings: [String] {
    let chosen = configuration.chosen
    var lines = SettingTable.all.map { setting in
      let value = setting.read(chosen)
      if setting.name == "color", value == "auto", environment("NO_COLOR") != nil {
        return "color = \"never\"  # environment NO_COLOR"
      }
      let origin = configuration.settings[setting.name].map { place($0.line) } ?? "# built in"
      let line = "\(setting.name) = \(ConfigurationEditor.literal(value, of: setting.name))"
      // One theme, or two of them: the file cannot have all three names.
      return "\(value.isEmpty ? "# " : "")\(line)  \(origin)"
    }
    if let name = configuration.defaultServer {
      lines.append("default = \(quotedTOML(name.text))  \(place(name.line))")
    }
    return lines
  }

  /// Each action of the file once, with all of its keys.
  private var keys: [String] {
    let named = Dictionary(
      configuration.keys.map { ($0.action, $0.key.line) }, uniquingKeysWith: { first, _ in first })
    return KeyAction.all.compactMap { action in
      guard let line = named[action.name] else { return nil }
      let literal = ConfigurationEditor.literal(configuration.keyMap.keys(of: action))
      return "keys.\(action.name) = \(literal)  \(place(line))"
    }
  }

  package func lines(of server: ServerEntry) -> [String] {
    let name = server.name.contains(".") ? quotedTOML(server.name) : server.name
    return ["[servers.\(name)]"] + (server.url.map { [url($0)] } ?? [])
      + server.options.sorted { $0.key < $1.key }.map { name, values in
        option(name, values, place(server.lines[name] ?? server.line))
      }
  }

  private func url(_ url: Configuration.Placed) -> String {
    guard let endpoint = try? Endpoint(parsing: url.text) else {
      return "# The url is none, and is not shown.  \(place(url.line))"
    }
    let isOpen = endpoint.withoutSecrets == endpoint
    let text = isOpen ? url.text : endpoint.withoutSecrets.shown
    let note = isOpen ? "" : ", without its user, password or token"
    return "url = \(quotedTOML(text))  \(place(url.line))\(note)"
  }

  private func option(_ name: String, _ values: [String], _ place: String) -> String {
    let literal =
      OptionTable.ofServers[name]?.value == nil ? "true" : ConfigurationEditor.literal(values)
    switch name {
    case "token-file", "token-command":
      guard environment("PARLOUR_TOKEN") != nil else { break }
      return "# \(name) = \(literal)  \(place), does not count: environment PARLOUR_TOKEN"
    case "header":
      // Its value may let somebody in.
      let names = values.map { quotedTOML($0.prefix { $0 != ":" } + ": …") }
      return "# header = [\(names.joined(separator: ", "))]  \(place), values are not shown"
    case "proxy":
      guard let text = values.last, !text.isEmpty else { break }
      guard let proxy = try? ProxyEndpoint(parsing: text) else {
        return "# The proxy is no URL, and is not shown.  \(place)"
      }
      guard proxy.credentials != nil else { break }
      return "proxy = \(quotedTOML(proxy.shown))  \(place), without its user and password"
    default: break
    }
    return "\(name) = \(literal)  \(place)"
  }

  private func place(_ line: Int) -> String { "# \(configuration.file):\(line)" }
}
