import Program
import Room
import Screen
import Testing
import Text

@Suite struct CompletionTests {
  private func talk(_ authors: String...) -> Conversation {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    for author in authors { talk.say("hi", by: author) }
    return talk
  }

  private func completed(_ talk: Conversation, _ typed: String, _ keys: [Key] = [.tab]) -> String {
    var talk = talk
    talk.write(typed)
    for key in keys { talk.run(.key(key)) }
    return talk.program.text
  }

  @Test(arguments: [
    ("/reco", "/reconnect"), ("/ni", "/nick "), ("/join lo", "/join lobby "),
    ("/join #lo", "/join #lobby "), ("/drop ", "/drop all"), ("/help scr", "/help scr"),
    ("/help resen", "/help resend"), ("/bind ^O editor.undo", "/bind ^O editor.undo"),
    ("/bind ^O scroll.page-u", "/bind ^O scroll.page-up"), ("/nick mi", "/nick Mira "),
    ("/nosuch mi", "/nosuch Mira "), ("//mi", "//mi"),
    ("mi", "Mira: "), ("MI", "Mira: "), ("@mi", "@Mira "), ("so mi", "so Mira "),
    ("so @mi", "so @Mira "), ("zz", "zz"), ("", ""), ("Mira: ", "Mira: "),
    (":thinki", "🤔 "), ("so :thinki", "so 🤔 "), ("(:thinki", "(🤔 "), (":t", ":t"),
    ("12:30", "12:30"), ("http:thinki", "http:thinki"), (":99", ":99"), ("::thinki", "::thinki"),
  ])
  func oneCandidateIsPutIntoTheLine(typed: String, text: String) {
    #expect(completed(talk("Mira"), typed) == text)
  }

  /// gomuks/gomuks#199.
  @Test("report 27: names with blanks complete") func report27() {
    #expect(completed(talk("Jan Aaa", "Jan Bbb"), "Jan A") == "Jan Aaa: ")
    #expect(completed(talk("Jan Aaa", "Jan Bbb"), "hello Jan B") == "hello Jan Bbb ")
    #expect(completed(talk("Jan Aaa"), "ja") == "Jan Aaa: ")
  }

  /// profanity-im/profanity#1474.
  @Test("report 26: a name that looks like a command runs none") func report26() {
    var talk = talk("/quit", "quiet")
    talk.write("qui")
    talk.press(.tab)
    #expect(talk.program.text == "quiet: ")
    talk.press(.control("c"))
    talk.write("hey /qu")
    talk.press(.tab, .enter)
    #expect(talk.quits.isEmpty)
    #expect(talk.row("hey /quit") != nil)
  }

  @Test func caseIsFoldedAsUnicodeDoes() {
    #expect(completed(talk("STRASSE"), "straß") == "STRASSE: ")
    #expect(completed(talk("Ἀχιλλεύς"), "ἀχιλλεύσ") == "Ἀχιλλεύς: ")
    #expect(completed(talk("Émile"), "é") == "Émile: ")
  }

  @Test func theListStepsTakesAndLeaves() {
    let base = talk("mira", "Mirko", "mimi")
    #expect(completed(base, "mi") == "mimi: ")
    #expect(completed(base, "mi", [.tab, .tab]) == "Mirko: ")
    #expect(completed(base, "mi", [.tab, .down, .down]) == "mira: ")
    #expect(completed(base, "mi", [.tab, .down, .down, .down]) == "mimi: ")
    #expect(completed(base, "mi", [.tab, .up]) == "mira: ")
    #expect(completed(base, "mi", [.backTab]) == "mira: ")
    #expect(completed(base, "mi", [.backTab, .backTab]) == "Mirko: ")
    #expect(completed(base, "mi", [.tab, .tab, .escape]) == "mi")
    #expect(completed(base, "mi", [.tab, .tab, .enter]) == "Mirko: ")
    #expect(completed(base, "mi", [.tab, .right, .character("x")]) == "mimi: x")
    #expect(completed(base, "mi", [.tab, .tab, .character("x")]) == "Mirko: x")
    // What was chosen is one step of undo, however many were looked at.
    #expect(completed(base, "mi", [.tab, .tab, .tab, .enter, .control("_")]) == "mi")
  }

  @Test func theListStandsAboveTheInputWithTheChosenOneMarked() {
    var talk = talk("mira", "Mirko", "mimi")
    talk.write("mi")
    talk.press(.tab, .tab)
    #expect(talk.rows.contains { $0.contains("  mimi") })
    #expect(talk.rows.contains { $0.contains("› Mirko") })
    let list = talk.rows.firstIndex { $0.contains("› Mirko") } ?? 0
    let status = talk.rows.firstIndex { $0.contains("● online") } ?? 0
    #expect(list < status)
    talk.press(.enter)
    #expect(!talk.rows.contains { $0.contains("› Mirko") })
  }

