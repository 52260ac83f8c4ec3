import Room

/// What is typed and not entered yet, by room and by the run of the program in which it is typed: that of a run which still
/// goes on is nobody else's.
extension Store {
  func write(draft text: String, in room: Int64) throws(StoreError) {
    guard !text.isEmpty else {
      let deletion = try database.statement("DELETE FROM drafts WHERE room = ? AND owner = ?")
      try deletion.bind(1, room)
      try deletion.bind(2, mark.name)
      return try deletion.run()
    }
    let insertion = try database.statement(
      """
      INSERT INTO drafts (room, owner, text) VALUES (?, ?, ?)
      ON CONFLICT (room, owner) DO UPDATE SET text = excluded.text
      """)
    try insertion.bind(1, room)
    try insertion.bind(2, mark.name)
    try insertion.bind(3, text)
    try insertion.run()
  }

  /// The draft of this run, else the last one that an ended run left, which is this run's from now on. Others that were
  /// left wait for later runs.
  func draft(in room: Int64) throws(StoreError) -> String {
    let search = try database.statement(
      "SELECT owner, text FROM drafts WHERE room = ?1 ORDER BY owner = ?2 DESC, rowid DESC")
    try search.bind(1, room)
    try search.bind(2, mark.name)
    var found: (owner: String, text: String)?
    while found == nil, try search.step() {
      let owner = search.text(0)
      // Those of stores from before drafts had owners have none.
      if owner.isEmpty || owner == mark.name || mark.hasEnded(owner) {
        found = (owner, search.text(1))
      }
    }
    search.reset()
    guard let found, found.owner != mark.name else { return found?.text ?? "" }
    let update = try database.statement(
      "UPDATE drafts SET owner = ?3 WHERE room = ?1 AND owner = ?2")
    try update.bind(1, room)
    try update.bind(2, found.owner)
    try update.bind(3, mark.name)
    do throws(StoreError) {
      try update.run()
    } catch {
      // What is not taken over would come back once more after it was sent: a later run has it.
      guard error.isPassing else { throw error }
      return ""
    }
    // Of two runs that look at once, one has it.
    return database.changes > 0 ? found.text : ""
  }
}
