import Channel
import Program
import Screen
import Testing
import Text
import WebSocket

@Suite struct KeyTests {
  private func online() -> Conversation {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    return talk
  }

  @Test func controlCClearsTheTextFirst() {
    var talk = online()
    talk.write("half a thought")
    talk.press(.control("c"))
    #expect(!talk.shows("half a thought"))
    #expect(!talk.shows("Ctrl-C again"))
  }

  @Test func twoControlCWithinTwoSecondsLeave() {
    var talk = online()
    talk.press(.control("c"))
    #expect(talk.shows("Ctrl-C again or /quit to leave."))
    talk.now += .seconds(2)
    talk.press(.control("c"))
    #expect(talk.quits == [0])
    // After that nothing happens any more.
    talk.enter("hello?")
    #expect(!talk.shows("hello?"))
  }

  @Test func aLateSecondControlCAsksAgain() {
    var talk = online()
    talk.press(.control("c"))
    talk.now += .milliseconds(2_001)
    talk.press(.control("c"))
    #expect(talk.quits.isEmpty)
    talk.write("x")
    talk.press(.backspace, .control("c"))
    #expect(talk.quits.isEmpty)
    talk.press(.control("c"))
    #expect(talk.quits == [0])
  }

  @Test func controlDLeavesOnlyFromAnEmptyLine() {
    var talk = online()
    talk.write("ab")
    talk.press(.left, .control("d"))
    #expect(talk.quits.isEmpty)
    #expect(talk.shows("ada> a"))
    talk.press(.control("c"), .control("d"))
    #expect(talk.quits == [0])
  }

  @Test func leavingWithPostsThatWaitIsAskedFor() {
    var talk = online()
    talk.isServerUp = false
    talk.enter("not yet there")
    talk.press(.control("d"))
    #expect(talk.quits.isEmpty)
    #expect(talk.shows("1 message is not known to have arrived and would be lost"))
    talk.press(.control("d"))
    #expect(talk.quits == [0])
  }

  @Test func theLineIsClosedInOrderOnLeaving() {
    var talk = online()
    let effects = talk.effects { $0.enter("/quit") }
    guard case .write(_, let bytes)? = effects.dropLast().last else {
      Issue.record("nothing was written before quitting")
      return
    }
    // FIN and opcode 8, masked, two bytes of payload (RFC 6455 section 5.5.1).
    #expect(Array(bytes.prefix(2)) == [0x88, 0x82])
    #expect(effects.last == .quit(exitCode: 0))
  }

  @Test func keysForTheTerminalAreHandedOn() {
    var talk = online()
    talk.press(.control("l"), .control("z"))
    #expect(talk.others == [.repaint, .suspend])
  }

  @Test func theHelpLiesOverTheRoomUntilItIsLeft() {
    for leaving: Key in [.character("q"), .escape, .enter, .function(1), .control("c")] {
      var talk = online()
      talk.say("a message of the room")
      talk.press(.function(1))
      #expect(talk.shows("Help"))
      #expect(!talk.shows("a message of the room"))
      talk.press(.character("x"), .paste("y"), .down, .pageDown, .pageUp, .up)
      talk.press(leaving)
      #expect(talk.shows("a message of the room"))
      #expect(talk.rows.contains("ada>"))
      #expect(talk.quits.isEmpty)
    }
  }

  @Test func theHelpScrollsToItsEndAndNoFurther() {
    var talk = online()
    talk.resize(40, 10)
    talk.enter("/help")
    let first = talk.screen
    talk.press(.down)
    let second = talk.screen
    #expect(second != first)
    talk.press(.end)
    let last = talk.screen
    talk.press(.pageDown, .down)
    #expect(talk.screen == last)
    talk.press(.up)
    #expect(talk.screen != last)
    talk.press(.home)
    #expect(talk.screen == first)
  }

