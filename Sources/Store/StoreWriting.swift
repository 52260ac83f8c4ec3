import Channel
import JSON
package import Room
import Text

extension Store {
  static let insertMessage = """
    INSERT INTO messages (room, place, id, author, text, time, timed, nonce, cursor, mine, marks)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
    """
  static let insertPost = """
    INSERT INTO outbox (room, nonce, text, state, reason, time, owner, reply)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (room, nonce) DO UPDATE SET state = excluded.state, reason = excluded.reason
    """
  /// Entered lines that are kept.
  package static let mostInputs = 500

  /// Writes records of a server's rooms, in their order: all or none. Where a post is among them that was entered
  /// or goes out, it is on the disk when this returns, whatever happens to the power.
  package func write(_ records: [Record], of server: String) throws(StoreError) {
    guard !records.isEmpty else { return }
    let hasPost = records.contains { if case .post = $0 { true } else { false } }
    do throws(StoreError) {
      try database.transaction(hasPost ? .power : .program) { () throws(StoreError) in
        for record in records { try write(record, of: server) }
      }
    } catch {
      forgetKeys()
      throw error
    }
  }

  private func write(_ record: Record, of server: String) throws(StoreError) {
    switch record {
    case .message(let message, let room):
      let key = try roomKey(room, on: server)
      note(try name(message, into: key).id, insteadOf: message.message.id, in: key)
    case .replaced(let id, let message, let room):
      try replace(id, by: message, in: try roomKey(room, on: server))
    case .changed(let form, let room):
      try change(form, in: try roomKey(room, on: server))
    case .post(let item, let room): try write(item, room: try roomKey(room, on: server))
    case .postEnded(let nonce, let room):
      let deletion = try database.statement("DELETE FROM outbox WHERE room = ? AND nonce = ?")
      try deletion.bind(1, try roomKey(room, on: server))
      try deletion.bind(2, nonce)
      try deletion.run()
    case .cursor(let cursor, let room):
      let update = try database.statement("UPDATE rooms SET cursor = ? WHERE key = ?")
      try update.bind(1, cursor.text)
      try update.bind(2, try roomKey(room, on: server))
      try update.run()
    case .draft(let text, let room):
      try write(draft: text, in: try roomKey(room, on: server))
    case .notice(let notice, let room):
      let update = try database.statement("UPDATE rooms SET notice = ? WHERE key = ?")
      try update.bind(1, notice == .usual ? nil : notice.rawValue)
      try update.bind(2, try roomKey(room, on: server))
      try update.run()
    case .input(let line, let room):
      try write(
        input: line, in: try room.map { room throws(StoreError) in try roomKey(room, on: server) })
    case .readUpTo(let place, let id, let room):
      // Of two programs in one room, the one that has read further counts.
      let update = try database.statement(
        """
        UPDATE rooms SET read_up_to = max(coalesce(read_up_to, ?1), coalesce(
          (SELECT place FROM messages WHERE room = ?2 AND id = ?3), ?1)) WHERE key = ?2
        """)
      let key = try roomKey(room, on: server)
      try update.bind(1, place)
      try update.bind(2, key)
      try update.bind(3, id.map { name(of: $0, in: key) })
      try update.run()
    }
  }

  /// Returns whether it is new.
  @discardableResult
  func insert(_ kept: KeptMessage, into room: Int64) throws(StoreError) -> Bool {
    try name(kept, into: room).isNew
  }

  /// Returns the id that it has here, and whether it is new.
  private func name(
    _ kept: KeptMessage, into room: Int64
  ) throws(StoreError) -> (id: String, isNew: Bool) {
    let id = kept.message.id
    if try insert(kept, into: room, as: id) { return (id, true) }
    // A server that lost its store begins to count its ids anew: the same id, but another message.
    guard try !isSame(kept, as: id, in: room) else {
      if kept.message.isMine { try own(id, in: room) }
      return (id, false)
    }
    for number in 2...1_000 {
      let other = "\(id)~\(number)"
      if try insert(kept, into: room, as: other) { return (other, true) }
      if try isSame(kept, as: other, in: room) { return (other, false) }
    }
    return (id, false)
  }

  /// Another run, in which the person has another nick, may have written it first, as somebody else's.
  private func own(_ id: String, in room: Int64) throws(StoreError) {
    let update = try database.statement(
      "UPDATE messages SET mine = 1 WHERE room = ? AND id = ? AND mine = 0")
    try update.bind(1, room)
    try update.bind(2, id)
    try update.run()
  }

