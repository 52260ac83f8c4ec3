import Channel
import Program
import Room
import Screen
import TestKit
import Testing
import Text
import WebSocket

@Suite struct SettingCommandTests {
  @Test func aSettingIsToldChangedAndKept() {
    var talk = Conversation(width: 120)
    talk.advance(by: .seconds(1))
    talk.enter("/set hints")
    #expect(talk.shows("hints = on: a row with the most useful keys"))
    talk.enter("/set hints off")
    #expect(talk.shows("hints is off now; /save keeps it."))
    #expect(!talk.program.settings.showsHints)
    let effects = talk.effects { $0.enter("/save") }
    #expect(effects.contains(.saveSettings(talk.program.settings, names: ["hints"], keys: nil)))
    talk.program.settingsWereSaved(["hints"])
    talk.enter("/save")
    #expect(talk.shows("There is nothing to keep"))
  }

  @Test(arguments: [
    ("/set hnits off", "There is no setting “hnits”: did you mean hints?"),
    ("/set theme", "theme = terminal: the colours"),
    ("/set zzzzzz 1", "There is no setting “zzzzzz”: /set lists those there are."),
    ("/set hints maybe", "hints takes on or off, not “maybe”."),
    ("/set color 16", "color is 16 now, from the next start on; /save keeps it."),
    ("/set hints=no", "hints is off now"), ("/set theme.dark nord", "theme.dark is nord now"),
    ("/set theme.dark ../x", "theme.dark takes the name of a theme, not “../x”."),
  ])
  func whatIsEnteredIsAnswered(line: String, part: String) {
    var talk = Conversation(width: 120)
    talk.advance(by: .seconds(1))
    talk.enter(line)
    #expect(talk.shows(part), "\(talk.screen)")
  }

  @Test func allSettingsAreListedWithTheirExplanation() {
    var talk = Conversation(width: 120, height: 100)
    talk.enter("/set")
    for setting in SettingTable.all {
      #expect(talk.shows("\(setting.name) = "), "\(setting.name)")
      #expect(talk.shows(setting.summary.prefix(30) + ""), "\(setting.name)")
    }
  }

  @Test func theListIsAPageThatIsScrolledAndLeavesTheTranscriptAlone() {
    var talk = Conversation()
    talk.advance(by: .seconds(1))
    let before = talk.rows.dropLast(3)
    talk.enter("/set mouse off")
    talk.press(.control("l"))
    talk.enter("/set")
    #expect(
      talk.shows("Settings") && talk.shows("/set NAME VALUE, and /save to keep it"),
      "\(talk.screen)")
    #expect(!talk.shows("notice.tmux"))
    for _ in 0..<9 { talk.press(.pageDown) }
    #expect(talk.shows("notice.tmux = off"), "\(talk.screen)")
    talk.press(.home)
    #expect(talk.shows("hints = on"))
    talk.press(.escape)
    #expect(!talk.shows("Settings"))
    #expect(talk.rows.dropLast(3).first == before.first)
    // A part of a name lists those that begin so, and what is not as usual says so.
    talk.enter("/set notice")
    #expect(talk.shows("notice.bell = on") && !talk.shows("hints = on"), "\(talk.screen)")
    talk.press(.character("q"))
    talk.enter("/set mou")
    #expect(talk.shows("mouse = off") && talk.shows("usually on"), "\(talk.screen)")
  }

  @Test func withoutAScreenTheListIsWrittenOut() {
    var talk = Conversation()
    var transcript = PlainTranscript()
    talk.run(.entered("/set"))
    let lines = talk.program.plainLines(
      &transcript, clock: Clock(now: Instant(talk.now), wall: talk.wall, offset: { _ in 0 }))
    #expect(lines.filter { $0.contains(" = ") }.count == SettingTable.all.count)
    #expect(lines.contains { $0.hasPrefix("  mouse = on: the mouse scrolls") }, "\(lines)")
  }

  @Test func aThemeThatIsNotThereIsNoSetting() {
    var talk = Conversation()
    let effects = talk.effects { $0.enter("/set theme nord") }
    #expect(effects.contains(.loadTheme("nord")))
    #expect(talk.program.settings.theme == "")
    talk.run(.themeLoaded(Theme(name: "nord", styles: [:], nickColors: [])))
    #expect(talk.program.settings.theme == "nord")
    #expect(
      talk.effects { $0.enter("/save") }.contains(
        .saveSettings(talk.program.settings, names: ["theme"], keys: nil)))
  }
}

