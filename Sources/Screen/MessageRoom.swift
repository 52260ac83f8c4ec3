/// How much of a message's size the text takes: what is behind the limit is marked, and near it is counted.
struct MessageRoom: Equatable {
  /// From this part of the limit on there is a count.
  private static let near = 0.9

  /// In bytes of UTF-8: what is left, or how much is too much.
  private(set) var count: Int
  /// The first character that has no room; nil where all have.
  private(set) var overflow: Int?

  /// Nil where the limit is far away. A slash command is no message.
  init?(_ text: String, limit: Int) {
    let size = text.utf8.count
    guard Double(size) > Double(limit) * Self.near else { return nil }
    if text.hasPrefix("/"), !text.hasPrefix("//") { return nil }
    count = limit - size
    guard size > limit else { return }
    var used = 0
    var fits = 0
    for character in text {
      used += character.utf8.count
      if used > limit { break }
      fits += 1
    }
    overflow = fits
  }

  var words: String { count >= 0 ? "\(count) B left" : "\(-count) B too long" }
}
