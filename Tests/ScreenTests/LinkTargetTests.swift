import Room
import Testing
import Text

@testable import Screen

/// Links as the terminal is told of them.
@Suite struct LinkTargetTests {
  @Test(
    arguments: [
      ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
      ("HTTPS://A.example/", "HTTPS://A.example/"), ("wss://a.example/ws", "wss://a.example/ws"),
      ("https://a.example/é\u{202E}x", "https://a.example/%C3%A9%E2%80%AEx"),
      ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
      ("https://a.example/\u{7}\u{1B}]8;;", "https://a.example/%07%1B]8;;"),
      ("https://a.example/a b\u{7F}", "https://a.example/a%20b%7F"),
      ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("mailto:a@b", nil), ("", nil),
    ] as [(String, String?)])
  func onlyPrintableLettersOfTheWebGetThrough(link: String, uri: String?) {
    #expect(LinkTarget(link, id: "1")?.uri == uri)
  }

  @Test func aLinkWithoutEndIsNone() {
    #expect(LinkTarget("https://a.example/" + String(repeating: "x", count: 3_000), id: "1") == nil)
  }

  private static func grid(
    _ text: String, width: Int = 80, _ change: (inout ViewState) -> Void = { _ in }
  )
    -> Grid
  {
    var room = Fixture.lobby
    room.entries = []
    room.say("ko", text, at: Fixture.time(9, 0))
    var view = ViewState()
    change(&view)
    return Fixture.screen(room, view).grid(width: width, height: 12)
  }

  /// The cells of a link, read from the screen.
  private static func shown(_ grid: Grid, _ link: GridLink) -> String {
    link.columns.map { grid[row: link.row, column: $0].text }.joined()
  }

  @Test func theCellsOfALinkLeadToIt() {
    let grid = Self.grid("see https://a.example/1, and https://b.example/2.")
    #expect(
      grid.links.map { Self.shown(grid, $0) } == ["https://a.example/1", "https://b.example/2"])
    #expect(grid.links.map(\.target.uri) == ["https://a.example/1", "https://b.example/2"])
    #expect(Set(grid.links.map(\.target.id)).count == 2)
  }

  @Test(arguments: [20, 30, 40, 60, 80]) func theRowsOfAWrappedLinkHoldTogether(width: Int) {
    let link = "https://a.example/" + String(repeating: "path/", count: 20)
    let grid = Self.grid("look: \(link) ok", width: width)
    #expect(grid.links.count > 1)
    #expect(grid.links.map { Self.shown(grid, $0) }.joined() == link)
    #expect(Set(grid.links.map(\.target)).count == 1)
  }

  @Test func aMentionHasItsLinksTooAndASpoilerHidesThem() {
    #expect(Self.grid("you: https://a.example/1").links.count == 1)
    #expect(Self.grid("||https://a.example/1||").links.isEmpty)
  }

  @Test func whatIsDrawnOverALinkLeadsNowhere() {
    let grid = Self.grid("see https://a.example/1") { $0.overlay = .help(topic: nil, scroll: 0) }
    #expect(grid.links.isEmpty)
    let beside = Self.grid("see https://a.example/1") { view in
      view.completion = Completion(
        [Candidate("a", label: "a"), Candidate("b", label: "b")], in: view.editor, range: 0..<0,
        backward: false)
    }
    for link in beside.links {
      #expect("https://a.example/1".contains(Self.shown(beside, link)))
    }
  }
}
