/// How much of the transcripts is kept on disk.
package enum Retention: Equatable, Sendable {
  case all
  /// So many messages in each room, the newest.
  case newest(Int)
  /// Messages that are no older, in milliseconds.
  case age(Int64)

  /// Reads "all", a number, or an age such as 30d; nil for anything else.
  package init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if let age = Self.milliseconds(ofAge: text), age > 0 {
      self = .age(age)
    } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text),
      (1...1_000_000_000).contains(count)
    {
      self = .newest(count)
    } else {
      return nil
    }
  }

  /// As `init` reads it.
  package var text: String {
    switch self {
    case .all: return "all"
    case .newest(let count): return String(count)
    case .age(let milliseconds):
      let seconds = milliseconds / 1_000
      let unit = Self.units.last { seconds % $0.seconds == 0 && seconds >= $0.seconds }
      guard let unit else { return "\(seconds)s" }
      return "\(seconds / unit.seconds)\(unit.letter)"
    }
  }

  private static let units: [(letter: Character, seconds: Int64)] = [
    ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800), ("y", 31_536_000),
  ]

  /// Reads ages: 30m, 12h, 30d, 8w, 2y (of 365 days). Nil for anything else and beyond 1000 years.
  package static func milliseconds(ofAge text: String) -> Int64? {
    guard let unit = units.first(where: { $0.letter == text.last }),
      let number = Int64(text.dropLast()), number >= 0,
      number <= 1_000 * 31_536_000 / unit.seconds
    else { return nil }
    return number * unit.seconds * 1_000
  }
}
