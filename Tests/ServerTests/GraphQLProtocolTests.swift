import JSON
import Testing
import WebSocket

@testable import Server

/// graphql-transport-ws from the server's side.
@Suite struct GraphQLProtocolTests {
  private static let live = #"subscription { messageAdded(room: \"r\") { id text } }"#

  private static func subscribe(_ id: String, _ query: String) -> String {
    #"{"type":"subscribe","id":"\#(id)","payload":{"query":"\#(query)"}}"#
  }

  private static func next(_ id: String, _ message: String, _ text: String) -> String {
    #"{"type":"next","id":"\#(id)","payload":{"data":{"messageAdded":{"id":"\#(message)","text":"\#(text)"}}}}"#
  }

  private static func code(_ code: UInt16) -> CloseCode { CloseCode(rawValue: code) }

  @Test func theIntroductionIsAcknowledged() {
    let bench = Bench()
    let client = bench.connect("/graphql", [Bench.transport])
    bench.send(#"{"type":"connection_init","payload":null}"#, from: client)
    #expect(client.take() == [Bench.acknowledgement])
  }

  @Test("4408: without an introduction the line is closed after ten seconds")
  func close4408() {
    let bench = Bench()
    let client = bench.connect("/graphql", [Bench.transport])
    bench.advance(by: .milliseconds(9_999))
    #expect(client.closed == nil)
    bench.advance(by: .milliseconds(1))
    #expect(
      client.closed == CloseReason(Self.code(4408), "Connection initialisation timeout"))
    #expect(client.isFinished)
  }

