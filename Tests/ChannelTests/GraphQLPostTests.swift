import Channel
import JSON
import Testing
import Text
import WebSocket

/// Posts, their answers and what is known of them after a loss.
@Suite struct GraphQLPostTests {
  @Test func aPostIsAMutationWithItsNonce() {
    var line = GraphQLWire.ready()
    let sent = line.post("k1", "say \"hi\"\n{room} $x").sent
    #expect(sent.count == 1)
    #expect(sent.first?["payload"]?["operationName"] == "Post")
    #expect(
      sent.first?["payload"]?["variables"]?.text
        == #"{"room":"general","author":"ada","text":"say \"hi\"\n{room} $x","clientId":"k1"}"#)
    #expect(sent.first?["payload"]?["query"]?.string == Profile.builtIn.post?.document)
  }

  @Test func theAnswerBeforeTheEchoReportsTheMessageOnce() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "t1")
    let outputs = line.answerPost(GraphQLWire.message(1, author: "ada", nonce: "k1"))
    #expect(outputs.origins == ["m1 live"])
    guard case .messages(let messages, _) = outputs.first, case .sent("k1", let sent) = outputs.last
    else {
      Issue.record("\(outputs)")
      return
    }
    #expect(messages.first == sent)
    #expect(sent?.isMine == true)
    #expect(line.say(GraphQLWire.message(1, author: "ada", nonce: "k1")) == [])
  }

  @Test func theEchoBeforeTheAnswerSettlesThePost() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "t1")
    let echo = line.say(GraphQLWire.message(1, author: "someone", nonce: "k1"))
    #expect(echo.origins == ["m1 live"])
    guard case .sent("k1", let sent?) = echo.last else {
      Issue.record("\(echo)")
      return
    }
    #expect(sent.isMine)
    #expect(line.answerPost(GraphQLWire.message(1, nonce: "k1")) == [])
  }

  /// The answer may come before what others said first: the cursor stays.
  @Test func theAnswerToAPostDoesNotMoveTheCursor() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    _ = line.post("k1", "t3")
    _ = line.answerPost(GraphQLWire.message(3, author: "ada", nonce: "k1"))
    #expect(line.reconnect().variables(of: "query").first?["after"] == "m1")
    #expect(
      line.answerHistory([GraphQLWire.message(2), GraphQLWire.message(3, nonce: "k1")]).origins
        == ["m2 missed"])
  }

  @Test("rule M4: operations that run at once are answered in any order")
  func ruleM4() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "a")
    let first = line.mutation
    _ = line.post("k2", "b")
    #expect(first != line.mutation)
    let second = line.answerPost(GraphQLWire.message(2, nonce: "k2"))
    guard case .sent("k2", _) = second.last else {
      Issue.record("\(second)")
      return
    }
    #expect(
      line.error(first) == [.rejected(nonce: "k1", reason: UntrustedText("no"))])
  }

  @Test(arguments: [
    #"{"errors":[{"message":"too long"}]}"#,
    #"{"data":null,"errors":[{"message":"too long"}]}"#,
    #"{"data":{"postMessage":null},"errors":[{"message":"too long"}]}"#,
  ])
  func errorsWithoutAMessageAreARejection(payload: String) {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    #expect(
      line.receive(#"{"id":"\#(line.mutation)","type":"next","payload":\#(payload)}"#)
        == [.rejected(nonce: "k1", reason: UntrustedText("too long"))])
  }

  @Test(arguments: [
    #"{"message":null,"userErrors":[{"message":"too long"}]}"#, #"{"errors":["too long"]}"#,
  ])
  func errorsInThePayloadOfTheMutationAreARejection(payload: String) {
    var line = GraphQLWire.ready { $0.post?.items = Profile.Path("postMessage.message") }
    _ = line.post("k1", "x")
    let outputs = line.receive(
      #"{"id":"\#(line.mutation)","type":"next","payload":{"data":{"postMessage":\#(payload)}}}"#)
    #expect(outputs.last == .rejected(nonce: "k1", reason: UntrustedText("too long")))
  }

  /// The echo has the id, or another one than the answer.
  @Test(arguments: [#"{"text":"x","author":"ada"}"#, #"{"id":"other","text":"x","author":"ada"}"#])
  func anAnswerUnderAnotherIdIsTheSameMessage(answer: String) {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    let outputs = line.answerPost(answer)
    #expect(outputs.contains { if case .sent("k1", _) = $0 { true } else { false } })
    let echo = line.say(GraphQLWire.message(1, author: "ada", nonce: "k1"))
    #expect((outputs + echo).ids.count == 1)
  }

  @Test func errorsBesideTheMessageAreShown() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    let outputs = line.receive(
      #"{"id":"\#(line.mutation)","type":"next","payload":{"data":{"postMessage":\#(GraphQLWire.message(1))},"#
        + #""errors":[{"message":"no push"}]}}"#)
    #expect(outputs.notices == ["The server took a message with errors: no push"])
    #expect(outputs.ids == ["m1"])
  }

  /// Hasura gives null for a repeat whose insert changed nothing.
  @Test func aResultWithoutMessageAndErrorsCountsAsSent() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    #expect(
      line.receive(
        #"{"id":"\#(line.mutation)","type":"next","payload":{"data":{"postMessage":null}}}"#)
        == [.sent(nonce: "k1", nil)])
    _ = line.post("k2", "x")
    let empty = line.receive(#"{"id":"\#(line.mutation)","type":"next","payload":{}}"#)
    #expect(empty.notices.count == 1)
    #expect(empty.last == .sent(nonce: "k2", nil))
  }

  @Test func anEndWithoutAResultLeavesThePostUnsure() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    let outputs = line.receive(#"{"id":"\#(line.mutation)","type":"complete"}"#)
    #expect(outputs.last == .unsure(nonce: "k1"))
  }

  /// Bug 15: a post that was cut off is never sent again blindly.
  @Test func aPostUnderWayAtALossIsRepeatableOnlyWithASafeProfile() {
    var safe = GraphQLWire.ready()
    _ = safe.post("k1", "x")
    _ = safe.post("k2", "y")
    #expect(safe.lost() == [.repeatable(nonce: "k1"), .repeatable(nonce: "k2")])
    for mode in [Profile.Repeat.ask, .lookup] {
      var line = GraphQLWire.ready([]) { $0.postRepeat = mode }
      _ = line.post("k1", "x")
      #expect(line.lost() == [.unsure(nonce: "k1")])
      _ = line.open()
      #expect(line.acknowledge().variables(of: "mutation") == [])
    }
  }

  @Test func aPostThatTheHistoryShowsAfterTheLossIsSent() {
    for mode in [Profile.Repeat.safe, .ask, .lookup] {
      var line = GraphQLWire.ready(GraphQLWire.messages(1...1)) { $0.postRepeat = mode }
      _ = line.post("k1", "x")
      _ = line.reconnect()
      let outputs = line.answerHistory([GraphQLWire.message(2, author: "ada", nonce: "k1")])
      #expect(outputs.origins == ["m2 missed"])
      let sent = outputs.contains { if case .sent("k1", _) = $0 { true } else { false } }
      #expect(sent)
      #expect(!outputs.contains(.repeatable(nonce: "k1")))
      #expect(outputs.last == .ready)
    }
  }

  @Test func aPostThatALookedUpHistoryDoesNotShowMayBeRepeated() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1)) { $0.postRepeat = .lookup }
    _ = line.post("k1", "x")
    _ = line.reconnect()
    // There may be more behind it.
    #expect(!line.answerHistory([GraphQLWire.message(2)]).contains(.repeatable(nonce: "k1")))
    #expect(line.answerHistory([]) == [.repeatable(nonce: "k1"), .ready])
    // Once only.
    _ = line.reconnect()
    #expect(!line.answerHistory([]).contains(.repeatable(nonce: "k1")))
  }

  @Test func anAnswerThatDoesNotComeForHalfAMinuteLeavesThePostOpen() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    #expect(line.pass(.milliseconds(29_999)) == [])
    #expect(line.pass(.milliseconds(1)).last == .repeatable(nonce: "k1"))
    // Late, but it shows that the server has it.
    let echo = line.say(GraphQLWire.message(1, nonce: "k1"))
    let sent = echo.contains { if case .sent("k1", _) = $0 { true } else { false } }
    #expect(sent)
  }

  @Test func withoutAPostInTheProfileNothingCanBeWritten() {
    var line = GraphQLWire.ready([]) { $0.post = nil }
    let outputs = line.post("k1", "x")
    guard case .rejected("k1", let reason) = outputs.first else {
      Issue.record("\(outputs)")
      return
    }
    #expect(reason.raw.contains("“post”"))
  }

  @Test func aNewNickIsUsedByTheNextPost() {
    var line = GraphQLWire.ready()
    #expect(line.wire.dialect.rename(nick: "eve", at: line.wire.now) == [])
    #expect(line.post("k", "x").variables(of: "mutation").first?["author"] == "eve")
  }

  @Test func theAnswerOfAPostToARoomThatWasLeftIsNotShownInTheNewOne() {
    var line = GraphQLWire.ready()
    _ = line.post("k1", "x")
    _ = line.join("games")
    let outputs = line.answerPost(GraphQLWire.message(1, author: "ada", nonce: "k1"))
    #expect(outputs.ids == [])
    #expect(outputs.count == 1)
  }

  @Test func anAnswerWhileTheHistoryIsOutstandingKeepsTheOrder() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...1))
    _ = line.receive(#"{"id":"\#(line.live)","type":"complete"}"#)
    _ = line.pass(.seconds(1))
    _ = line.post("k1", "x")
    let answer = line.answerPost(GraphQLWire.message(3, author: "ada", nonce: "k1"))
    #expect(answer.ids == [])
    #expect(answer.count == 1)
    #expect(line.answerHistory([GraphQLWire.message(2)]).origins == ["m2 missed", "m3 live"])
  }
}
