import Channel
import JSON
import Testing
import Text

/// Nothing lost, nothing doubled.
@Suite struct GraphQLHistoryTests {
  @Test func whatArrivesLiveBeforeTheHistoryIsMergedBehindIt() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    #expect(line.say(GraphQLWire.message(3)) == [])
    #expect(line.say(GraphQLWire.message(4)) == [])
    let answer = line.answerHistory(GraphQLWire.messages(1...3))
    #expect(answer.origins == ["m1 history", "m2 history", "m3 history", "m4 live"])
  }

  @Test func partsOfAMessageAreReadByTheProfilesPaths() {
    var line = GraphQLWire.ready()
    var expected = ChatMessage(
      id: "m7", author: UntrustedText("bob"), text: UntrustedText("t7"),
      time: Timestamp(milliseconds: 1_767_225_607_000), nonce: "k")
    expected.cursor = "m7"
    #expect(
      line.say(GraphQLWire.message(7, nonce: "k")) == [.messages([expected], .live)])
  }

  /// Bug 31 and the headline of the research: the cursor moves with every message.
  @Test func afterALossSubscriptionAndHistoryGoOnAtTheCursor() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    _ = line.say(GraphQLWire.message(3))
    let asked = line.reconnect()
    #expect(
      asked.variables(of: "subscription").map(\.text) == [#"{"room":"general","after":"m3"}"#])
    #expect(
      asked.variables(of: "query").map(\.text) == [#"{"room":"general","last":50,"after":"m3"}"#])
    // The backlog by the subscription and the history: once each.
    #expect(line.say(GraphQLWire.message(4)) == [])
    #expect(line.say(GraphQLWire.message(5)) == [])
    #expect(line.say(GraphQLWire.message(6)) == [])
    let answer = line.answerHistory(GraphQLWire.messages(4...5))
    #expect(answer.origins == ["m4 missed", "m5 missed", "m6 live"])
    #expect(answer.isReady)
    #expect(line.say(GraphQLWire.message(6)) == [])
    #expect(line.say(GraphQLWire.message(7)).origins == ["m7 live"])
  }

  @Test("rule M3: ids of operations are never used again")
  func ruleM3() {
    var line = GraphQLWire.ready()
    var seen = Set(["1", "2"])
    for _ in 0..<5 {
      for frame in line.reconnect().sent {
        let isNew = seen.insert(frame["id"]?.string ?? "").inserted
        #expect(isNew)
      }
      _ = line.answerHistory([])
    }
    #expect(seen.count == 12)
  }

  @Test func aFullPageIsFollowedUntilOneIsShort() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    _ = line.reconnect()
    let first = line.answerHistory(GraphQLWire.messages(2...51))
    #expect(first.ids.count == 50)
    #expect(!first.isReady)
    #expect(first.variables(of: "query").first?["after"] == "m51")
    let second = line.answerHistory(GraphQLWire.messages(52...101))
    #expect(second.variables(of: "query").first?["after"] == "m101")
    let third = line.answerHistory(GraphQLWire.messages(102...103))
    #expect(third.origins == ["m102 missed", "m103 missed"])
    #expect(third.types == [])
    #expect(third.isReady)
  }

  @Test func aServerThatIgnoresTheCursorIsNotAskedForEver() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...50))
    _ = line.reconnect()
    let first = line.answerHistory(GraphQLWire.messages(1...50))
    #expect(first.ids == [])
    #expect(first.types == [])
    #expect(first.isReady)
  }

  @Test func pagesWithoutEndAreBounded() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    _ = line.reconnect()
    var pages = 0
    var outputs: [DialectOutput] = []
    repeat {
      outputs = line.answerHistory(GraphQLWire.messages((2 + pages * 50)...(51 + pages * 50)))
      pages += 1
    } while !outputs.types.isEmpty && pages < 1_000
    #expect(pages == 200)
    #expect(outputs.isReady)
    #expect(outputs.notices.count == 1)
  }

  @Test func theNewestFirstAreTurnedRoundAndAskedForInGrowingPages() {
    var line = GraphQLWire { $0.historyOrder = .newestFirst }
    _ = line.open()
    _ = line.acknowledge()
    #expect(
      line.answerHistory([GraphQLWire.message(2), GraphQLWire.message(1)]).ids == ["m1", "m2"])
    _ = line.reconnect()
    let newest = (53...102).reversed().map { GraphQLWire.message($0) }
    let first = line.answerHistory(newest)
    // Not told yet: a line that is cut now would leave a gap.
    #expect(first.ids.isEmpty)
    // The ones between are behind the same cursor.
    #expect(
      first.variables(of: "query").map(\.text)
        == [#"{"room":"general","last":200,"after":"m2"}"#])
    let all = (3...102).reversed().map { GraphQLWire.message($0) }
    let second = line.answerHistory(all)
    #expect(second.ids == (3...102).map { "m\($0)" })
    #expect(second.isReady)
  }

  /// Bug 29: the message between "subscribed" and "really live".
  @Test(
    "rule M8: where a subscription cannot resume, the history is asked for once more a little later"
  )
  func ruleM8Again() {
    var line = GraphQLWire { $0.liveResumes = false }
    _ = line.open()
    #expect(
      line.acknowledge().variables(of: "subscription").map(\.text) == [#"{"room":"general"}"#])
    _ = line.answerHistory(GraphQLWire.messages(1...2))
    #expect(line.say(GraphQLWire.message(4)).origins == ["m4 live"])
    let check = line.pass(.seconds(3))
    #expect(
      check.variables(of: "query").map(\.text) == [#"{"room":"general","last":50,"after":"m2"}"#])
    #expect(line.answerHistory(GraphQLWire.messages(3...4)).origins == ["m3 live"])
    #expect(line.pass(.seconds(600)) == [])
    // The cursor was not moved back.
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m4")
  }

  @Test func aHistoryWithoutACursorIsMergedByIDOnly() {
    var line = GraphQLWire(history: 2) { profile in
      profile.history?.variables = [.init("room", "{room}"), .init("last", "{count}")]
      profile.liveResumes = false
    }
    _ = line.open()
    _ = line.acknowledge()
    _ = line.answerHistory(GraphQLWire.messages(5...6))
    _ = line.say(GraphQLWire.message(7))
    #expect(
      line.reconnect().variables(of: "query").map(\.text) == [#"{"room":"general","last":1000}"#])
    // What is older than the first that was seen was said before we came.
    let answer = line.answerHistory(GraphQLWire.messages(1...9))
    #expect(answer.origins == ["m8 missed", "m9 missed"])
  }

  @Test func aCursorThatTheServerDoesNotKnowIsDoneWithout() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    _ = line.reconnect()
    #expect(line.error(line.live, #"[{"message":"no message m2"}]"#).notices.count == 1)
    let again = line.error(line.history, #"[{"message":"no message m2"}]"#)
    #expect(again.variables(of: "query").map(\.text) == [#"{"room":"general","last":1000}"#])
    #expect(!again.isReady)
    let answer = line.answerHistory(GraphQLWire.messages(2...3))
    #expect(answer.origins == ["m3 missed"])
    #expect(answer.isReady)
    #expect(line.pass(.seconds(1)).variables(of: "subscription").first?["after"] == "m3")
  }

  /// Both operations are refused for the same message: that is said once, and nothing is lost or doubled.
  @Test(arguments: [true, false])
  func aServerThatBeganAnewIsToldInOneCalmSentence(liveFirst: Bool) {
    let refusal =
      #"[{"message":"No message m2 in room general: ask for the newest ones instead."}]"#
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    for restart in 1...3 {
      _ = line.reconnect()
      let (live, history) = (line.live, line.history)
      let refusal = restart == 1 ? refusal : refusal.replacing("m2", with: "m\(restart + 1)")
      var outputs = line.error(liveFirst ? live : history, refusal)
      outputs += line.error(liveFirst ? history : live, refusal)
      #expect(
        outputs.notices == [
          "The server does not know the last message seen here any more (it may have begun anew); the talk goes on."
        ])
      #expect(
        line.answerHistory([GraphQLWire.message(restart + 2)]).origins
          == ["m\(restart + 2) missed"])
      #expect(
        line.pass(.seconds(1)).variables(of: "subscription").first?["after"]
          == JSON.string("m\(restart + 2)"))
      #expect(line.say(GraphQLWire.message(restart + 2)) == [])
    }
  }

  @Test(arguments: ["no message m22", "not allowed", "m 2", ""])
  func aRefusalThatNamesAnotherMessageIsToldAsItCame(text: String) {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    _ = line.reconnect()
    let told = line.error(line.live, #"[{"message":"\#(text)"}]"#).notices
    #expect(told.first?.hasPrefix("The server ended the subscription: ") == true)
  }

  @Test func aServerThatLostItsStoreIsReadFromTheBeginning() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    _ = line.reconnect()
    _ = line.error(line.history)
    let answer = line.answerHistory([])
    #expect(answer.isReady)
    #expect(
      line.reconnect().variables(of: "query").map(\.text) == [#"{"room":"general","last":1000}"#])
  }

  @Test func idsUsedAnewAfterARestartAreOtherMessages() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2))
    let anew =
      #"{"id":"m1","room":"general","author":"eve","text":"new","sentAt":"2026-03-01T00:00:00Z"}"#
    #expect(line.say(anew).ids == ["m1~2"])
    #expect(line.say(anew) == [])
    #expect(line.say(GraphQLWire.message(2)) == [])
  }

  @Test func theFirstMessageOfAnotherAuthorAfterARestartIsNoChangeOfTheOldOne() {
    func message(_ author: String, _ text: String, _ second: Int) -> String {
      #"{"id":"m1","room":"general","author":"\#(author)","text":"\#(text)","sentAt":"2026-03-01T00:00:0\#(second)Z"}"#
    }
    var line = GraphQLWire.ready([message("ann", "old", 0)])
    _ = line.reconnect()
    let answer = line.answerHistory([message("eve", "new", 1)])
    #expect(answer.ids == ["m1~2"])
    #expect(line.say(message("eve", "new", 1)).ids == [])
  }

  @Test func afterOnTheCommandLineIsTheFirstCursor() {
    var line = GraphQLWire(after: "m7")
    _ = line.open()
    let asked = line.acknowledge()
    #expect(asked.variables(of: "subscription").first?["after"] == "m7")
    #expect(asked.variables(of: "query").first?["after"] == "m7")
    #expect(line.answerHistory([GraphQLWire.message(8)]).origins == ["m8 missed"])
  }

  @Test func withoutAWishForHistoryOneMessageIsFetchedForItsCursorAndNotShown() {
    var line = GraphQLWire(history: 0)
    _ = line.open()
    #expect(line.acknowledge().variables(of: "query").first?["last"] == 1)
    #expect(line.answerHistory([GraphQLWire.message(9)]) == [.ready])
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m9")
  }

  @Test func aRoomThatWasEmptyIsAskedForAllThatCameSince() {
    var line = GraphQLWire.ready([])
    let asked = line.reconnect()
    #expect(asked.variables(of: "query").map(\.text) == [#"{"room":"general","last":1000}"#])
    #expect(line.answerHistory(GraphQLWire.messages(1...2)).origins == ["m1 missed", "m2 missed"])
  }

  @Test func whatWasHeldBackWhenTheLineIsLostIsFetchedAgain() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    _ = line.reconnect()
    _ = line.say(GraphQLWire.message(3))
    #expect(line.lost() == [])
    _ = line.open()
    #expect(line.acknowledge().variables(of: "query").first?["after"] == "m1")
    #expect(line.answerHistory(GraphQLWire.messages(2...3)).origins == ["m2 missed", "m3 missed"])
  }

  @Test func whatWasHeldBackWithoutACursorIsReportedAtTheLoss() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    _ = line.say(GraphQLWire.message(3))
    #expect(line.lost().origins == ["m3 live"])
    _ = line.open()
    _ = line.acknowledge()
    #expect(line.answerHistory(GraphQLWire.messages(2...3)).origins == ["m2 history"])
  }

  @Test func aFloodBeforeTheHistoryIsHeldBackOnlyUpToABound() {
    var line = GraphQLWire()
    _ = line.open()
    _ = line.acknowledge()
    var reported = 0
    for number in 1...10_001 { reported += line.say(GraphQLWire.message(number)).ids.count }
    #expect(reported == 10_001)
    #expect(line.answerHistory(GraphQLWire.messages(1...3)).ids == [])
  }

  @Test func numericIDsAndCursorsKeepTheirType() throws {
    let text = try ProfileTests.fixture("hasura.json")
    let profile = try Profile.parse(text, file: "hasura.json")
    var line = GraphQLWire { $0 = profile }
    _ = line.open()
    // A subscription from the default cursor would bring the whole table: the history goes first.
    let asked = line.acknowledge()
    #expect(asked.variables(of: "query").map(\.text) == [#"{"room":"general","n":50,"after":0}"#])
    #expect(asked.variables(of: "subscription") == [])
    let rows =
      #"[{"id":9007199254740993,"body":"b","created_at":"2026-01-01T00:00:02+00:00","user":{"name":"eve"}},"#
      + #"{"id":18446744073709551617,"body":"a","created_at":"2026-01-01T00:00:01+00:00","user":{"name":"bob"}}]"#
    let answer = line.receive(
      #"{"id":"\#(line.history)","type":"next","payload":{"data":{"message":\#(rows)}}}"#)
    let live = line.note(answer)
    #expect(answer.ids == ["18446744073709551617", "9007199254740993"])
    #expect(
      live.variables(of: "subscription").map(\.text)
        == [#"{"room":"general","after":9007199254740993}"#])
    let batch =
      #"[{"id":9007199254740994,"body":"c","user":null},{"id":9007199254740995,"body":"d"}]"#
    let more = line.receive(
      #"{"id":"\#(line.live)","type":"next","payload":{"data":{"message_stream":\#(batch)}}}"#)
    #expect(more.ids == ["9007199254740994", "9007199254740995"])
    #expect(
      line.reconnect().variables(of: "query").first?["after"] == .integer(9_007_199_254_740_995))
  }

  @Test func aSnapshotReportsWhatIsNewInIt() {
    var line = GraphQLWire { profile in
      profile.liveMode = .snapshot
      profile.liveResumes = false
      profile.history = nil
    }
    _ = line.open()
    _ = line.acknowledge()
    let list = { (range: ClosedRange<Int>) in
      "[" + GraphQLWire.messages(range).joined(separator: ",") + "]"
    }
    #expect(line.say(list(1...2)).origins == ["m1 history", "m2 history"])
    #expect(line.say(list(1...4)).origins == ["m3 live", "m4 live"])
    #expect(line.say("[]") == [])
    #expect(line.reconnect().isReady)
    #expect(line.say(list(2...5)).origins == ["m5 live"])
  }

  /// People say “ok” twice; what the history has shown comes once more by the subscription.
  @Test func withoutIDsTheSameWordsAreSaidOnceMore() {
    let words = #"{"author":"bob","text":"ok"}"#
    var line = GraphQLWire { $0.message.id = nil }
    _ = line.open()
    _ = line.acknowledge()
    #expect(line.answerHistory([words]).ids.count == 1)
    #expect(line.say(words).ids == [])
    #expect(line.say(words).ids.map { $0.suffix(2) } == ["~2"])
    #expect(line.say(#"{"author":"bob","text":"yes"}"#).ids.count == 1)
    #expect(line.say(words).ids.map { $0.suffix(2) } == ["~3"])
    // Our own: the answer to the post, then the subscription, in either order.
    _ = line.post("k1", "hi")
    let own = #"{"author":"ada","text":"hi"}"#
    #expect(line.answerPost(own).ids.count == 1)
    #expect(line.say(own).ids == [])
    _ = line.post("k2", "ho")
    #expect(line.say(#"{"author":"ada","text":"ho"}"#).ids.count == 1)
    #expect(line.answerPost(#"{"author":"ada","text":"ho"}"#).ids == [])
  }

  @Test func withoutIDsAMessageIsKnownByItsHash() {
    var line = GraphQLWire.ready([]) { $0.message.id = nil }
    let first = line.say(#"{"author":"bob","text":"x","sentAt":"2026-01-01T00:00:00Z"}"#)
    #expect(first.ids.count == 1)
    #expect(
      line.say(#"{"author":"bob","text":"x","sentAt":"2026-01-01T00:00:01Z"}"#).ids.count == 1)
    #expect(
      line.say(#"{"author":"bobx","text":"","sentAt":"2026-01-01T00:00:00Z"}"#).ids.count == 1)
  }

  static let times: [(Profile.TimeFormat, String, Int64?)] = [
    (.unix, "1767225607", 1_767_225_607_000),
    (.unix, "1767225607.25", 1_767_225_607_250),
    (.unix, "\"1767225607\"", 1_767_225_607_000),
    (.unixMilliseconds, "1767225607001", 1_767_225_607_001),
    (.unix, "9223372036854775807", nil),
    (.unix, "1e300", nil),
    (.unix, "123456789012345678901234567890", nil),
    (.unixMilliseconds, "\"nan\"", nil),
    (.unix, "\"soon\"", nil),
    (.unix, "true", nil),
    (.iso8601, "1767225607", nil),
    (.iso8601, "\"yesterday\"", nil),
  ]

  @Test(arguments: times)
  func timesAreReadInTheProfilesFormat(
    format: Profile.TimeFormat, value: String, expected: Int64?
  ) {
    // Another message before, so that nothing is said about what is missing in the one that counts.
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1)) { $0.time = format }
    _ = line.say(GraphQLWire.message(2))
    let outputs = line.say(#"{"id":"1","text":"x","sentAt":\#(value)}"#)
    guard case .messages(let messages, _) = outputs.first else {
      Issue.record("no message")
      return
    }
    #expect(messages.first?.time?.milliseconds == expected)
  }
}
