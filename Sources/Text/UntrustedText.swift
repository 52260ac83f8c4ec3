/// Where text is about to go. Each sink has its own dangers; see `UntrustedText.safe(for:)`.
package enum Sink: Sendable {
  /// One row of the screen: a line break becomes a space, tabs are expanded.
  case line
  /// A message in the grid: "\n" separates lines, everything else as in `line`.
  case block
  /// A name beside a message: one line, no leading or trailing white space, at most 64 clusters.
  case nick
  /// The terminal's title (OSC 2), a desktop notification: line breaks and tabs become spaces.
  case title
  /// Standard output or standard error of the headless commands; "\n" stays.
  case plainOutput
  /// The log: one line; a line break is shown as U+240A.
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
  /// and bidi controls (U+061C, 200E, 200F, 202A–202E, 2066–2069) removed, as are zero-width spaces, tags
  /// (U+E0000–E0FFF) and interlinear annotation controls; CR LF and lone CR as a line break, line and
  /// paragraph separators likewise, tabs expanded to stops of 8 columns, at most four marks on a base, at
  /// most `limit` characters (an ellipsis says that more is there). Work is linear in `limit`, however
  /// long the text is.
  package func safe(for sink: Sink, limit: Int = 65_536) -> String {
    let most = max(0, sink == .nick ? min(limit, 64) : limit)
    if let plain = plainText(for: sink, most: most) { return plain }
    var sanitiser = Sanitiser(sink: sink, most: most)
    for scalar in raw.unicodeScalars {
      guard sanitiser.take(scalar) else { break }
    }
    return sanitiser.finish()
  }

  /// The common case: printable ASCII, which is safe as it stands; nil where anything else is found.
  private func plainText(for sink: Sink, most: Int) -> String? {
    let keepsBreaks = sink == .block || sink == .plainOutput
    var text = raw
    return text.withUTF8 { bytes in
      let isPlain = bytes.prefix(most == .max ? most : most + 1).allSatisfy { byte in
        (0x20..<0x7F).contains(byte) || (byte == 0x0A && keepsBreaks)
      }
      guard isPlain else { return nil }
      if sink == .nick, bytes.first == 0x20 || bytes.last == 0x20 { return nil }
      guard bytes.count > most else { return raw }
      guard most > 0 else { return "" }
      return String(decoding: bytes.prefix(most - 1), as: UTF8.self) + "…"
    }
  }
}
