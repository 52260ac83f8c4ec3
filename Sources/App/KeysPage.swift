import Screen

/// The text of `parlour help keys`, made from the table of keys.
package nonisolated enum KeysPage {
  package static var text: String {
    let rows = KeyTable.sections.flatMap(\.rows)
    let keyWidth = rows.map { keys($0).count }.max() ?? 0
    let nameWidth = rows.compactMap { $0.action?.name.count }.max() ?? 0
    let margin = keyWidth + nameWidth + 6
    let sections = KeyTable.sections.map { section in
      section.title + "\n"
        + section.rows.map { row in
          let does = HelpPage.folded(row.does, to: HelpPage.columns - margin)
          return "  " + keys(row).filled(to: keyWidth) + "  "
            + (row.action?.name ?? "").filled(to: nameWidth) + "  "
            + does.joined(separator: "\n" + "".filled(to: margin)) + "\n"
        }.joined()
    }
    return """
      Keys of the chat: the key, the name of what it does, and what that is.
      \(KeyTable.notation)
      In the chat /bind KEY ACTION changes them, /unbind KEY takes one away, /bind
      lists them.

      \(sections.joined(separator: "\n"))
      """
  }

  static func keys(_ row: KeyRow) -> String { row.keys.joined(separator: ", ") }
}

extension String {
  nonisolated func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
