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
