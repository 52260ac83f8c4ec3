import Channel
import Room

/// Takes messages from elsewhere into the store, many in a transaction.
///
/// A room that has none yet gets them in the order in which they come. In others each goes behind the last message
/// that is not later than itself. Those that are there already are passed over.
package final class HistoryImport {
  /// Messages in a transaction, for which others that write wait.
  package static let batch = 4_000
  /// Messages that are taken into the index together. The trigrams of many are the same, and each is written once for
  /// all of them.
  package static let indexed = 16_000
  /// Between two that go into the same gap.
  private static let step = 1_024

  package private(set) var added = 0
  package private(set) var known = 0
  private let store: Store
  private var unindexed = 0
  private var waiting: [HistoryMessage] = []
  private var rooms: [Store.RoomName: RoomPlace] = [:]

  /// Where the next message of a room goes.
  private enum RoomPlace {
    /// The room was empty; the last place that was given out.
    case appending(Int)
    /// Behind the message there before with this place and time; nil is before the first.
    case behind(Neighbour?)
  }

  private struct Neighbour {
    var place: Int
    var time: Int64
  }

  package init(_ store: Store) throws(StoreError) {
    self.store = store
    waiting.reserveCapacity(Self.batch)
    try store.database.run("PRAGMA cache_size = -16000")
    try store.database.run("PRAGMA wal_autocheckpoint = 4000")
  }

  package func add(_ message: HistoryMessage) throws(StoreError) {
    waiting.append(message)
    if waiting.count >= Self.batch { try flush() }
  }

  /// Writes what was added and not written yet.
  package func flush() throws(StoreError) {
    guard !waiting.isEmpty else { return }
    defer { waiting.removeAll(keepingCapacity: true) }
    do throws(StoreError) {
      try store.database.transaction(.program) { () throws(StoreError) in
        for message in waiting { try write(message) }
      }
    } catch {
      store.forgetKeys()
      throw error
    }
    unindexed += waiting.count
    guard unindexed >= Self.indexed else { return }
    // While what was written is still at hand.
    try store.index(atMost: Self.indexed)
    unindexed = 0
  }

  private func write(_ message: HistoryMessage) throws(StoreError) {
    let room = try store.roomKey(message.room, on: message.server)
    var kept = message.kept
    kept.place = try place(
      for: kept.time.milliseconds, in: room,
      named: Store.RoomName(server: message.server, room: message.room))
    if try store.insert(kept, into: room) { added += 1 } else { known += 1 }
  }

  private func place(
    for time: Int64, in room: Int64, named name: Store.RoomName
  ) throws(StoreError) -> Int {
    switch rooms[name] {
    case .appending(let last):
      rooms[name] = .appending(last + Serials.stride)
      return last + Serials.stride
    case .behind(let neighbour): return try place(for: time, in: room, named: name, from: neighbour)
    case nil:
      guard try neighbour(in: room, .behind, of: .min) != nil else {
        rooms[name] = .appending(Serials.stride)
        return Serials.stride
      }
      return try place(for: time, in: room, named: name, from: nil)
    }
  }

  /// Goes from the place of the message before, as both are likely to be sorted.
  private func place(
    for time: Int64, in room: Int64, named name: Store.RoomName, from start: Neighbour?
  ) throws(StoreError) -> Int {
    var current = start
    while let here = current, here.time > time {
      current = try neighbour(in: room, .before, of: here.place)
    }
    var next = try neighbour(in: room, .behind, of: current?.place ?? .min)
    while let one = next, one.time <= time {
      current = one
      next = try neighbour(in: room, .behind, of: one.place)
    }
    rooms[name] = .behind(current)
    guard let current else { return (next?.place ?? Serials.stride) - Serials.stride / 2 }
    // Room is left on both sides, for what comes between later; where there is none, the order of coming counts.
    let end = next?.place ?? (current.place / Serials.stride + 1) * Serials.stride
    return current.place + min(Self.step, (end - current.place) / 2)
  }

  /// The next message behind a place, or before it.
  private func neighbour(
    in room: Int64, _ side: Side, of place: Int
  ) throws(StoreError) -> Neighbour? {
    let search = try store.database.statement(
      """
      SELECT place, time FROM messages WHERE room = ? AND place \(side.comparison) ?
      ORDER BY place \(side.order) LIMIT 1
      """)
    try search.bind(1, room)
    try search.bind(2, place)
    defer { search.reset() }
    guard try search.step() else { return nil }
    return Neighbour(place: Int(search.integer(0)), time: search.integer(1))
  }

  private enum Side {
    case before, behind

    var comparison: String { self == .before ? "<" : ">" }
    var order: String { self == .before ? "DESC" : "ASC" }
  }
}
