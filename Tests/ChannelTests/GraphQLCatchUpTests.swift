import Channel
import JSON
import Testing
import Text

/// Servers that give fewer messages at once than are asked for, and what is asked for again after a cut.
@Suite struct GraphQLCatchUpTests {
  /// A subscription that cannot resume: the history alone fills gaps.
  private static func line(
    seen: ClosedRange<Int> = 1...1, _ change: (inout Profile) -> Void = { _ in }
  ) -> GraphQLWire {
    var line = GraphQLWire {
      $0.liveResumes = false
      change(&$0)
    }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory(GraphQLWire.messages(seen))
    return line
  }

  /// A server that gives `limit` messages at once, those next to the cursor or the newest, answers until nothing is
  /// asked for any more.
  private static func serve(
    _ line: inout GraphQLWire, _ first: [DialectOutput], upTo newest: Int, limit: Int,
    givesNewest: Bool = false
  ) -> (outputs: [DialectOutput], requests: Int) {
    var all: [DialectOutput] = []
    var asked = first
    var requests = 0
    while let variables = asked.variables(of: "query").last, requests < 300 {
      requests += 1
      let after = variables["after"]?.string.flatMap { Int($0.dropFirst()) }
      let count = min(limit, Int(variables["last"]?.integer ?? 0))
      var numbers = Array((after ?? 0) + 1..<newest + 1)
      numbers = Array(after == nil || givesNewest ? numbers.suffix(count) : numbers.prefix(count))
      if line.isNewestFirst { numbers.reverse() }
      asked = line.answerHistory(numbers.map { GraphQLWire.message($0) })
      all += asked
    }
    return (all, requests)
  }

  @Test(arguments: [1, 2, 10, 20, 49, 50, 60])
  func allPagesOfAServerWithALimitAreFetchedBeforePostsGoOn(limit: Int) {
    var line = Self.line()
    let answer = Self.serve(&line, line.reconnect(), upTo: 121, limit: limit)
    #expect(answer.outputs.ids == (2...121).map { "m\($0)" })
    #expect(answer.outputs.notices == [])
    #expect(answer.outputs.last == .ready)
  }

  @Test(arguments: [10, 50, 100])
  func theNewestOfAServerWithALimitAreSaidToHaveAGap(limit: Int) {
    for order in [Profile.Order.oldestFirst, .newestFirst] {
      var line = Self.line {
        $0.historyOrder = order
      }
      line.isNewestFirst = order == .newestFirst
      let answer = Self.serve(
        &line, line.reconnect(), upTo: 121, limit: limit, givesNewest: true)
      #expect(answer.outputs.ids == (122 - limit...121).map { "m\($0)" })
      #expect(answer.outputs.notices.count == 1)
      #expect(answer.outputs.isReady)
    }
  }

  @Test(arguments: [Profile.Order.oldestFirst, .newestFirst])
  func aShortPageOfTheNewestThatIsWholeHasNoGap(order: Profile.Order) {
    var line = Self.line {
      $0.historyOrder = order
    }
    line.isNewestFirst = order == .newestFirst
    let answer = Self.serve(&line, line.reconnect(), upTo: 9, limit: 50, givesNewest: true)
    #expect(answer.outputs.ids == (2...9).map { "m\($0)" })
    #expect(answer.outputs.notices == [])
    // It is known by now that the server gives as many at once.
    let again = Self.serve(&line, line.reconnect(), upTo: 12, limit: 50, givesNewest: true)
    #expect(again.outputs.ids == (10...12).map { "m\($0)" })
    #expect(again.requests == 1)
  }

