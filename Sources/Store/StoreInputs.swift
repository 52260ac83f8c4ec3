import Room

/// What was said stands in the history of the input too, as it was typed: by itself, or behind a command.
extension Store {
  /// Deletes the lines that said this text.
  func forgetInputs(saying text: String) throws(StoreError) {
    try forget(try linesByText(holding: text)[text] ?? [])
  }

  /// Deletes the lines that said what stands in some messages as the person's own.
  func forgetInputs(ofMessages condition: String) throws(StoreError) {
    var lines = try linesByText()
    guard !lines.isEmpty else { return }
    let search = try database.statement("SELECT text FROM messages WHERE mine = 1 AND \(condition)")
    defer { search.reset() }
    while try search.step() {
      if let keys = lines.removeValue(forKey: search.text(0)) { try forget(keys) }
    }
  }

  private func forget(_ keys: [Int64]) throws(StoreError) {
    for key in keys { try database.run("DELETE FROM inputs WHERE key = \(key)") }
  }

  /// The keys of entered lines by the text that they sent; of those only that hold a text.
  private func linesByText(holding text: String = "") throws(StoreError) -> [String: [Int64]] {
    let search = try database.statement("SELECT key, line FROM inputs WHERE instr(line, ?) > 0")
    try search.bind(1, text)
    defer { search.reset() }
    var lines: [String: [Int64]] = [:]
    while try search.step() {
      switch SlashCommand.read(search.text(1)) {
      case .message(let text), .command(.edit(let text?)), .command(.reply(let text?)):
        lines[text, default: []].append(search.integer(0))
      case .command, .wrong: break
      }
    }
    return lines
  }
}
