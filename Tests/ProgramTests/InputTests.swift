import Program
import Room
import Screen
import Testing
import Text

/// Report 31, irssi/irssi#426, weechat/weechat#1977 and their like: what is pasted never goes out by itself.
@Suite struct PasteTests {
  private func online() -> Conversation {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    return talk
  }

  private let six = "one\ntwo\nthree\nfour\nfive\nsix\n"

  @Test func aPasteOfManyLinesAsksFirst() {
    var talk = online()
    talk.write("before ")
    talk.press(.paste(six))
    #expect(
      talk.shows("? paste of 6 lines, 28 B: Enter insert for editing · s send as one · Esc drop"))
    talk.press(.character("x"), .tab, .up, .control("k"))
    #expect(talk.shows("? paste of 6 lines"))
    talk.press(.enter)
    #expect(talk.program.text == "before " + six)
    #expect(talk.row("│ before one") == nil)
  }

  @Test func sSendsThePasteAsOneMessage() {
    var talk = online()
    talk.press(.paste(six), .character("s"))
    #expect(talk.program.text == "")
    #expect(talk.shows("one") && talk.shows("six"))
    #expect(!talk.shows("? paste"))
  }

  @Test(arguments: [Key.escape, .control("g"), .control("c")])
  func thePasteCanBeDropped(key: Key) {
    var talk = online()
    talk.write("kept")
    talk.press(.paste(six), key)
    #expect(talk.program.text == "kept")
    #expect(!talk.shows("? paste"))
    #expect(talk.quits.isEmpty)
  }

  @Test func aShortPasteAndALoneLineEndAskNothingAndSendNothing() {
    var talk = online()
    talk.press(.paste("secret\n"))
    #expect(talk.program.text == "secret\n")
    talk.press(.control("c"), .paste("1\n2\n3\n4\n5\n"))
    #expect(talk.program.text == "1\n2\n3\n4\n5\n")
    talk.press(.control("c"), .paste(String(repeating: "x", count: 4_096)))
    #expect(talk.program.text.count == 4_096)
  }

  @Test func aLongLineAsksToo() {
    var talk = online()
    talk.press(.paste(String(repeating: "x", count: 4_097)))
    #expect(talk.shows("? paste of 1 line, 4.1 kB:"))
  }

  @Test func aSecondPasteJoinsTheOneThatIsAskedAbout() {
    var talk = online()
    talk.press(.paste(six), .paste("seven"), .enter)
    #expect(talk.program.text == six + "seven")
  }

  @Test func controlCharactersOfAPasteAreSeenAndNeverObeyed() {
    var talk = online()
    talk.press(.paste("a\u{1B}[2J\u{7}b"))
    #expect(talk.shows("ada> a␛[2J␇b"))
    talk.press(.enter)
    #expect(talk.row("a␛[2J␇b") != nil)
  }
}

@Suite struct HistorySearchKeyTests {
  private func talk() -> Conversation {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    for line in ["deploy the new build", "hello", "Build is green", "build again"] {
      talk.enter(line)
    }
    return talk
  }

  @Test func controlRFindsOlderLinesAndControlSNewerOnes() {
    var talk = talk()
    talk.write("draft")
    talk.press(.control("r"))
    #expect(talk.shows("(search) : draft"))
    talk.write("build")
    #expect(talk.shows("(search) build: build again"))
    talk.press(.control("r"))
    #expect(talk.shows("(search) build: Build is green"))
    talk.press(.control("r"))
    #expect(talk.shows("(search) build: deploy the new build"))
    talk.press(.control("r"))
    #expect(talk.shows("(search: none) build: deploy the new build"))
    talk.press(.control("s"))
    #expect(talk.shows("(search) build: Build is green"))
  }

  @Test func enterKeepsTheLineForEditingAndSendsNothing() {
    var talk = talk()
    talk.press(.control("r"))
    talk.write("new")
    talk.press(.enter)
    #expect(talk.program.text == "deploy the new build")
    // The caret is where the match begins.
    talk.write("very ")
    #expect(talk.program.text == "deploy the very new build")
  }

