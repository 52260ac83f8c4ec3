import Channel
import Room
import Testing
import Text

@Suite struct OutboxTests {
  @Test func aLineTypedOnLineGoesOutAtOnceAndStandsInTheTimelineOnlyWhenSent() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("hi") == [post("n1", "hi")])
    #expect(bench.messages.isEmpty)
    #expect(bench.waiting == ["sending hi"])
    bench.channel(.sent(nonce: "n1", message("m1", "hi", by: "ada", nonce: "n1")))
    #expect(bench.messages == ["hi"])
    #expect(bench.waiting.isEmpty)
  }

  @Test func linesTypedWhileTheLineIsDownGoOutOneAfterTheOtherInTheirOrder() {
    var bench = Bench()
    for text in ["one", "two", "three"] { #expect(bench.enter(text).isEmpty) }
    #expect(bench.waiting == ["pending one", "pending two", "pending three"])
    #expect(bench.goOnline() == [post("n1", "one")])
    #expect(bench.channel(.sent(nonce: "n1", nil)) == [post("n2", "two")])
    #expect(bench.enter("four").isEmpty)
    #expect(bench.channel(.sent(nonce: "n2", nil)) == [post("n3", "three")])
    #expect(bench.channel(.sent(nonce: "n3", nil)) == [post("n4", "four")])
    #expect(bench.channel(.sent(nonce: "n4", nil)).isEmpty)
    #expect(bench.messages == ["one", "two", "three", "four"])
  }

  @Test func thePlainDialectTakesThemAllAtOnce() {
    var bench = Bench()
    for text in ["one", "two", "three"] { bench.enter(text) }
    #expect(bench.goOnline(.plain) == [post("n1", "one"), post("n2", "two"), post("n3", "three")])
  }

  @Test func onlineButNotYetReadyLinesWait() {
    var bench = Bench()
    bench.channel(.connecting(attempt: 1))
    #expect(bench.enter("hi").isEmpty)
    #expect(bench.waiting == ["pending hi"])
  }

  @Test func aRepeatablePostWaitsAndGoesOutAgainWithItsNonce() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("one")
    bench.enter("two")
    bench.lose(before: [.repeatable(nonce: "n1")])
    #expect(bench.waiting == ["pending one", "pending two"])
    #expect(bench.goOnline() == [post("n1", "one")])
    bench.channel(.sent(nonce: "n1", nil))
    bench.channel(.sent(nonce: "n2", nil))
    #expect(bench.messages == ["one", "two"])
  }

  @Test func aPostThatComesBackOnALineThatHoldsGoesOutAgain() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("one")
    #expect(bench.channel(.repeatable(nonce: "n1")).isEmpty)
    #expect(bench.enter("two").isEmpty)
    #expect(bench.room.isHeld)
    #expect(bench.handle(.lineHolds) == [post("n1", "one")])
    #expect(!bench.room.isHeld)
  }

  @Test func anUnsurePostStaysUntilThePersonDecides() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("one")
    bench.enter("two")
    bench.lose(before: [.unsure(nonce: "n1")])
    // It is not repeated by itself, and does not hold up those behind it.
    #expect(bench.goOnline() == [post("n2", "two")])
    bench.channel(.sent(nonce: "n2", nil))
    #expect(bench.waiting == ["unsure one"])
    #expect(bench.enter("/resend") == [post("n1", "one")])
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.waiting.isEmpty)
    #expect(bench.messages == ["two", "one"])
  }

  @Test func aRejectedPostIsKeptWithItsReasonForDropOrResend() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("rude")
    bench.enter("kind")
    let next = bench.channel(.rejected(nonce: "n1", reason: UntrustedText("not allowed")))
    #expect(next == [post("n2", "kind")])
    #expect(bench.waiting == ["failed rude: not allowed", "sending kind"])
    bench.enter("/drop")
    #expect(bench.waiting == ["sending kind"])
    #expect(bench.notices.last == "[1 message is dropped.]")
  }

  @Test func dropAllForgetsWhatWaitsToo() {
    var bench = Bench()
    bench.enter("one")
    bench.enter("two")
    bench.enter("/drop")
    #expect(bench.waiting == ["pending one", "pending two"])
    #expect(bench.notices.last == "[No message failed; /drop all forgets those that wait.]")
    bench.enter("/drop all")
    #expect(bench.waiting.isEmpty)
    #expect(bench.goOnline().isEmpty)
  }

  @Test func anEchoBeforeTheAnswerMakesOneEntry() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.messages([message("m1", "hi", by: "ada", nonce: "n1")], .live))
    #expect(bench.messages == ["hi"])
    #expect(bench.waiting.isEmpty)
    bench.channel(.sent(nonce: "n1", message("m1", "hi", by: "ada", nonce: "n1")))
    #expect(bench.messages == ["hi"])
    #expect(bench.room.heard == 0)
  }

  @Test func anEchoWithTheNonceBeforeAnAnswerWithoutMessageMakesOneEntry() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.messages([message("m1", "hi", by: "ada", nonce: "n1")], .live))
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.messages == ["hi"])
  }

  @Test func anEchoWithTheSameIdButNoNonceMakesOneEntry() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.messages([message("m1", "hi", by: "ada", isMine: true)], .live))
    bench.channel(.sent(nonce: "n1", message("m1", "hi", by: "ada")))
    #expect(bench.messages == ["hi"])
    #expect(bench.waiting.isEmpty)
  }

  @Test(arguments: [String?.none, "n1"])
  func anEchoBehindTheAnswerMakesOneEntryAndGivesItItsId(nonce: String?) throws {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.sent(nonce: "n1", nil))
    bench.channel(
      .messages([message("m1", "hi", at: 5, by: "ada", nonce: nonce, isMine: true)], .live))
    bench.channel(.messages([message("m1", "hi", at: 5, by: "ada")], .missed))
    #expect(bench.messages == ["hi"])
    let entry = try #require(bench.room.entries.last)
    #expect(entry.time.milliseconds == 5_000)
    guard case .message(let shown) = entry.kind else {
      Issue.record("no message")
      return
    }
    #expect(shown.id == "m1")
    #expect(shown.isMine)
  }

  @Test func anEchoWithoutNonceBeforeAnAnswerWithoutMessageMakesOneEntry() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.messages([message("m1", "hi", by: "ada", isMine: true)], .live))
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.messages == ["hi"])
    #expect(bench.waiting.isEmpty)
  }

  @Test func theSameTextSentTwiceStandsTwice() {
    var bench = Bench()
    bench.goOnline()
    for (nonce, id) in [("n1", "m1"), ("n2", "m2")] {
      bench.enter("ok")
      bench.channel(.sent(nonce: nonce, nil))
      bench.channel(.messages([message(id, "ok", by: "ada", isMine: true)], .live))
    }
    #expect(bench.messages == ["ok", "ok"])
  }

  @Test func anUnsurePostThatTurnsUpAmongTheMissedHasArrived() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.lose(before: [.unsure(nonce: "n1")])
    bench.goOnline()
    bench.channel(.messages([message("m1", "hi", by: "ada", nonce: "n1")], .missed))
    #expect(bench.waiting.isEmpty)
    #expect(bench.messages == ["hi"])
  }

  @Test func whatALostLineDidNotAnswerForIsUnsureOnTheNext() {
    var bench = Bench()
    bench.goOnline()
    bench.enter("hi")
    bench.lose()
    #expect(bench.goOnline().isEmpty)
    #expect(bench.waiting == ["unsure hi"])
  }

  @Test func aMessageMadeFromThePostIsMine() throws {
    var bench = Bench(nick: "ko")
    bench.goOnline()
    bench.enter("hi")
    bench.channel(.sent(nonce: "n1", nil))
    guard case .message(let shown) = bench.room.entries.last?.kind else {
      Issue.record("no message")
      return
    }
    #expect(shown.isMine)
    #expect(shown.author?.raw == "ko")
    #expect(shown.time == nil)
  }

  @Test(arguments: ["", " ", "\n", " \t \n "])
  func emptyLinesAreNotSent(text: String) {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter(text).isEmpty)
    #expect(bench.waiting.isEmpty)
  }

  @Test func twoSlashesSendOne() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("//etc/hosts") == [post("n1", "/etc/hosts")])
  }

  @Test func aTextOfSeveralLinesIsOnePost() {
    var bench = Bench()
    bench.goOnline()
    #expect(bench.enter("one\n/two\nthree") == [post("n1", "one\n/two\nthree")])
  }

  @Test func aMessageOver64KiBIsRefusedAndGivenBack() {
    var bench = Bench()
    bench.goOnline()
    let most = String(repeating: "x", count: 65_536)
    #expect(bench.enter(most) == [post("n1", most)])
    #expect(bench.enter(most + "x") == [.restoreInput(most + "x")])
    #expect(
      bench.notices.last
        == "[! The message was not sent: it has 65537 bytes, and at most 65536 are allowed; "
        + "it is back in the input, to be made shorter or split.]")
    // Bytes count, not characters.
    let wide = String(repeating: "é", count: 32_769)
    #expect(bench.enter(wide) == [.restoreInput(wide)])
  }

  @Test func moreThanAThousandMayNotWait() {
    var bench = Bench()
    for number in 0..<1_000 { #expect(bench.enter("\(number)").isEmpty) }
    #expect(bench.enter("one more") == [.restoreInput("one more")])
    #expect(bench.room.outbox.count == 1_000)
  }

  @Test func quittingWithPendingPostsIsAskedForTwice() {
    var bench = Bench()
    bench.enter("one")
    bench.enter("two")
    #expect(bench.enter("/quit").isEmpty)
    #expect(
      bench.notices.last
        == "[! 2 messages are not known to have arrived and would be lost; "
        + "/quit again leaves all the same.]")
    #expect(bench.enter("/quit") == [.quit])
  }

  @Test func somethingElseInBetweenTakesTheFirstQuitBack() {
    var bench = Bench()
    bench.enter("one")
    bench.enter("/quit")
    bench.enter("two")
    #expect(bench.enter("/quit").isEmpty)
    bench.enter("/drop all")
    #expect(bench.enter("/quit") == [.quit])
  }
}
