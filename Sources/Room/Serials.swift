/// Gives out the serials of entries. They grow in the order in which entries are shown, although some are
/// put before others later: appended ones are a stride apart, and the numbers below each are kept for
/// what is put before it. So no number is given out twice, in none of the rooms.
package struct Serials: Equatable, Sendable {
  /// More than a timeline holds.
  package static let stride = 1 << 20

  /// The highest that was given out to an appended entry, -1 before the first.
  package private(set) var last = -1

  package init() {}

  /// For an entry that is appended.
  package mutating func next() -> Int {
    last = (last / Self.stride + 1) * Self.stride
    return last
  }

  /// For an entry that is put before the one with the serial `above` and behind `below`; nil where all numbers
  /// there are taken.
  func next(between below: Int?, and above: Int) -> Int? {
    let floor = (above - 1) & ~(Self.stride - 1)
    let serial = max(below ?? floor, floor) + 1
    return serial < above ? serial : nil
  }

  /// Entries with serials up to this one have come from elsewhere.
  mutating func skip(to serial: Int) {
    last = max(last, serial)
  }
}
