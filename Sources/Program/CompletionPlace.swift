import Room

/// What a command takes at some place, so far as it can be completed.
enum ArgumentKind: Equatable {
  case command, topic, theme, server, room, nick, setting, value, file, action, key
  case words([String])
  case text

  /// The kinds of a command's arguments, read from how its usage writes them: NAMES in capitals, words in small
  /// letters as they are typed.
  static func kinds(of entry: SlashCommands.Entry) -> [ArgumentKind] {
    switch entry.name {
    case "theme": return [.theme]
    case "server", "connect": return [.server]
    case "set": return [.setting, .value]
    case "nick": return [.text]
    default: break
    }
    let usage = (entry.argument ?? "").filter { $0 != "[" && $0 != "]" && $0 != "…" }
    return usage.split(separator: " ").map { kind(ofWord: String($0)) }
  }

  private static func kind(ofWord word: String) -> ArgumentKind {
    switch word {
    case "COMMAND": .command
    case "TOPIC": .topic
    case "THEME": .theme
    case "ROOM": .room
    case "NICK", "PERSON": .nick
    case "SETTING": .setting
    case "VALUE": .value
    case "FILE", "PATH", "FOLDER": .file
    case "ACTION": .action
    case "KEY": .key
    default:
      word == word.lowercased() ? .words(word.split(separator: "|").map(String.init)) : .text
    }
  }
}

/// Where in a line the caret stands, as far as completing goes.
enum CompletionPlace: Equatable {
  /// Behind the slash. `start` counts characters, the slash among what is replaced.
  case command(typed: String)
  /// `before` are the command's earlier arguments.
  case argument(ArgumentKind, before: [String], typed: String, start: Int)
  /// Behind the colon; `start` is the colon's place.
  case emoji(typed: String, start: Int)
  /// In a message, or where a command takes any text.
  case text

  init(_ before: [Character]) {
    if let command = Self.command(before) {
      self = command
    } else if let start = Self.emojiStart(before) {
      self = .emoji(typed: String(before[(start + 1)...]).lowercased(), start: start)
    } else {
      self = .text
    }
  }

  private static func command(_ before: [Character]) -> CompletionPlace? {
    guard before.first == "/", before.dropFirst().first != "/" else { return nil }
    var words: [Range<Int>] = []
    var start = 0
    for (index, character) in before.enumerated() where character.isWhitespace {
      if start < index { words.append(start..<index) }
      start = index + 1
    }
    guard let name = words.first else {
      return .command(typed: String(before.dropFirst()).lowercased())
    }
    guard let entry = SlashCommands.entry(named: String(before[1..<name.upperBound]).lowercased())
    else { return nil }
    let kinds = ArgumentKind.kinds(of: entry)
    var number = words.count - 1
    // A path may hold blanks: it goes up to the end.
    if kinds.last == .file, number >= kinds.count - 1 {
      number = kinds.count - 1
      if words.count > kinds.count { start = words[kinds.count].lowerBound }
    }
    guard number < kinds.count, kinds[number] != .text else { return nil }
    return .argument(
      kinds[number], before: words.dropFirst().map { String(before[$0]) },
      typed: String(before[start...]), start: start)
  }

  /// A colon with at least two letters of a name behind it, and nothing in front that it belongs to.
  private static func emojiStart(_ before: [Character]) -> Int? {
    var start = before.count
    while start > 0, isOfName(before[start - 1]) { start -= 1 }
    guard start > 0, before[start - 1] == ":", before.count - start >= 2,
      before[start...].contains(where: \.isLetter)
    else { return nil }
    if start > 1 {
      let front = before[start - 2]
      if front.isLetter || front.isNumber || front == ":" { return nil }
    }
    return start - 1
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "_+-".contains(character))
  }
}