@Suite struct ThemePickerTests {
  private static let themes = ["apple", "banana", "cherry"].map {
    Theme(
      name: $0, styles: ["text": Style(.ansi(UInt8($0.count)), on: .standard)], nickColors: [])
  }

  private static func color(_ talk: Conversation) -> Color {
    talk.program.grid(
      clock: Clock(now: Instant(), wall: talk.wall, offset: { _ in 0 }))[row: 3, column: 0].style
      .foreground
  }

  @Test func moreIsShownAtOnceAndEscapePutsItBack() {
    var talk = Conversation()
    talk.advance(by: .seconds(1))
    #expect(talk.effects { $0.enter("/theme") }.contains(.listThemes))
    let before = Self.color(talk)
    talk.run(.themesListed(Self.themes))
    #expect(talk.shows("▸ apple") && talk.shows("Theme 1/3"))
    #expect(Self.color(talk) == .ansi(5))
    talk.press(.down)
    #expect(talk.shows("▸ banana"))
    #expect(Self.color(talk) == .ansi(6))
    talk.press(.escape)
    #expect(!talk.shows("banana"))
    #expect(Self.color(talk) == before)
    #expect(talk.program.settings.theme == "")
  }

  @Test func enterKeepsWhatIsShown() {
    var talk = Conversation()
    talk.run(.themesListed(Self.themes))
    talk.press(.character("c"), .enter)
    #expect(talk.shows("The theme is cherry now; /save keeps it."))
    #expect(talk.program.settings.theme == "cherry")
    let effects = talk.effects { $0.enter("/theme save") }
    #expect(effects.contains(.saveSettings(talk.program.settings, names: ["theme"], keys: nil)))
    #expect(talk.effects { $0.enter("/theme reset") }.contains(.loadTheme("mono")))
    #expect(talk.effects { $0.enter("/theme reload") }.contains(.loadTheme("cherry")))
    #expect(talk.effects { $0.enter("/theme check") }.contains(.checkTheme("cherry")))
  }

  @Test func theListIsDrawnAtEverySize() {
    var talk = Conversation()
    let many = (0..<100).map { Theme(name: "theme-\($0)", styles: [:], nickColors: []) }
    talk.run(.themesListed(many))
    for (width, height) in [(1, 1), (2, 3), (10, 4), (20, 5), (40, 10), (80, 24), (200, 50)] {
      talk.resize(width, height)
      talk.press(.end)
      #expect(talk.rows.count == height)
      talk.press(.home, .pageDown, .pageUp, .up)
    }
    #expect(talk.shows("▸ theme-0"))
    talk.run(.themesListed([]))
  }
}

@Suite struct PlainProgramTests {
  private static func lines(_ talk: inout Conversation, _ transcript: inout PlainTranscript)
    -> [String]
  {
    talk.program.plainLines(
      &transcript,
      clock: Clock(now: Instant(talk.now), wall: talk.wall, offset: { _ in 0 }))
  }