  @Test(arguments: [Key.escape, .control("g"), .control("c")])
  func theDraftIsBackAfterwards(key: Key) {
    var talk = talk()
    talk.write("draft")
    talk.press(.control("r"))
    talk.write("hello")
    talk.press(key)
    #expect(talk.program.text == "draft")
    #expect(!talk.shows("(search)"))
  }

  @Test func anyOtherKeyTakesTheLineAndDoesWhatItDoes() {
    var talk = talk()
    talk.press(.control("r"))
    talk.write("hello")
    talk.press(.control("e"))
    talk.write("!")
    #expect(talk.program.text == "hello!")
    talk.press(.control("c"), .control("r"), .control("r"))
    #expect(talk.shows("(search) hello: hello"))
  }

  @Test func backspaceLooksAnewAndCapitalsCount() {
    var talk = talk()
    talk.press(.control("r"))
    talk.write("Build")
    #expect(talk.shows("(search) Build: Build is green"))
    talk.press(.backspace, .backspace, .backspace, .backspace, .backspace)
    talk.write("lo")
    #expect(talk.shows("(search) lo: hello"))
  }
}

@Suite struct BindingTests {
  @Test func aKeyIsBoundAndUnboundWhileTheChatRuns() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.enter("/bind ^O editor.kill-line-nonsense")
    #expect(talk.shows("There is no action “editor.kill-line-nonsense”"))
    talk.enter("/bind F9 nosuch")
    #expect(talk.shows("There is no action “nosuch”"))
    talk.enter("/bind ^O editor.undo")
    #expect(talk.shows("^O is editor.undo: undo."))
    talk.write("abc")
    talk.press(.control("o"))
    #expect(talk.program.text == "")
    talk.enter("/unbind ^O")
    #expect(talk.shows("^O does nothing"))
    talk.write("abc")
    talk.press(.control("o"))
    #expect(talk.program.text == "abc")
    talk.press(.control("c"))
    talk.enter("/bind F1")
    #expect(talk.shows("F1 is program.help"))
    talk.enter("/bind")
    #expect(talk.shows("editor.send"))
    talk.press(.escape)
    #expect(!talk.shows("editor.send"))
  }

  @Test func theHelpShowsTheKeysAsTheyAreBound() {
    var talk = Conversation()
    var keys = KeyMap.standard
    #expect(keys.apply([("editor.send", "M-Enter"), ("editor.new-line", "Enter")]).isEmpty)
    talk.program.use(keys)
    talk.write("a")
    talk.press(.enter)
    talk.write("b")
    #expect(talk.program.text == "a\nb")
    talk.press(.altEnter)
    #expect(talk.program.text == "")
    talk.press(.function(1))
    talk.resize(80, 100)
    #expect(talk.rows.contains { $0.contains("M-Enter") && $0.contains("send the line") })
  }

  @Test func aBindingOfSeveralKeysWaitsForAll() {
    var talk = Conversation()
    talk.write("text")
    talk.press(.control("x"))
    #expect(talk.others.isEmpty)
    talk.press(.control("e"))
    #expect(talk.others == [.editExternally("text")])
    talk.run(.edited("better\ntext"))
    #expect(talk.program.text == "better\ntext")
    talk.press(.control("_"))
    #expect(talk.program.text == "text")
    // An unknown end does nothing, and the next key is a key again.
    talk.press(.control("x"), .control("k"), .control("a"))
    talk.write("x")
    #expect(talk.program.text == "xtext")
  }

  @Test func altWithAnUnboundControlKeyIsEscapeAndThatKey() {
    var talk = Conversation()
    talk.write("abc")
    talk.press(.altControl("a"))
    talk.write("x")
    #expect(talk.program.text == "xabc")
  }
}
