package import Room
package import Text

/// What is marked in the transcript because it was searched for.
package struct FoundText: Equatable, Sendable {
  /// The parts of texts that are marked.
  package var finder: TextFinder
  /// The entry that was gone to, marked more strongly.
  package var serial: Int?

  package init(finder: TextFinder, serial: Int? = nil) {
    self.finder = finder
    self.serial = serial
  }
}

/// What a search over the history has found, the best first.
package struct SearchResults: Equatable, Sendable {
  /// As it was entered.
  package var text: String
  /// Nil for all rooms.
  package var room: String?
  package var list: ChoiceList<FoundMessage>

  package init(text: String, room: String?, found: [FoundMessage]) {
    self.text = text
    self.room = room
    list = ChoiceList(found)
  }
}

/// A list over the screen, one row of which is chosen.
package struct ChoiceList<Item: Equatable & Sendable>: Equatable, Sendable {
  package let items: [Item]
  package private(set) var chosen = 0

  package init(_ items: [Item]) {
    self.items = items
  }

  package var choice: Item? { items.indices.contains(chosen) ? items[chosen] : nil }

  package mutating func move(by rows: Int) {
    let (index, overflow) = chosen.addingReportingOverflow(rows)
    chosen = min(max(0, overflow ? (rows > 0 ? .max : 0) : index), max(0, items.count - 1))
  }

  package mutating func choose(_ index: Int) {
    if items.indices.contains(index) { chosen = index }
  }

  /// The items that fit into so many rows, with the chosen one among them.
  func shown(rows: Int) -> Range<Int> {
    guard rows > 0 else { return 0..<0 }
    // Pages stay in their place while the choice moves over them.
    let first = chosen / rows * rows
    return first..<min(items.count, first + rows)
  }
}
