import Testing

@testable import Server

@Suite struct PlainAndEnvelopeTests {
  private static let start = #""time":"2026-01-01T00:00:00.000Z""#

  @Test func aPlainTextIsHeardByOthersOnly() {
    let bench = Bench()
    let ada = bench.connect("/?room=den&nick=ada")
    let bob = bench.connect("/?room=den", ["parlour-plain"])
    let far = bench.connect("/?room=elsewhere")
    bench.send("hi", from: ada)
    bench.send("hello", from: bob)
    #expect(ada.take() == ["guest-2: hello"])
    #expect(bob.take() == ["ada: hi"])
    #expect(far.take() == [])
    #expect(bench.server.memberCount("den") == 2)
  }

  @Test func binaryPassesBetweenPlainClientsAsItIs() {
    let bench = Bench()
    let ada = bench.connect()
    let bob = bench.connect()
    let eve = bench.envelope("eve", in: "lobby")
    bench.send(binary: [0, 255, 1], from: ada)
    #expect(ada.binaries == [])
    #expect(bob.binaries == [[0, 255, 1]])
    #expect(eve.binaries == [] && eve.take() == [])
  }

  @Test func aPlainTextOutOfBoundsIsAnsweredWithASentence() {
    let bench = Bench()
    let ada = bench.connect()
    let bob = bench.connect()
    bench.send(String(repeating: "x", count: 65_537), from: ada)
    #expect(bob.take() == [])
    #expect(
      ada.take() == [
        "server: The message is 65537 bytes long and at most 65536 are taken: send it in parts."
      ])
  }

  @Test func joiningIsAnsweredWithHistoryAndMembers() {
    let bench = Bench()
    bench.say("first", by: "eve", in: "lobby")
    let ada = bench.connect("/", ["parlour-envelope"])
    // {"room":"lobby","nick":"ada"}
    bench.send(
      #"{"kind":"join","payload":"eyJyb29tIjoibG9iYnkiLCJuaWNrIjoiYWRhIn0="}"#, from: ada)
    #expect(
      opened(ada.take()) == [
        #"history {"room":"lobby","messages":[{"id":"m1","room":"lobby","author":"eve","text":"first",\#(Self.start)}],"nonces":true,"typing":true,"changes":true}"#,
        #"members {"room":"lobby","names":["ada"]}"#,
      ])
  }

  @Test func payloadsAreWrittenAsBase64OfCompactJSON() {
    let bench = Bench()
    let ada = bench.connect("/", ["parlour-envelope"])
    bench.send(#"{"kind":"join","payload":{"room":"a","nick":"b"}}"#, from: ada)
    // {"room":"a","messages":[]} and {"room":"a","names":["b"]}
    #expect(
      ada.take() == [
        #"{"kind":"history","payload":"eyJyb29tIjoiYSIsIm1lc3NhZ2VzIjpbXSwibm9uY2VzIjp0cnVlLCJ0eXBpbmciOnRydWUsImNoYW5nZXMiOnRydWV9"}"#,
        #"{"kind":"members","payload":"eyJyb29tIjoiYSIsIm5hbWVzIjpbImIiXX0="}"#,
      ])
  }

  @Test func whoWritesIsToldToTheOthersOfTheRoom() {
    let bench = Bench()
    let ada = bench.connect("/", ["parlour-envelope"])
    let bob = bench.connect("/", ["parlour-envelope"])
    let eve = bench.connect("/", ["parlour-envelope"])
    bench.send(#"{"kind":"typing","payload":{}}"#, from: ada)
    bench.send(#"{"kind":"join","payload":{"room":"r","nick":"ada"}}"#, from: ada)
    bench.send(#"{"kind":"join","payload":{"room":"r","nick":"bob"}}"#, from: bob)
    bench.send(#"{"kind":"join","payload":{"room":"s","nick":"eve"}}"#, from: eve)
    for client in [ada, bob, eve] { _ = client.take() }
    bench.send(#"{"kind":"typing","payload":{"room":"s","nick":"somebody else"}}"#, from: ada)
    #expect(ada.take() == [] && eve.take() == [])
    #expect(opened(bob.take()) == [#"typing {"room":"r","nick":"ada"}"#])
  }

  @Test func aCursorAsksForWhatFollows() {
    let bench = Bench()
    for text in ["a", "b", "c"] { bench.say(text, by: "eve", in: "r") }
    let ada = bench.connect("/", ["parlour-envelope"])
    bench.send(#"{"kind":"join","payload":{"room":"r","after":"m1","last":1}}"#, from: ada)
    #expect(opened(ada.take()).first?.contains(#""id":"m2""#) == true)
    bench.send(#"{"kind":"join","payload":{"room":"r","after":"m9","last":1}}"#, from: ada)
    let frames = opened(ada.take())
    #expect(frames[0].hasPrefix(#"error {"message":"No message m9 in room r"#))
    #expect(frames[1].hasPrefix(#"history {"room":"r","messages":[{"id":"m3""#))
  }

  @Test func membersAreToldWhenSomebodyComesMovesOrGoes() {
    let bench = Bench()
    let ada = bench.envelope("ada", in: "r")
    let bob = bench.envelope("bob", in: "r")
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["ada","bob"]}"#])
    let plain = bench.connect("/?room=r&nick=pat")
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["ada","bob","pat"]}"#])
    bench.send(#"{"kind":"join","payload":{"room":"s"}}"#, from: bob)
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["ada","pat"]}"#])
    bench.end(plain)
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["ada"]}"#])
  }

  @Test func whoIsSeatedStaysInTheRoomWithoutAConnection() {
    let bench = Bench()
    for name in ["mira", "ko", "mira"] { bench.server.seat(name, in: "r") }
    let ada = bench.envelope("ada", in: "r")
    let bob = bench.envelope("bob", in: "r")
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["mira","ko","ada","bob"]}"#])
    // One that has the name of a visitor is no second one.
    let twin = bench.envelope("ko", in: "r")
    #expect(opened(ada.take()).isEmpty)
    bench.end(twin)
    bench.end(bob)
    #expect(opened(ada.take()) == [#"members {"room":"r","names":["mira","ko","ada"]}"#])
  }

  @Test func aPostIsConfirmedToItsSenderAndToldToTheOthers() {
    let bench = Bench()
    let ada = bench.envelope("ada", in: "r")
    let bob = bench.envelope("bob", in: "r")
    let pat = bench.connect("/?room=r&nick=pat")
    _ = ada.take()
    _ = bob.take()
    let post =
      #"{"kind":"post","payload":{"room":"r","author":"ada","text":"hi","nonce":"n1"}}"#
    let message =
      #"{"id":"m1","room":"r","author":"ada","text":"hi",\#(Self.start),"nonce":"n1"}"#
    bench.send(post, from: ada)
    #expect(opened(ada.take()) == [#"posted {"nonce":"n1","message":\#(message)}"#])
    #expect(opened(bob.take()) == ["message \(message)"])
    #expect(pat.take() == ["ada: hi"])
    // The repeat is answered, and heard by nobody.
    bench.send(post, from: ada)
    #expect(opened(ada.take()) == [#"posted {"nonce":"n1","message":\#(message)}"#])
    #expect(bob.take() == [] && pat.take() == [])
  }

  @Test func aPostOutOfBoundsIsRejectedWithItsNonce() {
    let bench = Bench()
    let ada = bench.envelope("ada", in: "r")
    bench.send(
      #"{"kind":"post","payload":{"room":"","text":"hi","nonce":"n1"}}"#, from: ada)
    #expect(
      opened(ada.take()) == [
        #"rejected {"nonce":"n1","reason":"The room name is empty: choose one of 1 to 64 characters."}"#
      ])
  }

  @Test(arguments: [
    "", "x", "[]", "5", "{}", #"{"kind":5,"payload":{}}"#, #"{"kind":"join"}"#,
    #"{"kind":"join","payload":"!"}"#, #"{"kind":"join","payload":"W10="}"#,
    #"{"kind":"join","payload":"eA=="}"#, #"{"kind":"join","payload":[]}"#,
    #"{"kind":"join","payload":{"room":5}}"#, #"{"kind":"join","payload":{}}"#,
    #"{"kind":"dance","payload":{}}"#, String(repeating: "[", count: 10_000),
  ])
  func aBrokenEnvelopeIsAnErrorButNotFatal(frame: String) {
    let bench = Bench()
    let ada = bench.connect("/", ["parlour-envelope"])
    bench.send(frame, from: ada)
    let answers = opened(ada.take())
    #expect(answers.count == 1)
    #expect(answers.first?.hasPrefix(#"error {"message":""#) == true)
    bench.send(#"{"kind":"join","payload":{"room":"r"}}"#, from: ada)
    #expect(opened(ada.take()).count == 2)
  }

  @Test func aBinaryEnvelopeIsAnError() {
    let bench = Bench()
    let ada = bench.connect("/", ["parlour-envelope"])
    bench.send(binary: [1], from: ada)
    #expect(opened(ada.take()).first?.hasPrefix("error ") == true)
    #expect(ada.closed == nil)
  }

  @Test func visitorsAreHeardInEveryDialect() {
    let bench = Bench()
    let plain = bench.connect("/?room=r")
    let envelope = bench.envelope("ada", in: "r")
    let graphql = bench.graphql()
    bench.subscribe("1", #"subscription { messageAdded(room: "r") { text } }"#, from: graphql)
    bench.say("hello", by: "visitor", in: "r")
    #expect(plain.take() == ["visitor: hello"])
    #expect(opened(envelope.take()).last?.hasPrefix(#"message {"id":"m1""#) == true)
    #expect(
      graphql.take() == [
        #"{"type":"next","id":"1","payload":{"data":{"messageAdded":{"text":"hello"}}}}"#
      ])
    #expect(bench.server.memberCount("r") == 3)
  }
}
