/// Emoji by the names that people type between colons, `:thinking:`.
package enum EmojiNames {
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var emoji: String
  }

  /// Read when the first name is looked for: most people never do.
  private static let all: [Entry] = [people, nature, signs].flatMap { text in
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return stride(from: 0, to: words.count - 1, by: 2).map {
      Entry(name: words[$0], emoji: words[$0 + 1])
    }
  }

  package static var count: Int { all.count }

  /// The first name of each, by the emoji without its variants.
  private static let names: [String: String] = {
    var names: [String: String] = [:]
    for entry in all {
      guard let picture = entry.emoji.first else { continue }
      let plain = withoutVariants(picture)
      if names[plain] == nil { names[plain] = entry.name }
    }
    return names
  }()

  /// What people call an emoji that has no variants in it; nil for those without a name of that kind.
  static func name(of plain: String) -> String? { names[plain] }

  /// The emoji of a name, with its colons or without; what is no name stays as it is.
  package static func emoji(for text: String) -> String {
    let name = text.lowercased().drop { $0 == ":" }.prefix { $0 != ":" }
    guard !name.isEmpty, let entry = all.first(where: { $0.name == name }) else { return text }
    return entry.emoji
  }

  /// At most so many whose name begins with the text, the shortest first, and behind them those of which a later
  /// word does. The text is in small letters.
  package static func matching(_ text: String, most: Int) -> [Entry] {
    var beginning: [Entry] = []
    var within: [Entry] = []
    for entry in all {
      if entry.name.hasPrefix(text) {
        beginning.append(entry)
      } else if entry.name.split(separator: "_").dropFirst().contains(where: { $0.hasPrefix(text) })
      {
        within.append(entry)
      }
    }
    let isShorter = { (left: Entry, right: Entry) in
      (left.name.utf8.count, left.name) < (right.name.utf8.count, right.name)
    }
    return Array((beginning.sorted(by: isShorter) + within.sorted(by: isShorter)).prefix(most))
  }
}
