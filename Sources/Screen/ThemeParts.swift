extension Theme {
  /// Every part that is drawn in a style of its own; a theme may name a part, or the beginning of several.
  package static let parts: [String] = [
    "text", "border", "title", "title.topic", "status", "status.online", "status.connecting",
    "status.reconnecting", "status.offline", "status.error", "status.lag", "status.slow",
    "rooms.current", "rooms.unread", "rooms.mention", "rooms.muted", "chat.time", "chat.date",
    "chat.text", "chat.self", "chat.action", "chat.notice", "chat.system", "chat.error",
    "chat.join", "chat.unread", "chat.mention", "chat.url", "chat.code", "chat.quote",
    "chat.spoiler", "chat.reaction", "chat.edited", "chat.deleted", "chat.pending", "chat.failed",
    "chat.control", "scroll.more", "search.match", "search.current", "input.text", "input.prompt",
    "input.hint", "input.overflow", "input.misspelt", "input.paste", "popup", "popup.selected",
    "help.title", "help.key", "help.text",
  ]

  private static let known: Set<String> = {
    var known: Set<String> = []
    for part in parts {
      let words = part.split(separator: ".")
      for count in 1...words.count { known.insert(words.prefix(count).joined(separator: ".")) }
    }
    return known
  }()

  static func isKnown(part: String) -> Bool {
    known.contains(part)
  }

  /// Each beginning of a part's name, the longest first: "status.online", "status".
  static func prefixes(of part: String) -> [String] {
    var prefixes = [part]
    while let rest = prefixes.last, let dot = rest.utf8.lastIndex(of: UInt8(ascii: ".")) {
      prefixes.append(String(rest[..<dot]))
    }
    return prefixes
  }
}
