import Channel
import Program
import Room
import Screen
import Server
import TestKit
import Testing
import Text
import WebSocket

/// Editing, deleting, answering and reacting, by commands and by the keys of a chosen message, against the embedded server.
@Suite struct ChangeTests {
  private static func talk(_ subprotocol: String) -> Conversation {
    var talk = Conversation(subprotocol)
    talk.say("first words of mira")
    talk.enter("mine with a slip")
    return talk
  }

  static let dialects = ["graphql-transport-ws", "parlour-envelope"]

  @Test(arguments: dialects) func commandsChangeWhatIsShown(dialect: String) {
    var talk = Self.talk(dialect)
    talk.enter("/edit mine without")
    #expect(talk.shows("mine without (edited)") && !talk.shows("a slip"), "\(talk.screen)")
    talk.enter("/react :tada:")
    #expect(talk.shows("🎉 1 (you)"), "\(talk.screen)")
    talk.enter("/react 🎉")
    #expect(!talk.shows("🎉"), "\(talk.screen)")
    talk.enter("/reply indeed")
    #expect(talk.shows("↪ mira: first words of mira") && talk.shows("indeed"), "\(talk.screen)")
    talk.enter("/delete")
    #expect(talk.shows("/delete yes deletes “indeed”"))
    talk.enter("/delete yes")
    #expect(talk.shows("message deleted") && !talk.shows("│ indeed"), "\(talk.screen)")
  }

  @Test(arguments: dialects) func whatChangesStaysAfterALossAndForThoseWhoComeLater(dialect: String)
  {
    var talk = Self.talk(dialect)
    talk.enter("/edit mine without")
    talk.enter("/react 👍")
    let other = Conversation(dialect, nick: "bob", sharing: talk)
    #expect(other.shows("mine without (edited)") && other.shows("👍 1"), "\(other.screen)")
    talk.isServerUp = false
    talk.advance(by: .seconds(1))
    talk.isServerUp = true
    talk.advance(by: .seconds(5))
    talk.say("back again")
    #expect(talk.count("mine without (edited)") == 1, "\(talk.screen)")
    #expect(talk.shows("👍 1 (you)") && talk.shows("back again"), "\(talk.screen)")
  }

  /// The change happens on the server while nobody listens.
  @Test(arguments: dialects) func whatChangedWhileTheLineWasAwayIsFetched(dialect: String) {
    var talk = Self.talk(dialect)
    talk.isServerUp = false
    var other = Conversation(dialect, nick: "ada", sharing: talk)
    other.enter("/edit changed elsewhere")
    #expect(other.shows("changed elsewhere (edited)"), "\(other.screen)")
    talk.server = other.server
    talk.isServerUp = true
    talk.advance(by: .seconds(10))
    #expect(talk.shows("changed elsewhere (edited)"), "\(talk.screen)")
    #expect(!talk.shows("slip"), "\(talk.screen)")
  }

  @Test func editingInTheInputBringsTheDraftBack() {
    var talk = Self.talk("graphql-transport-ws")
    talk.write("a draft")
    talk.press(.alt("s"))
    #expect(talk.shows("r reply  + react  e edit  d delete"), "\(talk.screen)")
    talk.press(.character("e"))
    #expect(talk.program.text == "mine with a slip")
    #expect(talk.shows("edit> mine with a slip"), "\(talk.screen)")
    talk.press(.control("w"))
    talk.write("care")
    talk.press(.enter)
    #expect(talk.program.text == "a draft")
    #expect(talk.shows("mine with a care (edited)"), "\(talk.screen)")
    // Esc leaves the message as it is.
    talk.press(.alt("s"), .character("e"))
    talk.write("!")
    talk.press(.escape)
    #expect(talk.program.text == "a draft" && !talk.shows("care!"))
  }

  /// What cannot be done now stays in the input as what it is: it is no new message, and no command.
  @Test(arguments: ["mine with a slip", "//etc/hosts"]) func anEditStaysOneWhileTheLineIsDown(
    text: String
  ) {
    var talk = Self.talk("graphql-transport-ws")
    talk.enter(text)
    talk.write("a draft")
    talk.press(.alt("s"), .character("e"))
    talk.write("!")
    talk.isServerUp = false
    talk.advance(by: .seconds(1))
    talk.press(.enter)
    #expect(talk.program.text == text + "!")
    #expect(talk.shows("edit> \(text)!"), "\(talk.screen)")
    talk.isServerUp = true
    talk.advance(by: .seconds(10))
    talk.press(.enter)
    #expect(talk.shows("\(text.replacing("//", with: "/"))! (edited)"), "\(talk.screen)")
    #expect(talk.program.text == "a draft")
  }

