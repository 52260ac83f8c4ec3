import Channel
package import Room

/// Pages of a room's transcript, for reading in the past.
extension Store {
  static let laterMessages = """
    SELECT \(messageColumns) FROM messages
    WHERE room = ?1 AND (place, key) >
      (coalesce((SELECT place FROM messages WHERE room = ?1 AND id = ?3), ?2),
        coalesce((SELECT key FROM messages WHERE room = ?1 AND id = ?3), ?4))
    ORDER BY place, key LIMIT ?5
    """

  /// The messages that stand behind one, in order; and whether there are others behind them.
  package func later(
    than message: KeptMessage, in room: String, of server: String, count: Int
  ) throws(StoreError) -> (messages: [KeptMessage], hasLater: Bool) {
    guard let key = try findRoom(room, on: server) else { return ([], false) }
    return try later(
      thanPlace: message.place, id: name(of: message.message.id, in: key), otherwise: .max, in: key,
      count: count)
  }

  /// The transcript around a place; half of the count on each side.
  package func page(
    at place: TranscriptPlace, in room: String, of server: String, count: Int
  ) throws(StoreError) -> TranscriptPage {
    var page = TranscriptPage()
    guard let key = try findRoom(room, on: server) else { return page }
    let start: (place: Int, id: String)
    switch place {
    case .oldest: start = (.min, "")
    case .message(let id, let place): start = (place, id)
    case .moment(let moment):
      guard let found = try self.place(of: moment, in: key) else { return page }
      start = (found, "")
    }
    let half = max(1, count / 2)
    let before = try database.statement(Self.earlierMessages)
    try before.bind(1, key)
    try before.bind(2, start.place)
    try before.bind(3, start.id)
    try before.bind(4, half + 1)
    let earlier = try self.page(before, count: half)
    // From the message itself on: everything that does not stand before it.
    let behind = try database.statement(
      """
      SELECT \(Self.messageColumns) FROM messages
      WHERE room = ?1 AND (place, key) >=
        (coalesce((SELECT place FROM messages WHERE room = ?1 AND id = ?3), ?2),
        coalesce((SELECT key FROM messages WHERE room = ?1 AND id = ?3), 0))
      ORDER BY place, key LIMIT ?4
      """)
    try behind.bind(1, key)
    try behind.bind(2, start.place)
    try behind.bind(3, start.id)
    try behind.bind(4, half + 1)
    let later = try self.page(behind, count: half)
    page.target = later.messages.last?.place ?? earlier.messages.last?.place
    page.messages = earlier.messages + later.messages.reversed()
    page.hasEarlier = earlier.hasEarlier
    page.hasLater = later.hasEarlier
    return page
  }

  private func later(
    thanPlace place: Int, id: String, otherwise key: Int64, in room: Int64, count: Int
  ) throws(StoreError) -> (messages: [KeptMessage], hasLater: Bool) {
    let search = try database.statement(Self.laterMessages)
    try search.bind(1, room)
    try search.bind(2, place)
    try search.bind(3, id)
    try search.bind(4, key)
    try search.bind(5, count + 1)
    // `page` turns what it reads, as it mostly reads backwards.
    let page = try page(search, count: count)
    return (page.messages.reversed(), page.hasEarlier)
  }

  /// The last message of a room's transcript; nil where it has none.
  package func lastID(in room: String, of server: String) throws(StoreError) -> String? {
    guard let key = try findRoom(room, on: server) else { return nil }
    let search = try database.statement(
      "SELECT id FROM messages WHERE room = ? ORDER BY place DESC, key DESC LIMIT 1")
    try search.bind(1, key)
    defer { search.reset() }
    return try search.step() ? search.text(0) : nil
  }

  func findRoom(_ name: String, on server: String) throws(StoreError) -> Int64? {
    guard let key = try findServer(server) else { return nil }
    return try findRoom(name, of: key)
  }

  /// The place of the first message that is not older than a moment, the last message's where all are; nil in an empty
  /// room. Times grow with the places but for a few, so that halving finds it.
  private func place(of moment: Timestamp, in room: Int64) throws(StoreError) -> Int? {
    let ends = try database.statement("SELECT min(place), max(place) FROM messages WHERE room = ?")
    try ends.bind(1, room)
    guard try ends.step(), let first = ends.optionalInteger(0), let last = ends.optionalInteger(1)
    else {
      ends.reset()
      return nil
    }
    ends.reset()
    var low = first
    var high = last
    while low < high {
      let distance = UInt64(bitPattern: high) &- UInt64(bitPattern: low)
      let middle = low &+ Int64(distance / 2)
      let probe = try database.statement(
        "SELECT place, time FROM messages WHERE room = ? AND place > ? ORDER BY place LIMIT 1")
      try probe.bind(1, room)
      try probe.bind(2, middle)
      defer { probe.reset() }
      // Everything up to the middle is older where the message before the next one is.
      let before = try time(atOrBefore: middle, in: room)
      if before < moment.milliseconds {
        guard try probe.step() else { return Int(clamping: last) }
        low = probe.integer(0)
      } else {
        high = middle
      }
    }
    let found = try database.statement(
      "SELECT place FROM messages WHERE room = ? AND place <= ? ORDER BY place DESC LIMIT 1")
    try found.bind(1, room)
    try found.bind(2, low)
    defer { found.reset() }
    return try found.step() ? Int(clamping: found.integer(0)) : nil
  }

  private func time(atOrBefore place: Int64, in room: Int64) throws(StoreError) -> Int64 {
    let search = try database.statement(
      "SELECT time FROM messages WHERE room = ? AND place <= ? ORDER BY place DESC LIMIT 1")
    try search.bind(1, room)
    try search.bind(2, place)
    defer { search.reset() }
    return try search.step() ? search.integer(0) : .min
  }
}
