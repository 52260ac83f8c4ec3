import Channel
import Program
import Room
import Screen
import TestKit
import Testing
import Text
import WebSocket

/// Public reports on other programs (research/terminal-chat.md, section 3), each as a test under its number.
@Suite struct ReportTests {
  @Test(
    "report 23: a room's name leads nowhere in a file's name",
    arguments: ["../../x", "a/b", "..", "\u{202E}x"])
  func report23(room: String) {
    var talk = Conversation { $0.context.room = room }
    talk.say("text", in: room)
    talk.press(.alt("s"), .character("s"))
    let effects = talk.effects { $0.press(.enter) }
    for case .save(_, let path) in effects {
      #expect(path.hasPrefix("parlour-") && !path.contains("/") && !path.contains("\u{1}"))
    }
    #expect(effects.contains { if case .save = $0 { true } else { false } })
  }

  @Test(
    "report 28: a line end carries no second command",
    arguments: ["/join a\r\nPART b", "/nick x\n/quit", "/join a\u{2028}b"])
  func report28(text: String) {
    var talk = Conversation()
    talk.press(.paste(text), .enter)
    #expect(talk.quits == [] && !talk.others.contains(.manage(.join(room: "a"))))
    #expect(talk.shows("holds no white space") || talk.shows("invisible control"), "\(talk.screen)")
  }

  @Test("report 57: fifty thousand messages at once keep neither keys nor memory waiting")
  func report57() {
    var talk = Conversation()
    let messages = (0..<50_000).map { number in
      ChatMessage(
        id: "flood\(number)", author: UntrustedText("bot"), text: UntrustedText("line \(number)"))
    }
    // The dialect hands over what came in one read.
    for start in stride(from: 0, to: messages.count, by: 1_000) {
      for message in messages[start..<start + 1_000] { talk.say(message.text.raw, by: "bot") }
      if start == 10_000 {
        talk.write("typed meanwhile")
        #expect(talk.shows("typed meanwhile"))
      }
      if start >= 10_000 { break }
    }
    #expect(talk.shows("line 10999") && talk.shows("typed meanwhile"))
  }

  @Test("report 58: a message that is typed into a dead line arrives once, or is told")
  func report58() {
    var talk = Conversation()
    talk.isSilent = true
    talk.enter("important")
    #expect(talk.shows("sending"))
    talk.cut()
    talk.isSilent = false
    talk.advance(by: .seconds(5))
    #expect(talk.count("important") == 1 && !talk.shows("pending"), "\(talk.screen)")
    let reader = Conversation(nick: "reader", sharing: talk)
    #expect(reader.count("important") == 1)
  }

  @Test("report 60: neither a lost line nor a look at another message takes the draft")
  func report60() {
    var talk = Conversation()
    talk.say("hello")
    talk.write("half a sentence")
    talk.cut()
    #expect(talk.shows("ada> half a sentence"))
    talk.advance(by: .seconds(3))
    talk.press(.alt("s"), .up, .escape)
    talk.press(.control("f"), .character("x"), .escape)
    talk.press(.function(1), .escape)
    #expect(talk.shows("ada> half a sentence"))
  }
}
