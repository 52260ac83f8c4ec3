import Channel
import Room
import Testing
import Text

@testable import Screen

/// What must not be drawn over, and what must not be left hanging, at every width.
@Suite struct NarrowTests {
  private static func rows(
    _ room: RoomModel, _ view: ViewState = ViewState(), windows: WindowList? = nil, width: Int,
    height: Int = 24
  ) -> [String] {
    var screen = Fixture.screen(room, view)
    screen.windows = windows
    return screen.grid(width: width, height: height).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: [14, 20, 30, 40, 59, 60, 80, 120])
  func theMarkOfAChosenMessageLeavesItsAuthorAndTextWhole(width: Int) {
    var room = RoomModel(room: "lobby", nick: "you", server: "wss://chat.example/ws")
    room.connection = Fixture.online
    room.say("mira", "word", at: Fixture.time(9, 12))
    var view = ViewState()
    view.selection = MessageSelection(in: room, view: view)
    let rows = Self.rows(room, view, width: width)
    #expect(rows.contains { $0.contains("mira") && $0.contains("▸") }, "\(rows)")
    #expect(rows.contains { $0.contains("word") && $0.contains("▸") })
  }

  /// Whatever is in front and however wide the line is.
  @Test func noWindowIsLeftOutOfTheListWithoutAMark() {
    for count in [1, 2, 5, 12, 130] {
      let list = WindowList(count: count, current: count / 2, active: [0]) { index in
        WindowTag(
          number: index + 1, room: "room-of-group-\(index)", connection: .offline(.stopped),
          unread: index == 0 ? 3 : 0)
      }
      let strip = WindowStrip(list: list, theme: Fixture.screen(Fixture.lobby).theme)
      for width in 12...150 {
        let pieces = strip.pieces(in: 7..<7 + width)
        let shown = pieces.filter { $0.window != nil }
        #expect(shown.first?.window == count / 2, "\(width)")
        #expect(pieces.allSatisfy { $0.column + columns(of: $0.text) <= 7 + width }, "\(width)")
        let more = pieces.first { $0.window == nil }?.text
        #expect(
          shown.count == count
            ? more == nil
            : more?.hasPrefix("+\(count - shown.count)") == true
              || more?.hasPrefix("  +\(count - shown.count)") == true,
          "\(count) at \(width): \(pieces.map(\.text))")
      }
    }
  }

  @Test func noStrokeIsLeftBeforeNothing() {
    var tags = PanelTests.windows
    tags[0].room = "a-room-with-a-long-name"
    let list = WindowList(count: tags.count, current: 0, active: [1, 2]) { tags[$0] }
    var scrolled = ViewState()
    let busy = Fixture.busy
    scrolled.scroll(byRows: 40, in: busy, width: 60, height: 24)
    for width in 20...140 {
      for (room, view) in [(Fixture.lobby, ViewState()), (busy, scrolled)] {
        for row in Self.rows(room, view, windows: list, width: width).suffix(3) {
          #expect(!row.hasSuffix("│"), "\(width): \(row)")
        }
      }
    }
  }
}
