import Channel
import Program
import Screen
import TestKit
import Testing

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
    #expect(talk.shows("The theme is cherry now; /theme save keeps it."))
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
}