  @Test func aPostBehindTheFirstPageIsNotTakenForLost() {
    for resumes in [false, true] {
      var line = Self.line {
        $0.liveResumes = resumes
        $0.postRepeat = .lookup
      }
      _ = line.post("k1", "x")
      _ = line.reconnect()
      // As many at once are all that the server gives.
      let first = line.answerHistory(GraphQLWire.messages(2...11))
      #expect(!first.contains(.repeatable(nonce: "k1")))
      if !resumes {
        // Which ones it gives is found out first.
        _ = line.answerHistory(GraphQLWire.messages(2...2))
        #expect(
          line.answerHistory(GraphQLWire.messages(2...11)).variables(of: "query").first?["after"]
            == "m11")
      }
      let second = line.answerHistory([GraphQLWire.message(12, author: "ada", nonce: "k1")])
      let isSent = second.contains { if case .sent("k1", _) = $0 { true } else { false } }
      #expect(isSent)
      #expect(!second.contains(.repeatable(nonce: "k1")))
    }
  }

  @Test func aGapInTheNumbersIsFilledPageByPage() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...3)) {
      $0.message.seq = Profile.Path("seq")
    }
    var asked = line.say(GraphQLWire.message(30))
    #expect(asked.variables(of: "query").first?["after"] == "m3")
    var ids: [String] = []
    for start in [4, 14, 24] {
      asked = line.answerHistory(GraphQLWire.messages(start...min(30, start + 9)))
      ids += asked.ids
    }
    #expect(ids == (4...30).map { "m\($0)" })
    #expect(asked.notices == [])
  }

  @Test func aRoomThatTalksFasterThanPagesComeIsCaughtUpWith() {
    var line = Self.line(seen: 1...50)
    _ = line.reconnect()
    _ = line.say(GraphQLWire.message(53))
    let answer = line.answerHistory(GraphQLWire.messages(51...53))
    #expect(answer.ids == ["m51", "m52", "m53"])
    #expect(answer.types == [])
    #expect(answer.isReady)
  }

  // MARK: - The checkpoint

  @Test func whatWasNotConfirmedByTheCheckIsAskedForAgainAfterACut() {
    for isAsked in [false, true] {
      var line = Self.line(seen: 1...10)
      _ = line.say(GraphQLWire.message(12))
      #expect(line.wire.dialect.cursor(in: "general") == "m10")
      if isAsked { #expect(line.pass(.seconds(3)).variables(of: "query").count == 1) }
      #expect(line.reconnect().variables(of: "query").first?["after"] == "m10")
      #expect(line.answerHistory(GraphQLWire.messages(11...12)).origins == ["m11 missed"])
    }
  }

  /// Nobody says when a subscription is live.
  @Test func whatIsSaidAfterTheFirstCheckIsFoundByTheSecond() {
    var line = Self.line(seen: 1...2)
    #expect(line.pass(.seconds(3)).variables(of: "query").map { $0["after"] } == ["m2"])
    _ = line.answerHistory([])
    _ = line.say(GraphQLWire.message(4))
    #expect(line.pass(.seconds(6)).variables(of: "query").map { $0["after"] } == ["m2"])
    #expect(line.answerHistory(GraphQLWire.messages(3...4)).ids == ["m3"])
  }

  @Test func afterTheCheckTheCursorIsThatOfTheLastMessage() {
    var line = Self.line(seen: 1...2)
    _ = line.say(GraphQLWire.message(3))
    _ = line.pass(.seconds(3))
    _ = line.answerHistory(GraphQLWire.messages(3...3))
    #expect(line.wire.dialect.cursor(in: "general") == "m3")
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m3")
  }

  @Test func aRoomThatIsLeftBeforeTheCheckIsAskedFromThereAgain() {
    var line = Self.line(seen: 1...2)
    _ = line.say(GraphQLWire.message(4))
    _ = line.join("games")
    #expect(line.join("general").variables(of: "query").first?["after"] == "m2")
  }

  @Test func whatWasSaidBeforeTheSubscriptionWasLiveInAnEmptyRoomIsFetched() {
    var line = GraphQLWire { $0.liveResumes = false }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory([])
    _ = line.say(GraphQLWire.message(2))
    _ = line.reconnect()
    #expect(line.answerHistory(GraphQLWire.messages(1...2)).origins == ["m1 missed"])
  }

  /// Messages that the subscription should have brought show that it was not live yet.
  @Test func aCheckThatBringsSomethingIsMadeOnceMoreLater() {
    var line = Self.line(seen: 1...10)
    _ = line.pass(.seconds(3))
    #expect(line.answerHistory(GraphQLWire.messages(11...11)).ids == ["m11"])
    _ = line.answerHistory([])
    _ = line.say(GraphQLWire.message(13))
    #expect(line.wire.dialect.cursor(in: "general") == "m11")
    #expect(line.pass(.milliseconds(5_999)).types == [])
    #expect(line.pass(.milliseconds(1)).variables(of: "query").first?["after"] == "m11")
    #expect(line.answerHistory(GraphQLWire.messages(12...13)).ids == ["m12"])
    _ = line.answerHistory([])
    // Not for ever, and not where nothing is new.
    #expect(line.pass(.seconds(12)).variables(of: "query").first?["after"] == "m13")
    _ = line.answerHistory([])
    #expect(line.pass(.seconds(3_600)).types == [])
    #expect(line.wire.dialect.cursor(in: "general") == "m13")
  }

  @Test func aCheckThatFailsIsMadeOnceMoreAndKeepsTheCursor() {
    var line = Self.line(seen: 1...10)
    _ = line.pass(.seconds(3))
    _ = line.error(line.history)
    _ = line.say(GraphQLWire.message(12))
    #expect(line.wire.dialect.cursor(in: "general") == "m10")
    #expect(line.pass(.seconds(6)).variables(of: "query").first?["after"] == "m10")
    #expect(line.answerHistory(GraphQLWire.messages(11...12)).ids == ["m11"])
  }

  // MARK: - Answers that are none

  @Test(arguments: [
    #"{"data":{"messages":null}}"#, #"{"data":null}"#,
    #"{"data":{"messages":[null,{"id":"z"}]},"errors":[{"message":"half"}]}"#,
    #"{"data":{"messages":[]},"errors":[{"message":"half"}]}"#,
  ])
  func anAnswerThatIsNoneIsAskedForAgain(payload: String) {
    var line = Self.line(seen: 1...10)
    _ = line.reconnect()
    // With the cursor and without.
    var asked: [DialectOutput] = []
    var requests = 0
    repeat {
      asked = line.receive(#"{"id":"\#(line.history)","type":"next","payload":\#(payload)}"#)
      requests += 1
    } while !asked.variables(of: "query").isEmpty && requests < 5
    #expect(asked.isReady)
    #expect(line.pass(.seconds(5)).variables(of: "query").first?["after"] == "m10")
    #expect(line.answerHistory(GraphQLWire.messages(11...11)).ids == ["m11"])
  }

  @Test func anEmptyListIsAnAnswer() {
    var line = Self.line(seen: 1...10)
    _ = line.reconnect()
    #expect(line.answerHistory([]).isReady)
    #expect(line.wire.dialect.cursor(in: "general") == "m10")
  }

  // MARK: - Servers that refuse large pages

  /// As `serve`, but more than `most` at once are refused.
  private static func serve(
    _ line: inout GraphQLWire, _ first: [DialectOutput], upTo newest: Int,
    refusingMoreThan most: Int
  ) -> [DialectOutput] {
    var all: [DialectOutput] = []
    var asked = first
    var requests = 0
    while let variables = asked.variables(of: "query").last, requests < 100 {
      requests += 1
      let after = variables["after"]?.string.flatMap { Int($0.dropFirst()) } ?? 0
      let count = Int(variables["last"]?.integer ?? 0)
      asked =
        count > most
        ? line.error(line.history)
        : line.answerHistory(
          (after + 1..<newest + 1).prefix(count).map { GraphQLWire.message($0) })
      all += asked
    }
    return all
  }

  @Test func aServerThatRefusesLargePagesIsAskedForSmallOnes() {
    var line = Self.line()
    let answers = Self.serve(&line, line.reconnect(), upTo: 333, refusingMoreThan: 100)
    #expect(answers.ids == (2...333).map { "m\($0)" })
    #expect(answers.notices == [])
    #expect(answers.isReady)
  }

  /// What was refused once tells how many may be asked for, and nothing of which ones come.
  @Test func afterARefusalBeforeTheCutAllPagesAreFetchedToo() {
    var line = GraphQLWire { $0.liveResumes = false }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.error(line.history, #"[{"message":"50 records exceed the limit of 25"}]"#)
    _ = line.answerHistory(GraphQLWire.messages(1...10))
    let answer = Self.serve(&line, line.reconnect(), upTo: 70, limit: 25)
    #expect(answer.outputs.ids == (11...70).map { "m\($0)" })
    #expect(answer.outputs.notices == [])
    #expect(answer.outputs.isReady)
  }

  /// The cursor stands where the last check confirmed it: a page may hold nothing but what came live meanwhile.
  @Test(arguments: [6, 10])
  func aPageOfWhatCameLiveIsNotTheEnd(limit: Int) {
    var line = Self.line(seen: 1...limit)
    for number in limit + 1...limit + 15 { _ = line.say(GraphQLWire.message(number)) }
    let answer = Self.serve(&line, line.reconnect(), upTo: 60, limit: limit)
    #expect(answer.outputs.ids == (limit + 16...60).map { "m\($0)" })
    #expect(answer.outputs.notices == [])
    #expect(answer.outputs.isReady)
  }

  @Test func theFirstHistoryIsAskedForInASizeThatTheServerGives() {
    var line = GraphQLWire(history: 1000)
    _ = line.open()
    #expect(line.acknowledge().variables(of: "query").first?["last"] == 1000)
    for size in [100, 50] {
      let again = line.error(line.history)
      #expect(again.variables(of: "query").first?["last"] == .integer(Int64(size)))
      #expect(again.notices == [])
    }
    #expect(line.error(line.history).notices.count == 1)
  }

  // MARK: - Histories without a cursor

  private static func withoutCursor() -> GraphQLWire {
    line(seen: 1...50) { profile in
      profile.history?.variables.removeAll { $0.key == "after" }
    }
  }

  @Test func theNewestThatReachBackToWhatWasSeenLeaveNoGap() {
    var line = Self.withoutCursor()
    #expect(line.reconnect().variables(of: "query").first?["last"] == 1000)
    let answer = line.answerHistory(GraphQLWire.messages(40...1039))
    #expect(answer.ids == (51...1039).map { "m\($0)" })
    #expect(answer.notices == [])
  }

  /// 1000 long messages are more than a message may hold: the room would be lost with the first cut.
  @Test func anAnswerThatEndsTheLineTwiceIsAskedForInLess() {
    var line = Self.withoutCursor()
    var asked: [JSON?] = []
    for _ in 1...7 { asked.append(line.reconnect().variables(of: "query").first?["last"]) }
    #expect(asked == [1000, 1000, 250, 62, 15, 10, 10])
    let answer = line.answerHistory(GraphQLWire.messages(46...55))
    #expect(answer.ids == (51...55).map { "m\($0)" })
    // What came of it shows that it was the size: slowly more again.
    #expect(line.reconnect().variables(of: "query").first?["last"] == 20)
    _ = line.answerHistory(GraphQLWire.messages(46...56))
    #expect(line.reconnect().variables(of: "query").first?["last"] == 40)
  }

  @Test func theFirstHistoryIsAskedForInLessWhereItEndsTheLine() {
    var line = GraphQLWire()
    _ = line.open()
    var asked = [line.acknowledge().variables(of: "query").first?["last"]]
    for _ in 1...3 { asked.append(line.reconnect().variables(of: "query").first?["last"]) }
    #expect(asked == [50, 50, 12, 10])
    #expect(line.answerHistory(GraphQLWire.messages(1...10)).ids.count == 10)
  }

  @Test func theNewestThatDoNotReachBackAreSaidToHaveAGap() {
    var line = Self.withoutCursor()
    _ = line.reconnect()
    let answer = line.answerHistory(GraphQLWire.messages(60...79))
    #expect(answer.ids == (60...79).map { "m\($0)" })
    #expect(answer.notices.count == 1)
  }

  // MARK: - A cursor that a person gave

  @Test(arguments: [
    ("Int", true), ("Int!", true), ("bigint", true), ("ID", false), ("String", false),
  ])
  func aCursorGoesOutWithTheTypeThatTheDocumentSays(type: String, isNumber: Bool) {
    var line = GraphQLWire(after: "42") {
      $0.history?.document =
        "query History($room: String!, $last: Int!, $after: \(type)) { messages(room: $room, last: $last, after: $after) { id } }"
      $0.liveResumes = false
    }
    _ = line.open()
    let asked = line.acknowledge().variables(of: "query").first?["after"]
    #expect(asked == (isNumber ? .integer(42) : .string("42")))
  }

  @Test func aCursorThatIsRefusedAsTextIsGivenAsANumber() {
    var line = GraphQLWire(after: "1152921504606846979") { $0.liveResumes = false }
    _ = line.open()
    _ = line.acknowledge()
    let again = line.error(line.history)
    #expect(again.notices == [])
    #expect(again.variables(of: "query").first?["after"] == .integer(1_152_921_504_606_846_979))
    #expect(line.error(line.history).notices.count == 1)
  }

  // MARK: - Changes

  @Test func aProfileWithChangesAloneLooksForThemAfterALoss() {
    var line = Self.line(seen: 1...50) {
      $0.changes = $0.live
      $0.isBuiltIn = false
      $0.message.edited = nil
    }
    _ = line.reconnect()
    let answer = line.answerHistory([])
    #expect(answer.variables(of: "query").map(\.text) == [#"{"room":"general","last":100}"#])
  }

  @Test func onlyWhatChangedIsSaidToBeChanged() {
    var line = Self.line(seen: 1...50) {
      $0.changes = $0.live
      $0.isBuiltIn = false
    }
    _ = line.reconnect()
    _ = line.answerHistory([])
    #expect(line.answerHistory(GraphQLWire.messages(1...50)) == [])
    _ = line.reconnect()
    _ = line.answerHistory([])
    var messages = GraphQLWire.messages(1...50)
    messages[6] = messages[6].replacing("t7", with: "another")
    let answer = line.answerHistory(messages)
    guard case .changed(let forms) = answer.first else {
      Issue.record("\(answer)")
      return
    }
    #expect(forms.map(\.text.raw) == ["another"])
    #expect(answer.count == 1)
  }
}
