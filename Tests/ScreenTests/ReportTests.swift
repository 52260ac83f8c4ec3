import Channel
import Room
import Synchronization
import TestKit
import Testing
import Text

@testable import Screen

/// Public reports on other programs (research/terminal-chat.md, section 3), each as a test under its number.
@Suite struct ReportTests {
  private static func room(_ messages: [(String, String)]) -> RoomModel {
    var room = RoomModel(room: "lobby", nick: "you", server: "wss://chat.example/")
    room.connection = Fixture.online
    for (author, text) in messages { room.say(author, text, at: Fixture.time(9, 0)) }
    return room
  }

  private static func grid(
    _ messages: [(String, String)], width: Int = 80, height: Int = 24, view: ViewState = ViewState()
  ) -> Grid {
    Fixture.screen(room(messages), view).grid(width: width, height: height)
  }

  private func row(_ grid: Grid, holding text: String) -> String? {
    grid.text.split(separator: "\n").first { $0.contains(text) }.map(String.init)
  }

  @Test("report 1: wide emoji in a pane of one column end in stand-ins", arguments: 1...24)
  func report1(width: Int) {
    let grid = Self.grid([("a", "👉👉👉")], width: width, height: 10)
    #expect(brokenPromise(of: grid) == nil)
  }

  @Test("report 2: wrapping a wide character ends at every width", arguments: 1...5)
  func report2(width: Int) {
    #expect(wrap("女", width: width).rows == ["女"])
    #expect(wrap("女女", width: width).rows.joined() == "女女")
  }

  @Test(
    "report 3: an emoji at the edge moves whole to the next row", arguments: [31, 33, 41, 79, 81])
  func report3(width: Int) {
    let grid = Self.grid([("a", String(repeating: "🤭", count: 40))], width: width, height: 20)
    #expect(brokenPromise(of: grid) == nil)
    #expect(grid.text.count { $0 == "🤭" } == 40)
  }

  @Test(
    "reports 4 and 5: a bracket stands right behind an emoji of several code points",
    arguments: [
      ("[😮\u{200D}💨]", "[😮]"), ("[🤷🏿\u{200D}♂\u{FE0F}]", "[🤷]"), ("[👩\u{200D}👩\u{200D}👧]", "[👩]"),
    ])
  func reports4And5(text: String, shown: String) {
    let grid = Self.grid([("a", text)])
    #expect(row(grid, holding: shown) != nil, "\(grid.text)")
    #expect(brokenPromise(of: grid) == nil)
  }

  @Test("report 7: what terminals draw in two widths is drawn in one of them")
  func report7() {
    let grid = Self.grid([("a", "♻\u{FE0F}♻\u{FE0F}ab")])
    #expect(row(grid, holding: "♻♻ab") != nil)
    #expect(!grid.cells.contains { $0.text.unicodeScalars.contains("\u{FE0F}") })
  }

  @Test("report 8: a flag is never cut, and the border stays", arguments: 16...40)
  func report8(width: Int) {
    let grid = Self.grid([("a", "🇦🇺🇻🇳🇦🇺🇻🇳🇦🇺🇻🇳")], width: width, height: 12)
    #expect(brokenPromise(of: grid) == nil)
    #expect(grid.cells.count { $0.text == "🇦🇺" } == 3 && grid.cells.count { $0.text == "🇻🇳" } == 3)
  }

  @Test("report 10: characters without width hide nothing")
  func report10() {
    let grid = Self.grid([("a", "one \u{200B} two \u{200B}\u{200B}\u{FEFF} three")])
    #expect(row(grid, holding: "one  two  three") != nil, "\(grid.text)")
  }

  @Test("report 11: a combining mark in an empty input is seen, and keys go on to work")
  func report11() {
    var view = ViewState()
    _ = view.editor.handle(.character("\u{301}"))
    let grid = Self.grid([], view: view)
    #expect(row(grid, holding: "you> ◌\u{301}") != nil, "\(grid.text)")
    _ = view.editor.handle(.control("u"))
    #expect(view.editor.isEmpty)
    _ = view.editor.handle(.character("x"))
    #expect(row(Self.grid([], view: view), holding: "you> x") != nil)
  }

