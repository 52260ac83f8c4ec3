/// The slash commands that the program knows: the one source for reading them, for the help page and for
/// completion.
package enum SlashCommands {
  package struct Entry: Equatable, Sendable {
    /// Without the slash.
    package var name: String
    /// As the help shows it: NAME is needed, [NAME] may be left out; nil takes none.
    package var argument: String?
    /// One line.
    package var summary: String
    /// Other names that it is run by.
    package var aliases: [String]
    /// What people of other programs would type; never run, only suggested from.
    package var relatives: [String]

    package init(
      _ name: String, _ argument: String? = nil, summary: String, aliases: [String] = [],
      relatives: [String] = []
    ) {
      self.name = name
      self.argument = argument
      self.summary = summary
      self.aliases = aliases
      self.relatives = relatives
    }

    /// Such as "/join ROOM".
    package var usage: String {
      guard let argument else { return "/\(name)" }
      return "/\(name) \(argument)"
    }
  }

  package static let all: [Entry] = [
    Entry(
      "help", "[TOPIC]", summary: "show the keys and commands, or those about TOPIC",
      relatives: ["h", "?", "man", "keys", "commands"]),
    Entry(
      "connect", "[URL]", summary: "connect now; with a URL, open a window on that server",
      relatives: ["open", "online"]),
    Entry(
      "disconnect", summary: "close the line and stay off line", relatives: ["offline"]),
    Entry("reconnect", summary: "close the line and connect again", relatives: ["retry"]),
    Entry(
      "connection", summary: "show how the line fares: times, speed, TLS, what ended it",
      relatives: ["line", "status", "lag", "ping", "stats", "info"]),
    Entry(
      "frames", "[TEXT]", summary: "show the last frames on the wire, or those that hold TEXT",
      relatives: ["raw", "wire", "debug", "xmlconsole", "inspect"]),
    Entry(
      "reply", "[TEXT]", summary: "answer the last message of somebody else",
      relatives: ["answer", "re", "respond"]),
    Entry(
      "edit", "[TEXT]", summary: "change your last message",
      relatives: ["correct", "fix", "change"]),
    Entry(
      "delete", "[yes]", summary: "delete your last message for everybody",
      relatives: ["remove", "del", "rm", "redact", "unsend"]),
    Entry(
      "react", "EMOJI", summary: "put an emoji to the last message, or take it back",
      relatives: ["reaction", "emoji", "like"]),
    Entry(
      "reveal", "[N]",
      summary: "show what a ||spoiler|| hides: the last one, or number N of --plain",
      relatives: ["spoiler", "unhide", "peek"]),
    Entry("nick", "NAME", summary: "be called NAME from now on", relatives: ["name", "user"]),
    Entry(
      "join", "ROOM", summary: "open a window for ROOM on this server, or go to it",
      aliases: ["j"], relatives: ["room", "channel", "enter"]),
    Entry(
      "server", "URL|NAME", summary: "open a window on another server", relatives: ["host", "url"]),
    Entry(
      "part", summary: "close this window", relatives: ["leave", "wc", "close", "unquery", "cycle"]),
    Entry(
      "window", "[N|NAME]", summary: "go to the window with that number or name",
      aliases: ["w", "switch"], relatives: ["win", "buffer", "b", "go"]),
    Entry(
      "list", summary: "list the windows", relatives: ["ls", "rooms", "windows", "channels"]),
    Entry(
      "names", summary: "tell who is in this room",
      relatives: ["who", "members", "users", "nicks", "people", "here"]),
    Entry(
      "mute", summary: "no bell for this room until /unmute; what is said there is still counted",
      relatives: ["silence"]),
    Entry("unmute", summary: "let this room ring again", relatives: []),
    Entry(
      "notify", "[all|mention|never|default]",
      summary: "what this room tells of while you are not looking; default is notice.when",
      relatives: ["notifications", "notice", "alert"]),
    Entry(
      "theme", "[THEME|reload|check|save|reset]",
      summary: "choose the colours from a list, or THEME at once; keep them, or go back",
      relatives: ["themes", "color", "colour", "colors", "colours"]),
    Entry(
      "set", "[NAME [VALUE]]", summary: "show what can be chosen, or choose it",
      relatives: ["settings", "options", "config", "toggle"]),
    Entry("save", summary: "keep what was chosen with /set and /theme for the next time"),
    Entry(
      "search", "[-a] TEXT",
      summary: "find TEXT in what was said in this room, with -a in all rooms of the server",
      relatives: ["find", "grep", "lastlog", "s"]),
    Entry(
      "goto", "DATE|TIME",
      summary: "go to what was said then: 2026-11-30, 09:15, 2026-11-30 09:15 or 7d",
      relatives: ["jump", "date", "when", "go"]),
    Entry("links", summary: "list the links of this room", relatives: ["urls", "url", "link"]),
    Entry(
      "forget", "[ROOM]",
      summary: "delete what is kept on disk of this room, whose name has to be said",
      relatives: ["erase", "wipe", "purge"]),
    Entry("clear", summary: "empty the screen; nothing is deleted", relatives: ["cls"]),
    Entry(
      "resend", summary: "send again what failed or may not have arrived", relatives: ["repeat"]),
    Entry(
      "drop", "[all]",
      summary: "forget what failed or may not have arrived; with all also what waits",
      relatives: ["cancel", "discard"]),
    Entry(
      "bind", "[KEY [ACTION]]", summary: "let KEY do ACTION, or tell what is bound",
      relatives: ["key", "keybind", "map"]),
    Entry("unbind", "KEY", summary: "let KEY do nothing any more", relatives: ["unmap"]),
    Entry(
      "quit", summary: "leave the program",
      relatives: ["exit", "q", "bye", "logout", "die", "signoff"]),
  ]

  /// Why there is nothing like a command of other programs, as the end of a sentence; nil where that is not known.
  package static func absence(of name: String) -> String? {
    switch name.lowercased() {
    case "me", "action", "describe", "slap": "a message is all that can be said"
    case "msg", "query", "dm", "whisper", "tell", "wii":
      "what is said in a room goes to all of it, and rooms are all there is"
    case "ignore", "unignore", "block", "unblock":
      "nobody can be left out; /mute keeps a whole room from ringing"
    case "away", "back", "afk": "no server here takes such a state"
    case "topic": "rooms have a name and no topic"
    case "whois", "whowas", "ctcp", "version":
      "servers tell the names of people and no more; /names lists them"
    case "kick", "ban", "unban", "op", "deop", "voice", "devoice", "mode", "oper", "invite":
      "nobody has rights over others in a room"
    default: nil
    }
  }

  package static func entry(named name: String) -> Entry? {
    all.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// The command that was probably meant: one that the name begins or that a relative stands for, else the
  /// nearest by at most two slips of the finger (one for short names).
  package static func suggestion(for name: String) -> Entry? {
    let name = name.lowercased()
    guard !name.isEmpty, name.utf8.count <= 32 else { return nil }
    if let entry = all.first(where: { $0.name == name || $0.relatives.contains(name) }) {
      return entry
    }
    let beginning = all.filter { $0.name.hasPrefix(name) }
    if beginning.count == 1 { return beginning.first }
    let near = all.map { entry in (entry, slips(from: name, to: entry.name)) }
    guard let best = near.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= (name.utf8.count <= 4 ? 1 : 2) ? best.0 : nil
  }

  /// How many letters were added, left out, mistaken or swapped with their neighbour (the restricted
  /// Damerau–Levenshtein distance).
  package static func slips(from typed: String, to meant: String) -> Int {
    let typed = Array(typed.utf8)
    let meant = Array(meant.utf8)
    var before: [Int] = []
    var above = Array(0...meant.count)
    for row in 0..<typed.count {
      var current = [row + 1]
      for column in 0..<meant.count {
        var best = min(
          above[column] + (typed[row] == meant[column] ? 0 : 1), above[column + 1] + 1,
          current[column] + 1)
        if row > 0, column > 0, typed[row] == meant[column - 1], typed[row - 1] == meant[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      before = above
      above = current
    }
    return above[meant.count]
  }
}
