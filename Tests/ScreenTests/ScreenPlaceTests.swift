import Room
import Testing

@testable import Screen

/// What a click finds.
@Suite struct ScreenPlaceTests {
  private static func place(
    _ text: String, _ room: RoomModel = Fixture.lobby, _ view: ViewState = ViewState(),
    width: Int = 80, height: Int = 24
  ) -> ScreenPlace? {
    let grid = Fixture.screen(room, view).grid(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width where !grid[row: row, column: column].text.isEmpty {
        let rest = (column..<width).map { grid[row: row, column: $0].text }.joined()
        if rest.hasPrefix(text) {
          return screenPlace(
            row: row, column: column, in: room, view, clock: Fixture.clock, width: width,
            height: height)
        }
      }
    }
    return nil
  }

  @Test(arguments: [(40, 10), (80, 24), (120, 40)])
  func everyMessageIsFoundWhereItIsDrawn(width: Int, height: Int) {
    let room = Fixture.busy
    for number in 398..<400 {
      #expect(
        Self.place("message \(number)", room, width: width, height: height)
          == .message(.entry(room.entries[number].serial)))
    }
  }

  @Test func aLinkIsFoundBeforeItsMessage() {
    #expect(Self.place("ci.example") == .link("https://ci.example/4711"))
    #expect(Self.place("the build") == .message(.entry(2)))
  }

  @Test(arguments: [(40, 10), (80, 24), (200, 50)])
  func theStateOfTheLineIsFoundAtEverySize(width: Int, height: Int) {
    #expect(Self.place("● online", width: width, height: height) == .connection)
    var view = ViewState()
    view.overlay = .help(topic: nil, scroll: 0)
    #expect(
      Self.place("● online", Fixture.lobby, view, width: width, height: height) == .connection)
  }

  @Test func rulesNoticesAndTheEdgesAreNothing() {
    for text in ["ko joined", "#lobby", "F1 help", "─"] {
      #expect(Self.place(text) == .nothing, "\(text)")
    }
    let outside = screenPlace(
      row: 99, column: -3, in: Fixture.lobby, ViewState(), clock: Fixture.clock, width: 80,
      height: 24)
    #expect(outside == .nothing)
  }

  @Test func theCaretGoesWhereTheLetterIs() {
    var view = ViewState()
    view.editor.setText("xq女王zw\nkkk vvv")
    #expect(Self.place("xq", Fixture.lobby, view) == .caret(0))
    #expect(Self.place("王", Fixture.lobby, view) == .caret(3))
    #expect(Self.place("kkk", Fixture.lobby, view) == .caret(7))
    #expect(Self.place("vvv", Fixture.lobby, view) == .caret(11))
    #expect(Self.place("you> ", Fixture.lobby, view) == .caret(0))
  }

  @Test func theRuleAboveTheLiveTailLeadsToTheEnd() {
    let room = Fixture.busy
    var view = ViewState()
    view.scroll(byRows: 40, in: room, width: 80, height: 24)
    #expect(Self.place("═══", room, view) == .tail)
    #expect(Self.place("message 399", room, view) == .message(.entry(399)))
  }
}
