import Channel
import JSON
import Testing
import Text

/// Pages of the history, and histories that fail.
@Suite struct GraphQLPageTests {
  /// A subscription that cannot resume: the history alone fills gaps.
  private static func line(_ change: (inout Profile) -> Void = { _ in }) -> GraphQLWire {
    var line = GraphQLWire {
      $0.liveResumes = false
      change(&$0)
    }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory(GraphQLWire.messages(1...1))
    return line
  }

  @Test func aCutBetweenThePagesOfTheNewestFirstAsksAgainFromTheSameCursor() {
    var line = Self.line { $0.historyOrder = .newestFirst }
    _ = line.reconnect()
    _ = line.answerHistory((53...102).reversed().map { GraphQLWire.message($0) })
    let again = line.reconnect()
    #expect(again.variables(of: "query").first?["after"] == "m1")
    _ = line.answerHistory((53...102).reversed().map { GraphQLWire.message($0) })
    // That may be all that it gives, so the newest have to reach back to the cursor.
    _ = line.answerHistory((2...102).reversed().map { GraphQLWire.message($0) })
    let all = line.answerHistory((1...102).reversed().map { GraphQLWire.message($0) })
    #expect(all.notices == [])
    #expect(all.ids == (2...102).map { "m\($0)" })
  }

  /// With a limit of its own, the server gives the same number again.
  @Test func newestFirstBehindALimitOfTheServerIsSaidToHaveAGap() {
    var line = Self.line { $0.historyOrder = .newestFirst }
    _ = line.reconnect()
    let newest = (153...202).reversed().map { GraphQLWire.message($0) }
    _ = line.answerHistory(newest)
    // Once more, as one might be all that it gives; then one, to know which ones it gives.
    #expect(line.answerHistory(newest).variables(of: "query").first?["last"] == 1)
    _ = line.answerHistory([GraphQLWire.message(202)])
    _ = line.answerHistory(newest)
    #expect(line.answerHistory(newest).variables(of: "query").first?["after"] == nil)
    let end = line.answerHistory(newest)
    #expect(end.ids.count == 50)
    // What is missing lies before them.
    guard case .notice = end.first else {
      Issue.record("\(end)")
      return
    }
    #expect(end.notices.count == 1)
    #expect(end.isReady)
  }

  /// A subscription that resumes brings what was missed, in its order: an answer with the newest only is not shown, and
  /// does not move the cursor.
  @Test(arguments: [50, 25])
  func whatASubscriptionBringsThatResumesIsLeftToIt(most: Int) {
    var line = GraphQLWire {
      $0.isBuiltIn = false
    }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory(GraphQLWire.messages(1...10))
    for _ in 1...2 {
      let again = line.reconnect()
      #expect(again.variables(of: "subscription").first?["after"] == "m10")
      #expect(line.answerHistory(GraphQLWire.messages((211 - most)...210)).ids.isEmpty)
    }
    var outputs: [DialectOutput] = []
    for number in 11...210 { outputs += line.say(GraphQLWire.message(number)) }
    var count = 50
    for _ in 1...5 where outputs.ids.isEmpty {
      let answer = line.answerHistory(GraphQLWire.messages((211 - min(most, count))...210))
      if case .integer(let next)? = answer.variables(of: "query").first?["last"] {
        count = Int(next)
      }
      outputs += answer
    }
    #expect(outputs.ids == (11...210).map { "m\($0)" })
    #expect(outputs.notices == [])
  }