  @Test func anEditThatIsTooLargeStaysInTheInput() {
    var talk = Self.talk("parlour-envelope")
    talk.write("a draft")
    talk.press(.alt("s"), .character("e"))
    talk.press(.paste(String(repeating: "x", count: RoomModel.largestMessage)))
    talk.press(.enter)
    if !talk.shows("at most") { talk.press(.enter) }
    #expect(talk.shows("The edit was not sent"), "\(talk.screen)")
    talk.press(.escape)
    #expect(talk.program.text == "a draft" && talk.shows("│ mine with a slip"), "\(talk.screen)")
  }

  /// The answer never comes: the line is lost, or nothing is said for half a minute.
  @Test(arguments: [true, false]) func anEditThatWasNotDoneIsInTheInputAgain(isCut: Bool) {
    var talk = Self.talk("graphql-transport-ws")
    talk.isSilent = true
    talk.enter("/edit mine without")
    if isCut { talk.cut() } else { talk.advance(by: .seconds(31)) }
    #expect(talk.program.text == "mine without", "\(talk.screen)")
    #expect(talk.shows("edit> mine without") && talk.shows("It is in the input again"))
    talk.isSilent = false
    talk.advance(by: .seconds(20))
    talk.press(.enter)
    #expect(talk.shows("mine without (edited)") && talk.program.text == "", "\(talk.screen)")
  }

  @Test func anEditThatWasNotDoneComesByUpWhereSomethingElseIsWritten() {
    var talk = Self.talk("graphql-transport-ws")
    talk.isSilent = true
    talk.enter("/edit /mine without")
    talk.write("meanwhile")
    talk.cut()
    #expect(talk.program.text == "meanwhile" && talk.shows("Up brings it back"), "\(talk.screen)")
    talk.press(.control("u"), .up)
    #expect(talk.program.text == "//mine without")
  }

  /// With a server that was started anew and knows none of the messages.
  private static func talkWithForgetfulServer(_ dialect: String) -> Conversation {
    var talk = Self.talk(dialect)
    talk.isServerUp = false
    talk.server = ChatServer(ServerConfiguration())
    talk.isServerUp = true
    talk.advance(by: .seconds(20))
    return talk
  }

  @Test(arguments: dialects) func anAnswerThatIsRefusedIsInTheInputAgain(dialect: String) {
    var talk = Self.talkWithForgetfulServer(dialect)
    talk.enter("/reply indeed")
    #expect(talk.shows("The answer was refused ("), "\(talk.screen)")
    #expect(talk.program.text == "indeed" && talk.shows("re mira> indeed"))
    #expect(!talk.shows("✕ failed"))
    // Where something else is being written it stays with the messages that failed.
    talk.press(.control("u"), .escape)
    talk.isDeaf = true
    talk.enter("/reply again")
    talk.write("x")
    talk.isDeaf = false
    #expect(talk.program.text == "x" && talk.shows("again"))
  }

  @Test(arguments: dialects) func anEditThatIsRefusedIsInTheInputAgain(dialect: String) {
    var talk = Self.talkWithForgetfulServer(dialect)
    talk.enter("/edit other words")
    #expect(talk.shows("The edit was not done: "), "\(talk.screen)")
    #expect(talk.program.text == "other words" && talk.shows("edit> other words"))
  }

  @Test func anAnswerToNobodyAndAnEditOfNothingAreNotLost() {
    var talk = Conversation("graphql-transport-ws")
    talk.enter("/reply to whom")
    #expect(talk.program.text == "/reply to whom" && talk.shows("Nobody else has said anything"))
    talk.press(.control("u"))
    talk.enter("/edit what")
    #expect(talk.program.text == "/edit what" && talk.shows("There is no message of yours"))
  }

  @Test func aMessageThatBeginsWithASlashIsEditedAsOne() {
    var talk = Conversation("graphql-transport-ws")
    talk.enter("//etc/hosts")
    talk.enter("/edit")
    #expect(talk.program.text == "//etc/hosts")
    talk.write(".allow")
    talk.press(.enter)
    #expect(talk.shows("│ /etc/hosts.allow (edited)"), "\(talk.screen)")
  }

