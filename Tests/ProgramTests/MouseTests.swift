import Channel
import Room
import Screen
import Testing

@testable import Program

/// What clicks do in the chat.
@Suite struct MouseTests {
  /// Presses the mouse over the first place where the text is drawn.
  private func click(_ desk: inout Desk, on text: String) {
    for (row, line) in desk.rows.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      let before = line[..<range.lowerBound]
      desk.press(.click(row: row, column: before.count))
      return
    }
    Issue.record("“\(text)” is not on the screen:\n\(desk.screen)")
  }

  private func desk(width: Int = 120, height: Int = 24, messages: Int = 9) -> Desk {
    var desk = Desk(width: width, height: height)
    desk.advance(by: .seconds(3))
    desk.openBehind(room: "dev")
    desk.advance(by: .seconds(3))
    for number in 0..<messages { desk.say("message \(number)", in: "lobby") }
    return desk
  }

  @Test func aClickOnAMessageChoosesItAndEscapeLeavesIt() {
    var desk = desk()
    click(&desk, on: "message 4")
    #expect(desk.rows.contains { $0.contains("▸") && $0.contains("message 4") }, "\(desk.screen)")
    click(&desk, on: "message 6")
    #expect(desk.rows.contains { $0.contains("▸") && $0.contains("message 6") })
    desk.press(.character("q"))
    #expect(desk.input == "> message 6\n")
  }

  @Test func aClickOnARoomShowsIt() {
    var desk = desk()
    desk.write("draft")
    click(&desk, on: "#dev")
    #expect(desk.room == "dev")
    click(&desk, on: "#lobby")
    #expect(desk.room == "lobby" && desk.input == "draft")
    // Below the list there is nothing.
    desk.press(.click(row: 20, column: 3))
    #expect(desk.room == "lobby")
  }

  @Test(arguments: [80, 120]) func aClickPutsTheCaret(width: Int) {
    var desk = desk(width: width)
    desk.write("one two")
    click(&desk, on: "two")
    desk.write("x")
    #expect(desk.input == "one xtwo")
  }

  @Test func theWheelScrollsAndAClickOnTheRuleComesBack() {
    var desk = desk()
    for number in 0..<90 { desk.say("more \(number)", in: "lobby") }
    desk.press(.wheelUp, .wheelUp, .wheelUp, .wheelUp)
    #expect(desk.shows("below"))
    click(&desk, on: "═══")
    #expect(!desk.shows("below"))
  }

  @Test func theClickThatBringsTheTerminalToTheFrontDoesNothingElse() {
    var desk = desk()
    desk.press(.focusOut, .focusIn)
    click(&desk, on: "message 4")
    #expect(!desk.rows.contains { $0.contains("▸") && $0.contains("message 4") })
    desk.advance(by: .seconds(1))
    click(&desk, on: "message 4")
    #expect(desk.rows.contains { $0.contains("▸") && $0.contains("message 4") })
  }

  @Test func aCandidateIsTakenByAClick() {
    var desk = desk()
    desk.write("/s")
    desk.press(.tab)
    click(&desk, on: "/search")
    #expect(desk.input.hasPrefix("/search"))
  }

  @Test(arguments: [(80, 24), (60, 15), (99, 30)])
  func aRoomOfTheStatusLineIsGoneToAndTheStateShowsTheLine(width: Int, height: Int) {
    var desk = desk(width: width, height: height, messages: 0)
    desk.say("news", in: "dev")
    click(&desk, on: "2 #dev")
    #expect(desk.room == "dev", "\(desk.screen)")
    click(&desk, on: "1 #lobby")
    #expect(desk.room == "lobby")
    // Between them there is nothing.
    click(&desk, on: " │ 1 #lobby")
    #expect(desk.room == "lobby" && !desk.shows("Connection ─"))
    click(&desk, on: "● online")
    #expect(desk.shows("Connection ─"), "\(desk.screen)")
    // It is seen on the page too, and leads back.
    click(&desk, on: "● online")
    #expect(!desk.shows("Connection ─"))
    click(&desk, on: "● online")
    click(&desk, on: "2 #dev")
    #expect(desk.room == "dev" && !desk.shows("Connection ─"), "\(desk.screen)")
  }

  @Test(arguments: [(40, 10), (200, 50), (20, 4), (10, 3)])
  func theStateShowsTheLineWhereNoRoomIsBesideIt(width: Int, height: Int) {
    var desk = Desk(width: width, height: height)
    desk.advance(by: .seconds(3))
    click(&desk, on: "●")
    #expect(!desk.shows("●") || desk.shows("Connection") || desk.shows("──"), "\(desk.screen)")
    desk.press(.escape)
    #expect(!desk.shows("Connection ─"))
  }

  @Test(arguments: [(40, 10), (200, 50)])
  func messagesAndTheCaretAreFoundAtEverySize(width: Int, height: Int) {
    var desk = Desk(width: width, height: height)
    desk.advance(by: .seconds(3))
    for number in 0..<9 { desk.say("message \(number)", in: "lobby") }
    click(&desk, on: "message 7")
    #expect(
      desk.rows.contains { $0.contains("▸") && $0.contains("message 7") }, "\(desk.screen)")
    desk.press(.escape)
    desk.write("one two")
    click(&desk, on: "two")
    desk.write("x")
    #expect(desk.input == "one xtwo")
    for number in 0..<90 { desk.say("more \(number)", in: "lobby") }
    desk.press(.wheelUp, .wheelUp, .wheelUp, .wheelUp)
    // Where there is no rule, the word about the place leads back.
    let word = height < 16 ? "↑" : "═══"
    #expect(desk.shows(word), "\(desk.screen)")
    click(&desk, on: word)
    #expect(!desk.shows(word) && desk.shows("more 89"), "\(desk.screen)")
  }

  @Test func aClickOnTheStateLeavesTheThemesAlone() {
    var desk = desk()
    let themes = ["apple", "banana"].map { Theme(name: $0, styles: [:], nickColors: []) }
    desk.run(.window(nil, .themesListed(themes)))
    click(&desk, on: "● online")
    #expect(desk.shows("▸ apple"), "\(desk.screen)")
  }

  @Test(arguments: [(120, 24), (40, 10), (200, 50)])
  func clicksAnywhereHurtNobody(width: Int, height: Int) {
    var desk = desk(width: width, height: height, messages: 0)
    for key: Key in [.function(1), .function(2), .function(3), .alt("s"), .control("f"), .escape] {
      desk.press(key)
      for row in stride(from: -1, through: height + 1, by: 1) {
        for column in [-1, 0, 25, 60, width - 1, 4_000] {
          desk.press(.click(row: row, column: column))
        }
      }
    }
    #expect(desk.quits.isEmpty)
  }
}

