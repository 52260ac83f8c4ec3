import Channel
import Program
import Testing
import Text
import WebSocket

@Suite struct CatTests {
  @Test func itConnectsFirst() {
    #expect(CatBench().inputs == [.connect])
  }

  @Test(arguments: [
    ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\n\nb\n", ["a", "", "b"]),
    ("", []), ("\n", [""]), ("a\rb\n", ["a\rb"]), ("a\r", ["a\r"]), ("\r\n", [""]),
  ])
  func standardInputIsCutIntoLines(text: String, lines: [String]) {
    // In one piece and byte by byte.
    for pieces in [[Array(text.utf8)], text.utf8.map { [$0] }] {
      var bench = CatBench()
      bench.goOnline()
      for piece in pieces { bench.handle(.standardInput(piece)) }
      bench.endInput()
      #expect(bench.posted == lines)
    }
  }

  @Test func linesWaitForTheLineAndGoOutInOrder() {
    var bench = CatBench()
    bench.enter("a\nb\n")
    #expect(bench.posted.isEmpty)
    bench.goOnline(.graphql)
    #expect(bench.posted == ["a"])
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.posted == ["a", "b"])
  }

  @Test func plainLinesNeedNotWaitForEachOther() {
    var bench = CatBench()
    bench.enter("a\nb\nc\n")
    bench.goOnline()
    #expect(bench.posted == ["a", "b", "c"])
  }

  @Test func textsOfSendGoFirst() {
    var bench = CatBench { $0.send = ["first", "second"] }
    bench.enter("third\n")
    bench.goOnline()
    #expect(bench.posted == ["first", "second", "third"])
  }

  @Test func aLineThatIsTooLongIsLeftOutWithASentence() {
    var bench = CatBench { $0.maxMessage = 4 }
    bench.goOnline()
    bench.errors = ""
    bench.enter("1234\n12345\n123")
    bench.enter("456789012")
    bench.enter("345\r\n1234\r\nlast is long too")
    bench.endInput()
    #expect(bench.posted == ["1234", "1234"])
    #expect(
      bench.errors
        == [2, 3, 5].map {
          "Line \($0) of standard input was left out: it has more than 4 bytes, "
            + "which --max-message allows at most.\n"
        }.joined())
  }

  @Test func aLineThatIsNoTextIsLeftOutUnlessBinary() {
    var bench = CatBench()
    bench.goOnline()
    bench.errors = ""
    bench.handle(.standardInput([0x61, 0xFF, 0x0A, 0x62, 0x0A]))
    #expect(bench.posted == ["b"])
    #expect(
      bench.errors
        == "Line 1 of standard input was left out: it is not UTF-8; "
        + "--binary sends bytes as they are.\n")
    bench.channel(.sent(nonce: "n1", nil))
    bench.endInput()
    bench.stop()
    // A script that trusts 0 would believe that all of it has arrived.
    #expect(bench.exit == 65)
    var binary = CatBench { $0.isBinary = true }
    binary.handle(.standardInput([0x61, 0xFF, 0x0A, 0x62, 0x0A]))
    binary.goOnline()
    #expect(
      binary.inputs == [.connect, .sendBinary([0x61, 0xFF]), .sendBinary([0x62])])
  }

  @Test func anyNumberOfBinaryLinesPasses() {
    var bench = CatBench { $0.isBinary = true }
    bench.goOnline()
    bench.enter(String(repeating: "x\n", count: 1_000))
    bench.endInput()
    #expect(bench.inputs.filter { $0 == .sendBinary([0x78]) }.count == 1_000)
    #expect(bench.inputs.last == .disconnect)
  }

  @Test func standardInputIsNotReadWhileTooMuchWaits() {
    var bench = CatBench()
    #expect(bench.cat.wantsInput)
    bench.enter(String(repeating: "x\n", count: 255))
    #expect(bench.cat.wantsInput)
    bench.enter("x\nbeyond\n")
    #expect(!bench.cat.wantsInput)
    bench.goOnline()
    #expect(bench.posted.count == 256)
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.posted.last == "beyond")
    bench.channel(.sent(nonce: "n2", nil))
    #expect(bench.cat.wantsInput)
  }

  @Test func fourMebibytesAreTooMuchToo() {
    var bench = CatBench()
    bench.enter(String(repeating: "x", count: 4 << 20) + "\n")
    #expect(!bench.cat.wantsInput)
    // But one long line is read to its end.
    var long = CatBench()
    long.enter(String(repeating: "x", count: 5 << 20))
    #expect(long.cat.wantsInput)
  }

  @Test func whatWasRepeatableGoesOutAgainOnTheNextLine() {
    var bench = CatBench { $0.format = .json }
    bench.enter("a\nb\n")
    bench.goOnline(.envelope)
    bench.channel(.repeatable(nonce: "n1"), .failed(Failure(kind: .tcp, message: "cut")))
    #expect(bench.posted == ["a"])
    bench.goOnline(.envelope, attempt: 2)
    #expect(bench.posted == ["a", "a"])
    bench.channel(.sent(nonce: "n1", chatMessage("m1", "a", isMine: true)))
    #expect(bench.posted == ["a", "a", "b"])
  }

  @Test func whatComesBackOnALineThatHoldsGoesOutAgain() {
    var bench = CatBench()
    bench.enter("a\nb\n")
    bench.goOnline(.graphql)
    bench.channel(.repeatable(nonce: "n1"))
    bench.enter("c\n")
    #expect(bench.posted == ["a"])
    bench.handle(.lineHolds)
    #expect(bench.posted == ["a", "a"])
  }

  @Test func whatNobodyCanKnowIsToldAndNotRepeated() {
    var bench = CatBench { $0.format = .json }
    bench.enter("a\n")
    bench.endInput()
    bench.goOnline()
    bench.output = ""
    bench.channel(.unsure(nonce: "n1"))
    #expect(bench.output == #"{"event":"unsure","text":"a"}"# + "\n")
    bench.goOnline()
    #expect(bench.posted == ["a"])
    #expect(bench.isLeaving)
  }

  @Test func sentIsToldWhereMessagesHaveAuthorsAndTheMessageOnce() {
    var bench = CatBench { $0.format = .json }
    bench.enter("a\nb\n")
    bench.goOnline(.graphql)
    bench.output = ""
    // The echo first, then the answer; and the other way round.
    let first = chatMessage("m1", "a", nonce: "n1", isMine: true)
    bench.channel(.messages([first], .live), .sent(nonce: "n1", first))
    let second = chatMessage("m2", "b", nonce: "n2", isMine: true)
    bench.channel(.sent(nonce: "n2", second), .messages([second], .live))
    #expect(
      bench.output == """
        {"event":"message","id":"m1","author":"ada","text":"a","time":null,"mine":true}
        {"event":"sent","text":"a","id":"m1"}
        {"event":"message","id":"m2","author":"ada","text":"b","time":null,"mine":true}
        {"event":"sent","text":"b","id":"m2"}

        """)
  }

  @Test func plainTellsNothingAboutWhatWasSent() {
    var bench = CatBench { $0.format = .json }
    bench.enter("a\n")
    bench.goOnline()
    bench.output = ""
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.output.isEmpty)
  }

  @Test func aRejectedLineIsTold() {
    var bench = CatBench()
    bench.enter("rude\n")
    bench.goOnline(.graphql)
    bench.errors = ""
    bench.channel(.rejected(nonce: "n1", reason: UntrustedText("not here")))
    #expect(bench.errors == "The server did not take “rude”: not here\n")
    bench.endInput()
    #expect(bench.isLeaving)
    bench.stop()
    #expect(bench.exit == 69)
  }
}
