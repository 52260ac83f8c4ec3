import Channel
package import JSON
package import Room
import Text

extension Store {
  static let messageColumns = "id, author, text, time, timed, nonce, cursor, mine, place, marks"
  static let lastMessages = """
    SELECT \(messageColumns) FROM messages WHERE room = ?1
    ORDER BY place DESC, key DESC LIMIT ?2
    """
  static let earlierMessages = """
    SELECT \(messageColumns) FROM messages
    WHERE room = ?1 AND (place, key) <
      (coalesce((SELECT place FROM messages WHERE room = ?1 AND id = ?3), ?2),
        coalesce((SELECT key FROM messages WHERE room = ?1 AND id = ?3), 0))
    ORDER BY place DESC, key DESC LIMIT ?4
    """
  static let readRoom = "SELECT read_up_to, notice FROM rooms WHERE key = ?"

  static let unread = """
    SELECT count(*), coalesce(sum(mine = 0), 0)
    FROM (SELECT mine FROM messages WHERE room = ?1 AND place > ?2 LIMIT ?3)
    """

  /// Unread messages that come into memory at the start, as far as the rule of what is new is drawn (`ViewState`).
  private static let mostUnread = 1_000
  /// Unread messages beyond that are not counted.
  private static let mostCounted = 20_000

  /// Bytes of the texts that one reading brings into memory; what stands beyond them comes when it is scrolled to.
  package static let mostBytes = 8 << 20

  /// Among so many of the newest messages posts are looked for that wait.
  private static let mostLookedAt = 5_000

  /// Where to go on from in the rooms of a server, at most 256.
  package func cursors(of server: String) throws(StoreError) -> [String: JSON] {
    guard let key = try findServer(server) else { return [:] }
    let search = try database.statement(
      "SELECT name, cursor FROM rooms WHERE server = ? AND cursor IS NOT NULL ORDER BY key DESC LIMIT 256"
    )
    try search.bind(1, key)
    defer { search.reset() }
    var cursors: [String: JSON] = [:]
    while try search.step() { cursors[search.text(0)] = try? JSON.parse(search.text(1)) }
    return cursors
  }

  /// The lines that were entered, oldest first. Of long ones the last, as many as are let into memory at once.
  package func inputs() throws(StoreError) -> [String] {
    let search = try database.statement("SELECT line FROM inputs ORDER BY key DESC")
    defer { search.reset() }
    var lines: [String] = []
    var bytes = 0
    while try search.step() {
      bytes += search.byteCount(0)
      guard bytes <= Self.mostBytes || lines.isEmpty else { break }
      lines.append(search.text(0))
    }
    return lines.reversed()
  }

  /// What is known of a room, with its last messages. Posts that an ended run left there are this run's from now on.
  package func recall(
    _ room: String, of server: String, messages count: Int
  ) throws(StoreError) -> RoomMemory {
    var memory = RoomMemory()
    guard let serverKey = try findServer(server) else { return memory }
    memory.waitingElsewhere = try waiting(on: serverKey, outside: room)
    guard let key = try findRoom(room, of: serverKey) else { return memory }
    do throws(StoreError) {
      if !isForReading { try takeOver(postsIn: key) }
    } catch {
      // What can be read without writing is read; the posts are for a later run.
      guard error.isPassing else { throw error }
    }
    let row = try database.statement(Self.readRoom)
    try row.bind(1, key)
    defer { row.reset() }
    if try row.step() {
      // A word of a newer program is none that is known here.
      memory.notice = row.optionalText(1).flatMap(RoomNotice.init) ?? .usual
      memory.readUpTo = row.optionalInteger(0).map(Self.place)
    }
    try readLast(count, of: key, into: &memory)
    // What is not taken over is for a later run.
    guard !isForReading else { return memory }
    memory.draft = try draft(in: key)
    memory.outbox = try withoutDelivered(try posts(in: key), in: key)
    return memory
  }

  /// The last messages of a room, and those that nobody has read as well.
  private func readLast(
    _ count: Int, of room: Int64, into memory: inout RoomMemory
  ) throws(StoreError) {
    var count = count
    var unread = 0
    if let place = memory.readUpTo {
      let new = try database.statement(Self.unread)
      try new.bind(1, room)
      try new.bind(2, place)
      try new.bind(3, Self.mostCounted)
      defer { new.reset() }
      if try new.step() {
        count = max(count, min(Int(new.integer(0)), Self.mostUnread) + 1)
        unread = Int(new.integer(1))
      }
    }
    let search = try database.statement(Self.lastMessages)
    try search.bind(1, room)
    try search.bind(2, count + 1)
    (memory.messages, memory.hasEarlier) = try page(search, count: count)
    if let place = memory.readUpTo {
      memory.unreadBefore = max(
        0, unread - memory.messages.count { $0.place > place && !$0.message.isMine })
    }
  }

  /// The messages that stand before one, in order; and whether there are others before them.
  package func earlier(
    than message: KeptMessage, in room: String, of server: String, count: Int
  ) throws(StoreError) -> (messages: [KeptMessage], hasEarlier: Bool) {
    guard let serverKey = try findServer(server), let key = try findRoom(room, of: serverKey) else {
      return ([], false)
    }
    let search = try database.statement(Self.earlierMessages)
    try search.bind(1, key)
    try search.bind(2, message.place)
    try search.bind(3, name(of: message.message.id, in: key))
    try search.bind(4, count + 1)
    return try page(search, count: count)
  }

