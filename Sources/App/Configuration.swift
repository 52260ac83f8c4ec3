package import Screen

/// What the configuration file says, with the line of everything.
package nonisolated struct Configuration: Equatable, Sendable {
  /// A text of the file, and where it stands.
  package struct Placed: Equatable, Sendable {
    package var text: String
    package var line: Int
  }

  /// What is wrong with the file; the rest of it counts all the same.
  package struct Problem: Equatable, Sendable {
    package var line: Int
    /// One sentence.
    package var message: String
    /// The server that it concerns.
    package var server: String?
    /// The server is not what its owner meant, so that it is not used; else the rest of it counts.
    package var isFatal = false
  }

  /// The path, as it may be shown.
  package var file: String
  /// Texts that `SettingTable` takes, by the name of the setting.
  package var settings: [String: Placed] = [:]
  /// The pairs of [keys], in the order of the file: what is done, and by which key.
  package var keys: [(action: String, key: Placed)] = []
  /// The keys of the program with those of the file.
  package var keyMap = KeyMap.standard
  package var servers: [ServerEntry] = []
  /// The server that is meant where none is named.
  package var defaultServer: Placed?
  package var problems: [Problem] = []

  package init(file: String) {
    self.file = file
  }

  package func server(_ name: String) -> ServerEntry? { servers.first { $0.name == name } }

  /// "FILE:LINE: SENTENCE".
  package func words(_ problem: Problem) -> String { "\(file):\(problem.line): \(problem.message)" }

  /// The settings of the file over those that the program has by itself.
  package var chosen: Settings {
    var settings = Settings()
    for setting in SettingTable.all {
      if let value = self.settings[setting.name] { _ = setting.write(&settings, value.text) }
    }
    return settings
  }

  package static func == (left: Configuration, right: Configuration) -> Bool {
    left.file == right.file && left.settings == right.settings && left.servers == right.servers
      && left.defaultServer == right.defaultServer && left.problems == right.problems
      && left.keyMap == right.keyMap
  }
}

/// A server of the configuration file: what its commands would be told by options.
package nonisolated struct ServerEntry: Equatable, Sendable {
  package var name: String
  package var line: Int
  package var url: Configuration.Placed?
  /// Values by the names of `OptionTable`, as `Arguments` holds them.
  package var options: [String: [String]] = [:]
  package var lines: [String: Int] = [:]

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }

  /// 1 to 64 letters, digits, "_", "-" and ".", not a "-" first: no URL, no path and no option.
  package static func isValidName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E: true
        default: false
        }
      }
  }
}
