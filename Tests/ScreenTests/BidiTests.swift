import Channel
import Room
import Testing
import Text

@testable import Screen

/// Report 20 of the research: text that is written from right to left is kept apart, so that the time, the names and the
/// status line stay where they are on a terminal that turns it round.
@Suite struct BidiTests {
  private static let author = "רון-כהן"

  private static var room: RoomModel {
    var room = RoomModel(room: "חדר", nick: "דנה", server: "wss://chat.example/ws")
    room.connection = Fixture.online
    room.members = [UntrustedText(author), UntrustedText("mira"), UntrustedText("سلمى")]
    room.say(author, "שלום לכולם, 12:30 (בערך)!", at: Fixture.time(9, 12))
    room.say("mira", "the word שלום and *שלום אמר* bold, 3 > 2", at: Fixture.time(9, 13))
    room.say(
      "دانا", "مرحبا https://ci.example/1 العالم " + String(repeating: "كلمة ", count: 40),
      at: Fixture.time(9, 14))
    room.say("mira", "no letters of the kind", at: Fixture.time(9, 15))
    room.note("סמי joined", at: Fixture.time(9, 16))
    room.wait("ממתין", .failed(UntrustedText("ארוך מדי")), at: Fixture.time(9, 17))
    return room
  }

  private static func grid(
    width: Int, height: Int, _ change: (inout ViewState, RoomModel) -> Void = { _, _ in }
  ) -> Grid {
    var view = ViewState()
    let room = room
    change(&view, room)
    let tags = [
      WindowTag(number: 1, room: "חדר", connection: Fixture.online),
      WindowTag(number: 2, room: "غرفة", connection: Fixture.online, unread: 3, mentions: 1),
    ]
    var screen = Fixture.screen(room, view)
    screen.windows = WindowList(count: 2, current: 0, active: [1]) { tags[$0] }
    screen.panels = PanelLayout(width: width, windows: 2, knowsMembers: true, settings: Settings())
    return screen.grid(width: width - screen.panels.columns, height: height)
  }

  /// The first letter from right to left in a row that no isolate holds.
  private static func stray(_ grid: Grid) -> String? {
    for row in 0..<grid.height {
      let inside = grid.isolates.filter { $0.row == row }.map(\.columns)
      for column in 0..<grid.width where holdsRightToLeft(grid[row: row, column: column].text) {
        guard inside.contains(where: { $0.contains(column) }) else {
          return "row \(row), column \(column): \(grid[row: row, column: column].text)"
        }
      }
    }
    return nil
  }

  @Test(arguments: [(40, 10), (60, 15), (80, 24), (100, 30), (200, 50)])
  func nothingTurnsRoundOutsideOfWhatIsKeptApart(width: Int, height: Int) {
    for step in 0..<6 {
      let grid = Self.grid(width: width, height: height) { view, room in
        switch step {
        case 1:
          view.selection = MessageSelection(in: room, view: view)
          for _ in 0..<3 { view.selection?.move(by: -1, in: room) }
        case 2: view.editor.setText("שלום abc")
        case 3: view.overlay = .links(LinkList(of: room))
        case 4: view.overlay = .help(topic: "שלום", scroll: 0)
        case 5: view.overlay = .connection(scroll: 0)
        default: break
        }
      }
      #expect(brokenPromise(of: grid) == nil)
      #expect(Self.stray(grid) == nil, "step \(step)\n\(grid.text)")
      #expect(step > 2 || !grid.isolates.isEmpty)
    }
  }

  /// The time, the sign between name and text, and what is told of rooms stand outside.
  @Test func theColumnsBesideItAreLeftAlone() throws {
    let grid = Self.grid(width: 80, height: 24)
    let rows = grid.text.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(rows.firstIndex { $0.contains("לכולם") })
    let inside = grid.isolates.filter { $0.row == row }
    #expect(inside.map(\.direction) == [nil, .rightToLeft])
    let text = { (columns: Range<Int>) in
      columns.map { grid[row: row, column: $0].text }.joined()
    }
    #expect(inside.map { text($0.columns) } == [Self.author, "שלום לכולם, 12:30 (בערך)!"])
    // A text that begins in Latin letters is kept in their order.
    let mixed = try #require(rows.firstIndex { $0.contains("the word") })
    let whole = try #require(grid.isolates.first { $0.row == mixed })
    #expect(whole.direction == .leftToRight)
    #expect(
      whole.columns.map { grid[row: mixed, column: $0].text }.joined()
        == "the word שלום and *שלום אמר* bold, 3 > 2")
    // Every row of a long text has the direction of the whole.
    #expect(grid.isolates.filter { $0.direction == .rightToLeft }.count > 3)
    let status = try #require(rows.firstIndex { $0.contains("● online") })
    #expect(
      grid.isolates.filter { $0.row == status }.map { isolate in
        isolate.columns.map { grid[row: status, column: $0].text }.joined()
      } == ["חדר", "غرفة"])
  }

  /// Nothing could keep it apart there: a mark needs a cell before it.
  @Test func noNameStandsInTheFirstColumnBesideItsTime() {
    let grid = Self.grid(width: 40, height: 20)
    for isolate in grid.isolates where isolate.row < 17 {
      #expect(isolate.columns.lowerBound > 0, "\(isolate)\n\(grid.text)")
    }
  }

  @Test func whatIsDrawnOverItIsNoPartOfIt() {
    var canvas = Canvas(width: 20, height: 1, style: .plain)
    canvas.put("שלום עולם", row: 0, column: 2, style: .plain)
    canvas.put("abc", row: 0, column: 4, style: .plain)
    #expect(canvas.finished.isolates.map(\.columns) == [2..<4, 7..<11])
    canvas.fill(row: 0, style: .plain)
    #expect(canvas.finished.isolates.isEmpty)
  }
}
