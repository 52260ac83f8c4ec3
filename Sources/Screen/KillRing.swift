/// The latest kills, newest last. Bounded in number and, since an entry may be a whole paste, in size.
struct KillRing: Equatable, Sendable {
  static let limit = 16
  static let sizeLimit = 4_194_304

  enum Direction: Equatable {
    case forward, backward
  }

  private var entries: [String] = []
  /// How far M-y has gone back from the newest.
  private var turned = 0

  /// Keeps what was killed; kills in a row become one entry, in the order of the text.
  mutating func add(_ killed: String, _ direction: Direction, joining: Bool) {
    turned = 0
    if joining, let newest = entries.popLast() {
      entries.append(direction == .forward ? newest + killed : killed + newest)
    } else {
      entries.append(killed)
    }
    while entries.count > Self.limit
      || (entries.count > 1 && entries.reduce(0, { $0 + $1.utf8.count }) > Self.sizeLimit)
    {
      entries.removeFirst()
    }
  }

  /// The newest entry, or the one that M-y came to.
  var current: String? {
    entries.isEmpty ? nil : entries[entries.count - 1 - turned]
  }

  /// Goes one entry back, from the oldest to the newest again.
  mutating func turn() {
    if !entries.isEmpty { turned = (turned + 1) % entries.count }
  }
}

extension LineEditor {
  mutating func kill(
    _ range: Range<Int>, _ direction: KillRing.Direction, after previous: Latest
  ) -> Outcome {
    guard !isEmpty else { return .ignored }
    let range = range.clamped(to: 0..<characters.count)
    // A kill that finds nothing does not end the row of kills.
    if previous == .killed || !range.isEmpty { latest = .killed }
    guard !range.isEmpty else { return .edited }
    killRing.add(String(characters[range]), direction, joining: previous == .killed)
    replace(range, with: "")
    return .edited
  }

  mutating func yank() -> Outcome {
    guard let entry = killRing.current else { return isEmpty ? .ignored : .edited }
    place(entry, at: caret..<caret)
    return .edited
  }

  mutating func yankPop(after previous: Latest) -> Outcome {
    guard case .yanked(let range) = previous else { return isEmpty ? .ignored : .edited }
    killRing.turn()
    guard let entry = killRing.current else { return .edited }
    place(entry, at: range)
    return .edited
  }

  private mutating func place(_ entry: String, at range: Range<Int>) {
    let start = range.lowerBound
    replace(range, with: entry)
    latest = .yanked(min(start, caret)..<caret)
  }
}