  @Test func aPageUpHoldsTheViewWhileMessagesCome() {
    var talk = online()
    for number in 0..<100 { talk.say("message \(number)") }
    talk.press(.pageUp)
    #expect(talk.shows("below"))
    let top = talk.rows[1...8]
    talk.say("something new")
    #expect(talk.rows[1...8] == top)
    #expect(talk.titles.last == "#lobby (1) - parlour")
    talk.press(.alt(">"))
    #expect(talk.row("something new") != nil)
    #expect(talk.titles.last == "#lobby - parlour")
    talk.press(.alt("<"))
    #expect(talk.shows("message 0"))
    talk.press(.pageDown, .wheelDown, .wheelUp)
    #expect(!talk.shows("message 99 "))
  }

  @Test func whoWritesSeesTheEnd() {
    var talk = online()
    for number in 0..<100 { talk.say("message \(number)") }
    talk.press(.pageUp, .pageUp)
    talk.enter("answer")
    #expect(talk.row("answer") != nil)
    #expect(!talk.shows("below"))
  }

  @Test func theTitleCountsWhileNobodyLooks() {
    var talk = online()
    #expect(talk.titles == ["#lobby - parlour"])
    talk.say("seen")
    talk.press(.focusOut)
    talk.say("one")
    talk.say("two")
    talk.press(.focusIn)
    #expect(
      talk.titles == [
        "#lobby - parlour", "#lobby (1) - parlour", "#lobby (2) - parlour", "#lobby - parlour",
      ])
  }

  @Test func aTitleHoldsNothingATerminalObeys() {
    var talk = online()
    talk.run(.notice(UntrustedText("x"), isError: false))
    let title = Conversation("graphql-transport-ws") {
      $0.context.room = "a\u{1B}]0;x\u{7}\u{202E}b"
    }
    .titles.last
    #expect(title == "#a␛]0;x␇b - parlour")
  }

  @Test func theBellRingsForAMentionThatMayBeOverlooked() {
    var talk = online()
    talk.say("ada: a terminal without focus events always rings")
    #expect(talk.bells == 1)
    talk.press(.focusIn)
    talk.say("ada: seen")
    #expect(talk.bells == 1)
    talk.press(.focusOut)
    talk.say("no name")
    talk.say("ada: not seen")
    #expect(talk.bells == 2)
    talk.press(.focusIn)
    for number in 0..<100 { talk.say("message \(number)") }
    talk.press(.pageUp)
    talk.say("ada: below")
    #expect(talk.bells == 3)
  }

  @Test func aThemeIsAskedForAndTaken() {
    var talk = online()
    talk.enter("/theme gruvbox-dark")
    talk.enter("/theme")
    talk.enter("/theme ../../etc/passwd")
    #expect(talk.others == [.loadTheme("gruvbox-dark"), .listThemes])
    #expect(talk.shows("“../../etc/passwd” cannot be the name of a theme"))
    talk.run(.themeLoaded(Theme(name: "night", styles: [:], nickColors: [])))
    #expect(talk.shows("The theme is night now; /save keeps it."))
  }

  @Test func clearEmptiesTheScreenAndNewMessagesAppear() {
    var talk = online()
    talk.say("old")
    talk.enter("/clear")
    #expect(talk.row("old") == nil)
    talk.say("fresh")
    #expect(talk.row("fresh") != nil)
    #expect(talk.row("old") == nil)
  }

  /// Nothing is deleted.
  @Test(arguments: [[Key.pageUp], [.alt("<")], []])
  func whoGoesBackBehindAClearSeesItAgain(keys: [Key]) {
    var talk = online()
    talk.say("old")
    talk.enter("/clear")
    talk.say("fresh")
    if keys.isEmpty { talk.enter("/goto 00:00") }
    for key in keys { talk.press(key) }
    #expect(talk.row("old") != nil)
    #expect(talk.row("fresh") != nil)
  }

  /// The keys of the line have their places in the table as all others do.
  @Test func aKeyWithoutItsActionDoesNothing() {
    var talk = online()
    talk.enter("/unbind ^K")
    talk.write("abc def")
    talk.press(.home, .control("k"))
    #expect(talk.rows.contains("ada> abc def"))
    talk.press(.control("u"), .control("e"), .control("u"))
    #expect(talk.rows.contains("ada>"))
  }

  @Test func tabCompletesCommandsAndNicksInTurn() {
    var talk = online()
    talk.say("hi", by: "mira")
    talk.say("ho", by: "Mirko")
    talk.write("/jo")
    talk.press(.tab)
    #expect(talk.rows.contains("ada> /join"))
    talk.press(.control("c"))
    talk.write("mi")
    talk.press(.tab)
    #expect(talk.rows.contains("ada> Mirko:"))
    talk.press(.tab)
    #expect(talk.rows.contains("ada> mira:"))
    talk.press(.backTab)
    #expect(talk.rows.contains("ada> Mirko:"))
    talk.press(.control("c"))
    talk.write("ask @mir")
    talk.press(.tab)
    #expect(talk.rows.contains("ada> ask @Mirko"))
    talk.press(.control("c"))
    talk.write("zz")
    talk.press(.tab)
    #expect(talk.rows.contains("ada> zz"))
  }

  @Test func aMessageThatIsTooLongComesBackIntoTheInput() {
    var talk = online()
    talk.press(.paste(String(repeating: "x", count: 65_537)), .enter, .enter)
    #expect(talk.shows("The message was not sent: it has 65537 bytes"))
    #expect(talk.rows.contains { $0.contains("xxxxxxxx") })
  }

  @Test(arguments: [(1, 1), (2, 2), (0, 0), (19, 3), (20, 4), (40, 10), (200, 60)])
  func anySizeCanBeDrawnAndTypedInto(width: Int, height: Int) {
    var talk = online()
    for number in 0..<50 { talk.say("message \(number) 日本語の行も折り返す") }
    talk.resize(width, height)
    talk.press(.pageUp, .wheelUp, .function(1), .down, .pageDown, .end, .escape, .pageDown)
    talk.enter("typed")
    talk.press(.alt("<"), .alt(">"), .tab)
    let grid = talk.program.grid(
      clock: Clock(now: Instant(talk.now), wall: talk.wall, offset: { _ in 0 }))
    #expect((grid.width, grid.height) == (width, height))
    talk.resize(80, 24)
    #expect(talk.row("typed") != nil)
  }
}

