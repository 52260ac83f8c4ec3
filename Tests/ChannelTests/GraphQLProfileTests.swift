import Channel
import JSON
import Testing
import Text
import WebSocket

/// What a profile says beyond its three documents, as the dialect does it.
@Suite struct GraphQLProfileTests {
  private func names(_ document: String, _ items: String) -> Profile.Operation {
    Profile.Operation(
      document: document, operationName: nil, variables: [], items: Profile.Path(items))
  }

  // MARK: Paths

  @Test(arguments: [
    (
      "lines", "message.text",
      #"looks for “lines” (history.items), but there is no “lines” in the result; there are “messages”."#
    ),
    ("messages.edges.*.node", "text", "no “messages.edges” in the result"),
    (
      "messages", "body",
      #"looks for “body” (message.text), but there is no “body” in a message of “history”; there are “id”, "#
    ),
    ("messages", "user.name|body.text", "there is no “user” in"),
  ])
  func aPathThatLeadsNowhereIsNamedOnce(items: String, text: String, part: String) {
    var line = GraphQLWire {
      $0.history?.items = Profile.Path(items)
      if text != "message.text" { $0.message.text = Profile.Path(text) }
    }
    _ = line.open()
    _ = line.acknowledge()
    let told = line.answerHistory(GraphQLWire.messages(1...2)).notices
    #expect(told.filter { $0.contains("looks for") }.count == 1, "\(told)")
    #expect(told.first?.contains(part) == true, "\(told)")
    _ = line.reconnect()
    #expect(
      !line.answerHistory(GraphQLWire.messages(1...2)).notices.contains {
        $0.contains("looks for")
      })
  }

  @Test func pathsThatLeadToNothingYetOrToNullAreNoMistake() {
    var line = GraphQLWire { $0.message.nonce = Profile.Path("clientId") }
    _ = line.open()
    _ = line.acknowledge()
    #expect(line.answerHistory([]).notices.isEmpty)
    #expect(line.say(GraphQLWire.message(1)).notices.isEmpty)
  }

  // MARK: Close codes

  @Test(arguments: [
    (4400, Profile.Retry.retry, Verdict.Course.retry(after: nil)), (1011, .stop, .giveUp),
    (4300, .refused, .refused), (4403, .retry, .retry(after: nil)), (1234, .stop, .giveUp),
  ])
  func theProfileDecidesAboutACloseCode(code: Int, rule: Profile.Retry, course: Verdict.Course) {
    let line = GraphQLWire.ready { $0.retry = [code: rule] }
    let reason = CloseReason(CloseCode(rawValue: UInt16(code)), "why")
    let verdict = line.wire.dialect.verdict(on: reason, isReady: true)
    #expect(verdict?.course == course)
    #expect((verdict?.failure.kind == .refused) == (course == .refused))
    #expect(verdict?.failure.message.contains("why") == true)
  }

  // MARK: Gaps

  private func counted(_ numbers: ClosedRange<Int> = 1...3) -> GraphQLWire {
    GraphQLWire.ready(GraphQLWire.messages(numbers)) { $0.message.seq = Profile.Path("seq") }
  }

  @Test func aJumpInTheNumbersIsFilledFromTheHistoryBeforeWhatCameAfterIt() {
    var line = counted()
    let outputs = line.say(GraphQLWire.message(7))
    #expect(outputs.texts.isEmpty)
    #expect(outputs.variables(of: "query").first?["after"] == "m3")
    let filled = line.answerHistory(GraphQLWire.messages(4...7))
    #expect(filled.texts == ["t4", "t5", "t6", "t7"])
    #expect(filled.notices.isEmpty)
    #expect(line.say(GraphQLWire.message(8)).texts == ["t8"])
  }

  @Test func whatTheHistoryDoesNotHaveEitherIsSaid() {
    var line = counted()
    _ = line.say(GraphQLWire.message(9))
    let filled = line.answerHistory(GraphQLWire.messages(4...5)) + line.answerHistory([])
    #expect(filled.texts == ["t4", "t5", "t9"])
    #expect(
      filled.notices == ["Messages 6 to 8 are missing: the server does not have them any more."])
    // It is not asked for again.
    #expect(line.say(GraphQLWire.message(10)).types.isEmpty)
  }

  @Test func numbersThatGoOnOrBackAskForNothing() {
    var line = counted()
    for number in [4, 5, 3, 5, 6] { #expect(line.say(GraphQLWire.message(number)).types.isEmpty) }
  }

  // MARK: Names

  @Test func membersAndRoomsAreAskedForAndTold() {
    var line = GraphQLWire {
      $0.members = names("query Members { users { name } }", "users.*.name")
      $0.rooms = names("query Rooms { rooms }", "rooms")
    }
    _ = line.open()
    let asked = line.acknowledge().sent
    func id(_ name: String) -> String {
      asked.first { $0["payload"]?["query"]?.string?.contains(name) == true }?["id"]?.string ?? ""
    }
    let members = line.receive(
      #"{"id":"\#(id("Members"))","type":"next","payload":{"data":{"users":[{"name":"ada"},{"name":"bob"}]}}}"#
    )
    #expect(members == [.members([UntrustedText("ada"), UntrustedText("bob")])])
    let rooms = line.receive(
      #"{"id":"\#(id("Rooms"))","type":"next","payload":{"data":{"rooms":["a","b"]}}}"#)
    #expect(rooms.notices == ["There are the rooms a, b."])
  }

  // MARK: HTTP

  private func overHTTP(_ change: (inout Profile) -> Void = { _ in }) -> GraphQLWire {
    GraphQLWire {
      $0.history?.via = .http
      $0.post?.via = .http
      change(&$0)
    }
  }

  private func fetches(_ outputs: [DialectOutput]) -> [(id: String, body: JSON)] {
    outputs.compactMap { output in
      guard case .fetch(let id, let body) = output else { return nil }
      return (id, (try? JSON.parse(body)) ?? .null)
    }
  }

  @Test func historyAndPostsGoOverHTTPWhereTheProfileSaysSo() throws {
    var line = overHTTP()
    _ = line.open()
    let outputs = line.acknowledge()
    #expect(outputs.types == ["subscribe"])
    let history = try #require(fetches(outputs).first)
    #expect(history.body["variables"]?["room"] == "general")
    let body = #"{"data":{"messages":[\#(GraphQLWire.message(1))]}}"#
    let answer = line.wire.answered(history.id, .answered(status: 200, body: Array(body.utf8)))
    #expect(answer.texts == ["t1"])
    #expect(answer.contains(.ready))

    let post = try #require(fetches(line.post("n1", "hi")).first)
    #expect(post.body["variables"]?["clientId"] == "n1")
    let stored = #"{"data":{"postMessage":\#(GraphQLWire.message(2, author: "ada", nonce: "n1"))}}"#
    let sent = line.wire.answered(post.id, .answered(status: 200, body: Array(stored.utf8)))
    #expect(sent.contains { if case .sent("n1", _) = $0 { true } else { false } })
  }

  enum End { case rejected, unsure, repeated }

  static let failures: [(FetchOutcome, Profile.Repeat, End)] = [
    (
      .answered(status: 400, body: Array(#"{"errors":[{"message":"no"}]}"#.utf8)), .safe, .rejected
    ),
    (.answered(status: 401, body: Array("<html>".utf8)), .ask, .rejected),
    (.answered(status: 502, body: []), .ask, .unsure),
    // What was done and cannot be read.
    (.answered(status: 200, body: Array("<html>".utf8)), .ask, .unsure),
    (.answered(status: 204, body: []), .safe, .repeated),
    (.answered(status: 429, body: Array(#"{"message":"slow"}"#.utf8)), .ask, .repeated),
    (.answered(status: 502, body: []), .safe, .repeated),
    (.failed("cut", wasSent: true), .ask, .unsure),
    (.failed("cut", wasSent: true), .lookup, .unsure),
    (.failed("cut", wasSent: true), .safe, .repeated),
    (.failed("no route", wasSent: false), .ask, .repeated),
    (.failed("no route", wasSent: false), .safe, .repeated),
  ]

  /// A repeat does no harm where the server knows the nonce, or cannot have the post.
  @Test(arguments: failures)
  func whatBecomesOfAPostWhoseRequestFails(
    outcome: FetchOutcome, rule: Profile.Repeat, end: End
  ) throws {
    var line = overHTTP { $0.postRepeat = rule }
    _ = line.open()
    _ = line.acknowledge()
    for round in 0..<5 {
      let post = try #require(fetches(line.post("n1", "hi")).first)
      let outputs = line.wire.answered(post.id, outcome)
      #expect(outputs.contains(.unsure(nonce: "n1")) == (end == .unsure))
      #expect(
        outputs.contains { if case .rejected("n1", _) = $0 { true } else { false } }
          == (end == .rejected))
      guard end == .repeated else { return }
      let pause = Duration.seconds(1 << round)
      #expect(!line.pass(pause - .milliseconds(1)).contains(.repeatable(nonce: "n1")))
      #expect(line.pass(.milliseconds(1)).contains(.repeatable(nonce: "n1")))
    }
    // Not for ever.
    let post = try #require(fetches(line.post("n1", "hi")).first)
    let last = line.wire.answered(post.id, outcome)
    #expect(
      last.contains {
        switch $0 {
        case .rejected("n1", _), .unsure("n1"): true
        default: false
        }
      })
  }

  @Test func aPostThatWaitsForItsRepeatIsRepeatableAtALoss() throws {
    var line = overHTTP { $0.postRepeat = .safe }
    _ = line.open()
    _ = line.acknowledge()
    let post = try #require(fetches(line.post("n1", "hi")).first)
    _ = line.wire.answered(post.id, .failed("cut", wasSent: true))
    _ = line.pass(.milliseconds(500))
    #expect(line.lost().contains(.repeatable(nonce: "n1")))
  }

  // MARK: The older protocol

  @Test("rule H3: over graphql-ws its own words are spoken")
  func ruleH3() {
    var line = GraphQLWire()
    line.wire.dialect.agreed(on: "graphql-ws")
    #expect(line.open().types == ["connection_init"])
    #expect(line.receive(#"{"type":"ka"}"#).isEmpty)
    let outputs = line.receive(#"{"type":"connection_ack"}"#)
    #expect(outputs.types == ["start", "start"])
    let ids = outputs.sent.compactMap { $0["id"]?.string }
    let history = line.receive(
      #"{"id":"\#(ids[1])","type":"data","payload":{"data":{"messages":[\#(GraphQLWire.message(1))]}}}"#
    )
    #expect(history.texts == ["t1"])
    let live = line.receive(
      #"{"id":"\#(ids[0])","type":"data","payload":{"data":{"messageAdded":\#(GraphQLWire.message(2))}}}"#
    )
    #expect(live.texts == ["t2"])
    #expect(line.join("other").types == ["stop", "start", "start"])
    let error = line.receive(
      #"{"id":"\#(ids[0])","type":"error","payload":{"message":"late"}}"#)
    #expect(error.isEmpty)
    #expect(
      line.receive(#"{"id":"9","type":"next","payload":{}}"#).contains {
        if case .fail = $0 { true } else { false }
      })
  }
}