  @Test func aChosenMessageIsAnsweredAndGoneToFromItsAnswer() {
    var talk = Conversation("graphql-transport-ws")
    talk.say("the question")
    for number in 0..<40 { talk.say("message \(number)") }
    talk.press(.alt("s"))
    for _ in 0..<40 { talk.press(.up) }
    talk.press(.character("r"))
    #expect(talk.shows("re mira>"), "\(talk.screen)")
    talk.write("the answer")
    talk.press(.enter)
    #expect(talk.shows("↪ mira: the question") && talk.shows("the answer"), "\(talk.screen)")
    talk.press(.alt("s"), .character("g"))
    #expect(talk.shows("▸") && talk.shows("│ the question"), "\(talk.screen)")
    talk.press(.character("g"))
    #expect(talk.shows("it answers no message"))
  }

  @Test func aReactionIsEnteredByItsName() {
    var talk = Self.talk("graphql-transport-ws")
    talk.press(.alt("s"), .up, .character("+"))
    #expect(talk.shows("react with: "), "\(talk.screen)")
    talk.write("eyes")
    talk.press(.enter)
    #expect(talk.shows("👀 1 (you)"), "\(talk.screen)")
  }

  @Test func namesOfReactionsAreCompleted() {
    var talk = Self.talk("graphql-transport-ws")
    talk.press(.alt("s"), .up, .character("+"))
    talk.write(":hea")
    talk.press(.tab)
    #expect(talk.shows(":heart:") && talk.shows("react with: ❤"), "\(talk.screen)")
    talk.press(.down)
    #expect(!talk.shows("react with: ❤"), "\(talk.screen)")
    // First back to what was typed, then out of it.
    talk.press(.escape)
    #expect(talk.shows("react with: :hea"), "\(talk.screen)")
    talk.press(.tab, .enter)
    #expect(!talk.shows(":heart:") && talk.shows("react with: ❤"), "\(talk.screen)")
    talk.press(.enter)
    #expect(talk.shows("❤ 1 (you)"), "\(talk.screen)")
    // One name only needs no list; without any, nothing happens.
    talk.press(.character("+"))
    talk.write("thinking")
    talk.press(.tab)
    #expect(talk.shows("react with: 🤔"), "\(talk.screen)")
    talk.press(.control("u"))
    talk.write("nosuchname")
    talk.press(.tab)
    #expect(talk.shows("react with: nosuchname"), "\(talk.screen)")
    talk.press(.escape, .escape)
    #expect(!talk.shows("react with"), "\(talk.screen)")
  }

  @Test func deletingAChosenMessageAsksAndOnlyOnesOwnCanBe() {
    var talk = Self.talk("graphql-transport-ws")
    talk.press(.alt("s"), .character("d"))
    #expect(talk.shows("delete “mine with a slip” for everybody? y deletes it"), "\(talk.screen)")
    talk.press(.character("n"))
    #expect(talk.shows("it stays") && talk.shows("│ mine with a slip"))
    talk.press(.up, .character("d"))
    #expect(talk.shows("only your own messages can be changed"))
    talk.press(.down, .character("d"), .character("y"))
    #expect(talk.shows("message deleted") && !talk.shows("slip"), "\(talk.screen)")
    talk.press(.character("e"))
    #expect(talk.shows("this message was deleted"))
    // There is nothing in it to copy, quote or save, and none of that is offered.
    for key in ["c", "q", "s"] as [Character] {
      talk.press(.character(key))
      #expect(talk.shows("this message is gone"), "\(key)")
    }
    talk.press(.up, .down)
    #expect(talk.shows("i details  Esc back") && !talk.shows("q quote"))
    #expect(talk.program.text.isEmpty)
  }

  @Test func inThePlainDialectItIsSaidThatThereIsNothingOfIt() {
    var talk = Conversation("parlour-plain")
    talk.say("hello")
    talk.press(.alt("s"), .character("r"))
    #expect(talk.shows("the plain dialect"), "\(talk.screen)")
  }

  @Test func typingIsToldAndShownOverGraphQL() {
    var talk = Self.talk("graphql-transport-ws")
    let other = Conversation("graphql-transport-ws", nick: "bob", sharing: talk)
    #expect(other.shows("bob") && !other.shows("is typing"))
    talk.press(.alt("s"), .escape)
    #expect(talk.shows("ada"))
  }
}