@Suite struct DeadlineTests {
  @Test func aCountdownTicksOnItsSeconds() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.now = .milliseconds(10_300)
    talk.isServerUp = false
    // The second attempt comes 2 s after the loss: the countdown changes at 11.3 and ends at 12.3.
    #expect(talk.program.deadline == Instant(.milliseconds(11_300)))
    talk.now = .milliseconds(10_900)
    talk.press(.character("x"))
    #expect(talk.program.deadline == Instant(.milliseconds(11_300)))
    talk.now = .milliseconds(11_300)
    talk.run(.session(.timeReached))
    #expect(talk.program.deadline == Instant(.milliseconds(12_300)))
  }

  @Test func aStageTicksOnItsSeconds() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.isServerUp = false
    talk.isStalling = true
    talk.press(.enter)
    let since = talk.now
    #expect(talk.shows("◐ connecting 1/4"))
    // The sign turns by a quarter four times a second.
    #expect(talk.program.deadline == Instant(since + .milliseconds(250)))
    talk.now = since + .milliseconds(2_600)
    talk.run(.session(.timeReached))
    #expect(talk.shows("◑ connecting 1/4"))
    #expect(talk.program.deadline == Instant(since + .milliseconds(2_750)))
    // But not beyond the limit of the attempt.
    talk.now = since + .milliseconds(9_800)
    talk.run(.session(.timeReached))
    #expect(talk.program.deadline == Instant(since + .seconds(10)))
  }

  @Test func onlineOnlyTheSessionSetsDeadlines() {
    var talk = Conversation { $0.pingInterval = .zero }
    talk.advance(by: .seconds(3))
    #expect(talk.shows("● online"))
    #expect(talk.program.deadline == nil)
  }
}
