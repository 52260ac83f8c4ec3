import Channel
import Room
import Text

/// Messages of servers that give neither ids nor times. Two programs in one room hear each of them, and one row is enough:
/// what another program has just written is taken for the same message, each row once.
struct HeardMessages {
  /// Rows that are looked at, and how long before they may have been written, in milliseconds.
  static let mostRows = 400
  static let window: Int64 = 10_000
  private static let mostKeys = 4_096

  /// Rows that stand for messages which this run has heard, in the order in which it heard them.
  private var keys: Set<Int64> = []
  private var inOrder: [Int64] = []
  /// Those of the transaction under way.
  private var fresh: Set<Int64> = []
  /// When it was last looked for other runs, and whether there are any.
  private var lookedAt = Int64.min
  private var hasCompany = false

  mutating func note(_ key: Int64) { fresh.insert(key) }

  func knows(_ key: Int64) -> Bool { keys.contains(key) || fresh.contains(key) }

  /// The transaction was kept.
  mutating func settle() {
    guard !fresh.isEmpty else { return }
    for key in fresh where keys.insert(key).inserted { inOrder.append(key) }
    fresh.removeAll(keepingCapacity: true)
    let surplus = inOrder.count - Self.mostKeys
    guard surplus > 0 else { return }
    for key in inOrder.prefix(surplus + Self.mostKeys / 2) { keys.remove(key) }
    inOrder.removeFirst(surplus + Self.mostKeys / 2)
  }

  /// The transaction was taken back.
  mutating func takeBack() { fresh = [] }

  /// Looks once a second at most.
  mutating func hasCompany(at time: Int64, _ look: () -> Bool) -> Bool {
    if time >= lookedAt &+ 1_000 || time < lookedAt {
      lookedAt = time
      hasCompany = look()
    }
    return hasCompany
  }
}

extension Store {
  /// The id of the row that another run has written for a message without an id of the server's; nil where this run is
  /// to write it.
  private func heardElsewhere(_ kept: KeptMessage, in room: Int64) throws(StoreError) -> String? {
    let message = kept.message
    let now = kept.time.milliseconds
    guard isWithoutID(message), !message.isMine,
      heard.hasCompany(at: now, { mark.hasCompany })
    else { return nil }
    let search = try database.statement(
      """
      SELECT key, id FROM messages WHERE key > (SELECT max(key) FROM messages) - ?1
        AND room = ?2 AND text = ?3 AND author IS ?4 AND timed = 0 AND time BETWEEN ?5 AND ?6
      ORDER BY key
      """)
    try search.bind(1, HeardMessages.mostRows)
    try search.bind(2, room)
    try search.bind(3, message.text.raw)
    try search.bind(4, message.author?.raw)
    try search.bind(5, now - HeardMessages.window)
    try search.bind(6, now + HeardMessages.window)
    defer { search.reset() }
    while try search.step() {
      let key = search.integer(0)
      guard !heard.knows(key) else { continue }
      heard.note(key)
      return search.text(1)
    }
    return nil
  }

  /// Returns the id that the message has here.
  func write(_ kept: KeptMessage, into room: Int64) throws(StoreError) -> String {
    if let id = try heardElsewhere(kept, in: room) { return id }
    let (id, isNew) = try name(kept, into: room)
    if isNew, isWithoutID(kept.message) { heard.note(database.lastKey) }
    return id
  }

  private func isWithoutID(_ message: ChatMessage) -> Bool {
    message.time == nil && message.cursor == nil
  }
}
