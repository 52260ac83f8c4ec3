import Channel
import Room
import Text

/// Messages in another form: the newest is kept, and of the text before nothing.
extension Store {
  /// Pages of the index that one step of taking its traces out works on.
  private static let stepOfCleaning = 64

  /// Within a transaction. A form that is not newer than the one there changes nothing.
  func change(_ form: ChatMessage, in room: Int64) throws(StoreError) {
    let search = try database.statement(
      "SELECT \(Self.messageColumns), key FROM messages WHERE room = ? AND id = ?")
    try search.bind(1, room)
    try search.bind(2, name(of: form.id, in: room))
    guard try search.step() else {
      search.reset()
      return
    }
    let old = Self.message(search).message
    let key = search.integer(10)
    search.reset()
    guard let new = old.changed(by: form) else { return }
    let isOtherText = new.text != old.text
    if isOtherText {
      try forget(textOf: key, old)
    }
    let update = try database.statement("UPDATE messages SET text = ?, marks = ? WHERE key = ?")
    try update.bind(1, new.text.raw)
    try update.bind(2, new.hasMarks ? StoreMarks.text(new.marks) : nil)
    try update.bind(3, key)
    try update.run()
    if isOtherText {
      try database.run(
        """
        INSERT INTO texts (rowid, text) SELECT key, searchable(text) FROM messages
        WHERE key = \(key) AND key <= (SELECT indexed FROM progress)
        """)
    }
  }

  /// Freed parts of the file are overwritten from now on. A text that was changed goes from the history of the input
  /// at once: when the message is deleted later, nobody knows it any more.
  private func forget(textOf key: Int64, _ message: ChatMessage) throws(StoreError) {
    try database.run("PRAGMA secure_delete = ON")
    try removeFromIndex("key = \(key)")
    try database.run("UPDATE progress SET traces = 1")
    if message.isMine { try forgetInputs(saying: message.text.raw) }
  }

  /// Whether something of texts that are not there any more may be left in the index or in the log of the file.
  package func hasTraces() throws(StoreError) -> Bool {
    try database.integer("SELECT traces FROM progress") == 1
  }

  /// Takes some of it out; to be called again until it gives false. Parts of the index keep what was taken out of it until
  /// they are merged with others.
  package func clean() throws(StoreError) -> Bool {
    guard try hasTraces() else { return false }
    try database.run("PRAGMA secure_delete = ON")
    let before = try database.integer("SELECT total_changes()")
    // Negative: all parts are to become one, whatever their sizes.
    let size = isCleaning ? Self.stepOfCleaning : -Self.stepOfCleaning
    isCleaning = true
    try database.run("INSERT INTO texts (texts, rank) VALUES ('merge', \(size))")
    // As the documentation of FTS5 has it: less than two changes say that there was nothing left to merge.
    guard try database.integer("SELECT total_changes()") - before < 2 else { return true }
    isCleaning = false
    // The log holds the pages as they were. Where another program reads it just now, this comes again later.
    guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return false }
    try database.run("UPDATE progress SET traces = 0")
    return false
  }
}