  @Test func theSameProgramIsToldInLines() {
    var talk = Conversation()
    var transcript = PlainTranscript()
    talk.advance(by: .seconds(1))
    talk.say("hello")
    #expect(Self.lines(&talk, &transcript).suffix(1) == ["00:00 mira: hello"])
    talk.run(.entered("hi there"))
    #expect(Self.lines(&talk, &transcript) == ["00:00 ada: hi there"])
    talk.cut()
    talk.run(.entered("later"))
    let lost = Self.lines(&talk, &transcript)
    #expect(lost.contains { $0.hasPrefix("* ! line lost") })
    #expect(lost.contains("* waits for the line: later"))
    #expect(lost.contains { $0.contains(#/^[*] attempt \d+ follows in /#) })
    #expect(talk.program.isBusy)
    talk.run(.entered(""))
    talk.advance(by: .seconds(2))
    let again = Self.lines(&talk, &transcript)
    #expect(again.contains { $0.contains("ada: later") })
    #expect(again.contains { $0.hasPrefix("* connected again") })
    #expect(!talk.program.isBusy)
    talk.run(.entered("/help nick"))
    #expect(Self.lines(&talk, &transcript).contains("  /nick NAME: be called NAME from now on"))
    #expect(Self.lines(&talk, &transcript) == [])
    talk.run(.entered("/quit"))
    #expect(talk.quits == [0])
  }

  @Test func aSpoilerIsShownByTheSameCommandAsOnTheScreen() {
    var talk = Conversation()
    var transcript = PlainTranscript()
    talk.say("it was ||the gardener||")
    talk.say("and ||the cook||")
    #expect(
      Self.lines(&talk, &transcript).last?.hasSuffix("and [spoiler: 8 characters, /reveal 2]")
        == true)
    talk.run(.entered("/reveal 1"))
    #expect(Self.lines(&talk, &transcript) == ["* spoiler 1, mira: it was ||the gardener||"])
    talk.run(.entered("/reveal"))
    #expect(Self.lines(&talk, &transcript) == ["* spoiler 2, mira: and ||the cook||"])
    #expect(Self.lines(&talk, &transcript) == [])
    var screen = Conversation()
    screen.say("it was ||the gardener||")
    #expect(screen.shows("it was ▒▒"), "\(screen.screen)")
    screen.enter("/reveal")
    #expect(screen.shows("it was ||the gardener||"), "\(screen.screen)")
    screen.enter("/reveal")
    #expect(screen.shows("No message hides anything."))
    screen.enter("/reveal 4")
    #expect(screen.shows("On the screen spoilers have no numbers"))
    screen.enter("/reveal last")
    #expect(screen.shows("/reveal takes the number"))
  }

  /// No page is drawn, and each of its lines stands by itself.
  @Test func pagesAreWrittenInWords() {
    var talk = Conversation { $0.recordsFrames = true }
    var transcript = PlainTranscript()
    talk.advance(by: .seconds(1))
    talk.say("look at https://ci.example/1 please")
    _ = Self.lines(&talk, &transcript)
    let found = FoundMessage(
      room: "lobby",
      kept: KeptMessage(
        message: ChatMessage(
          id: "m1", author: UntrustedText("ko"), text: UntrustedText("the ||green|| build")),
        time: talk.wall, place: 1))
    talk.run(.found([found], text: "build", room: "lobby"))
    #expect(
      Self.lines(&talk, &transcript) == [
        "* 1 found for “build” in #lobby, the newest first",
        "* 2026-01-01 00:00 ko: the [spoiler: 5 characters] build",
      ])
    talk.run(.found([], text: "nothing", room: nil))
    #expect(Self.lines(&talk, &transcript) == ["* Nothing that is kept holds “nothing”."])
    talk.run(.entered("/links"))
    #expect(
      Self.lines(&talk, &transcript) == ["* Links of #lobby: 1", "* mira: https://ci.example/1"])
    for command in ["/connection", "/frames"] {
      talk.run(.entered(command))
      let page = Self.lines(&talk, &transcript)
      #expect(page.count > 4, "\(page)")
      for line in page {
        #expect(line.hasPrefix("* ") && !line.hasPrefix("*  "), "\(line)")
        #expect(!line.contains(where: { "─═│█▒░▁▄".contains($0) }), "\(line)")
      }
    }
  }
}
