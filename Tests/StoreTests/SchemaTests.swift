import CSQLite
import Channel
import Foundation
import JSON
import Room
import Testing
import Text

@testable import Store

@Suite struct SchemaTests {
  /// A store as a program of that version left it, with three messages.
  private func make(version: Int, in folder: Folder) throws {
    _ = try StoreFile.prepare(folder: folder.path)
    let database = try Database(path: folder.file, patience: 1_000)
    try Schema.migrate(database, to: version)
    try database.run(
      """
      INSERT INTO servers VALUES (1, '\(server)');
      INSERT INTO rooms (key, server, name, cursor, read_up_to, draft)
        VALUES (1, 1, 'lobby', '"m3"', \(2 << 20), 'draft');
      INSERT INTO outbox (key, room, nonce, text, state, reason, time, owner)
        VALUES (1, 1, 'n1', 'waits', 'pending', NULL, 5, 'gone');
      INSERT INTO inputs (key, line) VALUES (1, 'typed');
      """)
    if version >= 5 {
      try database.run(
        "INSERT INTO drafts VALUES (1, 'gone', 'draft'); UPDATE rooms SET draft = ''")
    }
    for message in (1...3).map({ kept($0, "text number \($0)") }) {
      try database.run(
        """
        INSERT INTO messages (key, room, place, id, author, text, time, timed, nonce, cursor, mine)
        VALUES (\(message.place >> 20), 1, \(message.place),
          '\(message.message.id)', 'ada', '\(message.message.text.raw)',
          \(message.time.milliseconds), 1, NULL, '=', 0)
        """)
    }
  }

  @Test(arguments: 1...Schema.newest)
  func aStoreOfAnEarlierVersionIsBroughtUpToDateWithAllItHolds(version: Int) throws {
    let folder = try Folder()
    try make(version: version, in: folder)
    let store = try folder.open()
    #expect(store.warnings == [])
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(memory.messages == (1...3).map { kept($0, "text number \($0)") })
    #expect(memory.draft == "draft")
    #expect(memory.readUpTo == 2 << 20)
    #expect(memory.outbox.map(\.post.nonce) == ["n1"])
    #expect(try store.cursors(of: server) == ["lobby": .string("m3")])
    #expect(try store.inputs() == ["typed"])
    #expect(try store.search(HistoryQuery(text: "number 2")).count == 1)
    #expect(try store.database.integer("PRAGMA user_version") == Int64(Schema.newest))
    #expect(try store.faults() == [])
  }

  @Test(arguments: 2...Schema.newest)
  func whatTheIndexOfAnEarlierVersionHeldIsTakenOverWithWhatItDidNot(version: Int) throws {
    let folder = try Folder()
    try make(version: version, in: folder)
    do {
      let database = try Database(path: folder.file, patience: 1_000)
      let text = version > 6 ? "searchable(text)" : "text"
      try database.run(
        """
        UPDATE messages SET text = 'early' || char(0) || 'late' WHERE key = 2;
        INSERT INTO texts (rowid, text) SELECT key, \(text) FROM messages;
        UPDATE progress SET indexed = 3;
        """)
      if version > 5 { try database.run("INSERT INTO blocks SELECT 0, max(time) FROM messages") }
    }
    let store = try folder.open()
    for (words, count) in [("number", 2), ("early", 1), ("late", 1), ("early late", 1)] {
      #expect(try store.search(HistoryQuery(text: words)).count == count, "\(words)")
    }
    #expect(try store.forget(server: nil, room: nil) == 3)
    for words in ["number", "early", "late"] {
      #expect(try store.search(HistoryQuery(text: words)) == [])
    }
    #expect(try store.database.integer("SELECT count(*) FROM texts_data WHERE id > 10") == 0)
    #expect(try store.faults() == [])
  }

  @Test func aStoreOfANewerVersionIsLeftAlone() throws {
    let folder = try Folder()
    try make(version: Schema.newest, in: folder)
    do {
      let database = try Database(path: folder.file, patience: 1_000)
      try database.run("PRAGMA user_version = \(Schema.newest + 1)")
    }
    let before = try Data(contentsOf: URL(filePath: folder.file))
    let error = #expect(throws: StoreError.self) { try folder.open() }
    #expect(error?.kind == .newer)
    #expect(error?.message.contains(folder.file) == true)
    #expect(error?.message.contains("newer parlour") == true)
    #expect(try Data(contentsOf: URL(filePath: folder.file)) == before)
    #expect(!folder.names.contains { $0.contains("damaged") })
  }

  @Test func aMigrationThatIsCutOffLeavesTheStoreAsItWas() throws {
    let folder = try Folder()
    try make(version: 1, in: folder)
    let database = try Database(path: folder.file, patience: 1_000)
    // The second step stumbles over a table of its own name.
    try database.run("CREATE TABLE progress (x)")
    #expect(throws: StoreError.self) { try Schema.migrate(database) }
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'texts'") == 0)
    #expect(try database.integer("SELECT count(*) FROM messages") == 3)
  }
}
