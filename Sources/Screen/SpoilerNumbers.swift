/// Messages with something hidden by the numbers under which they were told, which stay as they are.
struct SpoilerNumbers: Equatable, Sendable {
  private static let most = 10_000

  /// Serials, the oldest first.
  private var serials: [Int] = []
  /// Of the first one.
  private var first = 1

  /// Of the one that was told last.
  var last: Int? { serials.isEmpty ? nil : first + serials.count - 1 }

  /// The number of a message, a new one where it has none.
  mutating func number(of serial: Int) -> Int {
    if let index = serials.lastIndex(of: serial) { return first + index }
    if serials.count >= Self.most {
      serials.removeFirst(Self.most / 2)
      first += Self.most / 2
    }
    serials.append(serial)
    return first + serials.count - 1
  }

  func serial(_ number: Int) -> Int? {
    let index = number - first
    return serials.indices.contains(index) ? serials[index] : nil
  }
}