/// What a room tells of while nobody looks.
@Suite struct RoomNoticeTests {
  private func away() -> Desk {
    var desk = Desk(memories: [:])
    desk.advance(by: .seconds(3))
    return desk
  }

  private func kept(_ desk: Desk) -> [RoomNotice] {
    desk.records.compactMap { if case .notice(let notice, _) = $0.record { notice } else { nil } }
  }

  @Test func aMutedRoomStaysMutedOverRuns() {
    var desk = away()
    desk.enter("/mute")
    #expect(kept(desk) == [.never])
    desk.enter("/mute")
    #expect(kept(desk) == [.never])
    var memory = RoomMemory()
    memory.notice = .never
    var later = Desk(memories: ["a.example lobby": memory])
    later.advance(by: .seconds(3))
    later.press(.focusOut)
    later.say("ada?", in: "lobby")
    #expect(later.bells == 0)
    later.enter("/notify")
    #expect(later.shows("#lobby is muted: no bell"))
    later.press(.focusOut)
    later.enter("/unmute")
    #expect(kept(later) == [.usual])
    later.press(.focusOut)
    later.say("ada?", in: "lobby")
    #expect(later.bells == 1)
  }

  @Test func aRoomMayTellOfAllOrOfMentionsOnly() {
    var desk = away()
    desk.enter("/notify all")
    desk.press(.focusOut)
    desk.say("anything", in: "lobby")
    #expect(desk.bells == 1)
    desk.enter("/notify mention")
    desk.press(.focusOut)
    desk.advance(by: .seconds(10))
    desk.say("anything else", in: "lobby")
    #expect(desk.bells == 1)
    desk.enter("/notify loud")
    #expect(desk.shows("/notify knows all, mention, never and default, not “loud”."))
  }
}

/// What several rooms say without a screen.
@Suite struct PlainRoomsTests {
  @Test func linesOfSeveralRoomsCarryTheirNames() {
    var desk = Desk()
    desk.advance(by: .seconds(3))
    var transcripts = PlainTranscripts(first: desk.workspace.firstWindow)
    func news(_ desk: inout Desk) -> [String] {
      transcripts.changed(Set(desk.workspace.ids))
      return transcripts.lines(
        of: &desk.workspace,
        clock: Clock(now: .init(desk.now), wall: desk.wall, offset: { _ in 0 }))
    }
    #expect(news(&desk).first == "* you are in #lobby")
    desk.say("hello", in: "lobby")
    #expect(news(&desk).last?.hasSuffix(" mira: hello") == true)
    desk.enter("/join dev")
    desk.advance(by: .seconds(3))
    let joined = news(&desk)
    #expect(joined.first == "* you are in #dev now", "\(joined)")
    #expect(joined.dropFirst().allSatisfy { $0.hasPrefix("#dev * ") || $0.hasPrefix("#lobby * ") })
    desk.say("two\nlines", in: "lobby")
    desk.say("here", in: "dev")
    let both = news(&desk)
    #expect(both.contains { $0.hasPrefix("#lobby ") && $0.hasSuffix(" mira: two") }, "\(both)")
    #expect(both.contains("  lines"))
    #expect(both.contains { $0.hasPrefix("#dev ") && $0.hasSuffix(" mira: here") })
    desk.enter("/window lobby")
    #expect(news(&desk) == ["* you are in #lobby now"])
    desk.enter("/list")
    let list = news(&desk)
    #expect(list.count == 2 && list.allSatisfy { $0.hasPrefix("#lobby * ") }, "\(list)")
    desk.enter("/window dev")
    #expect(news(&desk) == ["* you are in #dev now"])
    desk.enter("/part")
    #expect(news(&desk).first == "* you are in #lobby now")
    desk.say("alone", in: "lobby")
    #expect(news(&desk).first?.hasPrefix("00:") == true)
  }
}
