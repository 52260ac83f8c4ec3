extension Theme {
  /// The colour of a nick, by the way of XEP-0392: a hash of the nick gives an angle, and the colour with
  /// the nearest hue is taken. The hash is FNV-1a rather than SHA-1, which would need OpenSSL here: what
  /// matters is that the same nick has the same colour everywhere in this program.
  package func color(ofNick nick: String) -> Color {
    guard !nickColors.isEmpty else { return self["chat.text"].foreground }
    let hash = Self.hash(nick.lowercased())
    let angle = Double(hash & 0xFFFF) / 65_536 * 360
    let distances = hues.map { hueDistance($0, angle) }
    let least = distances.min() ?? 0
    // Several shades of one hue, such as red and bright red: the rest of the hash decides.
    let nearest = distances.indices.filter { distances[$0] <= least + 1 }
    guard !nearest.isEmpty else { return self["chat.text"].foreground }
    return nickColors[nearest[Int((hash >> 16) % UInt64(nearest.count))]]
  }

  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension Color {
  /// The hue in degrees; a grey, or the terminal's own colour, has 0.
  var hue: Double {
    switch self {
    case .standard: 0
    case .ansi(let index): TerminalPalette.ansi[Int(index) % 16].lab.hue
    case .rgb(let value, _, _): RGB(value).lab.hue
    }
  }
}
