import Channel
import Room
import Testing
import WebSocket

@Suite struct MentionTests {
  @Test(arguments: [
    ("mark", "Mark: look", true), ("mark", "marker", false), ("mark", "bookmark", false),
    ("mark", "@mark!", true), ("mark", "mark_2", false), ("mark", "mark2", false),
    ("mark", "mark's", true), ("mark", "a marker and mark", true), ("mark", "", false),
    ("kaffee", "kaffeekanne", false), ("kaffee", "KAFFEE?", true),
    ("Ärzte", "die ärzte kommen", true), ("ärzte", "zahnärzte", false),
    ("strauß", "STRAUSS", true), ("ada", "a\u{301}da", false), ("é", "e\u{301}", true),
    ("太郎", "太郎さん、見て", true), ("ひな", "ねえひなちゃん", true), ("민수", "민수야", false),
    ("[ko]", "hey [ko]", true), ("ko", "ko-op", true), ("🙂", "hi🙂you", true),
    ("", "anything", false), ("ko", "k", false), ("aab", "aaab aab", true),
  ])
  func aNickIsFoundAsAWord(nick: String, text: String, isMentioned: Bool) {
    #expect(Mention(of: nick).isIn(text) == isMentioned)
  }

  @Test func anEndlessTextIsSearchedOnlyAtItsBeginning() {
    let padding = String(repeating: "x ", count: 40_000)
    #expect(Mention(of: "ada").isIn("ada " + padding))
    #expect(!Mention(of: "ada").isIn(padding + "ada"))
  }

  @Test func onlyLiveMessagesOfOthersRing() {
    var bench = Bench(nick: "ada")
    bench.goOnline()
    #expect(bench.channel(.messages([message("1", "ada?")], .history)).isEmpty)
    #expect(bench.channel(.messages([message("2", "ada?")], .missed)).isEmpty)
    #expect(bench.channel(.messages([message("3", "I am ada", isMine: true)], .live)).isEmpty)
    #expect(bench.channel(.messages([message("4", "adapter")], .live)).isEmpty)
    #expect(
      bench.channel(.messages([message("5", "Ada!"), message("6", "ada!")], .live)) == [.bell])
    // Said once, it does not ring again.
    #expect(bench.channel(.messages([message("5", "Ada!")], .live)).isEmpty)
  }

  @Test func aMessageWithoutAnAuthorRingsToo() {
    var bench = Bench(nick: "ada")
    bench.goOnline(.plain)
    #expect(bench.channel(.raw(.text, Array("ko: look, Ada".utf8))) == [.bell])
    #expect(bench.channel(.raw(.text, Array("ko: an adapter".utf8))).isEmpty)
    #expect(bench.channel(.raw(.binary, Array("ada".utf8))).isEmpty)
  }

  @Test func anotherNickRingsForItself() {
    var bench = Bench(nick: "ada")
    bench.enter("/nick ko")
    #expect(bench.channel(.messages([message("1", "ada")], .live)).isEmpty)
    #expect(bench.channel(.messages([message("2", "ko")], .live)) == [.bell])
  }
}
