import Text

/// How a part of a text is drawn in addition to the style of the whole.
struct TextLooks: OptionSet, Hashable {
  var rawValue: UInt16

  static let bold = TextLooks(rawValue: 1)
  static let italic = TextLooks(rawValue: 2)
  static let code = TextLooks(rawValue: 4)
  static let quote = TextLooks(rawValue: 8)
  /// Not to be read before the person asks for it.
  static let spoiler = TextLooks(rawValue: 16)
  static let link = TextLooks(rawValue: 32)
  static let match = TextLooks(rawValue: 64)
  static let currentMatch = TextLooks(rawValue: 128)
  /// The remark that a message was edited.
  static let edited = TextLooks(rawValue: 256)

  /// The cluster, or what hides it.
  func drawn(_ cluster: Cluster) -> String {
    contains(.spoiler) && cluster.text != " "
      ? String(repeating: "▒", count: cluster.width) : cluster.text
  }

  func style(on base: Style, theme: Theme) -> Style {
    if contains(.currentMatch) { return theme["search.current"] }
    if contains(.match) { return theme["search.match"] }
    guard !isEmpty else { return base }
    if contains(.edited) { return theme["chat.edited"] }
    var style = base
    if contains(.spoiler) {
      style = theme["chat.spoiler"]
    } else if contains(.link) {
      style = theme["chat.url"]
    } else if contains(.code) {
      style = theme["chat.code"]
    } else if contains(.quote) {
      style = theme["chat.quote"]
    }
    if contains(.bold) { style.attributes.insert(.bold) }
    if contains(.italic) { style.attributes.insert(.italic) }
    return style
  }
}

/// A part of a row that looks alike.
struct LookedPiece: Equatable {
  var text: String
  var looks: TextLooks = []
  var link: LinkTarget?
}

/// Safe text with the looks of its parts.
struct LookedText: Equatable {
  private(set) var text: String
  /// One for each byte of UTF-8; empty where nothing has looks of its own.
  private var looks: [TextLooks] = []
  /// In the order of the text.
  private var links: [PlacedLink] = []

  private struct PlacedLink: Equatable {
    var range: Range<Int>
    var target: LinkTarget
  }

  init(text: String) {
    self.text = text
  }

  var hasLooks: Bool { !looks.isEmpty || !links.isEmpty }

  /// Says where a range of UTF-8 offsets leads; behind all that was said before.
  mutating func add(_ target: LinkTarget, to range: Range<Int>) {
    links.append(PlacedLink(range: range, target: target))
  }

  func link(at offset: Int) -> LinkTarget? {
    guard !links.isEmpty else { return nil }
    // The last one that begins there or before.
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, links[low - 1].range.contains(offset) else { return nil }
    return links[low - 1].target
  }

  func looks(at offset: Int) -> TextLooks { offset < looks.count ? looks[offset] : [] }

  /// Adds looks to a range of UTF-8 offsets, as far as the text goes.
  mutating func add(_ added: TextLooks, to range: Range<Int>) {
    let range = range.clamped(to: 0..<text.utf8.count)
    guard !range.isEmpty else { return }
    if looks.isEmpty { looks = [TextLooks](repeating: [], count: text.utf8.count) }
    for index in range { looks[index].insert(added) }
  }

  /// Adds a remark behind the text, in its own look.
  mutating func append(_ remark: String, _ look: TextLooks) {
    let start = text.utf8.count
    text += remark
    if !looks.isEmpty {
      looks += [TextLooks](repeating: [], count: remark.utf8.count)
    }
    add(look, to: start..<text.utf8.count)
  }

  /// The spans of it as one row.
  func spans(at column: Int, base: Style, theme: Theme) -> [Span] {
    let rows = wrap(self, width: .max / 2).rows
    return (rows.first ?? []).spans(at: column, base: base, theme: theme)
  }
}

extension [LookedPiece] {
  func spans(
    at column: Int, base: Style, theme: Theme, emoji: EmojiPolicy = .safe
  ) -> [Span] {
    var column = column
    return map { piece in
      defer { column += columns(of: piece.text, emoji: emoji) }
      return Span(
        column: column, text: piece.text, style: piece.looks.style(on: base, theme: theme),
        emoji: emoji, link: piece.link)
    }
  }
}
