import Channel
import Program
import Screen
import Testing
import Text

/// `/connection` and `/frames` in a talk with the embedded server.
struct LinePageTests {
  private func talk() -> Conversation {
    var talk = Conversation(width: 200) { $0.recordsFrames = true }
    talk.say("a needle in the room")
    talk.say("and something else")
    return talk
  }

  @Test(arguments: [true, false]) func thePageAboutTheLineOpensByKeyAndCommand(byKey: Bool) {
    var talk = talk()
    if byKey { talk.press(.function(2)) } else { talk.enter("/connection") }
    #expect(talk.shows("── Connection ─ ws://127.0.0.1:9000/"))
    #expect(talk.shows("on line for"))
    #expect(talk.shows("graphql-transport-ws, dialect graphql"))
    talk.press(.escape)
    #expect(!talk.shows("Connection ─"))
    #expect(talk.shows("a needle in the room"))
  }

  @Test func aLossIsToldWithItsReason() {
    var talk = talk()
    talk.advance(by: .seconds(8))
    talk.cut()
    talk.press(.function(2))
    #expect(talk.shows("line cut, after 8.0 s"))
    #expect(talk.shows("next attempt"))
    talk.advance(by: .seconds(3))
    #expect(talk.shows("2 lines"))
  }

  @Test func speedsAreCountedOn() {
    var talk = talk()
    talk.press(.function(2))
    let before = talk.screen
    talk.advance(by: .seconds(1))
    #expect(talk.screen != before)
    #expect(!talk.shows("0 B/s, 0 messages/s; in all 0 B,"))
  }

  @Test func framesAreListedFilteredAndShownInFull() {
    var talk = talk()
    talk.press(.function(3))
    #expect(talk.shows("── Frames"))
    #expect(talk.shows("a needle"))
    talk.press(.character("/"))
    talk.write("NEEDLE")
    #expect(talk.shows("holds: NEEDLE"))
    talk.press(.enter)
    #expect(talk.shows("a needle") && !talk.shows("something else"))
    talk.press(.enter)
    #expect(talk.shows("Frame") && talk.shows("\"text\": \"a needle in the room\""))
    talk.press(.escape, .character("x"))
    #expect(talk.shows("something else"))
    talk.press(.character("d"), .character("d"))
    #expect(talk.shows("Frames ─ sent") && !talk.shows("a needle"))
    talk.press(.character("q"))
    #expect(!talk.shows("Frames"))
    talk.enter("/frames connection_init")
    #expect(talk.shows("connection_init") && talk.shows("“connection_init”"))
  }

  @Test func stoppedFramesStandStillWhileOthersCome() {
    var talk = talk()
    talk.press(.function(3), .character(" "))
    #expect(talk.shows("stopped"))
    talk.say("came later")
    #expect(!talk.shows("came later"))
    talk.press(.character(" "))
    #expect(talk.shows("came later"))
  }

  @Test func markAndFollowing() {
    var talk = talk()
    talk.press(.function(3), .up)
    let marked = talk.rows.first { $0.hasPrefix(">") }
    talk.say("came later")
    #expect(talk.rows.first { $0.hasPrefix(">") } == marked)
    talk.press(.end)
    #expect(talk.rows.first { $0.hasPrefix(">") }?.contains("came later") == true)
    talk.press(.home)
    #expect(talk.rows.first { $0.hasPrefix(">") }?.contains("GET / HTTP/1.1") == true)
  }

  @Test func framesAreSavedAsLinesOfJSON() throws {
    var talk = Conversation(token: "very-secret", tokens: ["very-secret"]) {
      $0.recordsFrames = true
    }
    talk.say("a needle in the room")
    talk.press(.function(3), .character("s"))
    #expect(talk.shows("save as: frames.ndjson"))
    talk.press(.enter)
    let saved = talk.others.compactMap { effect -> (String, String)? in
      if case .save(let text, let path) = effect { (text, path) } else { nil }
    }
    let (text, path) = try #require(saved.first)
    #expect(path == "frames.ndjson")
    #expect(text.contains("a needle in the room") && text.contains("\"opcode\":\"head\""))
    #expect(!text.contains("very-secret"))
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    talk.run(.saved("It is there already.", isError: true))
    #expect(talk.shows("It is there already."))
  }

  @Test func pagesLeadToEachOtherAndTypingGoesOnBehindThem() {
    var talk = talk()
    talk.write("a draft")
    talk.press(.function(2), .function(3))
    #expect(talk.shows("── Frames"))
    talk.press(.function(1))
    #expect(talk.shows("── Help"))
    talk.press(.function(2))
    #expect(talk.shows("── Connection"))
    talk.press(.function(2))
    #expect(talk.shows("ada> a draft"))
  }
}

/// Who does not look is told, not too often, and by the settings.
struct NoticeTests {
  @Test func aMentionIsToldWhileNobodyLooks() {
    var talk = Conversation()
    talk.press(.focusOut)
    talk.say("nothing of interest")
    #expect(talk.notices.isEmpty && talk.bells == 0)
    talk.say("ada: <b>look</b>\n\u{1B}]0;x\u{7}")
    #expect(talk.bells == 1)
    #expect(talk.notices.count == 1)
    #expect(talk.notices.first?.title == "mira in #lobby")
    #expect(talk.notices.first?.body.contains("\u{1B}") == false)
  }

  @Test func nobodyIsToldWhoLooks() {
    var talk = Conversation()
    talk.press(.focusIn)
    talk.say("ada: look")
    #expect(talk.notices.isEmpty && talk.bells == 0)
    // Where the terminal says nothing of its focus, somebody who typed lately is there.
    var other = Conversation()
    other.write("x")
    other.say("ada: look")
    #expect(other.notices.isEmpty && other.bells == 1)
    other.advance(by: .seconds(31))
    other.say("ada: look")
    #expect(other.notices.count == 1)
  }

  @Test func aFloodOfMentionsIsToldEveryThreeSeconds() {
    var talk = Conversation()
    talk.press(.focusOut)
    for number in 0..<50 { talk.say("ada: \(number)") }
    #expect(talk.notices.count == 1)
    talk.advance(by: .seconds(3))
    #expect(talk.notices.count == 2)
    #expect(talk.notices.last?.title == "mira in #lobby (49 new)")
    #expect(talk.notices.last?.body == "ada: 49")
    talk.advance(by: .seconds(30))
    #expect(talk.notices.count == 2)
  }

  @Test func whoComesBackIsNotToldOfWhatWaited() {
    var talk = Conversation()
    talk.press(.focusOut)
    talk.say("ada: one")
    talk.say("ada: two")
    talk.press(.focusIn)
    talk.advance(by: .seconds(10))
    #expect(talk.notices.count == 1)
  }
}
