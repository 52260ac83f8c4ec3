package import Channel
package import Room
import Text

/// What is looked for in the messages. Bounds that are nil let everything pass.
package struct HistoryQuery: Equatable, Sendable {
  /// Words that all must stand in the text.
  package var text: String
  /// Of one server, as `Endpoint.identity` names it.
  package var server: String?
  package var room: String?
  /// The author's name, without regard to the case of its letters from a to z.
  package var author: String?
  /// From this moment on.
  package var since: Timestamp?
  /// Before this moment.
  package var until: Timestamp?
  /// The most messages in the answer.
  package var limit = 20
  /// Of long texts only what stands around the first word that was found is given.
  package var givesExcerpts = false

  package init(text: String) {
    self.text = text
  }
}

/// A message of the history, with where it was said.
package struct HistoryMessage: Equatable, Sendable {
  package var server: String
  package var room: String
  package var kept: KeptMessage

  package init(server: String, room: String, kept: KeptMessage) {
    self.server = server
    self.room = room
    self.kept = kept
  }
}

extension Store {
  /// The best of as many that hold all words, the newest by their times.
  static let mostCandidates = 2_000

  static let foundColumns = """
    SELECT messages.id, author, messages.text, time, timed, nonce, messages.cursor, mine, place,
      marks, rooms.name, servers.url
    """
  private static let conditions = """
    (?2 IS NULL OR rooms.name = ?2) AND (?3 IS NULL OR author = ?3 COLLATE NOCASE)
    AND (?4 IS NULL OR time >= ?4) AND (?5 IS NULL OR time < ?5)
    AND (?7 IS NULL OR servers.url = ?7)
    """

  /// Messages that hold all words, the best first (BM25, whole words before parts of others), then the newest.
  /// Words of one or two characters are not in the index: alone, they are looked for in every message.
  package func search(_ query: HistoryQuery) throws(StoreError) -> [HistoryMessage] {
    var found: [HistoryMessage] = []
    try search(query) { message in
      found.append(message)
      return true
    }
    return found
  }

  /// Hands out the same one by one, so that no more than one of them has to be in memory. The body may stop it by
  /// returning false.
  package func search(
    _ query: HistoryQuery, _ body: (HistoryMessage) -> Bool
  ) throws(StoreError) {
    let matcher = TextMatcher(query.text)
    guard !matcher.words.isEmpty, query.limit > 0 else { return }
    indexAll()
    var found = Candidates(most: Self.mostCandidates)
    // Another program may take more into it meanwhile.
    let indexed = try database.integer("SELECT indexed FROM progress")
    if indexed < .max {
      try look(plain(matcher, indexed + 1 ... .max, areFew: true), query, matcher, &found)
    }
    for range in try StoreBlocks.ranges(upTo: indexed, in: database) where found.wants(range.newest)
    {
      let statement =
        if let words = matcher.indexQuery { try self.indexed(words, range.keys) } else {
          try plain(matcher, range.keys)
        }
      try look(statement, query, matcher, &found)
    }
    for key in found.best(query.limit) {
      guard var message = try message(key) else { continue }
      if query.givesExcerpts {
        message.kept.message.text = UntrustedText(
          matcher.excerpt(of: message.kept.message.text.raw))
      }
      guard body(message) else { return }
    }
  }

  /// As far as that can be written: what is not in the index is looked through without it.
  private func indexAll() {
    guard !isForReading else { return }
    while (try? index(atMost: 1_000)) ?? false {}
  }

  private func look(
    _ search: Statement, _ query: HistoryQuery, _ matcher: TextMatcher, _ found: inout Candidates
  ) throws(StoreError) {
    try search.bind(2, query.room)
    try search.bind(3, query.author)
    try search.bind(4, query.since?.milliseconds)
    try search.bind(5, query.until?.milliseconds)
    try search.bind(7, query.server)
    defer { search.reset() }
    while try search.step() {
      let time = search.integer(2)
      guard found.wants(time), let counts = matcher.counts(in: search.text(1)) else { continue }
      found.add(
        Candidates.Entry(
          key: search.integer(0), time: time, weights: counts.weights, length: counts.length))
    }
    found.cut()
  }

