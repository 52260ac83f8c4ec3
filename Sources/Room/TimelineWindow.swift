import Channel

/// A timeline whose transcript is on disk is a window over it: the newest entries stay, the person reads somewhere
/// above them, and what lies between the two may be missing here until it is scrolled to.
extension Timeline {
  /// The newest entries, which never make room for older ones.
  static var newestKept: Int { 1_000 }

  /// The index of the first entry behind the gap.
  package var gapIndex: Int? { gap.map { index(from: $0) } }

  /// The index of the first entry with that serial or a greater one.
  package func index(from serial: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].serial >= serial { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts older messages before all others. Where that is too much, those make room that are furthest below them,
  /// but for the newest; false where not even the older ones have room beside those.
  mutating func prepend(_ older: [TimelineEntry]) -> Bool {
    let fresh = takingIDs(of: older)
    let size = fresh.reduce(0) { $0 + $1.size }
    entries.insert(contentsOf: fresh, at: 0)
    textBytes += size
    let surplus = self.surplus
    guard surplus > 0 else { return true }
    let end = gapIndex ?? max(fresh.count, entries.count - Self.newestKept)
    let start = max(fresh.count, end - surplus)
    open(start..<end)
    guard self.isOverfull else { return true }
    drop(fresh.count)
    return false
  }

  /// Puts messages behind the last one before the gap; the oldest make room. `isAll` says that no others lie between
  /// them and the entries behind the gap.
  mutating func fill(_ later: [TimelineEntry], isAll: Bool) {
    guard let gap, let index = gapIndex else { return }
    let between = later.filter { $0.serial < gap }
    let fresh = takingIDs(of: between)
    entries.insert(contentsOf: fresh, at: index)
    textBytes += fresh.reduce(0) { $0 + $1.size }
    if isAll || between.count < later.count || later.isEmpty { self.gap = nil }
    drop(min(surplus, index))
  }

  /// Takes a page of the transcript in the place of what was read before; the newest entries stay. `isAll` as above.
  mutating func show(_ page: [TimelineEntry], isAll: Bool) {
    leavePast()
    drop(entries.count - Self.newestKept)
    guard let first = entries.first else {
      entries = takingIDs(of: page)
      textBytes = entries.reduce(0) { $0 + $1.size }
      return
    }
    let older = page.filter { $0.serial < first.serial }
    let fresh = takingIDs(of: older)
    entries.insert(contentsOf: fresh, at: 0)
    textBytes += fresh.reduce(0) { $0 + $1.size }
    gap = isAll || older.count < page.count || fresh.isEmpty ? nil : first.serial
    hasDropped = false
    trim()
  }

  /// Lets go of what lies before the gap: the person reads the newest entries again.
  package mutating func leavePast() {
    guard let index = gapIndex else { return }
    gap = nil
    drop(index)
  }

  mutating func trim() {
    let surplus = self.surplus
    guard surplus > 0 else { return }
    if let index = gapIndex {
      // Those behind the gap are on disk as well.
      let end = min(index + surplus, entries.count - 1)
      if end > index { open(index..<end) }
    } else if let held, index(from: held) < surplus + Self.newestKept {
      // What the person reads is about to go: rather what they have not come to.
      let start = min(index(from: held) + Self.newestKept, entries.count - 1)
      let end = min(start + surplus, max(start, entries.count - Self.newestKept))
      if end > start { open(start..<end) }
    }
    drop(min(self.surplus, entries.count - 1))
  }

  /// How many of the oldest have to go, some more than are needed, so that each of them costs little.
  private var surplus: Int {
    var surplus = 0
    if entries.count > bounds.entries {
      surplus = entries.count - bounds.entries + bounds.entries / 16
    }
    if textBytes > bounds.textBytes {
      let aim = bounds.textBytes - bounds.textBytes / 16
      var left = textBytes
      var count = 0
      while left > aim, count < entries.count - 1 {
        left -= entries[count].size
        count += 1
      }
      surplus = max(surplus, count)
    }
    return surplus
  }

  func hasRoom(for older: [TimelineEntry]) -> Bool {
    entries.count + older.count <= bounds.entries
      && textBytes + older.reduce(0) { $0 + $1.size } <= bounds.textBytes
  }

  private var isOverfull: Bool {
    entries.count > bounds.entries || textBytes > bounds.textBytes
  }

  /// Takes entries out of the middle; the gap is there from then on.
  private mutating func open(_ range: Range<Int>) {
    guard !range.isEmpty, range.upperBound < entries.count else { return }
    forget(entries[range])
    gap = entries[range.upperBound].serial
    entries.removeSubrange(range)
  }

  mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    hasDropped = true
    forget(entries.prefix(count))
    entries.removeFirst(min(count, entries.count))
    if let gap, entries.first.map({ $0.serial >= gap }) ?? true { self.gap = nil }
  }

  private mutating func forget(_ gone: ArraySlice<TimelineEntry>) {
    for entry in gone {
      textBytes -= entry.size
      if case .message(let message) = entry.kind { ids[message.id] = nil }
    }
  }

  private mutating func takingIDs(of entries: [TimelineEntry]) -> [TimelineEntry] {
    entries.filter { entry in
      guard let id = entry.message?.id else { return true }
      guard ids[id] == nil else { return false }
      ids[id] = entry.serial
      return true
    }
  }
}
