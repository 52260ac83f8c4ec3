import Channel
import Room
import Testing
import Text
import WebSocket

@Suite struct TimelineTests {
  @Test func aMessageStandsOnceWhateverWayItComes() {
    var bench = Bench()
    bench.channel(.messages([message("1", "a", at: 1), message("2", "b", at: 2)], .history))
    bench.channel(.messages([message("2", "b", at: 2), message("3", "c", at: 3)], .live))
    bench.channel(.messages([message("3", "c", at: 3), message("1", "a", at: 1)], .missed))
    #expect(bench.messages == ["a", "b", "c"])
  }

  /// Its server may have lost its store, and the session not have seen the old one, which was read from the disk.
  @Test func anotherMessageOfAKnownIDStandsBehindItOnce() {
    var bench = Bench()
    bench.room.startKeeping()
    bench.channel(
      .messages([message("1", "old", at: 1), message("2", "old too", at: 2)], .history))
    let later = message("1", "new", at: 10)
    let other = message("2", "said by another", at: 3, by: "eve")
    for _ in 1...2 { bench.channel(.messages([later, other], .live)) }
    #expect(bench.messages == ["old", "old too", "new", "said by another"])
    #expect(bench.room.entries.compactMap { $0.message?.id } == ["1", "2", "1~2", "2~2"])
    let kept = bench.room.takeRecords().compactMap { record in
      if case .message(let kept, _) = record { kept } else { nil }
    }
    #expect(kept.map(\.message.id) == ["1", "2", "1~2", "2~2"])
    #expect(kept.map(\.behind) == [nil, "1", "2", "1~2"])
  }

  @Test func theAnswerToAPostWithAKnownIDIsAMessageOfItsOwn() {
    var bench = Bench()
    bench.channel(.messages([message("1", "old", at: 1, by: "ada", nonce: "n0")], .history))
    bench.goOnline()
    bench.enter("typed meanwhile")
    let answer = message("1", "typed meanwhile", at: 2, by: "ada", nonce: "n1")
    bench.channel(.sent(nonce: "n1", answer))
    bench.channel(.messages([answer], .live))
    #expect(bench.messages == ["old", "typed meanwhile"])
    #expect(bench.waiting == [])
  }

  @Test func aDoubleWithinOneBatchIsLeftOut() {
    var bench = Bench()
    bench.channel(.messages([message("1", "a"), message("1", "a"), message("2", "b")], .live))
    #expect(bench.messages == ["a", "b"])
  }

  @Test func missedMessagesGoBeforeLaterLiveOnes() {
    var bench = Bench()
    bench.channel(.messages([message("1", "one", at: 10)], .live))
    bench.channel(.messages([message("5", "five", at: 50)], .live))
    bench.channel(
      .messages([message("2", "two", at: 20), message("3", "three", at: 30)], .missed))
    #expect(bench.messages == ["one", "two", "three", "five"])
  }

  @Test func missedMessagesAreWovenBetweenSeveralLiveOnes() {
    var bench = Bench()
    bench.channel(.messages([message("1", "10", at: 10)], .live))
    bench.channel(.messages([message("3", "30", at: 30), message("5", "50", at: 50)], .live))
    bench.channel(
      .messages(
        [message("2", "20", at: 20), message("4", "40", at: 40), message("6", "60", at: 60)],
        .missed))
    #expect(bench.messages == ["10", "20", "30", "40", "50", "60"])
  }

  @Test func whatAnAnswerToAPostHasOvertakenStandsBeforeThePost() {
    var bench = Bench()
    bench.channel(.messages([message("1", "theirs", at: 10)], .live))
    bench.channel(.messages([message("3", "own", at: 30, by: "ada", isMine: true)], .live))
    bench.channel(.messages([message("2", "theirs too", at: 20)], .live))
    bench.channel(.messages([message("4", "and after", at: 40)], .live))
    #expect(bench.messages == ["theirs", "theirs too", "own", "and after"])
  }

  @Test func liveMessagesAreAppendedEvenWhenTheirClockIsBehind() {
    var bench = Bench()
    bench.channel(.messages([message("1", "later clock", at: 100)], .live))
    bench.channel(.messages([message("2", "earlier clock", at: 50)], .live))
    #expect(bench.messages == ["later clock", "earlier clock"])
  }

  @Test func withoutServerTimesMessagesStandByArrival() {
    var bench = Bench()
    bench.channel(.messages([message("9", "live")], .live))
    bench.channel(.messages([message("1", "old", at: 5), message("2", "untimed")], .history))
    #expect(bench.messages == ["live", "old", "untimed"])
  }

  @Test func theOrderOfABatchIsTheRoomsOrderEvenWhereItsTimesJump() {
    var bench = Bench()
    bench.channel(.messages([message("1", "a", at: 30), message("2", "b", at: 10)], .history))
    #expect(bench.messages == ["a", "b"])
  }