  @Test(
    "report 12: an emoji that is newer than the tables has a stand-in",
    arguments: ["\u{1FAE8}", "\u{1FADD}", "\u{1CCFA}"])
  func report12(text: String) {
    let found = clusters(of: UntrustedText(text).safe(for: .block))
    #expect(found.count == 1 && [1, 2].contains(found[0].width) && !found[0].text.isEmpty)
  }

  @Test("report 13: a tab becomes blanks up to a stop", arguments: ["", "x", "1234567", "日本"])
  func report13(before: String) {
    let safe = UntrustedText(before + "\tb").safe(for: .block)
    #expect(!safe.contains("\t") && columns(of: safe) % 8 == 1)
    #expect(brokenPromise(of: Self.grid([("a", before + "\tb")], width: 30)) == nil)
  }

  /// Counted in what the wrapping looks at: every unit once, and a row that does not fit once more.
  @Test("report 14: a word of 80 000 letters is laid out in linear time and folded")
  func report14() {
    let word = String(repeating: "x", count: 80_000)
    #expect(wrap(word, width: 60).rows.count == 1_334)
    let grid = Self.grid([("a", word)], height: 60)
    #expect(row(grid, holding: "over 264 more rows (M-s a shows all)") != nil, "\(grid.text)")
    var view = ViewState()
    view.shown = [0]
    #expect(row(Self.grid([("a", word)], height: 60, view: view), holding: "more rows") == nil)
  }

  @Test("report 15: a cut goes by clusters and columns", arguments: 0...12)
  func report15(width: Int) {
    let cut = cut("—日本語—", to: width)
    #expect(columns(of: cut) <= width)
    #expect(brokenPromise(of: Self.grid([("—日本語—", "x")], width: max(1, width), height: 8)) == nil)
  }

  @Test("report 16: nicks of any width end in one column")
  func report16() {
    let grid = Self.grid([("苺ましまろ", "one"), ("bob", "two")])
    let bars = (0..<grid.height).compactMap { row in
      (0..<grid.width).first { grid[row: row, column: $0].text == "│" }
    }
    #expect(bars.count >= 2 && Set(bars.prefix(2)).count == 1)
  }

  private static let sinks: [Sink] = [.line, .block, .nick, .title, .plainOutput, .log]

