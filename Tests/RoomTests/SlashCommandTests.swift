import Channel
import Room
import Testing

@Suite struct SlashCommandTests {
  @Test(arguments: [
    ("/help", SlashCommand.help(topic: nil)),
    ("/help keys", .help(topic: "keys")),
    ("/connect", .connect(nil)),
    ("/connect ws://a.example", .connect("ws://a.example")),
    ("/server ws://a.example", .server("ws://a.example")),
    ("/disconnect", .disconnect),
    ("/reconnect", .reconnect),
    ("/nick mira", .nick("mira")),
    ("/NICK  mira  ", .nick("mira")),
    ("/nick 苺ましまろ", .nick("苺ましまろ")),
    ("/join dev", .join("dev")),
    ("/join #dev", .join("dev")),
    ("/theme", .theme(nil)),
    ("/theme gruvbox-dark", .theme("gruvbox-dark")),
    ("/clear", .clear),
    ("/resend", .resend),
    ("/drop", .drop(all: false)),
    ("/drop ALL", .drop(all: true)),
    ("/quit ", .quit),
    ("/quit see you later", .quit),
  ])
  func commandsAreRead(text: String, command: SlashCommand) {
    #expect(SlashCommand.read(text) == .command(command))
  }

  @Test(arguments: [
    ("hello", "hello"), ("//hello", "/hello"), ("///", "//"), (" /quit", " /quit"),
    ("see /help", "see /help"),
  ])
  func everythingElseIsText(text: String, message: String) {
    #expect(SlashCommand.read(text) == .message(message))
  }

