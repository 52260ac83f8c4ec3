/// One option of the command line: what the parser accepts, and what the help says.
package nonisolated struct OptionEntry: Sendable {
  package var name: String
  /// The word for its value in the help; nil where it takes none.
  package var value: String?
  package var isRepeatable = false
  package var help: String

  init(_ name: String, _ help: String) {
    self.name = name
    self.help = help
  }

  init(_ name: String, _ value: String, repeatable: Bool = false, _ help: String) {
    self.name = name
    self.value = value
    isRepeatable = repeatable
    self.help = help
  }
}

/// A command with its options; the one place that the parser and the help read.
package nonisolated struct CommandEntry: Sendable {
  package var name: String
  package var usage: String
  package var summary: String
  package var options: [OptionEntry]
  /// How many operands it takes.
  package var operands: ClosedRange<Int>
  /// What the first of them is.
  package var missing = "A URL"
  /// The last operand is a URL, or the name of a server of the configuration file.
  package var takesServer = false
  /// What the first operand may be, where it is one of some words.
  package var words: [String] = []
  /// Those of the words that stand alone: no server follows.
  var lone: [String] = []

  /// Whether a server is, or may be, the last of these operands.
  func takesServer(_ operands: [String]) -> Bool {
    takesServer && !(operands.first.map(lone.contains) ?? false)
  }
}

