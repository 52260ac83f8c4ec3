import Channel
import Room
import Store
import Testing
import Text

@Suite struct StoredOutboxTests {
  @Test func postsComeBackInTheirOrderWithTheirStates() throws {
    let folder = try Folder()
    let items = [
      post("a"), post("b", .sending), post("c", .unsure), post("d", .failed(UntrustedText("no"))),
    ]
    do {
      let store = try folder.open()
      try store.write(items.map { .post($0, room: "lobby") }, of: server)
      try store.write([.post(post("a", .sending), room: "lobby")], of: server)
      try store.write([.postEnded(nonce: "c", room: "lobby")], of: server)
    }
    let memory = try folder.open().recall("lobby", of: server, messages: 10)
    #expect(memory.outbox == [post("a", .sending), items[1], items[3]])
  }

  @Test func aRunThatIsAliveKeepsItsPostsAndOneThatEndedLeavesThem() throws {
    let folder = try Folder()
    var first: Store? = try folder.open()
    try first?.write([.post(post("a"), room: "lobby")], of: server)
    try first?.write([.post(post("k"), room: "kitchen")], of: server)
    let second = try folder.open()
    #expect(try second.recall("lobby", of: server, messages: 10).outbox == [])
    first = nil
    let third = try folder.open()
    let memory = try third.recall("lobby", of: server, messages: 10)
    #expect(memory.outbox == [post("a")])
    #expect(memory.waitingElsewhere == ["kitchen": 1])
    // Who came too late gets nothing.
    #expect(try second.recall("lobby", of: server, messages: 10).outbox == [])
    #expect(try third.recall("kitchen", of: server, messages: 10).outbox == [post("k")])
  }

  /// A run that opens a room when another one of it has ended may be in others already, which nobody tells of their posts.
  @Test func postsOfRoomsThatARunDoesNotOpenAreLeftToWhoeverDoes() throws {
    let folder = try Folder()
    do {
      let ended = try folder.open()
      try ended.write([.post(post("a"), room: "lobby")], of: server)
      try ended.write([.post(post("k"), room: "kitchen")], of: server)
    }
    let alive = try folder.open()
    #expect(try alive.recall("garden", of: server, messages: 10).outbox == [])
    let later = try folder.open()
    let memory = try later.recall("lobby", of: server, messages: 10)
    #expect(memory.outbox == [post("a")])
    #expect(memory.waitingElsewhere == ["kitchen": 1])
    #expect(try alive.recall("kitchen", of: server, messages: 10).outbox == [post("k")])
    #expect(try later.recall("kitchen", of: server, messages: 10).outbox == [])
    #expect(try alive.recall("garden", of: server, messages: 10).waitingElsewhere == ["kitchen": 1])
    #expect(try later.recall("lobby", of: server, messages: 10).waitingElsewhere == [:])
  }

  /// Another run in the room has stored it; this one was killed before it knew.
  @Test func whatStandsInTheTranscriptIsNotSentOnceMore() throws {
    let folder = try Folder()
    do {
      let store = try folder.open()
      try store.write(
        [.post(post("a"), room: "lobby"), .post(post("b"), room: "lobby")]
          + records([kept(1, "text", nonce: "a")]), of: server)
      try store.write([.post(post("a"), room: "lobby")], of: server)
    }
    let memory = try folder.open().recall("lobby", of: server, messages: 10)
    #expect(memory.outbox == [post("b")])
    #expect(try folder.open().figures().posts == 1)
  }

  @Test func postsForAnotherServerAreLeftToARunThatSpeaksToIt() throws {
    let folder = try Folder()
    let other = "ws://other.example/"
    do {
      let store = try folder.open()
      try store.write([.post(post("a"), room: "lobby")], of: server)
      try store.write([.post(post("b"), room: "lobby")], of: other)
    }
    let first = try folder.open()
    #expect(try first.recall("lobby", of: server, messages: 10).outbox == [post("a")])
    let second = try folder.open()
    #expect(try second.recall("lobby", of: other, messages: 10).outbox == [post("b")])
    #expect(try second.recall("lobby", of: server, messages: 10).outbox == [])
  }
}
