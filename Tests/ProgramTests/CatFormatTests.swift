import Channel
import Program
import Testing
import Text
import WebSocket

@Suite struct CatFormatTests {
  private static let refused = Failure(
    kind: .refused, status: 401, message: "The server rejected the token", short: "401")

  private static let lines: [(ChannelEvent, String)] = [
    (
      .connecting(attempt: 1),
      #"{"event":"connecting","attempt":1,"url":"ws://127.0.0.1:9000/"}"#
    ),
    (
      .opened(
        subprotocol: "graphql-transport-ws", dialect: .graphql, peer: "127.0.0.1:9000", tls: nil),
      #"{"event":"opened","subprotocol":"graphql-transport-ws","compression":false,"#
        + #""peer":"127.0.0.1:9000","tls":null}"#
    ),
    (
      .opened(
        subprotocol: nil, dialect: .plain, isCompressed: true, peer: "[::1]:443", tls: "TLSv1.3"),
      #"{"event":"opened","subprotocol":null,"compression":true,"#
        + #""peer":"[::1]:443","tls":"TLSv1.3"}"#
    ),
    (.raw(.text, Array("hi".utf8)), #"{"event":"text","text":"hi"}"#),
    (
      .raw(.text, Array("a\u{1B}[2J\"\n".utf8)),
      #"{"event":"text","text":"a\u001b[2J\"\n"}"#
    ),
    (.raw(.binary, [0, 1]), #"{"event":"binary","base64":"AAE="}"#),
    (.pong(roundTrip: .microseconds(210)), #"{"event":"pong","rtt_ms":0.21}"#),
    (
      .closed(CloseReason(.normal, "bye"), clean: true),
      #"{"event":"closed","code":1000,"reason":"bye","clean":true}"#
    ),
    (
      .failed(refused),
      #"{"event":"failed","kind":"refused","status":401,"message":"The server rejected the token"}"#
    ),
    (
      .failed(Failure(kind: .dns, message: "No such host")),
      #"{"event":"failed","kind":"dns","status":null,"message":"No such host"}"#
    ),
    (
      .waiting(attempt: 2, delay: .microseconds(2_310_900)),
      #"{"event":"waiting","attempt":2,"delay_ms":2310}"#
    ),
    (
      .notice(UntrustedText("a frame was dropped")),
      #"{"event":"notice","message":"a frame was dropped"}"#
    ),
    (
      .gaveUp(attempts: 10, Failure(kind: .tcp, message: "Nobody there")),
      #"{"event":"gave-up","after":10,"message":"Nobody there"}"#
    ),
  ]

  @Test(arguments: lines.indices)
  func eachEventIsALineOfJSON(index: Int) {
    let (event, line) = Self.lines[index]
    var bench = CatBench { $0.format = .json }
    bench.channel(event)
    #expect(bench.output == line + "\n")
    #expect(bench.errors.isEmpty)
  }

  @Test func aMessageHasItsAuthorAndTime() {
    var bench = CatBench { $0.format = .json }
    bench.goOnline(.graphql)
    bench.output = ""
    var message = chatMessage("m7", "hi")
    message.time = Timestamp(milliseconds: 1_767_225_607_000)
    bench.channel(.messages([message], .live))
    bench.channel(.messages([chatMessage("m8", "ho", by: nil, isMine: true)], .history))
    #expect(
      bench.output
        == #"{"event":"message","id":"m7","author":"ada","text":"hi","#
        + #""time":"2026-01-01T00:00:07Z","mine":false}"# + "\n"
        + #"{"event":"message","id":"m8","author":null,"text":"ho","time":null,"mine":true}"#
        + "\n")
  }

  /// The test vectors of RFC 4648 section 10, and both signs of the alphabet.
  @Test(arguments: [
    ([UInt8](), ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0x6F], "Zm9v"),
    ([0x66, 0x6F, 0x6F, 0x62, 0x61, 0x72], "Zm9vYmFy"), ([0xFB, 0xFF, 0xBF], "+/+/"),
  ])
  func binaryIsBase64(bytes: [UInt8], text: String) {
    var bench = CatBench { $0.format = .json }
    bench.channel(.raw(.binary, bytes))
    #expect(bench.output.hasSuffix(#"{"event":"binary","base64":"\#(text)"}"# + "\n"))
  }

  @Test func onATerminalJSONEscapesWhatATerminalWouldObey() {
    for (isTerminal, text) in [(true, #"a\u009b\u202eb"#), (false, "a\u{9B}\u{202E}b")] {
      var bench = CatBench {
        $0.format = .json
        $0.isTerminal = isTerminal
      }
      bench.channel(.raw(.text, Array("a\u{9B}\u{202E}b".utf8)))
      #expect(bench.output == #"{"event":"text","text":"\#(text)"}"# + "\n")
    }
  }

  @Test func asTextOnlyMessagesAreOnStandardOutput() {
    var bench = CatBench()
    bench.goOnline(.graphql)
    bench.channel(.messages([chatMessage("1", "hi")], .live))
    bench.channel(.pong(roundTrip: .milliseconds(3)))
    bench.channel(.waiting(attempt: 2, delay: .milliseconds(2_310)))
    bench.channel(.closed(CloseReason(.goingAway, "bye"), clean: true))
    #expect(bench.output == "ada: hi\n")
    #expect(
      bench.errors == """
        Connecting to ws://127.0.0.1:9000/.
        Connected to 127.0.0.1:9000.
        Attempt 2 follows in 2.3 s.
        The line was closed: it is going away (1001 bye).

        """)
  }

  @Test func aPipeGetsRawMessagesAsTheyAre() {
    var bench = CatBench()
    bench.goOnline()
    bench.channel(.raw(.text, Array("a\u{1B}[2J".utf8)), .raw(.binary, [0x41, 0x07]))
    #expect(bench.output == "a\u{1B}[2J\nA\u{07}\n")
  }

  @Test func aTerminalGetsThemMadeSafe() {
    var bench = CatBench { $0.isTerminal = true }
    bench.goOnline(.graphql)
    bench.channel(.raw(.text, Array("a\u{1B}[2J".utf8)), .raw(.binary, [0x41, 0x07]))
    bench.channel(.messages([chatMessage("1", "x\u{202E}y", by: "bo\u{1B}b")], .live))
    #expect(bench.output == "a␛[2J\nA␇\nbo␛b: xy\n")
  }

  @Test func whatTheServerSaysAboutTheLineIsMadeSafe() {
    var bench = CatBench()
    bench.channel(.closed(CloseReason(.normal, "x\u{1B}]0;y\u{07}"), clean: true))
    #expect(bench.errors == "The line was closed: done (1000 x␛]0;y␇).\n")
  }
}
