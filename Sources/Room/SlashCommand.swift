import Text

/// A command as it was entered, its argument checked.
package enum SlashCommand: Equatable, Sendable {
  case help(topic: String?)
  /// To another server where one is named.
  case connect(String?)
  case disconnect, reconnect
  case connection
  case frames(String?)
  /// Without a text it is written in the input.
  case reply(String?)
  case edit(String?)
  case delete(isSure: Bool)
  case react(String)
  /// The number of a spoiler where they have some; nil is the last one.
  case reveal(Int?)
  case nick(String)
  /// Without the leading "#".
  case join(String)
  /// A URL or a name of the configuration.
  case server(String)
  case part
  /// A number or a name; nil lists the windows.
  case window(String?)
  case list
  case names
  /// Nil tells what holds.
  case notify(RoomNotice?)
  case theme(String?)
  case set(name: String?, value: String?)
  case save
  case search(String, everywhere: Bool)
  case goTo(String)
  case links
  /// Nil where the room's name is missing.
  case forget(String?)
  case clear
  case resend
  case drop(all: Bool)
  /// Without an action: what the key does; without a key: everything that is bound.
  case bind(key: String?, action: String?)
  case unbind(key: String)
  case quit

  /// What an entered text comes to.
  package enum Reading: Equatable, Sendable {
    /// Text to send; the first of two leading slashes is gone.
    case message(String)
    case command(SlashCommand)
    /// Neither: a sentence that says what is wrong and what to do.
    case wrong(String)
  }

  /// The most clusters of a nick and of a room's name.
  package static let longestNick = 32
  package static let longestRoom = 64

  package static func read(_ text: String) -> Reading {
    guard text.hasPrefix("/") else { return .message(text) }
    let rest = text.dropFirst()
    if rest.hasPrefix("/") { return .message(String(rest)) }
    let name = String(rest.prefix { !$0.isWhitespace })
    let argument = trimmed(rest.dropFirst(name.count))
    guard !name.isEmpty else {
      return .wrong("A command has its name right behind the slash: /help lists them.")
    }
    guard let entry = SlashCommands.entry(named: name.lowercased()) else {
      return .wrong(unknown(name))
    }
    // Elsewhere the others read what stands behind /quit: it is no fault, and goes nowhere.
    if entry.argument == nil, !argument.isEmpty, entry.name != "quit" {
      return .wrong(
        "/\(entry.name) takes no argument, but “\(short(argument))” came behind it: "
          + "enter just /\(entry.name).")
    }
    return read(entry, argument)
  }

  private static func read(_ entry: SlashCommands.Entry, _ argument: String) -> Reading {
    switch entry.name {
    case "help": return .command(.help(topic: argument.isEmpty ? nil : argument))
    case "connect": return .command(.connect(argument.isEmpty ? nil : argument))
    case "disconnect": return .command(.disconnect)
    case "reconnect": return .command(.reconnect)
    case "connection": return .command(.connection)
    case "frames": return .command(.frames(argument.isEmpty ? nil : argument))
    case "reply": return .command(.reply(argument.isEmpty ? nil : argument))
    case "edit": return .command(.edit(argument.isEmpty ? nil : argument))
    case "delete":
      guard argument.isEmpty || argument.lowercased() == "yes" else {
        return .wrong(
          "/delete knows only “yes”, not “\(short(argument))”: /delete shows what would be deleted, "
            + "/delete yes deletes it.")
      }
      return .command(.delete(isSure: !argument.isEmpty))
    case "react":
      guard !argument.isEmpty, !argument.contains(where: \.isWhitespace),
        argument.utf8.count <= 64
      else { return .wrong("/react takes one emoji or its name: /react 👍 or /react :tada:.") }
      guard !isUnknownEmojiName(argument) else {
        return .wrong(
          "/react: “\(short(argument))” is no emoji and no name of one: "
            + "type :\(short(argument)) and Tab in a message to see names.")
      }
      return .command(.react(argument))
    case "reveal":
      guard argument.isEmpty || (Int(argument) ?? 0) > 0 else {
        return .wrong(
          "/reveal takes the number that stands beside a spoiler, or nothing for the last one, not "
            + "“\(short(argument))”.")
      }
      return .command(.reveal(Int(argument)))
    case "nick":
      if let fault = fault(ofName: argument, what: "nick", example: "/nick ada", most: longestNick)
      {
        return .wrong(fault)
      }
      return .command(.nick(argument))
    case "join":
      let room = argument.hasPrefix("#") ? String(argument.dropFirst()) : argument
      if let fault = fault(ofName: room, what: "room", example: "/join lobby", most: longestRoom) {
        return .wrong(fault)
      }
      return .command(.join(room))
    case "server":
      guard !argument.isEmpty else {
        return .wrong("The server is missing: enter it as in /server wss://chat.example/ws.")
      }
      return .command(.server(argument))
    case "part": return .command(.part)
    case "window": return .command(.window(argument.isEmpty ? nil : argument))
    case "list": return .command(.list)
    case "names": return .command(.names)
    case "mute": return .command(.notify(.never))
    case "unmute": return .command(.notify(.usual))
    case "notify":
      guard let notice = RoomNotice(rawValue: argument.lowercased()) else {
        guard !argument.isEmpty else { return .command(.notify(nil)) }
        return .wrong(
          "/notify knows all, mention, never and default, not “\(short(argument))”.")
      }
      return .command(.notify(notice))
    case "theme": return .command(.theme(argument.isEmpty ? nil : argument))
    case "set":
      let name = argument.prefix { !$0.isWhitespace && $0 != "=" }
      var value = argument.dropFirst(name.count)
      if name.count < argument.count { value = value.drop { $0.isWhitespace || $0 == "=" } }
      return .command(
        .set(
          name: name.isEmpty ? nil : String(name),
          value: name.count == argument.count ? nil : String(value)))
    case "save": return .command(.save)
    case "search": return readSearch(argument)
    case "goto":
      guard !argument.isEmpty else {
        return .wrong("/goto takes a day or a time: /goto 2026-11-30, /goto 09:15 or /goto 7d.")
      }
      return .command(.goTo(argument))
    case "links": return .command(.links)
    case "forget":
      let room = argument.hasPrefix("#") ? String(argument.dropFirst()) : argument
      return .command(.forget(room.isEmpty ? nil : room))
    case "clear": return .command(.clear)
    case "resend": return .command(.resend)
    case "drop":
      switch argument.lowercased() {
      case "": return .command(.drop(all: false))
      case "all": return .command(.drop(all: true))
      default:
        return .wrong(
          "/drop knows only “all”, not “\(short(argument))”: /drop forgets what failed, "
            + "/drop all also what waits.")
      }
    case "bind":
      // The action is the last word: a key may be several, as in ^X e.
      let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let last = words.last, last.contains("."), words.count > 1 else {
        return .command(.bind(key: argument.isEmpty ? nil : argument, action: nil))
      }
      return .command(.bind(key: words.dropLast().joined(separator: " "), action: last))
    case "unbind":
      guard !argument.isEmpty else {
        return .wrong("The key is missing: enter it as in /unbind ^K.")
      }
      return .command(.unbind(key: argument))
    case "quit": return .command(.quit)
    default: return .wrong(unknown(entry.name))
    }
  }

  private static func readSearch(_ argument: String) -> Reading {
    var text = argument[...]
    var everywhere = false
    if text == "-a" || text.hasPrefix("-a ") {
      everywhere = true
      text = text.dropFirst(2)
    }
    let words = trimmed(text)
    guard !words.isEmpty else {
      return .wrong("The text to search for is missing: enter it as in /search green build.")
    }
    return .command(.search(words, everywhere: everywhere))
  }

  private static func unknown(_ name: String) -> String {
    if let reason = SlashCommands.absence(of: name) {
      return
        "There is nothing like /\(short(name)) here: \(reason); to send it as text, begin with two slashes: "
        + "//\(short(name))"
    }
    var sentence = "There is no command /\(short(name))"
    if let meant = SlashCommands.suggestion(for: name) {
      sentence += "; did you mean \(meant.usage)?"
    } else {
      sentence += ": /help lists those there are."
    }
    return sentence + " To send it as text, begin with two slashes: //\(short(name))"
  }

  /// What is wrong with a nick or a room's name, or nil.
  static func fault(ofName name: String, what: String, example: String, most: Int) -> String? {
    if name.isEmpty { return "The \(what) is missing: enter it as in \(example)." }
    if name.count > most {
      return "“\(short(name))” is too long for a \(what): "
        + "it has \(name.count) characters, and at most \(most) are allowed."
    }
    if name.contains(where: \.isWhitespace) {
      return "A \(what) holds no white space, but “\(short(name))” does: "
        + "leave it out or write - instead."
    }
    if name.unicodeScalars.contains(where: isInvisible) {
      return "“\(short(name))” holds invisible control characters: enter the \(what) without them."
    }
    return nil
  }

  /// Controls, and the format characters that turn the order of text around. The joiners are left alone:
  /// Persian and Indic names are spelt with them.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: false
    }
  }

  /// A word in ASCII that names no emoji.
  private static func isUnknownEmojiName(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 } && EmojiNames.emoji(for: text) == text
  }

  private static func short(_ text: String) -> String {
    text.count > 32 ? text.prefix(31) + "…" : text
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
