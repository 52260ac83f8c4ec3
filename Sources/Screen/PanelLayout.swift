/// The columns beside the chat: the rooms at its left, the members at its right. 0 where a panel does not fit or is
/// not wanted.
package struct PanelLayout: Equatable, Sendable {
  /// Without the line between a panel and the chat.
  package private(set) var rooms = 0
  package private(set) var members = 0

  package init() {}

  /// `windows` is how many are open: a list of one says nothing. `knowsMembers` is whether the room's dialect tells
  /// who is there.
  package init(width: Int, windows: Int, knowsMembers: Bool, settings: Settings) {
    if width >= 100, windows > 1, settings.showsRooms { rooms = width >= 130 ? 26 : 20 }
    if width >= 130, knowsMembers, settings.showsMembers { members = width >= 180 ? 24 : 18 }
  }

  /// The window that the panel of rooms lists in that row of a screen of so many.
  package func window(atRow row: Int, height: Int, in list: WindowList) -> Int? {
    let lines = RoomPanel(list: list, theme: .fallback).lines(height: height)
    guard lines.indices.contains(row), case .window(let index) = lines[row] else { return nil }
    return index
  }

  /// The columns at the left of the chat, and at its right.
  package var left: Int { rooms == 0 ? 0 : rooms + 1 }
  var right: Int { members == 0 ? 0 : members + 1 }

  /// The columns that both take, with their lines.
  package var columns: Int { left + right }
}
