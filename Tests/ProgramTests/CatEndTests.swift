import Channel
import Program
import Testing
import WebSocket

@Suite struct CatEndTests {
  @Test func withTheInputAtItsEndItLeavesWhenEverythingWentOut() {
    var bench = CatBench()
    bench.enter("a\n")
    bench.endInput()
    #expect(!bench.isLeaving)
    bench.goOnline()
    #expect(!bench.isLeaving)
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.isLeaving)
    #expect(bench.exit == nil)
    bench.stop()
    #expect(bench.exit == 0)
  }

  @Test func aPostThatNobodyKnowsOfEndsWith69() {
    var bench = CatBench()
    bench.enter("a\n")
    bench.endInput()
    bench.goOnline()
    bench.channel(.unsure(nonce: "n1"))
    bench.goOnline(attempt: 2)
    #expect(bench.isLeaving)
    bench.stop()
    #expect(bench.exit == 69)
  }

  /// Two lines were sent, and the history of the server tells which of them it has.
  private func benchThatLooksUp() -> CatBench {
    var bench = CatBench {
      $0.format = .json
      $0.looksUpPosts = true
    }
    bench.enter("a\nb\n")
    bench.endInput()
    bench.goOnline(.graphql)
    return bench
  }

  @Test func whatTheHistoryMayTellIsAwaitedAndGoesOutAgainInItsPlace() {
    var bench = benchThatLooksUp()
    bench.channel(.unsure(nonce: "n1"))
    #expect(!bench.isLeaving)
    // The history does not have it.
    bench.channel(.connecting(attempt: 2), .repeatable(nonce: "n1"), .ready)
    bench.channel(.sent(nonce: "n1", nil), .sent(nonce: "n2", nil))
    #expect(bench.posted == ["a", "a", "b"])
    #expect(!bench.output.contains("unsure"))
    #expect(bench.isLeaving)
    bench.stop()
    #expect(bench.exit == 0)
  }

  @Test func whatTheHistoryDoesNotTellIsUnsureWithTheNextLine() {
    var bench = benchThatLooksUp()
    bench.channel(.unsure(nonce: "n1"), .connecting(attempt: 2), .ready)
    #expect(bench.output.contains(#"{"event":"unsure","text":"a"}"#))
    bench.channel(.sent(nonce: "n2", nil))
    #expect(bench.posted == ["a", "b"])
    #expect(bench.isLeaving)
    bench.stop()
    #expect(bench.exit == 69)
  }

  @Test func whatIsUnderWayWhenItLeavesByItselfIsNoFailure() {
    var bench = CatBench { $0.count = 1 }
    bench.enter("a\nb\n")
    bench.goOnline()
    bench.channel(.raw(.text, Array("x".utf8)))
    #expect(bench.isLeaving)
    bench.channel(.unsure(nonce: "n1"), .unsure(nonce: "n2"))
    bench.stop()
    #expect(bench.exit == 0)
  }

  @Test func anEmptyInputStillGoesOnLineOnce() {
    var bench = CatBench()
    bench.endInput()
    #expect(!bench.isLeaving)
    bench.goOnline()
    #expect(bench.isLeaving)
  }

  @Test func itStaysForTheTimeOfWait() {
    var bench = CatBench { $0.wait = .seconds(1) }
    bench.enter("a\n")
    bench.endInput()
    bench.goOnline()
    #expect(bench.cat.deadline == nil)
    bench.now = Instant(.seconds(5))
    bench.channel(.sent(nonce: "n1", nil))
    #expect(bench.cat.deadline == Instant(.seconds(6)))
    bench.now = Instant(.milliseconds(5_999))
    bench.channel(.raw(.text, Array("a".utf8)))
    #expect(!bench.isLeaving)
    bench.now = Instant(.seconds(6))
    bench.handle(.timeReached)
    #expect(bench.isLeaving)
    #expect(bench.cat.deadline == nil)
  }

  @Test func withoutATimeItStays() {
    var bench = CatBench { $0.wait = nil }
    bench.endInput()
    bench.goOnline()
    bench.now = Instant(.seconds(100_000))
    bench.handle(.timeReached)
    #expect(!bench.isLeaving)
  }

  @Test func itLeavesAfterAsManyMessagesAsWereAskedFor() {
    var bench = CatBench { $0.count = 2 }
    bench.goOnline()
    bench.channel(.raw(.text, Array("a".utf8)))
    #expect(!bench.isLeaving)
    bench.channel(.raw(.text, Array("b".utf8)), .raw(.text, Array("c".utf8)))
    #expect(bench.output == "a\nb\n")
    #expect(bench.inputs.filter { $0 == .disconnect }.count == 1)
    bench.stop()
    #expect(bench.exit == 0)
  }

  @Test func nothingIsPostedAnyMoreWhenItLeaves() {
    var bench = CatBench { $0.count = 1 }
    bench.goOnline(.graphql)
    bench.channel(.messages([chatMessage("1", "hi")], .live))
    bench.enter("late\n")
    #expect(bench.posted.isEmpty)
    #expect(!bench.cat.wantsInput)
  }

  @Test(arguments: [
    (SessionState.Offline.closed(CloseReason(.normal)), Int32(0)),
    (.closed(CloseReason(.goingAway)), 0),
    (.closed(CloseReason(.noStatus)), 0),
    (.closed(CloseReason(.protocolError)), 76),
    (.closed(CloseReason(.internalError)), 69),
    (.refused(Failure(kind: .upgrade, status: 401, message: "no")), 77),
  ])
  func theEndOfTheSessionDecidesTheExitCode(end: SessionState.Offline, code: Int32) {
    var bench = CatBench()
    bench.goOnline()
    bench.channel(.stateChanged(.offline(end)))
    #expect(bench.exit == code)
  }

  @Test(arguments: [
    (Failure.Kind.tls, Int32(69)), (.dns, 69), (.tcp, 69), (.timeout, 69), (.proxy, 69),
    (.upgrade, 76), (.protocol, 76), (.refused, 77),
  ])
  func aFailureThatNothingMendsDecidesByItsKind(kind: Failure.Kind, code: Int32) {
    var bench = CatBench()
    let failure = Failure(kind: kind, message: "no")
    bench.channel(.failed(failure), .stateChanged(.offline(.gaveUp(attempts: 1, failure))))
    #expect(bench.exit == nil)
    bench.channel(.gaveUp(attempts: 1, failure))
    #expect(bench.exit == code)
  }

  @Test(arguments: [(503, Int32(69)), (502, 69), (429, 69), (408, 69), (404, 76), (200, 76)])
  func anAnswerToTheOnlyAttemptDecidesByItsStatus(status: Int, code: Int32) {
    var bench = CatBench { $0.attemptLimit = 1 }
    let failure = Failure(kind: .upgrade, status: status, message: "no")
    bench.channel(
      .failed(failure), .stateChanged(.offline(.gaveUp(attempts: 1, failure))),
      .gaveUp(attempts: 1, failure))
    #expect(bench.exit == code)
  }

  @Test func givingUpAfterAllAttemptsIsUnavailability() {
    var bench = CatBench { $0.format = .json }
    let failure = Failure(kind: .upgrade, status: 503, message: "busy")
    bench.channel(
      .stateChanged(.offline(.gaveUp(attempts: 10, failure))), .gaveUp(attempts: 10, failure))
    #expect(bench.exit == 69)
    #expect(bench.output == #"{"event":"gave-up","after":10,"message":"busy"}"# + "\n")
  }

  @Test(arguments: [nil, 1] as [Int?])
  func behindAnInterruptNothingMoreIsPrinted(count: Int?) {
    var bench = CatBench { $0.count = count }
    bench.goOnline()
    bench.handle(.interrupted)
    #expect(bench.inputs.last == .leave)
    bench.channel(.raw(.text, Array("late".utf8)))
    bench.handle(.interrupted)
    #expect(bench.inputs.filter { $0 == .leave }.count == 1)
    bench.stop()
    #expect(bench.output == "")
    #expect(bench.exit == 130)
  }

  @Test func anOrderlyEndWithSomethingUnsentIsUnavailability() {
    var bench = CatBench { $0.attemptLimit = 1 }
    bench.enter("a\nb\n")
    bench.goOnline(.graphql)
    bench.channel(
      .repeatable(nonce: "n1"), .closed(CloseReason(.normal), clean: true),
      .stateChanged(.offline(.closed(CloseReason(.normal)))))
    #expect(bench.exit == 69)
    // The first was handed to the line before it ended.
    #expect(bench.errors.contains("“a”"))
    #expect(bench.errors.contains("One line was not sent: “b”."))
  }

  @Test func anOrderlyEndWithEverythingSentIsSuccess() {
    var bench = CatBench { $0.attemptLimit = 1 }
    bench.enter("a\n")
    bench.goOnline()
    bench.channel(
      .sent(nonce: "n1", nil), .closed(CloseReason(.normal), clean: true),
      .stateChanged(.offline(.closed(CloseReason(.normal)))))
    #expect(bench.exit == 0)
  }

  @Test func afterTheEndNothingHappens() {
    var bench = CatBench()
    bench.channel(.stateChanged(.offline(.closed(CloseReason(.normal)))))
    let inputs = bench.inputs
    bench.enter("a\n")
    bench.channel(.ready, .raw(.text, [0x61]))
    #expect(bench.output.isEmpty)
    #expect(bench.inputs == inputs)
  }
}