  /// Nil where another program has deleted it meanwhile.
  private func message(_ key: Int64) throws(StoreError) -> HistoryMessage? {
    let search = try database.statement(
      """
      \(Self.foundColumns) FROM messages CROSS JOIN rooms ON rooms.key = messages.room
      CROSS JOIN servers ON servers.key = rooms.server WHERE messages.key = ?
      """)
    try search.bind(1, key)
    defer { search.reset() }
    return try search.step() ? Self.historyMessage(search) : nil
  }

  private func indexed(
    _ words: String, _ keys: ClosedRange<Int64>
  ) throws(StoreError) -> Statement {
    let search = try database.statement(
      """
      SELECT messages.key, messages.text, time
      FROM texts CROSS JOIN messages ON messages.key = texts.rowid
      CROSS JOIN rooms ON rooms.key = messages.room CROSS JOIN servers ON servers.key = rooms.server
      WHERE texts MATCH ?1 AND texts.rowid BETWEEN ?10 AND ?11 AND \(Self.conditions)
      ORDER BY texts.rowid DESC
      """)
    try search.bind(1, words)
    try search.bind(10, keys.lowerBound)
    try search.bind(11, keys.upperBound)
    return search
  }

  private func plain(
    _ matcher: TextMatcher, _ keys: ClosedRange<Int64>, areFew: Bool = false
  ) throws(StoreError) -> Statement {
    let spellings = matcher.spellings(areFew: areFew)
    let first: Int32 = 20
    let conditions = spellings.indices.map {
      "searchable(messages.text) LIKE ?\(Int(first) + $0) ESCAPE '!'"
    }
    let search = try database.statement(
      """
      SELECT messages.key, messages.text, time
      FROM messages CROSS JOIN rooms ON rooms.key = messages.room
      CROSS JOIN servers ON servers.key = rooms.server
      WHERE messages.key BETWEEN ?10 AND ?11 AND (\(conditions.joined(separator: " OR ")))
        AND \(Self.conditions)
      ORDER BY messages.key DESC
      """)
    try search.bind(10, keys.lowerBound)
    try search.bind(11, keys.upperBound)
    for (index, spelling) in spellings.enumerated() {
      try search.bind(first + Int32(index), Self.pattern(spelling))
    }
    return search
  }

  private static func pattern(_ word: String) -> String {
    var pattern = "%"
    for character in word {
      if character == "%" || character == "_" || character == "!" { pattern += "!" }
      pattern.append(character)
    }
    return pattern + "%"
  }

  static func historyMessage(_ row: Statement) -> HistoryMessage {
    HistoryMessage(server: row.text(11), room: row.text(10), kept: message(row))
  }

  /// Hands out messages in the order of their rooms, those of one room or of all. The body may stop it by
  /// returning false.
  package func forEachMessage(
    in room: String? = nil, _ body: (HistoryMessage) -> Bool
  ) throws(StoreError) {
    let rooms = try database.statement(
      """
      SELECT rooms.key FROM rooms JOIN servers ON servers.key = rooms.server
      WHERE ?1 IS NULL OR name = ?1 ORDER BY url, name
      """)
    try rooms.bind(1, room)
    var keys: [Int64] = []
    while try rooms.step() { keys.append(rooms.integer(0)) }
    for key in keys {
      let search = try database.statement(
        """
        \(Self.foundColumns) FROM messages CROSS JOIN rooms ON rooms.key = messages.room
        CROSS JOIN servers ON servers.key = rooms.server
        WHERE messages.room = ? ORDER BY place, messages.key
        """)
      try search.bind(1, key)
      defer { search.reset() }
      while try search.step() {
        guard body(Self.historyMessage(search)) else { return }
      }
    }
  }
}
