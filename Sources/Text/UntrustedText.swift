/// Where text is about to go. Each sink has its own dangers; see `UntrustedText.safe(for:)`.
package enum Sink: Sendable {
  /// One row of the screen: no line break, tabs expanded.
  case line
  /// A message in the grid: "\n" separates lines, everything else as in `line`.
  case block
  /// A name beside a message: one line, no leading or trailing white space, at most 64 clusters.
  case nick
  /// The terminal's title (OSC 2), a desktop notification.
  case title
  /// Standard output or standard error of the headless commands; "\n" stays.
  case plainOutput
  /// The log: one line.
  case log
}

/// Text from the wire, a file or the environment: it may hold control sequences, bidi overrides or
/// eighty thousand letters without a space. It can be stored and sent as it is, but the only way to
/// a person's screen is `safe(for:)`.
package struct UntrustedText: Hashable, Sendable, CustomStringConvertible {
  /// As it came. Never to be written to a terminal, title, log or file name.
  package var raw: String

  package init(_ raw: String) {
    self.raw = raw
  }

  package var isEmpty: Bool { raw.isEmpty }

  /// So that an interpolation by mistake shows nothing dangerous.
  package var description: String { safe(for: .line) }

  /// Text that can do no harm in that sink: C0 controls and DEL as control pictures (U+2400 …), C1
  /// and bidi controls (U+061C, 200E, 200F, 202A–202E, 2066–2069) removed, CR LF and lone CR as a line
  /// break, line and paragraph separators likewise, tabs expanded to stops of 8 columns, at most four
  /// marks on a base, at most `limit` characters (an ellipsis says that more is there).
  package func safe(for sink: Sink, limit: Int = 65_536) -> String {
    fatalError("interface only")
  }
}