  @Test(arguments: [
    "Requesting 50 records exceeds the limit of 25", "too many: at most 25", "must be less than 25",
  ])
  func aRefusalThatNamesItsLimitIsHeeded(refusal: String) {
    var line = Self.line()
    _ = line.reconnect()
    let smaller = line.error(line.history, #"[{"message":"\#(refusal)"}]"#)
    #expect(smaller.variables(of: "query").first?["last"] == 25)
    #expect(smaller.notices == [])
  }

  /// Only edges of the history have cursors: a cut after a long talk asks from near its end.
  @Test func aLongTalkWithoutCursorsMovesTheCursorAlong() {
    var line = Self.line { $0.message.cursor = Profile.Path("edge") }
    func answer(_ numbers: ClosedRange<Int>) -> [DialectOutput] {
      line.answerHistory(
        numbers.map { String(GraphQLWire.message($0).dropLast()) + #","edge":"e\#($0)"}"# })
    }
    _ = line.reconnect()
    _ = answer(1...2)
    for pause in [3, 6] {
      _ = line.pass(.seconds(pause))
      _ = line.answerHistory([])
    }
    var asked: [DialectOutput] = []
    for number in 3...502 { asked += line.say(GraphQLWire.message(number)) }
    #expect(asked.variables(of: "query").map { $0["after"] } == ["e2"])
    #expect(answer(3...502).ids.isEmpty)
    _ = answer(502...502)
    #expect(line.reconnect().variables(of: "query").first?["after"] == "e502")
  }

  /// `last: 50, after: …` may give the last 50 of those behind the cursor: a larger page shows it.
  @Test func aServerWhoseFullPageHoldsTheNewestIsFoundOut() {
    var line = Self.line()
    _ = line.reconnect()
    let probe = line.answerHistory(GraphQLWire.messages(71...120))
    #expect(probe.ids.isEmpty)
    #expect(
      probe.variables(of: "query").map(\.text) == [#"{"room":"general","last":200,"after":"m1"}"#])
    // It may have a limit of its own: the newest reach back to the cursor.
    let reach = line.answerHistory(GraphQLWire.messages(2...120))
    #expect(reach.variables(of: "query").map(\.text) == [#"{"room":"general","last":200}"#])
    #expect(line.answerHistory(GraphQLWire.messages(1...120)).ids == (2...120).map { "m\($0)" })
    // It is known from then on.
    _ = line.reconnect()
    let next = line.answerHistory(GraphQLWire.messages(271...320))
    #expect(next.variables(of: "query").first?["after"] == "m120")
    #expect(line.answerHistory(GraphQLWire.messages(121...320)).variables(of: "query").count == 1)
    #expect(line.answerHistory(GraphQLWire.messages(121...320)).variables(of: "query").count == 1)
    #expect(line.answerHistory(GraphQLWire.messages(1...320)).ids.count == 200)
  }

  @Test func aServerWhoseFullPageHoldsTheNearestIsFoundOut() {
    var line = Self.line()
    _ = line.reconnect()
    #expect(line.answerHistory(GraphQLWire.messages(2...51)).ids.isEmpty)
    let second = line.answerHistory(GraphQLWire.messages(2...201))
    #expect(second.ids.count == 200)
    #expect(second.variables(of: "query").first?["after"] == "m201")
    let third = line.answerHistory(GraphQLWire.messages(202...210))
    #expect(third.ids.count == 9)
    #expect(line.answerHistory([]).isReady)
    _ = line.reconnect()
    let next = line.answerHistory(GraphQLWire.messages(211...260))
    #expect(next.ids.count == 50)
    #expect(next.variables(of: "query").first?["after"] == "m260")
  }

  /// A server that gives twenty at most, whatever is asked for: nobody can see it from one answer.
  @Test func whatALimitOfTheServerHeldBackIsFetchedByTheCheck() {
    var line = Self.line()
    _ = line.reconnect()
    #expect(line.answerHistory(GraphQLWire.messages(2...2)).types == ["subscribe"])
    #expect(line.answerHistory([]).isReady)
    #expect(line.pass(.seconds(3)).variables(of: "query").first?["after"] == "m2")
    var outputs = line.answerHistory(GraphQLWire.messages(3...21))
    #expect(outputs.ids.count == 19)
    for start in [22, 42, 62] {
      #expect(outputs.variables(of: "query").first?["after"] == .string("m\(start - 1)"))
      outputs = line.answerHistory(GraphQLWire.messages(start...(start + 19)))
      #expect(outputs.ids.count == 20)
    }
    #expect(line.answerHistory([]).types == [])
  }

  @Test func aHistoryThatFailsIsAskedForAgainOnTheSameLine() {
    var line = Self.line { $0.historyOrder = .oldestFirst }
    _ = line.reconnect()
    _ = line.error(line.history)
    #expect(line.error(line.history).isReady)
    _ = line.say(GraphQLWire.message(4))
    let again = line.pass(.seconds(5))
    #expect(again.variables(of: "query").first?["after"] == "m1")
    // Three at once may be all that it gives; which ones is found out first.
    _ = line.answerHistory(GraphQLWire.messages(2...4))
    _ = line.answerHistory(GraphQLWire.messages(2...2))
    #expect(line.answerHistory(GraphQLWire.messages(2...4)).origins == ["m2 missed", "m3 missed"])
    _ = line.answerHistory([])
    // The cursor moves again, once the check has confirmed it.
    _ = line.say(GraphQLWire.message(5))
    _ = line.pass(.seconds(3))
    _ = line.answerHistory(GraphQLWire.messages(5...5))
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m5")
  }

  @Test func aFirstHistoryThatFailsIsAskedForAgainWithGrowingPausesAndNotForEver() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    #expect(line.error(line.history).isReady)
    for pause in [5, 10, 20, 40, 60, 60] {
      #expect(line.pass(.seconds(pause - 1)).types == [])
      #expect(line.pass(.seconds(1)).variables(of: "query").count == 1)
      _ = line.error(line.history)
    }
    #expect(line.pass(.seconds(3_600)).types == [])
  }

  @Test func withoutAHistoryAGapIsSaid() {
    var line = GraphQLWire.ready([]) {
      $0.history = nil
      $0.liveResumes = false
    }
    #expect(line.reconnect().notices.first?.contains("has no “history”") == true)
  }

  @Test(arguments: ["UNAUTHENTICATED", "invalid-jwt"])
  func aSubscriptionThatWantsAnotherTokenIsARefusal(code: String) {
    var line = GraphQLWire.ready()
    let failure = line.error(
      line.live, #"[{"message":"expired","extensions":{"code":"\#(code)"}}]"#
    ).failure
    #expect(failure?.failure.kind == .refused)
    #expect(failure?.retry == false)
    var other = GraphQLWire.ready()
    let inData = other.receive(
      #"{"id":"\#(other.live)","type":"next","payload":{"data":null,"errors":[{"message":"expired","#
        + #""extensions":{"code":"\#(code)"}}]}}"#)
    #expect(inData.failure?.failure.kind == .refused)
  }
}
