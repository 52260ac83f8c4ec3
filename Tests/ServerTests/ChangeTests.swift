import Testing

@testable import Server

/// What becomes of messages after they were said.
@Suite struct ChangeTests {
  private static let fields =
    "id text editedAt deletedAt revision reactions { emoji count authors }"

  private static func next(_ id: String, _ data: String) -> String {
    #"{"type":"next","id":"\#(id)","payload":{"data":{\#(data)}}}"#
  }

  private static func change(_ field: String, _ id: String, by author: String, _ more: String = "")
    -> String
  {
    #"mutation { \#(field)(room: "r", id: "\#(id)", author: "\#(author)"\#(more)) { \#(fields) } }"#
  }

  /// The first message of room r, by ada, and somebody who listens for changes.
  private static func start() -> (bench: Bench, ada: Bench.Client, bob: Bench.Client) {
    let bench = Bench()
    bench.say("hello", by: "ada", in: "r")
    let ada = bench.graphql()
    let bob = bench.graphql()
    bench.subscribe("1", "subscription { messageChanged(room: \"r\") { \(fields) } }", from: bob)
    return (bench, ada, bob)
  }

  private static func form(
    text: String, edited: Bool = false, deleted: Bool = false, revision: Int,
    reactions: String = ""
  ) -> String {
    let time = #""2026-01-01T00:00:00.000Z""#
    return #"{"id":"m1","text":"\#(text)","editedAt":\#(edited ? time : "null"),"#
      + #""deletedAt":\#(deleted ? time : "null"),"revision":\#(revision),"#
      + #""reactions":[\#(reactions)]}"#
  }

