import Channel
import Room
import Testing
import Text

@testable import Screen

@Suite struct ScrollTests {
  static func rows(_ room: RoomModel, _ view: ViewState, width: Int = 80, height: Int = 12)
    -> [String]
  {
    Fixture.screen(room, view).grid(width: width, height: height).text
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The numbers of Fixture.busy's messages in the timeline, which begins under the title.
  static func numbers(_ rows: [String]) -> [Int] {
    rows.compactMap { row in
      row.split(separator: " ").drop { $0 != "message" }.dropFirst().first.flatMap { Int($0) }
    }
  }

  @Test func scrollingMovesByRowsAndBack() {
    let room = Fixture.busy
    var view = ViewState()
    // Twelve rows: a title, nine of timeline, the status, the input.
    #expect(Self.numbers(Self.rows(room, view)) == Array(391...399))
    view.scroll(byRows: 1, in: room, width: 80, height: 12)
    #expect(Self.numbers(Self.rows(room, view)) == Array(390...398))
    #expect(view.anchor == ViewState.Anchor(serial: 398, rowsBelow: 0))
    view.scroll(byRows: 8, in: room, width: 80, height: 12)
    #expect(Self.numbers(Self.rows(room, view)) == Array(382...390))
    view.scroll(byRows: -3, in: room, width: 80, height: 12)
    #expect(Self.numbers(Self.rows(room, view)) == Array(385...393))
    view.scroll(byRows: -6, in: room, width: 80, height: 12)
    #expect(view.anchor == nil)
  }

  @Test func onAHighScreenTheNewestRowsStayInSight() {
    let room = Fixture.busy
    var view = ViewState()
    // Title, timeline of 20, status, input, hints; scrolled: 14 rows, a rule, five rows.
    #expect(Self.numbers(Self.rows(room, view, height: 24)) == Array(380...399))
    view.scroll(byRows: 1, in: room, width: 80, height: 24)
    let rows = Self.rows(room, view, height: 24)
    #expect(Self.numbers(rows) == Array(379...392) + Array(395...399))
    #expect(rows[15].contains("7 below"))
    view.scroll(byRows: -1, in: room, width: 80, height: 24)
    #expect(view.anchor == nil)
  }

  @Test func newMessagesDoNotMoveTheView() {
    var room = Fixture.busy
    var view = ViewState()
    view.markRead(in: room)
    view.scroll(byRows: 20, in: room, width: 80, height: 12)
    let before = Self.rows(room, view)
    room.say("ko", "hi", at: Fixture.time(9, 0))
    view.markRead(in: room)
    let after = Self.rows(room, view)
    #expect(before[1...9] == after[1...9])
    #expect(after[10].contains("21 below"))
    #expect(after[10].contains("1 new"))
  }

  @Test func anotherWidthKeepsTheEntryAtTheEdge() {
    var room = Fixture.busy
    for number in 400..<430 {
      room.say("ko", "\(number) " + String(repeating: "word ", count: 30), at: Fixture.time(9, 0))
    }
    var view = ViewState()
    view.scroll(byRows: 30, in: room, width: 80, height: 24)
    let anchor = view.anchor
    #expect(anchor != nil)
    for width in [60, 40, 20, 10, 1, 200, 80] {
      _ = Self.rows(room, view, width: width, height: 24)
    }
    view.scroll(byRows: 0, in: room, width: 40, height: 24)
    #expect(view.anchor == anchor)
  }

  @Test func theTopIsReachedAndNotPassed() {
    let room = Fixture.busy
    var view = ViewState()
    view.scrollToTop(in: room, width: 80, height: 12)
    let top = Self.rows(room, view)
    #expect(top[1].contains("Tue 3 March 2026"))
    #expect(Self.numbers(top) == Array(0...7))
    view.scroll(byRows: 1000, in: room, width: 80, height: 12)
    #expect(Self.rows(room, view) == top)
    view.scroll(byRows: .max, in: room, width: 80, height: 12)
    #expect(Self.rows(room, view) == top)
    view.scroll(byRows: .min, in: room, width: 80, height: 12)
    #expect(view.anchor == nil)
  }

  @Test func aShortConversationDoesNotScroll() {
    var room = Fixture.busy
    room.entries.removeSubrange(4...)
    var view = ViewState()
    view.scroll(byRows: 5, in: room, width: 80, height: 24)
    #expect(view.anchor == nil)
    view.scrollToTop(in: room, width: 80, height: 24)
    #expect(view.anchor == nil)
    room.entries = []
    view.scroll(byRows: 5, in: room, width: 80, height: 24)
    #expect(view.anchor == nil)
  }

  @Test func oneMessageHigherThanTheScreenIsScrolledByRows() {
    var room = Fixture.busy
    room.entries = []
    room.say("ko", (0..<40).map { "row \($0)" }.joined(separator: "\n"), at: Fixture.time(9, 0))
    var view = ViewState()
    view.scroll(byRows: 10, in: room, width: 80, height: 12)
    #expect(view.anchor == ViewState.Anchor(serial: 0, rowsBelow: 10))
    #expect(Self.rows(room, view)[9].hasSuffix("row 29"))
  }

  @Test func whatWaitsToBeSentIsPassedAtOnce() {
    var room = Fixture.busy
    for number in 0..<3 { room.wait("waiting \(number)", .pending, at: Fixture.time(9, 0)) }
    var view = ViewState()
    #expect(Self.rows(room, view)[9].contains("waiting 2"))
    view.scroll(byRows: 4, in: room, width: 80, height: 12)
    #expect(view.anchor == ViewState.Anchor(serial: 398, rowsBelow: 0))
    view.scroll(byRows: -2, in: room, width: 80, height: 12)
    #expect(view.anchor == nil)
  }

  @Test func clearedEntriesAreNeitherDrawnNorScrolledTo() {
    let room = Fixture.busy
    var view = ViewState()
    view.clearedUpTo = 394
    #expect(Self.numbers(Self.rows(room, view)) == Array(395...399))
    view.scroll(byRows: 3, in: room, width: 80, height: 12)
    #expect(view.anchor == nil)
    view.clearedUpTo = 399
    #expect(Self.numbers(Self.rows(room, view)) == [])
  }

  @Test func anAnchorOfAnEntryThatIsGoneFallsToTheNext() {
    var room = Fixture.busy
    var view = ViewState()
    view.anchor = ViewState.Anchor(serial: 100, rowsBelow: 0)
    room.entries.removeFirst(200)
    #expect(Self.numbers(Self.rows(room, view)).last == 200)
  }
}