  private func insert(
    _ kept: KeptMessage, into room: Int64, as id: String
  ) throws(StoreError) -> Bool {
    let message = kept.message
    let place = try place(for: kept, in: room)
    let insertion = try database.statement(Self.insertMessage)
    try insertion.bind(1, room)
    try insertion.bind(2, place)
    try insertion.bind(3, id)
    try insertion.bind(4, message.author?.raw)
    try insertion.bind(5, message.text.raw)
    try insertion.bind(6, (message.time ?? kept.time).milliseconds)
    try insertion.bind(7, message.time != nil)
    try insertion.bind(8, message.nonce)
    try insertion.bind(9, Self.shortened(message.cursor, id: id))
    try insertion.bind(10, message.isMine)
    try insertion.bind(11, message.hasMarks ? StoreMarks.text(message.marks) : nil)
    try insertion.run()
    return database.changes > 0
  }

  /// Behind the message that it is said to stand behind, and before the next one, whichever program wrote them.
  private func place(for kept: KeptMessage, in room: Int64) throws(StoreError) -> Int {
    guard let behind = kept.behind else { return kept.place }
    let search = try database.statement(
      """
      SELECT place, (SELECT min(place) FROM messages WHERE room = ?1 AND place > before.place)
      FROM messages AS before WHERE room = ?1 AND id = ?2
      """)
    try search.bind(1, room)
    try search.bind(2, name(of: behind, in: room))
    defer { search.reset() }
    guard try search.step() else { return kept.place }
    let before = Int(clamping: search.integer(0))
    let next = search.optionalInteger(1).map { Int(clamping: $0) }
    if kept.place > before, kept.place < next ?? .max { return kept.place }
    guard let next else { return (before & ~(Serials.stride - 1)) + Serials.stride }
    // Of one place, those that were written later come later.
    return min(before + 1, next - 1)
  }

  static func shortened(_ cursor: JSON?, id: String) -> String? {
    guard let cursor else { return nil }
    return cursor == .string(id) ? "=" : cursor.text
  }

  private func isSame(
    _ kept: KeptMessage, as id: String, in room: Int64
  ) throws(StoreError) -> Bool {
    let search = try database.statement(
      "SELECT \(Self.messageColumns) FROM messages WHERE room = ? AND id = ?")
    try search.bind(1, room)
    try search.bind(2, id)
    defer { search.reset() }
    guard try search.step() else { return false }
    let there = MessageTraits(Self.message(search).message)
    return !there.differ(from: MessageTraits(kept.message))
  }

  /// The row keeps its place. Where the server's form stands already, the one made here goes.
  private func replace(
    _ id: String, by kept: KeptMessage, in room: Int64
  ) throws(StoreError) {
    let search = try database.statement(
      "SELECT key, place FROM messages WHERE room = ? AND id = ?")
    try search.bind(1, room)
    try search.bind(2, id)
    guard try search.step() else {
      try insert(kept, into: room)
      return
    }
    let key = search.integer(0)
    var kept = kept
    kept.place = Int(clamping: search.integer(1))
    kept.behind = nil
    search.reset()
    try removeFromIndex("key = \(key)")
    let deletion = try database.statement("DELETE FROM messages WHERE key = ?")
    try deletion.bind(1, key)
    try deletion.run()
    try messagesWereDeleted()
    try insert(kept, into: room)
  }

  private func write(_ item: OutboxItem, room: Int64) throws(StoreError) {
    let insertion = try database.statement(Self.insertPost)
    try insertion.bind(1, room)
    try insertion.bind(2, item.post.nonce)
    try insertion.bind(3, item.post.text)
    switch item.state {
    case .pending: try insertion.bind(4, "pending")
    case .sending: try insertion.bind(4, "sending")
    case .unsure: try insertion.bind(4, "unsure")
    case .failed(let reason):
      try insertion.bind(4, "failed")
      try insertion.bind(5, reason.raw)
    }
    try insertion.bind(6, item.time.milliseconds)
    try insertion.bind(7, mark.name)
    try insertion.bind(8, item.post.replyTo)
    try insertion.run()
  }

  private func write(input line: String, in room: Int64?) throws(StoreError) {
    let insertion = try database.statement("INSERT INTO inputs (line, room) VALUES (?, ?)")
    try insertion.bind(1, line)
    try insertion.bind(2, room)
    try insertion.run()
    let deletion = try database.statement("DELETE FROM inputs WHERE key <= ?")
    try deletion.bind(1, database.lastKey - Int64(Self.mostInputs))
    try deletion.run()
  }
}