  @Test(arguments: [
    ("/jion dev", "There is no command /jion; did you mean /join ROOM? "),
    ("/quitt", "There is no command /quitt; did you mean /quit? "),
    ("/exit", "There is no command /exit; did you mean /quit? "),
    ("/close", "There is no command /close; did you mean /part? "),
    ("/buffer 2", "There is no command /buffer; did you mean /window [N|NAME]? "),
    ("/bye", "There is no command /bye; did you mean /quit? "),
    ("/leave", "There is no command /leave; did you mean /part? "),
    ("/disc", "There is no command /disc; did you mean /disconnect? "),
    ("/frobnicate", "There is no command /frobnicate: /help lists those there are. "),
    ("/usr/bin/env", "There is no command /usr/bin/env: /help lists those there are. "),
  ])
  func anUnknownCommandIsNamedAndANearOneSuggested(text: String, beginning: String) {
    guard case .wrong(let sentence) = SlashCommand.read(text) else {
      Issue.record("taken for something")
      return
    }
    let name = text.dropFirst().prefix { $0 != " " }
    #expect(
      sentence == beginning + "To send it as text, begin with two slashes: //\(name)")
  }

  @Test(arguments: [
    "me", "msg", "query", "ignore", "away", "topic", "whois", "ME", "kick",
  ])
  func whatOtherProgramsHaveAndThisHasNotIsSaidInOneSentence(name: String) {
    guard case .wrong(let sentence) = SlashCommand.read("/\(name) ann hello") else {
      Issue.record("taken for something")
      return
    }
    #expect(sentence.hasPrefix("There is nothing like /\(name) here: "))
    #expect(sentence.hasSuffix("; to send it as text, begin with two slashes: //\(name)"))
    #expect(!sentence.contains("did you mean"))
    #expect(!sentence.contains(". "))
  }

  @Test(arguments: [
    ("/", "A command has its name right behind the slash: /help lists them."),
    ("/ help", "A command has its name right behind the slash: /help lists them."),
    (
      "/disconnect now",
      "/disconnect takes no argument, but “now” came behind it: enter just /disconnect."
    ),
    ("/nick", "The nick is missing: enter it as in /nick ada."),
    (
      "/nick a b",
      "A nick holds no white space, but “a b” does: leave it out or write - instead."
    ),
    (
      "/nick \u{202E}bob",
      "“\u{202E}bob” holds invisible control characters: enter the nick without them."
    ),
    (
      "/nick a\u{1B}b",
      "“a\u{1B}b” holds invisible control characters: enter the nick without them."
    ),
    (
      "/nick 123456789012345678901234567890123",
      "“1234567890123456789012345678901…” is too long for a nick: it has 33 characters, "
        + "and at most 32 are allowed."
    ),
    ("/join", "The room is missing: enter it as in /join lobby."),
    ("/join #", "The room is missing: enter it as in /join lobby."),
    (
      "/drop it",
      "/drop knows only “all”, not “it”: /drop forgets what failed, /drop all also what waits."
    ),
  ])
  func aWrongArgumentIsToldInASentence(text: String, sentence: String) {
    #expect(SlashCommand.read(text) == .wrong(sentence))
  }

  @Test func namesMayHaveTheirFullLength() {
    let nick = String(repeating: "é", count: 32)
    let room = String(repeating: "r", count: 64)
    #expect(SlashCommand.read("/nick \(nick)") == .command(.nick(nick)))
    #expect(SlashCommand.read("/join \(room)") == .command(.join(room)))
    guard case .wrong = SlashCommand.read("/join \(room)r") else {
      Issue.record("too long a room was taken")
      return
    }
  }

  @Test func everyCommandOfTheTableIsUnderstood() {
    for entry in SlashCommands.all {
      let argument =
        switch entry.name {
        case "nick", "join", "server", "unbind", "search", "goto", "react": " x"
        default: ""
        }
      guard case .command = SlashCommand.read("/\(entry.name)\(argument)") else {
        Issue.record("/\(entry.name) stands in the table and is not understood")
        continue
      }
      #expect(!entry.summary.isEmpty)
      #expect(!entry.summary.contains("\n"))
    }
    #expect(
      SlashCommands.all.map(\.usage) == [
        "/help [TOPIC]", "/connect [URL]", "/disconnect", "/reconnect", "/connection",
        "/frames [TEXT]", "/reply [TEXT]", "/edit [TEXT]", "/delete [yes]", "/react EMOJI",
        "/reveal [N]", "/nick NAME", "/join ROOM", "/server URL|NAME", "/part",
        "/window [N|NAME]", "/list", "/names", "/mute", "/unmute",
        "/notify [all|mention|never|default]", "/theme [THEME|reload|check|save|reset]",
        "/set [NAME [VALUE]]", "/save", "/search [-a] TEXT", "/goto DATE|TIME", "/links",
        "/forget [ROOM]", "/clear", "/resend", "/drop [all]", "/bind [KEY [ACTION]]", "/unbind KEY",
        "/quit",
      ])
  }

  @Test func commandsBecomeWhatTheProgramIsToDo() {
    var bench = Bench()
    #expect(bench.enter("/connect") == [.connect])
    #expect(bench.enter("/help keys") == [.showHelp(topic: "keys")])
    #expect(bench.enter("/theme") == [.listThemes])
    #expect(bench.enter("/theme mono") == [.setTheme("mono")])
    #expect(bench.enter("/clear") == [.clearScreen])
    #expect(bench.enter("/nick ko") == [.rename(nick: "ko")])
    #expect(bench.room.nick == "ko")
    #expect(bench.enter("/reconnect") == [.reconnect])
    #expect(bench.enter("/quit") == [.quit])
    bench.goOnline()
    #expect(bench.enter("/disconnect") == [.disconnect])
  }

  @Test func commandsThatHaveNothingToDoSaySo() {
    var bench = Bench()
    #expect(bench.enter("/disconnect").isEmpty)
    #expect(bench.enter("/nick ada").isEmpty)
    #expect(bench.enter("/join #lobby").isEmpty)
    #expect(bench.enter("/resend").isEmpty)
    #expect(bench.enter("/drop").isEmpty)
    bench.goOnline()
    #expect(bench.enter("/connect").isEmpty)
    #expect(
      bench.notices == [
        "[There is no line to ws://chat.example/ to close; /connect opens one.]",
        "[You are called ada already.]",
        "[You are in #lobby already.]",
        "[There is nothing to send again: no message failed.]",
        "[There is nothing to drop: no message waits or failed.]",
        "[connected to ws://chat.example/]",
        "[The line to ws://chat.example/ is up already; /reconnect makes a new one.]",
      ])
  }
}
