import Channel
import Program
import Screen
import Testing
import Text
import WebSocket

private let dialects = ["graphql-transport-ws", "parlour-envelope"]

@Suite struct ConversationTests {
  @Test(arguments: dialects + ["parlour-plain"])
  func whatIsTypedStandsInTheRoomOnce(subprotocol: String) {
    var talk = Conversation(subprotocol)
    talk.advance(by: .seconds(3))
    #expect(talk.shows("● online"))
    talk.enter("hello there")
    talk.advance(by: .seconds(1))
    #expect(talk.count("hello there") == 1)
    #expect(!talk.shows("pending"))
  }

  @Test(arguments: dialects)
  func othersAreHeard(subprotocol: String) {
    var talk = Conversation(subprotocol)
    talk.advance(by: .seconds(3))
    talk.say("morning all")
    #expect(talk.count("morning all") == 1)
    #expect(talk.shows("mira"))
  }

  @Test(arguments: dialects)
  func earlierMessagesAreThereOnEntering(subprotocol: String) {
    var talk = Conversation(subprotocol)
    talk.advance(by: .seconds(3))
    talk.say("one")
    talk.say("two")
    talk.cut()
    var other = Conversation(subprotocol, nick: "ko", sharing: talk)
    other.advance(by: .seconds(3))
    #expect(other.count("one") == 1)
    #expect(other.count("two") == 1)
  }

  @Test(arguments: dialects)
  func theLineIsLostAndComesBackAndNothingIsLostOrDoubled(subprotocol: String) throws {
    var talk = Conversation(subprotocol)
    talk.advance(by: .seconds(3))
    talk.say("before")
    talk.isServerUp = false
    #expect(talk.shows("◌ lost 00:00"))
    #expect(talk.shows("try 2 in 02 s"))
    talk.enter("first while down")
    talk.enter("second while down")
    #expect(talk.count("pending") == 2)
    talk.say("said meanwhile")
    talk.advance(by: .seconds(1))
    #expect(talk.shows("in 01 s"))
    talk.isServerUp = true
    talk.advance(by: .seconds(4))
    #expect(talk.shows("● online"))
    for text in ["before", "said meanwhile", "first while down", "second while down"] {
      #expect(talk.count(text) == 1, "\(text)")
    }
    let rows = try [
      #require(talk.row("before")), #require(talk.row("said meanwhile")),
      #require(talk.row("first while down")), #require(talk.row("second while down")),
    ]
    #expect(rows == rows.sorted())
    #expect(!talk.shows("pending"))
  }

  @Test(arguments: dialects)
  func aPostThatTheLineSwallowedStandsOnceAfterTheReconnect(subprotocol: String) {
    var talk = Conversation(subprotocol)
    talk.advance(by: .seconds(3))
    // So that the dialect has seen that the server knows nonces.
    talk.enter("zeroth")
    talk.isSilent = true
    talk.enter("into the void")
    talk.enter("and another")
    // No pong comes: the watchdog ends the line.
    talk.advance(by: .seconds(45))
    talk.isSilent = false
    talk.advance(by: .seconds(90))
    #expect(talk.shows("● online"))
    #expect(talk.count("into the void") == 1)
    #expect(talk.count("and another") == 1)
    #expect(!talk.shows("pending"))
  }

  @Test func inPlainAPostOnALostLineIsUnsureUntilThePersonDecides() {
    var talk = Conversation("parlour-plain")
    talk.advance(by: .seconds(1))
    talk.isSilent = true
    talk.enter("perhaps")
    talk.isSilent = false
    talk.cut()
    talk.advance(by: .seconds(5))
    #expect(talk.shows("● online"))
    #expect(talk.shows("perhaps"))
    talk.enter("/resend")
    talk.advance(by: .seconds(1))
    #expect(talk.count("perhaps") == 1)
  }

  @Test func aWrongTokenIsRefusedAndTheExitCodeIs77() {
    var talk = Conversation(token: "wrong", tokens: ["right"])
    talk.advance(by: .seconds(30))
    #expect(talk.shows("✕ refused"))
    #expect(talk.shows("not retrying"))
    #expect(talk.links == 1)
    talk.enter("/quit")
    #expect(talk.quits == [77])
  }

  @Test func theRightTokenIsLetIn() {
    var talk = Conversation(token: "right", tokens: ["right"])
    talk.advance(by: .seconds(3))
    #expect(talk.shows("● online"))
    talk.enter("/quit")
    #expect(talk.quits == [0])
  }

  @Test func givingUpIsExitCode69() {
    var talk = Conversation { $0.maxAttempts = 3 }
    talk.advance(by: .seconds(3))
    talk.isServerUp = false
    talk.advance(by: .seconds(60))
    #expect(talk.shows("✕ gave up"))
    talk.enter("/quit")
    #expect(talk.quits == [69])
  }

  @Test func enterEndsTheWait() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.isServerUp = false
    talk.advance(by: .seconds(5))
    #expect(talk.shows("◌ lost"))
    talk.isServerUp = true
    talk.press(.enter)
    talk.advance(by: .milliseconds(10))
    #expect(talk.shows("● online"))
  }

  @Test func controlCStopsTheWaitAndEnterBeginsAnew() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.isServerUp = false
    talk.press(.control("c"))
    #expect(talk.shows("○ offline"))
    let links = talk.links
    talk.isServerUp = true
    talk.advance(by: .seconds(600))
    #expect(talk.links == links)
    talk.press(.enter)
    talk.advance(by: .milliseconds(10))
    #expect(talk.shows("● online"))
  }

  @Test func aDisconnectIsOrderlyAndWhatIsTypedWaits() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.enter("/disconnect")
    talk.enter("later")
    #expect(talk.shows("○ offline"))
    #expect(talk.count("pending") == 1)
    talk.enter("/connect")
    talk.advance(by: .seconds(1))
    #expect(talk.shows("● online"))
    #expect(talk.count("later") == 1)
    #expect(!talk.shows("pending"))
  }

  @Test func aReconnectMakesANewLine() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.enter("/reconnect")
    talk.advance(by: .seconds(1))
    #expect(talk.links == 2)
    #expect(talk.shows("● online"))
    talk.enter("still here")
    #expect(talk.count("still here") == 1)
  }

  @Test func aFloodIsTakenAndOnlyTheTitleCounts() {
    var talk = Conversation()
    talk.advance(by: .seconds(3))
    talk.press(.focusOut)
    for number in 0..<2_000 { talk.say("flood \(number)") }
    #expect(talk.shows("flood 1999"))
    #expect(talk.titles.last == "#lobby (99+) - parlour")
    #expect(talk.titles.count < 110)
  }
}