  func page(
    _ search: Statement, count: Int
  ) throws(StoreError) -> (messages: [KeptMessage], hasEarlier: Bool) {
    defer { search.reset() }
    var messages: [KeptMessage] = []
    var bytes = 0
    while try search.step() {
      bytes += search.byteCount(2) + search.byteCount(9)
      // One at least, or nothing would ever come behind a long one.
      guard messages.count < count, bytes <= Self.mostBytes || messages.isEmpty else {
        return (messages.reversed(), true)
      }
      messages.append(Self.message(search))
    }
    return (messages.reversed(), false)
  }

  /// Of a row that begins with `messageColumns`.
  static func message(_ row: Statement) -> KeptMessage {
    let time = Timestamp(milliseconds: row.integer(3))
    let id = row.text(0)
    var message = ChatMessage(
      id: id, author: row.optionalText(1).map { UntrustedText($0) },
      text: UntrustedText(row.text(2)), time: row.integer(4) == 1 ? time : nil,
      nonce: row.optionalText(5),
      cursor: row.optionalText(6).flatMap { $0 == "=" ? .string(id) : try? JSON.parse($0) },
      isMine: row.integer(7) == 1)
    if let marks = row.optionalText(9) { message.marks = StoreMarks.read(marks) }
    return KeptMessage(message: message, time: time, place: place(row.integer(8)))
  }

  /// In a file that was changed by hand there may be any number: there has to be room to count on from it.
  private static func place(_ number: Int64) -> Int {
    Int(max(-1 << 60, min(1 << 60, number)))
  }

  // MARK: The outbox

  /// Runs that have ended send nothing any more: their posts go to the one that opens the room, in one step, so that no
  /// two runs take the same. Those of other rooms are for whoever opens these.
  private func takeOver(postsIn room: Int64) throws(StoreError) {
    let search = try database.statement(
      "SELECT DISTINCT owner FROM outbox WHERE room = ? AND owner <> ?")
    try search.bind(1, room)
    try search.bind(2, mark.name)
    var owners: [String] = []
    while try search.step() { owners.append(search.text(0)) }
    let ended = owners.filter { mark.hasEnded($0) }
    guard !ended.isEmpty else { return }
    try database.transaction(.program) { () throws(StoreError) in
      for owner in ended {
        let update = try database.statement(
          "UPDATE outbox SET owner = ? WHERE owner = ? AND room = ?")
        try update.bind(1, mark.name)
        try update.bind(2, owner)
        try update.bind(3, room)
        try update.run()
      }
    }
  }

  /// Another run in the room may have stored what the server has of these before it was killed that had sent them.
  private func withoutDelivered(
    _ posts: [OutboxItem], in room: Int64
  ) throws(StoreError) -> [OutboxItem] {
    guard !posts.isEmpty else { return [] }
    let search = try database.statement(
      "SELECT nonce FROM messages WHERE room = ? ORDER BY place DESC LIMIT \(Self.mostLookedAt)")
    try search.bind(1, room)
    defer { search.reset() }
    var arrived: Set<String> = []
    while try search.step() {
      if let nonce = search.optionalText(0) { arrived.insert(nonce) }
    }
    for post in posts where arrived.contains(post.post.nonce) {
      let deletion = try database.statement("DELETE FROM outbox WHERE room = ? AND nonce = ?")
      try deletion.bind(1, room)
      try deletion.bind(2, post.post.nonce)
      do throws(StoreError) {
        try deletion.run()
      } catch {
        guard error.isPassing else { throw error }
      }
    }
    return posts.filter { !arrived.contains($0.post.nonce) }
  }

  private func posts(in room: Int64) throws(StoreError) -> [OutboxItem] {
    let search = try database.statement(
      "SELECT nonce, text, state, reason, time, reply FROM outbox WHERE room = ? AND owner = ? ORDER BY key"
    )
    try search.bind(1, room)
    try search.bind(2, mark.name)
    defer { search.reset() }
    var items: [OutboxItem] = []
    while try search.step() {
      let state: OutboxItem.State =
        switch search.text(2) {
        case "pending": .pending
        case "sending": .sending
        case "failed": .failed(UntrustedText(search.text(3)))
        default: .unsure
        }
      items.append(
        OutboxItem(
          post: Post(
            nonce: search.text(0), text: search.text(1), replyTo: search.optionalText(5)),
          state: state,
          time: Timestamp(milliseconds: search.integer(4))))
    }
    return items
  }

  /// Posts of this run and of ended ones, by room.
  private func waiting(on server: Int64, outside room: String) throws(StoreError) -> [String: Int] {
    let search = try database.statement(
      """
      SELECT name, owner, count(*) FROM outbox JOIN rooms ON rooms.key = outbox.room
      WHERE server = ? AND name <> ? GROUP BY name, owner
      """)
    try search.bind(1, server)
    try search.bind(2, room)
    defer { search.reset() }
    var counts: [String: Int] = [:]
    while try search.step() {
      let owner = search.text(1)
      guard owner == mark.name || mark.hasEnded(owner) else { continue }
      counts[search.text(0), default: 0] += Int(search.integer(2))
    }
    return counts
  }
}
