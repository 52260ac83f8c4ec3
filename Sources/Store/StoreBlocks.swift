/// Messages come in with times of any age: an import has keys behind everything and may be older than all of it. So that a
/// search finds the newest without looking at all hits, there is a bound on the times of each block of keys.
enum StoreBlocks {
  /// Keys in a block.
  static let size: Int64 = 1_024

  /// Keys that are looked through together.
  struct Range: Equatable {
    var keys: ClosedRange<Int64>
    /// None of its messages is newer; in milliseconds since 1970.
    var newest: Int64
  }

  /// Raises the bounds for messages that are taken into the index, those with these keys.
  static func note(after first: Int64, upTo last: Int64, in database: Database) throws(StoreError) {
    try database.run(
      """
      INSERT INTO blocks SELECT key / \(size), max(time) FROM messages
      WHERE key > \(first) AND key <= \(last) GROUP BY 1
      ON CONFLICT (block) DO UPDATE SET newest = max(newest, excluded.newest)
      """)
  }

  /// All keys up to the last one that is in the index, those with the newest messages first. Blocks that stand side by side are taken
  /// together, first few and then more: what is rare is asked for a few times only, and of what is frequent little is read.
  static func ranges(upTo indexed: Int64, in database: Database) throws(StoreError) -> [Range] {
    let search = try database.statement(
      "SELECT block, newest FROM blocks ORDER BY newest DESC, block DESC")
    defer { search.reset() }
    var ranges: [Range] = []
    var most: Int64 = 1
    var low: Int64 = 0
    var count: Int64 = 0
    while try search.step() {
      let block = search.integer(0)
      // Of a file that was changed by hand.
      guard block >= 0, block <= indexed / size else { continue }
      let end = min(block * size + (size - 1), indexed)
      if let last = ranges.last, block == low - 1, count < most {
        ranges[ranges.count - 1].keys = block * size...last.keys.upperBound
        count += 1
      } else {
        if !ranges.isEmpty { most = min(most * 2, 1 << 20) }
        ranges.append(Range(keys: block * size...end, newest: search.integer(1)))
        count = 1
      }
      low = block
    }
    return ranges
  }
}