  @Test func anEditIsAnsweredAndHeardAndStandsInTheHistory() {
    let (bench, ada, bob) = Self.start()
    bench.subscribe(
      "2", Self.change("editMessage", "m1", by: "ada", #", text: "hallo""#), from: ada)
    let form = Self.form(text: "hallo", edited: true, revision: 1)
    #expect(ada.take().first == Self.next("2", #""editMessage":\#(form)"#))
    #expect(bob.take() == [Self.next("1", #""messageChanged":\#(form)"#)])
    bench.subscribe("3", "{ messages(room: \"r\") { text editedAt } }", from: bob)
    #expect(bob.take().first?.contains(#"{"text":"hallo","editedAt":"2026"#) == true)
  }

  @Test func aDeletionTakesTextAndReactionsAway() {
    let (bench, ada, bob) = Self.start()
    bench.subscribe("2", Self.change("addReaction", "m1", by: "bob", #", emoji: "👍""#), from: ada)
    let liked = Self.form(
      text: "hello", revision: 1, reactions: #"{"emoji":"👍","count":1,"authors":["bob"]}"#)
    #expect(bob.take() == [Self.next("1", #""messageChanged":\#(liked)"#)])
    bench.subscribe("3", Self.change("deleteMessage", "m1", by: "ada"), from: ada)
    let gone = Self.form(text: "", deleted: true, revision: 2)
    #expect(bob.take() == [Self.next("1", #""messageChanged":\#(gone)"#)])
    // Deleting it again is no news, and nothing else can become of it.
    bench.subscribe("4", Self.change("deleteMessage", "m1", by: "ada"), from: ada)
    _ = ada.take()
    bench.subscribe("5", Self.change("editMessage", "m1", by: "ada", #", text: "x""#), from: ada)
    #expect(ada.take().first?.contains("Message m1 was deleted") == true)
    #expect(bob.take() == [])
  }

  @Test func aReactionIsTakenBackByTheOneWhoPutIt() {
    let (bench, ada, bob) = Self.start()
    for author in ["bob", "eve", "bob"] {
      bench.subscribe(
        "2", Self.change("addReaction", "m1", by: author, #", emoji: "👍""#), from: ada)
    }
    #expect(bob.take().count == 2, "the same again is no news")
    bench.subscribe(
      "3", Self.change("removeReaction", "m1", by: "bob", #", emoji: "👍""#), from: ada)
    let left = Self.form(
      text: "hello", revision: 3, reactions: #"{"emoji":"👍","count":1,"authors":["eve"]}"#)
    #expect(bob.take() == [Self.next("1", #""messageChanged":\#(left)"#)])
  }

  @Test(arguments: [
    (
      #"editMessage(room: "r", id: "m1", author: "eve", text: "x")"#,
      "Message m1 is by ada: only one's own can be edited."
    ),
    (#"deleteMessage(room: "r", id: "m1", author: "eve")"#, "only one's own can be deleted."),
    (#"editMessage(room: "r", id: "m9", author: "ada", text: "x")"#, "No message m9 in room r"),
    (#"deleteMessage(room: "s", id: "m1", author: "ada")"#, "No message m1 in room s"),
    (#"editMessage(room: "r", id: "m1", author: "ada", text: "")"#, "The text is empty"),
    (#"addReaction(room: "r", id: "m1", author: "eve", emoji: "")"#, "is no reaction"),
    (#"addReaction(room: "r", id: "m1", author: "eve", emoji: "a b")"#, "is no reaction"),
    (#"addReaction(room: "r", id: "nonsense", author: "eve", emoji: "x")"#, "No message nonsense"),
    (
      #"postMessage(room: "r", author: "eve", text: "x", replyTo: "m7")"#, "No message m7 in room r"
    ),
  ])
  func whatCannotBeDoneIsAnsweredByAnError(field: String, words: String) {
    let (bench, ada, bob) = Self.start()
    bench.subscribe("2", "mutation { \(field) { id } }", from: ada)
    let answer = ada.take().first ?? ""
    #expect(answer.contains(#""errors":["#) && answer.contains(words), "\(answer)")
    #expect(bob.take() == [])
  }

  @Test func textsAndReactionsAreBounded() throws {
    var rooms = RoomStore(historyLimit: 10)
    _ = try rooms.post("a", by: "ada", in: "r", clientId: nil, wall: 0)
    let long = String(repeating: "x", count: RoomLimits.text + 1)
    #expect(throws: Complaint.self) {
      try rooms.edit("m1", in: "r", by: "ada", to: long, wall: 0)
    }
    for number in 0..<RoomLimits.reactions {
      _ = try rooms.react("e\(number)", to: "m1", in: "r", by: "ada")
    }
    #expect(throws: Complaint.self) { try rooms.react("more", to: "m1", in: "r", by: "ada") }
    for number in 1..<RoomLimits.reactors {
      _ = try rooms.react("e0", to: "m1", in: "r", by: "n\(number)")
    }
    #expect(throws: Complaint.self) { try rooms.react("e0", to: "m1", in: "r", by: "last") }
    #expect(rooms.size == (try rooms.message("m1", in: "r")).size)
  }

  @Test func anAnswerNamesItsMessage() {
    let (bench, ada, _) = Self.start()
    bench.subscribe(
      "2",
      #"mutation { postMessage(room: "r", author: "bob", text: "yes", replyTo: "m1") { id replyTo } }"#,
      from: ada)
    #expect(ada.take().first == Self.next("2", #""postMessage":{"id":"m2","replyTo":"m1"}"#))
  }

  // MARK: - Who is there, who writes

  @Test func whoComesAndGoesIsToldToThoseWhoAskForIt() {
    let bench = Bench()
    let watcher = bench.graphql()
    bench.subscribe("1", "subscription { members(room: \"r\") }", from: watcher)
    #expect(watcher.take() == [Self.next("1", #""members":[]"#)])
    let ada = bench.graphql()
    let live = "subscription { messageAdded(room: \"r\", nick: \"ada\") { id } }"
    bench.subscribe("1", live, from: ada)
    #expect(watcher.take() == [Self.next("1", #""members":["ada"]"#)])
    let pat = bench.connect("/?room=r&nick=pat")
    #expect(watcher.take() == [Self.next("1", #""members":["ada","pat"]"#)])
    // Another name: the subscription ends and begins anew.
    bench.send(#"{"type":"complete","id":"1"}"#, from: ada)
    bench.subscribe("2", live.replacing("ada", with: "eve"), from: ada)
    #expect(watcher.take().last == Self.next("1", #""members":["pat","eve"]"#))
    bench.end(ada)
    bench.end(pat)
    #expect(watcher.take().last == Self.next("1", #""members":[]"#))
    bench.subscribe("3", "{ members(room: \"r\") }", from: watcher)
    #expect(watcher.take().first == Self.next("3", #""members":[]"#))
  }

  @Test func whoWritesIsToldToTheOthers() {
    let bench = Bench()
    let ada = bench.graphql()
    let bob = bench.graphql()
    for client in [ada, bob] {
      bench.subscribe("1", "subscription { typing(room: \"r\") }", from: client)
    }
    bench.subscribe("2", #"mutation { setTyping(room: "r", nick: "ada") }"#, from: ada)
    #expect(ada.take().first == Self.next("2", #""setTyping":true"#))
    #expect(bob.take() == [Self.next("1", #""typing":"ada""#)])
  }

  // MARK: - The envelope

  @Test func theEnvelopeHasTheSame() {
    let bench = Bench()
    let ada = bench.envelope("ada", in: "r")
    let bob = bench.envelope("bob", in: "r")
    bench.send(#"{"kind":"post","payload":{"text":"hi","nonce":"n1"}}"#, from: ada)
    bench.send(#"{"kind":"post","payload":{"text":"yes","nonce":"n2","reply":"m1"}}"#, from: bob)
    #expect(opened(ada.take()).last?.contains(#""reply":"m1""#) == true)
    _ = bob.take()
    bench.send(
      #"{"kind":"edit","payload":{"id":"m1","text":"hello","nonce":"c1"}}"#, from: ada)
    let time = "2026-01-01T00:00:00.000Z"
    let form =
      #"{"id":"m1","room":"r","author":"ada","text":"hello","time":"\#(time)","nonce":"n1","edited":"\#(time)","revision":1}"#
    #expect(opened(ada.take()) == [#"done {"nonce":"c1","message":\#(form)}"#])
    #expect(opened(bob.take()) == ["changed \(form)"])
    bench.send(#"{"kind":"delete","payload":{"id":"m1","nonce":"c2"}}"#, from: bob)
    #expect(
      opened(bob.take()) == [
        #"rejected {"nonce":"c2","reason":"Message m1 is by ada: only one's own can be deleted."}"#
      ])
    bench.send(#"{"kind":"react","payload":{"id":"m1","emoji":"👍","nonce":"c3"}}"#, from: bob)
    #expect(
      opened(ada.take()).first?.contains(
        #""reactions":[{"emoji":"👍","count":1,"names":["bob"]}],"revision":2"#) == true)
    bench.send(#"{"kind":"edit","payload":{"text":"x"}}"#, from: bob)
    #expect(
      opened(bob.take()).last?.hasPrefix(#"rejected {"reason":"The edit names no message"#) == true)
  }

  @Test func whoComesBackHearsWhatChangedMeanwhile() {
    let bench = Bench()
    let ada = bench.envelope("ada", in: "r")
    for text in ["a", "b", "c"] {
      bench.send(#"{"kind":"post","payload":{"text":"\#(text)"}}"#, from: ada)
    }
    bench.send(#"{"kind":"edit","payload":{"id":"m1","text":"A"}}"#, from: ada)
    bench.send(#"{"kind":"delete","payload":{"id":"m2"}}"#, from: ada)
    let bob = bench.connect("/", ["parlour-envelope"])
    bench.send(#"{"kind":"join","payload":{"room":"r","after":"m3","revision":1}}"#, from: bob)
    let history = opened(bob.take()).first ?? ""
    #expect(history.contains(#""messages":[]"#) && history.contains(#""changed":[{"id":"m2""#))
    #expect(!history.contains(#""id":"m1""#))
  }
}