  @Test(
    "reports 17, 18, 19: no sink lets a message drive the terminal",
    arguments: [
      "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{9B}2J", "\u{1B}[?1003h", "a\u{8}\u{8}b\rc",
      "\u{90}q\u{9C}",
    ])
  func reports17To19(text: String) {
    for sink in Self.sinks {
      let safe = UntrustedText(text).safe(for: sink)
      let isClean = safe.unicodeScalars.allSatisfy {
        ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)) || $0 == "\n"
      }
      #expect(isClean, "\(sink)")
    }
  }

  @Test("report 20: no override of direction reaches the screen")
  func report20() {
    let grid = Self.grid([("\u{202E}bob", "ok \u{202E}gnp.exe \u{2067}x\u{2069}")])
    let directions: ClosedRange<UInt32> = 0x202A...0x202E
    #expect(
      !grid.text.unicodeScalars.contains {
        directions.contains($0.value) || (0x2066...0x2069).contains($0.value)
      })
    #expect(
      row(grid, holding: "09:00  bob │ ok gnp.exe x") != nil
        || row(grid, holding: "bob │ ok gnp.exe x") != nil)
  }

  @Test("report 21: Chinese text is drawn as it is, without anything between")
  func report21() {
    #expect(row(Self.grid([("a", "你好")]), holding: "你好") != nil)
  }

  /// There is no format of the time that could be long; what can be odd is the time itself.
  @Test(
    "report 24: no time overflows its column",
    arguments: [Int64.min, -62_135_596_800_001, 0, 253_402_300_800_000, .max])
  func report24(milliseconds: Int64) {
    for width in [20, 40, 60, 80] {
      var room = Self.room([])
      room.say("ko", "hello", at: Timestamp(milliseconds: milliseconds))
      let grid = Fixture.screen(room).grid(width: width, height: 10)
      #expect(brokenPromise(of: grid) == nil)
      let shown = row(grid, holding: width < 60 ? "ko " : "ko │ hello")
      #expect(shown?.contains(/\d\d:\d\d/) == true, "\(grid.text)")
    }
  }

  @Test(
    "report 48: another width keeps the place of reading", arguments: [1, 10, 39, 40, 60, 132, 300])
  func report48(width: Int) {
    let room = Fixture.busy
    var view = ViewState()
    for _ in 0..<3 {
      view.scroll(byRows: view.pageRows(width: 80, height: 24), in: room, width: 80, height: 24)
    }
    let anchor = view.anchor
    _ = Fixture.screen(room, view).grid(width: width, height: 24)
    view.scroll(byRows: 0, in: room, width: width, height: 24)
    #expect(anchor != nil && view.anchor == anchor)
  }

  @Test("report 49: a new message does not move the view, and is told")
  func report49() {
    var room = Fixture.busy
    var view = ViewState()
    view.markRead(in: room)
    view.scroll(byRows: 20, in: room, width: 80, height: 24)
    let before = ScrollTests.rows(room, view, height: 24)
    room.say("ko", "hi", at: Fixture.time(9, 0))
    view.markRead(in: room)
    let after = ScrollTests.rows(room, view, height: 24)
    #expect(before[1..<15] == after[1..<15])
    #expect(after.contains { $0.contains("1 new") && $0.contains("M-> end") })
  }

  @Test("report 52: the rule of what is new stands by a message, however many notices come between")
  func report52() {
    var room = Fixture.busy
    var view = ViewState()
    view.markRead(in: room)
    view.isFocused = false
    view.markRead(in: room)
    for number in 0..<30 { room.note("visitor \(number) joined", at: Fixture.time(9, 0)) }
    for number in 1...3 { room.say("ko", "unread \(number)", at: Fixture.time(9, 1)) }
    view.markRead(in: room)
    let rows = ScrollTests.rows(room, view, height: 24)
    let rule = rows.firstIndex { $0.contains("3 new") }
    #expect(rule.map { rows[$0 + 1].hasSuffix("unread 1") } == true, "\(rows)")
  }

  @Test("report 53: neither an own message nor one that is seen makes a rule")
  func report53() {
    var room = Fixture.busy
    var view = ViewState()
    view.markRead(in: room)
    room.say("you", "my own", at: Fixture.time(9, 0))
    view.markRead(in: room)
    room.say("ko", "seen at once", at: Fixture.time(9, 0))
    view.markRead(in: room)
    #expect(!ScrollTests.rows(room, view, height: 24).contains { $0.contains(" new ─") })
  }

  @Test(
    "report 55: a name is mentioned as a word only",
    arguments: [
      ("kaffeekanne", false), ("Kaffee!", true), ("entkaffeeiniert", false), ("KAFFEE kommt", true),
    ])
  func report55(text: String, isMention: Bool) {
    let message = ChatMessage(id: "1", author: UntrustedText("a"), text: UntrustedText(text))
    #expect(RoomModel(room: "l", nick: "kaffee", server: "").mentionsMe(message) == isMention)
  }

  /// How many entries a frame looks at: each asks once or twice for its time.
  private func cost(of room: RoomModel, _ view: ViewState = ViewState(), height: Int = 24) -> Int {
    let calls = Mutex(0)
    let clock = Clock(now: Fixture.clock.now, wall: Fixture.clock.wall) { _ in
      calls.withLock { $0 += 1 }
      return 0
    }
    _ = render(room, view, theme: .fallback, clock: clock, width: 80, height: height)
    return calls.withLock { $0 }
  }

  @Test("report 56: a frame costs the same with 40 and with a million rows above it")
  func report56() {
    func room(_ count: Int) -> RoomModel {
      var room = RoomModel(
        room: "lobby", nick: "you", server: "", bounds: Timeline.Bounds(entries: 2_000_000))
      let messages = (0..<count).map { number in
        ChatMessage(
          id: "m\(number)", author: UntrustedText("ko"), text: UntrustedText("message"),
          time: Fixture.time(9, 0))
      }
      _ = room.handle(
        .channel(.messages(messages, .live)), at: Instant(), wall: Fixture.time(9, 0)
      ) { "" }
      return room
    }
    let few = room(40)
    let many = room(1_000_000)
    #expect(many.entries.count == 1_000_000)
    #expect(cost(of: few) == cost(of: many))
    #expect(cost(of: many) < 60)
    var view = ViewState()
    view.scroll(byRows: 100_000, in: many, width: 80, height: 24)
    let scrolled = cost(of: many, view)
    #expect(scrolled < 120)
    view.found = TextFinder(words: ["message"]).map { FoundText(finder: $0) }
    #expect(cost(of: many, view) == scrolled)
  }
}