  @Test(
    "rule H4, 4406: a GraphQL client that offers nothing known here is told so",
    arguments: [
      ("/graphql", []), ("/graphql", ["mqtt"]), ("/graphql?room=r", ["graphql-ws"]),
      ("/", ["graphql-ws"]), ("/chat", ["x", "graphql-ws"]),
    ] as [(String, [String])])
  func ruleH4(target: String, offered: [String]) {
    let bench = Bench()
    let client = bench.connect(target, offered)
    #expect(client.subprotocol == nil)
    #expect(client.closed == CloseReason(Self.code(4406), "Subprotocol not acceptable"))
    bench.send(#"{"type":"connection_init"}"#, from: client)
    #expect(client.take() == [])
    #expect(client.isFinished)
    #expect(bench.server.memberCount("lobby") == 0)
  }

  @Test(
    "rule H2: of what a client offers, one that is known here is selected",
    arguments: [
      ["graphql-ws", "graphql-transport-ws"], ["graphql-transport-ws", "graphql-ws"],
    ])
  func ruleH2(offered: [String]) {
    let client = Bench().connect("/graphql", offered)
    #expect(client.subprotocol == Bench.transport)
    #expect(client.closed == nil)
  }

  @Test func anAcknowledgedClientMayBeSilent() {
    let bench = Bench()
    let client = bench.graphql()
    bench.advance(by: .seconds(3600))
    #expect(client.closed == nil)
    #expect(bench.server.deadline == nil)
  }

  @Test("4429: a second introduction is one too many")
  func close4429() {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(#"{"type":"connection_init"}"#, from: client)
    #expect(client.closed == CloseReason(Self.code(4429), "Too many initialisation requests"))
  }

  @Test("4401: subscribing before the acknowledgement is not authorised")
  func close4401() {
    let bench = Bench()
    let client = bench.connect("/graphql", [Bench.transport])
    bench.send(Self.subscribe("1", "{ __typename }"), from: client)
    #expect(client.closed == CloseReason(Self.code(4401), "Unauthorized"))
    #expect(client.take() == [])
  }

  @Test("4409: an id in use cannot be taken again")
  func close4409() {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(Self.subscribe("a", Self.live), from: client)
    bench.send(Self.subscribe("a", "{ __typename }"), from: client)
    #expect(client.closed == CloseReason(Self.code(4409), "Subscriber for a already exists"))
  }

  @Test("rule M3: an id may be taken again once its operation has ended")
  func ruleM3() {
    let bench = Bench()
    let client = bench.graphql()
    for _ in 1...2 {
      bench.send(Self.subscribe("a", "{ __typename }"), from: client)
      bench.send(Self.subscribe("a", Self.live), from: client)
      bench.send(#"{"type":"complete","id":"a"}"#, from: client)
    }
    #expect(client.closed == nil)
    #expect(client.take().count == 4)
  }

  @Test(
    "rule M1: what is no message of the protocol closes the line with 4400",
    arguments: [
      "", "x", "[]", "5", "null", "{}", #"{"type":5}"#, #"{"type":"dance"}"#,
      #"{"type":"connection_ack"}"#, #"{"type":"next","id":"1","payload":{}}"#,
      #"{"type":"start","id":"1","payload":{"query":"{ a }"}}"#,
      #"{"type":"connection_init","payload":5}"#, #"{"type":"connection_init","payload":[]}"#,
      #"{"type":"ping","payload":"x"}"#, #"{"type":"pong","payload":1}"#,
      #"{"type":"complete"}"#, #"{"type":"complete","id":5}"#, #"{"type":"complete","id":""}"#,
      #"{"type":"subscribe","payload":{"query":"{ __typename }"}}"#,
      #"{"type":"subscribe","id":"","payload":{"query":"{ __typename }"}}"#,
      #"{"type":"subscribe","id":7,"payload":{"query":"{ __typename }"}}"#,
      #"{"type":"subscribe","id":"1"}"#, #"{"type":"subscribe","id":"1","payload":"q"}"#,
      #"{"type":"subscribe","id":"1","payload":{}}"#,
      #"{"type":"subscribe","id":"1","payload":{"query":5}}"#,
      #"{"type":"subscribe","id":"1","payload":{"query":"{a}","variables":[]}}"#,
      #"{"type":"subscribe","id":"1","payload":{"query":"{a}","operationName":5}}"#,
      #"{"type":"subscribe","id":"1","payload":{"query":"{a}","extensions":"x"}}"#,
      #"{"type":"\#(String(repeating: "é", count: 500))"}"#,
      #"{"type":"complete","id":"\#(String(repeating: "x", count: 500))"}"#,
      String(repeating: "[", count: 10_000), #"{"type":"ping"} {}"#,
    ])
  func ruleM1(message: String) {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(message, from: client)
    #expect(client.closed?.code == Self.code(4400))
    let reason = client.closed?.text ?? ""
    #expect(!reason.isEmpty && reason.utf8.count <= 123)
    #expect(client.take() == [])
    #expect(client.isFinished)
  }

  @Test("rule H6: a binary message closes the line")
  func ruleH6() {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(binary: Array(#"{"type":"ping"}"#.utf8), from: client)
    #expect(client.closed?.code == Self.code(4400))
  }

  @Test func pingsAreAnsweredWithTheirPayloadEvenBeforeTheAcknowledgement() {
    let bench = Bench()
    let client = bench.connect("/graphql", [Bench.transport])
    bench.send(#"{"type":"ping"}"#, from: client)
    bench.send(#"{"type":"ping","payload":{"n":[1,"x"]}}"#, from: client)
    bench.send(#"{"type":"pong"}"#, from: client)
    bench.send(#"{"type":"pong","payload":{}}"#, from: client)
    #expect(
      client.take() == [#"{"type":"pong"}"#, #"{"type":"pong","payload":{"n":[1,"x"]}}"#])
    #expect(client.closed == nil)
  }

  @Test func aQueryGetsOneNextAndComplete() {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(Self.subscribe("q", "{ __typename }"), from: client)
    #expect(
      client.take() == [
        #"{"type":"next","id":"q","payload":{"data":{"__typename":"Query"}}}"#,
        #"{"type":"complete","id":"q"}"#,
      ])
  }

  @Test func anErrorOfAFieldComesWithNext() {
    let bench = Bench()
    let client = bench.graphql()
    bench.subscribe(
      "q", #"{ messages(room: "r", after: "m7") { id } }"#, from: client)
    #expect(
      client.take() == [
        #"{"type":"next","id":"q","payload":{"errors":[{"message":"No message m7 in room r: ask for the newest ones instead.","locations":[{"line":1,"column":3}],"path":["messages"]}],"data":null}}"#,
        #"{"type":"complete","id":"q"}"#,
      ])
  }

  @Test(
    "rule M5: an error of the request ends the operation only, without a complete",
    arguments: [
      (
        "{",
        #"{"message":"Syntax Error: Expected Name, found <EOF>.","locations":[{"line":1,"column":2}]}"#
      ),
      (
        "{ nope }",
        #"{"message":"Cannot query field \"nope\" on type \"Query\".","locations":[{"line":1,"column":3}]}"#
      ),
      (
        "query($r: String!) { messages(room: $r) { id } }",
        #"{"message":"Variable \"$r\" of required type \"String!\" was not provided.","locations":[{"line":1,"column":7}]}"#
      ),
    ])
  func ruleM5(query: String, error: String) {
    let bench = Bench()
    let client = bench.graphql()
    bench.subscribe("q", query, from: client)
    #expect(client.take() == [#"{"type":"error","id":"q","payload":[\#(error)]}"#])
    // The id is free again, and the line goes on.
    bench.send(Self.subscribe("q", "{ __typename }"), from: client)
    #expect(client.take().count == 2)
  }

  @Test("rule M2: a subscription hears what is said until its end, and to end it again is no error")
  func ruleM2() {
    let bench = Bench()
    bench.say("before", by: "eve", in: "r")
    let client = bench.graphql()
    bench.send(Self.subscribe("s", Self.live), from: client)
    #expect(client.take() == [])
    bench.say("one", by: "eve", in: "r")
    bench.say("elsewhere", by: "eve", in: "other")
    bench.say("two", by: "eve", in: "r")
    #expect(client.take() == [Self.next("s", "m2", "one"), Self.next("s", "m4", "two")])
    bench.send(#"{"type":"complete","id":"s"}"#, from: client)
    bench.say("three", by: "eve", in: "r")
    #expect(client.take() == [])
    #expect(bench.server.memberCount("r") == 0)
    // To end what has ended, or never was, is no error.
    bench.send(#"{"type":"complete","id":"s"}"#, from: client)
    bench.send(#"{"type":"complete","id":"never"}"#, from: client)
    #expect(client.closed == nil)
  }

  @Test func aSubscriptionWithACursorGetsTheBacklogFirst() {
    let bench = Bench()
    for text in ["one", "two", "three"] { bench.say(text, by: "eve", in: "r") }
    let client = bench.graphql()
    bench.subscribe(
      "s", "subscription($a: ID) { messageAdded(room: \"r\", after: $a) { id text } }",
      variables: ["a": "m1"], from: client)
    bench.say("four", by: "eve", in: "r")
    #expect(
      client.take() == [
        Self.next("s", "m2", "two"), Self.next("s", "m3", "three"), Self.next("s", "m4", "four"),
      ])
  }

  @Test func aSubscriptionWithAnUnknownCursorIsAnError() {
    let bench = Bench()
    let client = bench.graphql()
    bench.subscribe(
      "s", #"subscription { added: messageAdded(room: "r", after: "m9") { id } }"#, from: client)
    #expect(
      client.take() == [
        #"{"type":"error","id":"s","payload":[{"message":"No message m9 in room r: ask for the newest ones instead.","locations":[{"line":1,"column":16}],"path":["added"]}]}"#
      ])
    bench.say("x", by: "eve", in: "r")
    #expect(client.take() == [])
  }

  @Test func aPostIsHeardByItsOwnSubscriptionsOnce() {
    let bench = Bench()
    let ada = bench.graphql()
    let bob = bench.graphql()
    bench.send(Self.subscribe("s1", Self.live), from: ada)
    bench.send(Self.subscribe("s2", Self.live), from: ada)
    bench.send(Self.subscribe("s", Self.live), from: bob)
    let post =
      #"mutation { postMessage(room: "r", author: "ada", text: "hi", clientId: "k") { id } }"#
    let answer = { (id: String) in
      [
        #"{"type":"next","id":"\#(id)","payload":{"data":{"postMessage":{"id":"m1"}}}}"#,
        #"{"type":"complete","id":"\#(id)"}"#,
      ]
    }
    bench.subscribe("p1", post, from: ada)
    #expect(
      ada.take() == answer("p1") + [Self.next("s1", "m1", "hi"), Self.next("s2", "m1", "hi")])
    #expect(bob.take() == [Self.next("s", "m1", "hi")])
    // The repeat gives the first message back and is not heard again.
    bench.subscribe("p2", post, from: ada)
    #expect(ada.take() == answer("p2"))
    #expect(bob.take() == [])
  }

  @Test func endingOneOfTwoSubscriptionsToARoomLeavesTheOther() {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(Self.subscribe("a", Self.live), from: client)
    bench.send(Self.subscribe("b", Self.live), from: client)
    #expect(bench.server.memberCount("r") == 1)
    bench.send(#"{"type":"complete","id":"a"}"#, from: client)
    bench.say("x", by: "eve", in: "r")
    #expect(client.take() == [Self.next("b", "m1", "x")])
  }

  @Test func nothingIsDoneForMessagesBehindTheOneThatClosed() throws {
    let bench = Bench()
    let client = bench.graphql()
    bench.send(
      together: [
        #"{"type":"dance"}"#,
        Self.subscribe(
          "p", #"mutation { postMessage(room: \"r\", author: \"a\", text: \"t\") { id } }"#),
      ], from: client)
    #expect(client.closed?.code == Self.code(4400))
    bench.say("x", by: "eve", in: "r")
    #expect(
      try bench.server.state.rooms.messages(room: "r", last: 9, after: nil).map(\.id) == ["m1"])
  }

  @Test func aConnectionMayHaveAHundredSubscriptions() {
    let bench = Bench()
    let client = bench.graphql()
    for number in 1...101 { bench.send(Self.subscribe("\(number)", Self.live), from: client) }
    #expect(client.take().count == 1)
    bench.say("x", by: "eve", in: "r")
    #expect(client.take().count == 100)
  }

  @Test func everyListenerGetsWhatItSelectedWhoeverElseListens() {
    let plain = "subscription { messageAdded(room: \"r\") "
    let conditional =
      "subscription($on: Boolean! = true, $r: String!) { live: messageAdded(room: $r) "
    let cases = [
      (plain + "{ id text } }", #"{"messageAdded":{"id":"m1","text":"one"}}"#),
      (plain + "{ text id } }", #"{"messageAdded":{"text":"one","id":"m1"}}"#),
      (plain + "{ a: id text } }", #"{"messageAdded":{"a":"m1","text":"one"}}"#),
      (plain + "{ ... on Message { id } text } }", #"{"messageAdded":{"id":"m1","text":"one"}}"#),
      (plain + "{ id __typename } }", #"{"messageAdded":{"id":"m1","__typename":"Message"}}"#),
      (conditional + "{ id text @include(if: $on) } }", #"{"live":{"id":"m1","text":"one"}}"#),
      (conditional + "{ id text @skip(if: $on) } }", #"{"live":{"id":"m1"}}"#),
      (
        plain + "{ ...L } } fragment L on Message { id ...T } fragment T on Message { text }",
        #"{"messageAdded":{"id":"m1","text":"one"}}"#
      ),
    ]
    let bench = Bench()
    let clients = cases.map { query, _ in
      let client = bench.graphql()
      bench.subscribe("s", query, variables: ["r": "r"], from: client)
      return client
    }
    bench.say("one", by: "eve", in: "r")
    for (client, (query, data)) in zip(clients, cases) {
      let expected = #"{"type":"next","id":"s","payload":{"data":\#(data)}}"#
      #expect(client.take() == [expected], "\(query)")
    }
  }

  @Test func anIdIsGivenBackWhateverIsInIt() throws {
    let bench = Bench()
    let client = bench.graphql()
    let id = "\"quoted\" \\ é 😀\n"
    bench.subscribe("s", #"subscription { messageAdded(room: "r") { text } }"#, from: client)
    bench.subscribe(id, #"subscription { messageAdded(room: "r") { text } }"#, from: client)
    bench.say("one", by: "eve", in: "r")
    let frames = try client.take().map { try JSON.parse($0) }
    #expect(frames.map { $0["id"]?.string } == ["s", id])
    #expect(frames[0]["payload"] == frames[1]["payload"])
  }

  @Test func manyDocumentsGoThroughTheCacheUnharmed() {
    let bench = Bench()
    let client = bench.graphql()
    for round in 1...2 {
      for number in 0..<200 {
        bench.send(Self.subscribe("\(round)-\(number)", "{ a\(number): __typename }"), from: client)
        #expect(
          client.take().first
            == #"{"type":"next","id":"\#(round)-\#(number)","payload":{"data":{"a\#(number)":"Query"}}}"#
        )
      }
      // A document that is wrong stays wrong.
      bench.send(Self.subscribe("w", "{ nope }"), from: client)
      #expect(client.take().first?.hasPrefix(#"{"type":"error","id":"w""#) == true)
    }
  }

  @Test("rule M4: operations of all kinds share a line")
  func ruleM4() {
    let bench = Bench()
    let client = bench.graphql()
    let post = #"mutation { postMessage(room: \"r\", author: \"ada\", text: \"hi\") { id } }"#
    bench.send(
      together: [
        Self.subscribe("live", Self.live), Self.subscribe("q", "{ __typename }"),
        Self.subscribe("p", post), Self.subscribe("wrong", "{"),
        #"{"type":"complete","id":"live"}"#, Self.subscribe("p2", post),
      ], from: client)
    #expect(
      client.take().map { String($0.prefix(30)) }
        == [
          #"{"type":"next","id":"q","payload":"#, #"{"type":"complete","id":"q"}"#,
          #"{"type":"next","id":"p","payload":"#, #"{"type":"complete","id":"p"}"#,
          #"{"type":"next","id":"live","payload":"#, #"{"type":"error","id":"wrong","payload":"#,
          #"{"type":"next","id":"p2","payload":"#, #"{"type":"complete","id":"p2"}"#,
        ].map { String($0.prefix(30)) })
  }

  @Test func aRoomNameOutOfBoundsIsAnError() {
    let bench = Bench()
    let client = bench.graphql()
    bench.subscribe("s", #"subscription { messageAdded(room: "") { id } }"#, from: client)
    #expect(client.take().first?.hasPrefix(#"{"type":"error","id":"s""#) == true)
  }

  @Test func aSubscriptionThatSkipsItsFieldIsAnError() {
    let bench = Bench()
    let client = bench.graphql()
    bench.subscribe(
      "s", #"subscription { messageAdded(room: "r") @skip(if: true) { id } }"#, from: client)
    #expect(client.take().first?.hasPrefix(#"{"type":"error","id":"s""#) == true)
  }
}