  @Test func missedMessagesStandBelowTheNoticeOfTheNewLine() {
    var bench = Bench()
    bench.goOnline()
    bench.channel(.messages([message("1", "before", at: 10)], .live))
    bench.lose()
    bench.goOnline()
    bench.channel(.messages([message("2", "meanwhile", at: 11)], .missed))
    #expect(
      bench.shown == [
        "[connected to ws://chat.example/]", "before",
        "[connected again to ws://chat.example/]", "meanwhile",
      ])
  }

  @Test func serialsGrowFromRowToRowAndNeverChange() {
    var bench = Bench()
    bench.goOnline()
    var known: [String: Int] = [:]
    func check() {
      let serials = bench.room.entries.map(\.serial)
      #expect(serials.first.map { $0 >= 0 } ?? true)
      #expect(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 })
      for entry in bench.room.entries {
        guard case .message(let message) = entry.kind else { continue }
        #expect(known[message.id, default: entry.serial] == entry.serial)
        known[message.id] = entry.serial
      }
    }
    bench.channel(.messages([message("100", "100", at: 100)], .live))
    check()
    // One at a time, as a subscription that resumes reports them.
    for second in Int64(0)..<50 {
      bench.channel(.messages([message("\(second)", "\(second)", at: second)], .missed))
      check()
    }
    bench.channel(.messages([message("101", "101", at: 101)], .live))
    let batch = (60..<70).map { (second: Int) in
      message("\(second)", "\(second)", at: Int64(second))
    }
    bench.channel(.messages(batch, .missed))
    check()
    let expected = Array(0..<50) + Array(60..<70) + [100, 101]
    #expect(bench.messages == expected.map { "\($0)" })
  }

  @Test func nothingIsLostWhereNoSerialIsLeftBetweenTwoRows() {
    var bench = Bench()
    bench.channel(.messages([message("9", "9", at: 9)], .live))
    bench.channel(.messages([message("1", "1", at: 1), message("3", "3", at: 3)], .missed))
    // Between 1 and 3 no number is free: it stands by arrival, and the rows still grow.
    bench.channel(.messages([message("2", "2", at: 2)], .missed))
    #expect(bench.messages == ["1", "3", "2", "9"])
    let serials = bench.room.entries.map(\.serial)
    #expect(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func aMessageWithoutATimeHasThatOfItsArrival() {
    var bench = Bench()
    bench.wall = Timestamp(milliseconds: 77_000)
    bench.channel(.messages([message("1", "a"), message("2", "b", at: 5)], .live))
    #expect(bench.room.entries.map(\.time.milliseconds) == [77_000, 5_000])
  }

  @Test func atMostTheBoundIsKeptAndTheNewestStay() {
    var bench = Bench(bounds: Timeline.Bounds(entries: 100))
    for number in 0..<1_000 {
      bench.channel(.messages([message("m\(number)", "\(number)")], .live))
      #expect(bench.room.entries.count <= 100)
    }
    #expect(bench.messages.last == "999")
    #expect(bench.room.entries.count >= 90)
    // What was dropped and what stayed follow each other without a hole.
    let kept = bench.messages.compactMap { Int($0) }
    #expect(kept == Array((1_000 - kept.count)..<1_000))
  }

  @Test func longTextsAreBoundedByTheirBytes() {
    var bench = Bench(bounds: Timeline.Bounds(entries: 1_000, textBytes: 10_000))
    for number in 0..<50 {
      bench.channel(
        .messages([message("m\(number)", String(repeating: "x", count: 1_000))], .live))
    }
    #expect(bench.room.entries.count < 11)
    bench.channel(.messages([message("huge", String(repeating: "y", count: 50_000))], .live))
    #expect(bench.room.entries.count == 1)
  }

  @Test func aMessageThatWasDroppedMayComeBackAsHistory() {
    var bench = Bench(bounds: Timeline.Bounds(entries: 2))
    bench.channel(
      .messages(
        [message("1", "a", at: 1), message("2", "b", at: 2), message("3", "c", at: 3)], .live))
    #expect(bench.messages == ["b", "c"])
    bench.channel(.messages([message("3", "c", at: 3)], .history))
    #expect(bench.messages == ["b", "c"])
  }

  @Test(arguments: [1, 100_000])
  func aFloodOfAHundredThousandIsTakenInBatchesOfAnySize(batch: Int) {
    let flood = (0..<100_000).map { message("m\($0)", "text \($0)", at: Int64($0)) }
    var bench = Bench()
    var start = 0
    while start < flood.count {
      bench.channel(.messages(Array(flood[start..<(start + batch)]), .live))
      start += batch
    }
    #expect(bench.room.heard == 100_000)
    #expect(bench.room.entries.count <= 20_000)
    #expect(bench.room.entries.count > 18_000)
    #expect(bench.messages.last == "text 99999")
  }

  @Test func aLongHistoryIsWovenInOnce() {
    // Work in proportion to both: twenty thousand old ones among as many that are shown.
    var bench = Bench(bounds: Timeline.Bounds(entries: 100_000))
    let even = (0..<20_000).map { message("e\($0)", "\($0 * 2)", at: Int64($0 * 2)) }
    let odd = (0..<20_000).map { message("o\($0)", "\($0 * 2 + 1)", at: Int64($0 * 2 + 1)) }
    bench.channel(.messages(even, .live))
    bench.channel(.messages(odd, .missed))
    #expect(bench.messages == (0..<40_000).map(String.init))
  }

  @Test func onlyWhatIsNewAndOfOthersIsCountedAsHeard() {
    var bench = Bench()
    bench.channel(.messages([message("1", "old")], .history))
    bench.channel(.messages([message("2", "missed")], .missed))
    bench.channel(.messages([message("3", "live"), message("4", "mine", isMine: true)], .live))
    #expect(bench.room.heard == 2)
  }

  @Test func rawMessagesBecomeRowsWithoutAuthors() {
    var bench = Bench()
    bench.goOnline(.plain)
    bench.channel(.raw(.text, Array("grüße".utf8)))
    bench.channel(.raw(.text, Array("grüße".utf8)))
    bench.channel(.raw(.binary, [0, 1, 2]))
    #expect(bench.messages == ["grüße", "grüße", "(binary message of 3 bytes)"])
    for entry in bench.room.entries {
      if case .message(let message) = entry.kind { #expect(message.author == nil) }
    }
  }
}
