import Channel
import JSON
import Testing
import Text
import WebSocket

/// The subscription: its results, its ends, and rooms.
@Suite struct GraphQLLiveTests {
  /// Bug "duplicate-next".
  @Test func aMessageThatComesTwiceIsReportedOnce() {
    var line = GraphQLWire.ready()
    #expect(line.say(GraphQLWire.message(1)).ids == ["m1"])
    #expect(line.say(GraphQLWire.message(1)) == [])
  }

  @Test func messagesOfTheOwnNickAreMine() {
    var line = GraphQLWire.ready()
    guard case .messages(let messages, _) = line.say(GraphQLWire.message(1, author: "ada")).first
    else {
      Issue.record("no message")
      return
    }
    #expect(messages.first?.isMine == true)
  }

  /// Bug 10: nothing after the end.
  @Test("rule M2, report 10: nothing counts after the end of an operation")
  func ruleM2Ended() {
    var line = GraphQLWire.ready()
    let id = line.live
    _ = line.receive(#"{"id":"\#(id)","type":"complete"}"#)
    #expect(line.say(GraphQLWire.message(1)) == [])
    #expect(line.error(id) == [])
    #expect(line.receive(#"{"id":"\#(id)","type":"complete"}"#) == [])
  }

  @Test(
    "rule M2, report 8: messages for ids that are unknown are ignored",
    arguments: [
      #"{"id":"99","type":"next","payload":{"data":{"messageAdded":{"id":"x","text":"x"}}}}"#,
      #"{"id":"99","type":"error","payload":[{"message":"x"}]}"#,
      #"{"id":"99","type":"complete"}"#,
      #"{"id":"1 ","type":"complete"}"#,
      #"{"type":"complete"}"#,
      #"{"id":null,"type":"complete","payload":null}"#,
    ])
  func ruleM2(frame: String) {
    var line = GraphQLWire.ready()
    #expect(line.receive(frame) == [])
    #expect(line.say(GraphQLWire.message(1)).ids == ["m1"])
  }

  /// Mercurius reports bad JSON as an error without an id.
  @Test func anErrorOfNoOperationIsShown() {
    var line = GraphQLWire.ready()
    #expect(
      line.receive(#"{"id":null,"type":"error","payload":[{"message":"bad JSON"}]}"#).notices
        == ["The server reports an error: bad JSON"])
  }

  /// M5 and "next-partial": errors are shown and the data is used.
  @Test("rule M5: errors beside data are shown, and the data is used")
  func ruleM5Partial() {
    var line = GraphQLWire.ready()
    let outputs = line.receive(
      #"{"id":"\#(line.live)","type":"next","payload":{"data":{"messageAdded":\#(GraphQLWire.message(1))},"#
        + #""errors":[{"message":"no avatar"},{"message":"no badge"}]}}"#)
    #expect(outputs.notices == ["The subscription reports an error: no avatar; no badge"])
    #expect(outputs.ids == ["m1"])
  }

  /// Bug 17: Ariadne sends an empty payload for falsy data.
  @Test(arguments: ["{}", "null", #"{"data":null}"#, #"{"data":null,"errors":[]}"#])
  func anEmptyResultIsShownAndTheSubscriptionGoesOn(payload: String) {
    var line = GraphQLWire.ready()
    let frame = #"{"id":"\#(line.live)","type":"next","payload":\#(payload)}"#
    #expect(line.receive(frame).notices == ["The subscription sent an empty result."])
    // The second is told, the third is not: no flood of notices.
    #expect(line.receive(frame).count == 1)
    #expect(line.receive(frame) == [])
    #expect(line.say(GraphQLWire.message(1)).ids == ["m1"])
  }

  @Test(arguments: [
    "5", "\"x\"", "[]", "[[[]]]", #"{"messageAdded":5}"#, #"{"messageAdded":[]}"#,
    #"{"messageAdded":{"id":"m1"}}"#, #"{"messageAdded":{"id":"m1","text":null}}"#,
    #"{"messageAdded":{"id":"m1","text":{}}}"#, #"{"messageAdded":"m1"}"#, #"{"other":{}}"#, "{}",
  ])
  func dataOfAnotherShapeIsToldAndTheLineLives(data: String) {
    var line = GraphQLWire.ready()
    let outputs = line.receive(
      #"{"id":"\#(line.live)","type":"next","payload":{"data":\#(data)}}"#)
    #expect(outputs.notices.count == 1)
    #expect(outputs.count == 1)
  }

  @Test func partsOfWrongTypesAreLeftOut() {
    var line = GraphQLWire.ready()
    let outputs = line.say(
      #"{"id":[1],"author":{"name":"x"},"text":7,"sentAt":{},"clientId":[],"room":null}"#)
    #expect(outputs.texts == ["7"])
    guard case .messages(let messages, _) = outputs.first else { return }
    #expect(messages.first?.author == nil)
    #expect(messages.first?.time == nil)
    #expect(messages.first?.nonce == nil)
    #expect(messages.first?.cursor == nil)
  }

  static let shapes: [(String, String)] = [
    (#"[{"message":"no"}]"#, "no"),
    (#"[{"message":"a"},{"message":"b"}]"#, "a; b"),
    (#"{"message":"no"}"#, "no"),
    (#"{"errors":[{"message":"no"}]}"#, "no"),
    (#"[{"errors":[{"message":"no"}]}]"#, "no"),
    (#"{"error":"no"}"#, "no"),
    (#"{"payload":{"errors":[{"message":"no"}]}}"#, "no"),
    (#""no""#, "no"),
    (#"["no"]"#, "no"),
    ("[]", "no text was given"),
    ("{}", "no text was given"),
    ("null", "no text was given"),
    ("[{}]", "no text was given"),
    ("[[[[[[[[[[[[\"deep\"]]]]]]]]]]]]", "no text was given"),
    (#"[{"message":5}]"#, "no text was given"),
    (#"[{"message":""}]"#, "no text was given"),
    ("7", "no text was given"),
  ]

  /// Bugs 6 and 7: `error` in all its shapes ends this operation and no other.
  @Test(
    "rule M5, report 6: an error ends its operation only, and its text is dug out",
    arguments: shapes)
  func ruleM5(payload: String, text: String) {
    var line = GraphQLWire.ready()
    _ = line.post("n", "x")
    let outputs = line.error(line.mutation, payload)
    #expect(outputs == [.rejected(nonce: "n", reason: UntrustedText(text))])
    #expect(line.say(GraphQLWire.message(1)).ids == ["m1"])
  }

  /// Bug 39: `complete` behind `error`, as gqlgen sends it.
  @Test("report 39: the first end of an operation counts")
  func report39() {
    var line = GraphQLWire.ready()
    let id = line.live
    #expect(line.error(id).notices == ["The server ended the subscription: no"])
    #expect(line.receive(#"{"id":"\#(id)","type":"complete"}"#) == [])
    #expect(line.pass(.seconds(1)).variables(of: "subscription").count == 1)
  }

  @Test func aSubscriptionThatTheServerEndsIsAskedForAgainInGrowingSteps() {
    var line = GraphQLWire.ready()
    for delay in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
      _ = line.receive(#"{"id":"\#(line.live)","type":"complete"}"#)
      #expect(line.pass(.seconds(delay) - .milliseconds(1)).types == [])
      let asked = line.pass(.milliseconds(1))
      #expect(asked.variables(of: "subscription").count == 1)
      #expect(asked.variables(of: "query").count == 1)
      _ = line.answerHistory([])
    }
    // A message shows that it works.
    _ = line.say(GraphQLWire.message(1))
    _ = line.receive(#"{"id":"\#(line.live)","type":"complete"}"#)
    #expect(line.pass(.seconds(1)).variables(of: "subscription").count == 1)
  }

  @Test func aSubscriptionThatHeldForAMinuteBeginsTheStepsAnew() {
    var line = GraphQLWire.ready()
    for _ in 0..<10 {
      _ = line.pass(.seconds(61))
      _ = line.receive(#"{"id":"\#(line.live)","type":"complete"}"#)
      #expect(line.pass(.seconds(1)).variables(of: "subscription").count == 1)
      _ = line.answerHistory([])
    }
  }

  /// Shape 7 of the refusals: acknowledged, then an error for every operation.
  @Test func afterTheFifthErrorInARowTheLineIsGivenUp() {
    var line = GraphQLWire.ready()
    for _ in 0..<4 {
      #expect(line.error(line.live, #"[{"message":"not allowed"}]"#).failure == nil)
      _ = line.pass(.seconds(60))
    }
    let failure = line.error(line.live, #"[{"message":"not allowed"}]"#).failure
    #expect(failure?.retry == false)
    #expect(failure?.failure.message.contains("“not allowed”") == true)
    #expect(line.wire.dialect.deadline == nil)
  }

  @Test func whatWasMissedWhileTheSubscriptionWasGoneIsFetched() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1)) { $0.liveResumes = false }
    _ = line.receive(#"{"id":"\#(line.live)","type":"complete"}"#)
    let asked = line.pass(.seconds(1))
    #expect(
      asked.variables(of: "query").map(\.text) == [#"{"room":"general","last":50,"after":"m1"}"#])
    #expect(line.say(GraphQLWire.message(3)) == [])
    #expect(line.answerHistory([GraphQLWire.message(2)]).origins == ["m2 missed"])
    #expect(line.answerHistory([]).origins == ["m3 live"])
  }

  /// Bugs 8 and 19: leaving a room forgets its operations before the server hears of it.
  @Test func anotherRoomEndsTheOldOnesOperationsAndAsksForItsOwn() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    let old = line.live
    let outputs = line.join("games")
    #expect(outputs.first == .send(#"{"id":"\#(old)","type":"complete"}"#))
    #expect(outputs.types == ["complete", "subscribe", "subscribe"])
    #expect(outputs.variables(of: "subscription").map(\.text) == [#"{"room":"games"}"#])
    #expect(
      line.receive(
        #"{"id":"\#(old)","type":"next","payload":{"data":{"messageAdded":\#(GraphQLWire.message(2))}}}"#
      )
        == [])
    let answer = line.answerHistory([GraphQLWire.message(3, room: "games")])
    #expect(answer.origins == ["m3 history"])
    #expect(!answer.isReady)
    // Back again: what came meanwhile, and nothing twice.
    #expect(line.join("general").variables(of: "query").first?["after"] == "m1")
    #expect(line.answerHistory([GraphQLWire.message(2)]).origins == ["m2 missed"])
    #expect(line.join("general") == [])
  }

  @Test func messagesOfOtherRoomsInTheSubscriptionAreNotShown() {
    var line = GraphQLWire.ready()
    #expect(line.say(GraphQLWire.message(1, room: "games")) == [])
  }

  @Test func aRoomChosenOffLineIsForTheNextLine() {
    var line = GraphQLWire.ready()
    _ = line.lost()
    #expect(line.join("games") == [])
    _ = line.open()
    #expect(line.acknowledge().variables(of: "subscription").map(\.text) == [#"{"room":"games"}"#])
  }

  @Test func aRoomChosenBeforeTheAcknowledgementIsTheOneAskedFor() {
    var line = GraphQLWire()
    _ = line.open()
    #expect(line.join("games") == [])
    #expect(line.acknowledge().variables(of: "query").first?["room"] == "games")
  }
}
