/// What may follow an ESC that was taken for the key because nothing came behind it in time: on a slow line the rest of
/// a report of the mouse, or of the mark that a paste begins with, comes later. Nobody types it that fast.
struct LateSequence: Equatable, Sendable {
  enum Step: Equatable {
    case more
    /// The rest is read as that of a sequence in time.
    case mouse(KeySequence)
    case pasteBegins
    /// It was typed.
    case broken
  }

  static let first = UInt8(ascii: "[")
  private static let paste = Array("[200~".utf8)
  private var count = 1

  mutating func take(_ byte: UInt8) -> Step {
    if count == 1, byte == UInt8(ascii: "<") {
      var sequence = KeySequence(introducer: Self.first, alt: false)
      _ = sequence.take(byte)
      return .mouse(sequence)
    }
    guard byte == Self.paste[count] else { return .broken }
    count += 1
    return count == Self.paste.count ? .pasteBegins : .more
  }

  /// What it was if it was typed.
  var keys: [Key] {
    Self.paste.prefix(count).map { .character(Character(Unicode.Scalar($0))) }
  }
}
