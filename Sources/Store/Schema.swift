/// The tables of the store, version by version. A version that was once released is never changed: another
/// one is put behind it.
enum Schema {
  /// Each step makes a store of its version out of one of the version before.
  static let steps = [
    version1, version2, version3, version4, version5, version6, version7, version8,
  ]

  static var newest: Int { steps.count }

  /// Brings a store to a version: `user_version` says where it stands, 0 in a new file. All steps or none.
  static func migrate(
    _ database: Database, to newest: Int = Schema.newest
  ) throws(StoreError) {
    guard try version(of: database) != newest else { return }
    try database.transaction(.power) { () throws(StoreError) in
      // Another program may have been faster.
      let found = try version(of: database)
      guard found < newest else { return }
      for step in steps[found..<newest] { try database.run(step) }
      try database.run("PRAGMA user_version = \(newest)")
    }
  }

  /// Throws where the store is not of the newest version.
  static func check(_ database: Database) throws(StoreError) {
    guard try version(of: database) < newest else { return }
    throw StoreError(
      .unusable,
      "The history \(database.path) is of an earlier parlour, and cannot be brought up to date: look at its"
        + " permissions.")
  }

  private static func version(of database: Database) throws(StoreError) -> Int {
    let version = Int(clamping: try database.integer("PRAGMA user_version"))
    guard version >= 0 else {
      throw StoreError(
        .damaged, "The history \(database.path) is damaged (its version is negative).")
    }
    guard version <= newest else {
      throw StoreError(
        .newer,
        "The history \(database.path) was written by a newer parlour (version \(version) of its tables; this "
          + "one knows \(newest)): it is left as it is, and nothing is kept until parlour is updated."
      )
    }
    return version
  }

  /// The transcript, what waits to be sent, and where the person was.
  ///
  /// `place` orders a room's messages, `key` those of one place. `time` is in milliseconds since 1970: the
  /// server's where `timed` is 1, else that of the arrival. A `cursor` of "=" is the id as a string; others are
  /// JSON. A post that the server has is gone from `outbox` in the transaction that puts it into `messages`.
  private static let version1 = """
    CREATE TABLE servers (key INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE rooms (
      key INTEGER PRIMARY KEY, server INTEGER NOT NULL REFERENCES servers, name TEXT NOT NULL,
      cursor TEXT, read_up_to INTEGER, draft TEXT NOT NULL DEFAULT '', UNIQUE (server, name)
    ) STRICT;
    CREATE TABLE messages (
      key INTEGER PRIMARY KEY, room INTEGER NOT NULL REFERENCES rooms, place INTEGER NOT NULL,
      id TEXT NOT NULL, author TEXT, text TEXT NOT NULL, time INTEGER NOT NULL,
      timed INTEGER NOT NULL CHECK (timed IN (0, 1)), nonce TEXT, cursor TEXT,
      mine INTEGER NOT NULL CHECK (mine IN (0, 1)), UNIQUE (room, id)
    ) STRICT;
    CREATE INDEX messages_in_order ON messages (room, place);
    CREATE TABLE outbox (
      key INTEGER PRIMARY KEY AUTOINCREMENT, room INTEGER NOT NULL REFERENCES rooms,
      nonce TEXT NOT NULL, text TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'unsure', 'failed')), reason TEXT,
      time INTEGER NOT NULL, owner TEXT NOT NULL, UNIQUE (room, nonce)
    ) STRICT;
    CREATE TABLE inputs (key INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL) STRICT;
    """

  /// The index of the texts. It holds which trigrams stand in a message, and neither where nor how long the text is,
  /// which makes it half as large and twice as fast; what it finds is looked at once more. `indexed` says up to which key messages
  /// are in it: those behind are few and follow when there is time. Its parts are merged late: a
  /// search looks into more of them, and to write them costs less.
  private static let version2 = """
    CREATE VIRTUAL TABLE texts USING fts5 (
      text, content = 'messages', content_rowid = 'key', tokenize = 'trigram', detail = none,
      columnsize = 0);
    INSERT INTO texts (texts, rank) VALUES ('automerge', 16);
    CREATE TABLE progress (only INTEGER PRIMARY KEY CHECK (only = 1), indexed INTEGER NOT NULL) STRICT;
    INSERT INTO progress VALUES (1, 0);
    """

  /// What became of messages after they were said, as JSON (`StoreMarks`), and what a waiting post answers. `traces` is 1
  /// while the index may still hold something of texts that are not there any more.
  private static let version3 = """
    ALTER TABLE messages ADD COLUMN marks TEXT;
    ALTER TABLE outbox ADD COLUMN reply TEXT;
    ALTER TABLE progress ADD COLUMN traces INTEGER NOT NULL DEFAULT 0;
    """

  /// What a room tells of while nobody looks; NULL where that is as everywhere.
  private static let version4 = "ALTER TABLE rooms ADD COLUMN notice TEXT;"

  /// Drafts by the run in which they are typed; `rooms.draft` is not used any more.
  private static let version5 = """
    CREATE TABLE drafts (
      room INTEGER NOT NULL REFERENCES rooms, owner TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (room, owner)
    ) STRICT;
    INSERT INTO drafts (room, owner, text) SELECT key, '', draft FROM rooms WHERE draft <> '';
    UPDATE rooms SET draft = '' WHERE draft <> '';
    """

  /// A bound on the times of each block of keys (`StoreBlocks`).
  private static let version6 = """
    CREATE TABLE blocks (block INTEGER PRIMARY KEY, newest INTEGER NOT NULL) STRICT;
    INSERT INTO blocks SELECT key / 1024, max(time) FROM messages
      WHERE key <= (SELECT indexed FROM progress) GROUP BY 1;
    """

  /// What stands behind a NUL was not in the index.
  private static let version7 = """
    INSERT INTO texts (texts, rowid, text) SELECT 'delete', key, text FROM messages
      WHERE key <= (SELECT indexed FROM progress) AND instr(text, char(0)) > 0;
    INSERT INTO texts (rowid, text) SELECT key, searchable(text) FROM messages
      WHERE key <= (SELECT indexed FROM progress) AND instr(text, char(0)) > 0;
    """

  /// Where a line was typed, so that it is forgotten with the room whatever came of it; NULL in lines of before.
  private static let version8 = "ALTER TABLE inputs ADD COLUMN room INTEGER REFERENCES rooms;"
}