  @Test(arguments: [(1, 1), (3, 2), (10, 3), (12, 4), (20, 5), (40, 10), (200, 50)])
  func theListFitsEveryScreen(width: Int, height: Int) {
    var talk = talk("mira")
    talk.resize(width, height)
    talk.write("/")
    talk.press(.tab)
    for _ in 0..<30 {
      talk.press(.tab)
      #expect(talk.rows.count == height)
      if height >= 2, width >= 10 { #expect(talk.shows("› /")) }
    }
    talk.press(.escape)
    #expect(talk.program.text == "/")
  }

  @Test func valuesOfSettingsAreCompleted() {
    var talk = talk()
    talk.write("/set theme gr")
    talk.press(.tab)
    #expect(talk.others == [.lookUp(.themes)])
    talk.run(
      .foundNames([FoundName("gruvbox-dark"), FoundName("nord")], for: .themes))
    #expect(talk.program.text == "/set theme gruvbox-dark")
    talk.press(.control("c"))
    // What is done with a theme is no value.
    talk.write("/set theme.dark re")
    talk.press(.tab)
    talk.run(.foundNames([FoundName("nord")], for: .themes))
    #expect(talk.program.text == "/set theme.dark re")
    for (typed, text) in [
      ("/set emoji na", "/set emoji native"), ("/set paste.lines ", "/set paste.lines 5"),
      ("/set history.keep ", "/set history.keep all"), ("/notify me", "/notify mention"),
    ] {
      talk.press(.control("c"))
      talk.write(typed)
      talk.press(.tab)
      #expect(talk.program.text == text)
    }
  }

  @Test func themesAndFilesAreAskedOfTheMachine() {
    var talk = talk()
    talk.write("/theme gr")
    talk.press(.tab)
    #expect(talk.others == [.lookUp(.themes)])
    talk.run(.foundNames([FoundName("gruvbox-dark"), FoundName("nord")], for: .themes))
    #expect(talk.program.text == "/theme gruvbox-dark")
    // An answer to a line that has changed since is of no use.
    talk.press(.control("c"))
    talk.write("/theme n")
    talk.press(.tab)
    talk.write("o")
    talk.run(.foundNames([FoundName("nord")], for: .themes))
    #expect(talk.program.text == "/theme no")
    talk.press(.control("c"))
    talk.write("/theme res")
    talk.press(.tab)
    talk.run(.foundNames([FoundName("nord")], for: .themes))
    #expect(talk.program.text == "/theme reset")
  }

  @Test(arguments: [[Key.function(3), .character("s")], [.alt("s"), .character("s")]])
  func aPathIsCompletedWhereAFileIsAskedFor(keys: [Key]) {
    var talk = talk()
    talk.say("something to keep")
    talk.write("a draft")
    for key in keys { talk.press(key) }
    talk.press(.control("u"))
    talk.write("notes/my")
    talk.press(.tab)
    let folder = CompletionQuery.folder("notes/")
    #expect(talk.others == [.lookUp(folder)])
    let found = [FoundName("mine one", isFolder: true), FoundName("my.txt"), FoundName("mya.txt")]
    talk.run(.foundNames(found, for: folder))
    #expect(talk.shows("save as: notes/my.txt") && talk.shows("› my.txt") && talk.shows("mya.txt"))
    talk.press(.tab)
    #expect(talk.shows("save as: notes/mya.txt"))
    talk.press(.escape)
    #expect(talk.shows("save as: notes/my") && !talk.shows("mya.txt"))
    // A folder with a blank stands there as it is, and what is in it follows.
    talk.press(.control("u"))
    talk.write("notes/mi")
    talk.press(.tab)
    talk.run(.foundNames(found, for: folder))
    #expect(talk.shows("save as: notes/mine one/"))
    talk.press(.tab)
    talk.run(.foundNames([FoundName("a"), FoundName("b")], for: .folder("notes/mine one/")))
    talk.press(.down, .enter)
    let effects = talk.effects { $0.press(.enter) }
    #expect(
      effects.contains { if case .save(_, "notes/mine one/b") = $0 { true } else { false } })
    // An answer that comes when nothing is asked any more changes nothing.
    talk.press(.escape, .escape)
    talk.run(.foundNames(found, for: folder))
    #expect(talk.program.text == "a draft")
  }
}

@Suite struct PathArgumentTests {
  @Test(arguments: ["plain", "~/a/b.txt", "with blank", "quo\"te", "back\\slash", "é 日本"])
  func whatIsWrittenIsReadAgain(path: String) {
    #expect(PathArgument.read(PathArgument.write(path)) == path)
    #expect(PathArgument.read(PathArgument.write(path, isFolder: true)) == path)
  }

  @Test(arguments: [
    ("\"a b", "a b"), ("a\\ b", "a b"), ("\"\"", ""), ("\"a\\\"b\"", "a\"b"), ("a\\", "a"),
  ])
  func whatIsBeingTypedIsRead(typed: String, path: String) {
    #expect(PathArgument.read(typed) == path)
  }
}
