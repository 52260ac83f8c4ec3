import CNcurses
package import Screen

/// Why the screen cannot be used, as a sentence for the person.
package nonisolated struct TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  package var message: String
  package var description: String { message }
}

/// What terminfo says of a terminal, looked up before ncurses starts: for a terminal that it does not know
/// ncurses would print a line of its own and end the process.
package struct TerminalKind: Equatable, Sendable {
  /// The name of its description, from TERM.
  package let type: String
  /// How many colours; 0 without.
  package let colors: Int
  /// Whether it follows xterm so far that it knows titles, bracketed paste and focus reports, or leaves
  /// out what it does not know.
  package let isLikeXterm: Bool
  /// Terminfo says that output can be synchronized (mode 2026).
  package let isSynchronized: Bool
  /// It may be asked about its modes: not where the question would be shown.
  let takesQueries: Bool
  /// What puts the cursor and the letters back to normal and leaves the alternate screen.
  let closing: [UInt8]

  /// Looks up TERM. Throws if it is unset or unknown, or if the terminal cannot place text (dumb).
  /// `program` is the variable TERM_PROGRAM: Apple's terminal shows what it does not understand.
  package init(type: String?, program: String? = nil) throws(TerminalError) {
    let queries = program != "Apple_Terminal"
    guard let type, !type.isEmpty else {
      throw TerminalError(
        message:
          "TERM is not set, so the screen cannot be drawn; set it to the name of your terminal, "
          + "such as xterm-256color, or use --plain.")
    }
    let shown = type.filter { $0.isASCII && ("!"..."~").contains($0) }.prefix(40)
    // A name with a slash would be a path.
    let found = type.contains("/") || type.utf8.count > 64 ? 0 : pc_describe(type, 1)
    defer { if found == 1 { pc_forget_description() } }
    guard found == 1 else {
      throw TerminalError(
        message:
          "The terminal \"\(shown)\" that TERM names is not known here; set TERM to one that is "
          + "installed, such as xterm-256color, or use --plain.")
    }
    guard pc_capability("cup") != nil, tigetflag("hc") != 1 else {
      throw TerminalError(
        message: "The terminal \"\(shown)\" that TERM names cannot place text on the screen; "
          + "use --plain.")
    }
    self.type = type
    colors = max(0, Int(tigetnum("colors")))
    let families = [
      "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty",
      "konsole", "gnome", "vte", "st", "mlterm", "contour", "putty", "iterm",
    ]
    let family = type.prefix { $0 != "-" && $0 != "." }
    isLikeXterm = families.contains(String(family))
    isSynchronized = pc_capability("Sync") != nil
    takesQueries = isLikeXterm && queries
    closing = ["cnorm", "sgr0", "rmcup"].flatMap { Self.bytes(ofCapability: $0) }
  }

  /// The colours that the terminal shows: `colorTerm` is the variable COLORTERM, by which terminals say that
  /// they know 24 bits. The person's own choice (NO_COLOR, `--color`) comes before this.
  package func depth(colorTerm: String?) -> Theme.Depth {
    if colorTerm == "truecolor" || colorTerm == "24bit" || colors >= 1 << 24 { return .full }
    if colors >= 256 { return .indexed256 }
    return colors >= 8 ? .ansi16 : .none
  }

  /// A string capability without its padding, `$<…>`.
  private static func bytes(ofCapability name: String) -> [UInt8] {
    guard let value = pc_capability(name) else { return [] }
    var bytes = Array(String(cString: value).utf8)
    while let start = bytes.firstIndex(of: UInt8(ascii: "$")), start + 1 < bytes.count,
      bytes[start + 1] == UInt8(ascii: "<"),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    {
      bytes.removeSubrange(start...end)
    }
    return bytes
  }
}
