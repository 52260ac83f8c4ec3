import Channel
import Room
import TestKit
import Testing
import Text
import WebSocket

@testable import Screen

/// The windows and the members beside the chat, and the windows in the status line where there is no room beside it.
@Suite struct PanelTests {
  static let sizes = [(40, 10), (80, 24), (100, 24), (130, 30), (200, 50)]

  @Test(arguments: sizes) func panelsLookAsRecorded(width: Int, height: Int) {
    let grid = Self.grid(Self.windows, width: width, height: height)
    #expect(grid.width == width && grid.height == height)
    #expect(brokenPromise(of: grid) == nil)
    #expect(
      Golden.difference(Golden.text(of: grid, styles: width == 130), "panels-\(width)x\(height)")
        == nil)
  }

  @Test(arguments: [(80, 24), (100, 24), (130, 30)])
  func windowsOfSeveralServersStandUnderTheirNames(width: Int, height: Int) {
    var tags = Self.windows
    for index in tags.indices { tags[index].server = index < 2 ? "chat.example" : "127.0.0.1:9001" }
    let grid = Self.grid(tags, width: width, height: height)
    #expect(brokenPromise(of: grid) == nil)
    #expect(Golden.difference(Golden.text(of: grid), "servers-\(width)x\(height)") == nil)
  }

  /// Report 56 of the research.
  @Test(arguments: [(80, 24), (100, 24)])
  func ofEightHundredWindowsThoseAreMadeThatAreSeen(width: Int, height: Int) {
    var made: Set<Int> = []
    let list = WindowList(count: 800, current: 400, active: [7, 790]) { index in
      made.insert(index)
      return WindowTag(
        number: index + 1, room: "room\(index + 1)", connection: Fixture.online,
        unread: index == 7 || index == 790 ? 1 : 0)
    }
    let grid = Self.grid(list, width: width, height: height)
    #expect(made.count <= 60)
    #expect(grid.text.contains("401"))
    #expect(grid.text.contains(width < 100 ? "8 #room8 +1" : "more"))
    #expect(Golden.difference(Golden.text(of: grid), "many-\(width)x\(height)") == nil)
  }

  @Test func aPanelIsThereWhereItFitsAndIsWanted() {
    func layout(_ width: Int, windows: Int = 3, _ change: (inout Settings) -> Void = { _ in })
      -> (rooms: Bool, members: Bool)
    {
      var settings = Settings()
      change(&settings)
      let layout = PanelLayout(
        width: width, windows: windows, knowsMembers: true, settings: settings)
      return (layout.rooms > 0, layout.members > 0)
    }
    #expect(layout(99) == (false, false))
    #expect(layout(100) == (true, false))
    #expect(layout(129) == (true, false))
    #expect(layout(130) == (true, true))
    #expect(layout(200, windows: 1) == (false, true))
    #expect(layout(200) { $0.showsRooms = false } == (false, true))
    #expect(layout(200) { $0.showsMembers = false } == (true, false))
  }

  @Test func everySizeKeepsThePromisesOfAGrid() {
    for width in [1, 2, 19, 20, 59, 60, 99, 100, 101, 129, 130, 131, 300] {
      for height in [1, 2, 3, 4, 7, 24] {
        let grid = Self.grid(Self.windows, width: width, height: height)
        #expect(brokenPromise(of: grid) == nil, "\(width)x\(height)")
        #expect(grid.width == width && grid.height == height)
      }
    }
  }

  @Test func hostileNamesStayInTheirPanel() {
    var tags = Self.windows
    tags[1].room = "\u{202E}evil\u{1B}[31m" + String(repeating: "長", count: 60)
    tags[2].room = String(repeating: "e\u{301}\u{302}\u{303}", count: 64)
    let grid = Self.grid(tags, width: 130, height: 30)
    #expect(brokenPromise(of: grid) == nil)
    #expect(!grid.text.contains("\u{202E}") && !grid.text.contains("\u{1B}"))
    for row in 0..<grid.height { #expect(grid[row: row, column: 26].text == "│") }
  }

  @Test(arguments: [
    (["ko"], "ko is typing…"), (["ko", "mira"], "ko and mira are typing…"),
    (["ko", "mira", "sana"], "ko, mira and 1 other are typing…"),
    (["a", "b", "c", "d"], "a, b and 2 others are typing…"),
  ])
  func whoIsWritingStandsInTheTitle(names: [String], words: String) {
    var room = Fixture.lobby
    for name in names {
      _ = room.handle(
        .channel(.typing(UntrustedText(name))), at: Instant(), wall: Fixture.time(9, 22)
      ) { "" }
    }
    let title = Fixture.screen(room).grid(width: 80, height: 24).text.prefix { $0 != "\n" }
    #expect(title.hasSuffix(words), "\(title)")
    let narrow = Fixture.screen(room).grid(width: 40, height: 10)
    #expect(brokenPromise(of: narrow) == nil && narrow.text.contains("typing…"))
  }

  // MARK: - What is drawn

  static var windows: [WindowTag] {
    let failure = Failure(kind: .timeout, message: "No pong.", short: "no pong 30 s")
    return [
      WindowTag(number: 1, room: "lobby", connection: Fixture.online),
      WindowTag(number: 2, room: "dev", connection: Fixture.online, unread: 3),
      WindowTag(number: 3, room: "ko", connection: Fixture.online, unread: 4, mentions: 1),
      WindowTag(
        number: 4, room: "dépannage-générale", unread: 1_200,
        connection: .connecting(
          .init(attempt: 2, phase: .waiting(until: Instant(.seconds(1_008))), lastFailure: failure))
      ),
      WindowTag(
        number: 5, room: "ops", connection: .offline(.refused(failure)), unread: 7, isMuted: true),
      WindowTag(number: 6, room: "日本語", connection: .offline(.stopped), hasDraft: true),
    ]
  }

  static func grid(_ tags: [WindowTag], width: Int, height: Int) -> Grid {
    let list = WindowList(
      count: tags.count, current: 0, active: tags.indices.filter { tags[$0].unread > 0 }
    ) { tags[$0] }
    return grid(list, width: width, height: height)
  }

  static func grid(_ list: WindowList, width: Int, height: Int) -> Grid {
    var room = Fixture.lobby
    for number in 1...40 { room.members.append(UntrustedText("guest\(number)")) }
    let panels = PanelLayout(
      width: width, windows: list.count, knowsMembers: true, settings: Settings())
    var screen = Fixture.screen(room)
    screen.windows = list
    screen.panels = panels
    return screen.grid(width: width - panels.columns, height: height)
  }
}

extension WindowTag {
  fileprivate init(number: Int, room: String, unread: Int, connection: SessionState) {
    self.init(number: number, room: room, connection: connection, unread: unread)
  }
}
