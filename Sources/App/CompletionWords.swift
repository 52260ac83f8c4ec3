/// What may stand where a value is completed.
nonisolated enum CompletionWords: Equatable, Sendable {
  case words([String])
  case files
  /// What `parlour completion words KIND` prints.
  case listed(String)
  case nothing

  init(_ option: OptionEntry) {
    let value = option.value ?? ""
    let parts = value.split(separator: "|").map(String.init)
    switch option.name {
    case "theme": self = .listed("themes")
    case "profile": self = .listed("profiles")
    case _ where value.hasSuffix("FILE") && !value.contains("|"): self = .files
    case _ where parts.count > 1 && parts.allSatisfy(Self.isWord): self = .words(parts)
    default: self = .nothing
    }
  }

  /// What the first operand of a command may be; the last one may be a server where it takes one.
  init(operandsOf entry: CommandEntry) {
    switch entry.name {
    case "help": self = .words(OptionTable.commands.map(\.name) + Self.otherPages)
    case "themes": self = .listed("themes")
    case _ where !entry.words.isEmpty: self = .words(entry.words)
    case _ where entry.takesServer: self = .listed("servers")
    default: self = .nothing
    }
  }

  /// Pages of `parlour help` that are of no command.
  static let otherPages = ["keys", "man"]

  /// What may stand behind the first operand of a command, by what that is.
  static func following(_ entry: CommandEntry) -> [(word: String, words: CompletionWords)] {
    switch entry.name {
    case "config": [("show", .listed("servers"))]
    case "profile": [("guess", .listed("servers"))]
    default: []
    }
  }

  private static func isWord(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D
    }
  }
}