package nonisolated enum OptionTable {
  static let general = [
    OptionEntry("help", "Shows this help."),
    OptionEntry("version", "Shows the version."),
  ]

  static let connecting = [
    OptionEntry("token-file", "FILE", "Bearer token: the first line of FILE."),
    OptionEntry("token-command", "CMD", "Bearer token: the first line that CMD prints."),
    OptionEntry(
      "auth", "header|query|init",
      "Where the token travels; the environment's PARLOUR_TOKEN counts."),
    OptionEntry("header", "'NAME: VALUE'", repeatable: true, "A further handshake header."),
    OptionEntry("subprotocol", "NAME", repeatable: true, "Offered in this order, and required."),
    OptionEntry(
      "dialect", "plain|envelope|graphql", "How messages are laid out, if no subprotocol says so."),
    OptionEntry("require-subprotocol", "No agreement on a subprotocol, no connection."),
    OptionEntry(
      "room", "NAME", repeatable: true, "The room to enter (lobby); a chat enters several."),
    OptionEntry("nick", "NAME", "Your name there (the login name)."),
    OptionEntry(
      "profile", "FILE|NAME", "How a GraphQL server's schema maps to a chat (.json, .toml)."),
    OptionEntry("after", "ID", "Go on after this message."),
    OptionEntry("history", "N", "How many earlier messages to ask for (50)."),
    OptionEntry("max-attempts", "N", "Attempts in a row before giving up (10)."),
    OptionEntry("first-delay", "D", "The n-th attempt in a row waits D × 2^(n−1) (1s)."),
    OptionEntry("max-delay", "D", "The longest delay (60s)."),
    OptionEntry("no-reconnect", "One attempt, and no other after a loss."),
    OptionEntry("connect-timeout", "D", "Limit for look-up, TCP, proxy, TLS and upgrade (10s)."),
    OptionEntry("ping-interval", "D", "Between keep-alive pings (30s); 0 sends none."),
    OptionEntry("ping-timeout", "D", "The longest silence after a ping (10s)."),
    OptionEntry("close-timeout", "D", "How long to wait for the peer's Close (5s)."),
    OptionEntry("max-message", "BYTES", "Larger ones close the connection with 1009 (16MiB)."),
    OptionEntry("no-compression", "permessage-deflate is not offered."),
    OptionEntry("cacert", "FILE", "Certificate authorities to trust, PEM."),
    OptionEntry("cert", "FILE", "Client certificate, PEM."),
    OptionEntry("key", "FILE", "The client certificate's key, PEM."),
    OptionEntry("insecure", "Goes on whatever the server's certificate says."),
    OptionEntry("tls-min", "1.2|1.3", "The lowest TLS version (1.2)."),
    OptionEntry("server-name", "NAME", "The name to check and to ask for by SNI."),
    OptionEntry(
      "pin", "sha256//BASE64", repeatable: true, "The server's public key must have this hash."),
    OptionEntry(
      "proxy", "URL",
      "An http, https, socks5 or socks5h proxy; \"\" for none (the environment's)."
    ),
    OptionEntry(
      "no-proxy", "LIST", "Hosts, domains and address blocks without a proxy, or *; else no_proxy."),
    OptionEntry("ipv4", "Uses IPv4 addresses only."),
    OptionEntry("ipv6", "Uses IPv6 addresses only."),
    OptionEntry(
      "resolve", "HOST:PORT:ADDRESS", repeatable: true, "This address instead of a look-up."),
    OptionEntry(
      "log", "FILE", "Appends what happens to FILE; - is standard error, but for a chat."),
    OptionEntry(
      "log-level", "error|notice|debug|frames", "How much of it (notice); never tokens or cookies."),
  ]

  /// What only a chat can make use of.
  private static let ofChats = ["room", "nick", "after", "history"]

  static let subscribing = [
    OptionEntry(
      "query", "TEXT|@FILE|-", "The document: as it stands, of a file, or from standard input."),
    OptionEntry(
      "variable", "NAME=VALUE", repeatable: true,
      "A variable; the value counts as JSON where it is JSON, else as text."),
    OptionEntry("variables", "JSON|@FILE", "Variables as a JSON object; --variable goes before."),
    OptionEntry("operation", "NAME", "Which operation of the document is meant."),
    OptionEntry("init", "JSON", "The payload of connection_init; {token} stands for the token."),
    OptionEntry(
      "via", "ws|http",
      "How a query or a mutation goes: over a WebSocket or by POST (as the URL begins)."),
    OptionEntry("count", "N", "Leaves after N results."),
    OptionEntry("pretty", "Results over several lines, indented."),
  ]

  static let looks = [
    OptionEntry("theme", "NAME", "The colours (terminal)."),
    OptionEntry("color", "auto|never|16|256|24bit", "How much colour; NO_COLOR counts."),
    OptionEntry("plain", "Whole lines instead of a screen: for screen readers and dumb terminals."),
  ]

  /// What a server of the configuration file may say, by name.
  static let ofServers = Dictionary(
    (connecting + [noHistory]).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  private static let noHistory = OptionEntry(
    "no-history", "Keeps nothing on disk, and shows nothing of earlier times.")

  static let serving = [
    OptionEntry(
      "token", "TOKEN", repeatable: true, "A token that is let in; none lets everybody in."),
    OptionEntry("drop-every", "D", "Cuts each connection this long after it opened."),
    OptionEntry("refuse", "N", "Refuses the next N connections."),
    OptionEntry("latency", "D", "Every answer comes this much later."),
  ]

  package static let commands: [CommandEntry] = [
    CommandEntry(
      name: "chat", usage: "parlour [chat] [options] URL|NAME...",
      summary: "Chat at ws:// or wss:// URLs or servers of the configuration file, a window each.",
      options: connecting + [noHistory] + looks + general, operands: 1...100, takesServer: true),
    CommandEntry(
      name: "demo", usage: "parlour demo [options]",
      summary:
        "Embedded server, scripted visitors and the chat in one; drops the line now and then, keeps nothing.",
      options: [
        OptionEntry("room", "NAME", "The room to enter (lobby)."),
        OptionEntry("nick", "NAME", "Your name there (the login name)."),
        OptionEntry("drop-every", "D", "How long the line holds (20s)."),
        OptionEntry("first-delay", "D", "How long a lost line waits at first (5s)."),
      ] + looks + general, operands: 0...0),
    CommandEntry(
      name: "serve", usage: "parlour serve [options]", summary: "The embedded server alone.",
      options: [
        OptionEntry(
          "listen", "HOST:PORT", "Where to listen (127.0.0.1:9000); :PORT is every address.")
      ] + serving + general, operands: 0...0),
    CommandEntry(
      name: "cat", usage: "parlour cat [options] URL|NAME",
      summary: "Lines of standard input go out, messages come in on standard output.",
      options: [
        OptionEntry("format", "text|json", "Messages alone, or every event as a JSON line (text)."),
        OptionEntry("binary", "Sends each line as a binary message."),
        OptionEntry("send", "TEXT", repeatable: true, "Sends this first."),
        OptionEntry("count", "N", "Leaves after N messages."),
        OptionEntry(
          "wait", "D", "How long to stay after standard input ended (0; a terminal: for ever)."),
      ] + connecting + general, operands: 1...1, takesServer: true),
    CommandEntry(
      name: "subscribe", usage: "parlour subscribe [options] --query TEXT URL|NAME",
      summary: "One GraphQL operation: every result is a line of JSON on standard output.",
      options: subscribing + connecting.filter { !ofChats.contains($0.name) } + general,
      operands: 1...1, takesServer: true),
    CommandEntry(
      name: "profile", usage: "parlour profile guess [options] URL|NAME | list",
      summary:
        "Drafts a profile from a GraphQL server's schema, and reads three lines with it; lists those there are.",
      options: connecting.filter { !["after", "history"].contains($0.name) } + general,
      operands: 2...2, takesServer: true, words: ["guess", "list"], lone: ["list"]),
    CommandEntry(
      name: "check", usage: "parlour check [options] URL|NAME",
      summary:
        "Goes through every step to a server, with times, and says what to do about a fault.",
      options: [OptionEntry("format", "text|json", "Lines for people, or a JSON line each (text).")]
        + connecting.filter { !["after", "history"].contains($0.name) } + general,
      operands: 1...1, takesServer: true),
    CommandEntry(
      name: "bench", usage: "parlour bench [options] echo|flood|sink|gql URL",
      summary: "Measures this client's speed against a server, as one JSON line.",
      options: [
        OptionEntry("count", "N", "How many messages (10000)."),
        OptionEntry("size", "BYTES", "How large each is (125)."),
        OptionEntry("timeout", "D", "Gives up when nothing of the job comes for so long (10s)."),
        OptionEntry("query", "TEXT|@FILE|-", "What gql subscribes to (messageAdded)."),
        OptionEntry("cacert", "FILE", "Certificate authorities to trust, PEM."),
        OptionEntry("insecure", "Goes on whatever the server's certificate says."),
      ] + general, operands: 2...2, words: ["echo", "flood", "sink", "gql"]),
    CommandEntry(
      name: "history",
      usage:
        "parlour history search TEXT | export | import FILE | prune --older-than AGE | forget | stats",
      summary: "What the chat has kept on disk: finds, hands out, takes in, deletes, counts.",
      options: [
        OptionEntry("room", "NAME", "search, export, forget: only this room."),
        OptionEntry("server", "URL", "forget: only this server's rooms; stats lists them."),
        OptionEntry(
          "all",
          "forget: all messages and typed lines, and damaged files that were set aside. Names of servers and rooms stay, so that nothing is fetched again."
        ),
        OptionEntry("from", "NAME", "search: only what NAME wrote."),
        OptionEntry("since", "TIME", "search: from 2026-11-30, 2026-11-30T08:00:00Z or 7d ago on."),
        OptionEntry("until", "TIME", "search: before that time."),
        OptionEntry(
          "limit", "N",
          "search: at most N messages (20), the best first; to find none is no failure."),
        OptionEntry("json", "search, stats: JSON, a line each."),
        OptionEntry(
          "format", "text|json|html", "export: for people or programs; import reads json (json)."),
        OptionEntry("older-than", "AGE", "prune: deletes what is older: 12h, 30d, 8w, 2y."),
      ] + general, operands: 1...1_000, missing: "What to do",
      words: ["search", "export", "import", "prune", "forget", "stats"]),
    CommandEntry(
      name: "themes", usage: "parlour themes [options] [NAME]",
      summary: "Lists the themes; with a NAME, shows it by a small chat.",
      options: [
        OptionEntry("svg", "Writes the picture as SVG."),
        OptionEntry("size", "COLUMNSxROWS", "The size of the picture (80x24)."),
        looks[1],
      ] + general, operands: 0...1),
    CommandEntry(
      name: "config", usage: "parlour config check | path | show [NAME]",
      summary:
        "The configuration file: whether it is right, where it is, what it comes to in all or for the server NAME.",
      options: general, operands: 1...2, missing: "What to do",
      words: ["check", "path", "show"]),
    CommandEntry(
      name: "completion", usage: "parlour completion bash|zsh|fish",
      summary: "A script that completes commands, options and names in that shell.",
      options: general, operands: 1...2, missing: "The shell",
      words: ["bash", "zsh", "fish"]),
    CommandEntry(
      name: "help", usage: "parlour help [COMMAND|keys|man]",
      summary: "Help, also on one command; the keys of the chat; the manual.",
      options: general, operands: 0...2),
  ]

  static func command(_ name: String) -> CommandEntry? {
    commands.first { $0.name == name }
  }

  /// The command that a word was probably meant to be: one that it begins, or one with nearly the same
  /// letters.
  package static func suggestion(for word: String) -> String? {
    guard word.count >= 3, word.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    return commands.map(\.name).first { name in
      name.hasPrefix(word) || word.hasPrefix(name)
        || (name.count > 3 && word.difference(from: name).count <= name.count - 2)
    }
  }
}
