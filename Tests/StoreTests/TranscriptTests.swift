import Channel
import JSON
import Room
import Store
import Testing
import Text

@Suite struct TranscriptTests {
  @Test func whatWasWrittenIsThereForTheNextRun() throws {
    let folder = try Folder()
    let messages = (1...5).map { kept($0, nonce: $0 == 3 ? "n3" : nil, isMine: $0 == 3) }
    try folder.open().write(
      records(messages) + [
        .cursor(.string("m5"), room: "lobby"), .cursor(.integer(7), room: "kitchen"),
        .draft("half a sen", room: "lobby"), .readUpTo(place: 4 << 20, id: nil, room: "lobby"),
        .notice(.mention, room: "lobby"), .notice(.never, room: "kitchen"),
        .notice(.usual, room: "kitchen"), .input("one"), .input("/join kitchen"),
      ], of: server)
    let store = try folder.open()
    let memory = try store.recall("lobby", of: server, messages: 3)
    #expect(memory.messages == Array(messages.suffix(3)))
    #expect(memory.hasEarlier)
    #expect(memory.draft == "half a sen")
    #expect(memory.notice == .mention)
    #expect(try store.recall("kitchen", of: server, messages: 3).notice == .usual)
    #expect(memory.readUpTo == 4 << 20)
    #expect(try store.cursors(of: server) == ["lobby": .string("m5"), "kitchen": .integer(7)])
    #expect(try store.inputs() == ["one", "/join kitchen"])
    #expect(try store.recall("lobby", of: "ws://other/", messages: 3) == RoomMemory())
    let earlier = try store.earlier(than: memory.messages[0], in: "lobby", of: server, count: 2)
    #expect(earlier.messages == Array(messages.prefix(2)))
    #expect(!earlier.hasEarlier)
    #expect(try store.faults() == [])
  }

  @Test func aMessageStandsOnceWhoeverWritesIt() throws {
    let folder = try Folder()
    let first = try folder.open()
    let second = try folder.open()
    try first.write(records([kept(1), kept(2)]), of: server)
    try second.write(records([kept(2), kept(3), kept(3)]), of: server)
    let texts = try first.recall("lobby", of: server, messages: 10).texts
    #expect(texts == ["message 1", "message 2", "message 3"])
  }

  @Test func anIdThatAServerGivesOutAnewIsAnotherMessage() throws {
    let folder = try Folder()
    let store = try folder.open()
    let later = kept(9, "after the restart", id: "m1")
    try store.write(records([kept(1), later, later]), of: server)
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(memory.texts == ["message 1", "after the restart"])
    #expect(memory.messages.map(\.message.id) == ["m1", "m1~2"])
  }

  @Test(arguments: [0, 1_500, 3_600_000])
  func idsThatBeginAnewStandBehindTheOldOnesAndInTheirOrder(pause: Int64) throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(records((1...4).map { kept($0) }), of: server)
    let last = kept(4).time.milliseconds
    func anew(_ number: Int, behind: String) -> KeptMessage {
      var message = kept(
        4 + number, "new \(number)", id: "m\(number)", author: "eve",
        time: last + pause + Int64(number))
      message.behind = behind
      return message
    }
    // The room has not read the old ones, and calls the new ones as the server does.
    let new = [anew(1, behind: "m4"), anew(2, behind: "m1"), anew(3, behind: "m2")]
    for message in new { try store.write(records([message]), of: server) }
    try store.write(records(new), of: server)
    var form = new[1].message
    form.text = UntrustedText("new 2, edited")
    form.marks.isEdited = true
    try store.write([.changed(form, room: "lobby")], of: server)
    try store.write([.readUpTo(place: new[1].place, id: "m2", room: "lobby")], of: server)
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(
      memory.texts == (1...4).map { "message \($0)" } + ["new 1", "new 2, edited", "new 3"])
    #expect(
      memory.messages.map(\.message.id) == ["m1", "m2", "m3", "m4", "m1~2", "m2~2", "m3~2"])
    #expect(memory.readUpTo == memory.messages[5].place)
    #expect(
      try store.earlier(than: new[1], in: "lobby", of: server, count: 1).messages.map(\.message.id)
        == ["m1~2"])
  }

  /// What nobody has read comes into memory at the start, up to a thousand; what is left is counted.
  @Test(arguments: [
    (600, 600, 200, 0), (600, 451, 200, 0), (600, 100, 501, 0), (1_500, 400, 1_001, 66),
  ]) func whatIsUnreadIsAllRecalled(
    count: Int, read: Int, messages: Int, before: Int
  ) throws {
    let folder = try Folder()
    let store = try folder.open()
    // Each third is the person's own.
    try store.write(
      records((1...count).map { kept($0, isMine: $0 % 3 == 0) })
        + [.readUpTo(place: kept(read).place, id: nil, room: "lobby")], of: server)
    let memory = try store.recall("lobby", of: server, messages: 200)
    #expect(memory.messages.count == messages)
    #expect(memory.hasEarlier)
    let unread = memory.messages.count { $0.place > kept(read).place && !$0.message.isMine }
    #expect(memory.unreadBefore + unread == (1...count).count { $0 > read && $0 % 3 != 0 })
    #expect(memory.unreadBefore == before)
  }

  @Test func theTranscriptIsInOrderOfPlacesNotOfArrival() throws {
    let folder = try Folder()
    let store = try folder.open()
    var between = kept(0, "between", id: "x", time: 1_767_225_601_500)
    between.place = 1 << 20 | 1
    try store.write(records([kept(1), kept(2), between]), of: server)
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(memory.texts == ["message 1", "between", "message 2"])
    let earlier = try store.earlier(than: kept(2), in: "lobby", of: server, count: 9)
    #expect(earlier.messages.map(\.message.id) == ["m1", "x"])
  }

  @Test func theServersFormTakesThePlaceOfTheOneMadeHere() throws {
    let folder = try Folder()
    let store = try folder.open()
    let made = kept(1, "hello", id: "post n1", nonce: "n1", isMine: true)
    let real = kept(1, "hello", id: "m77", nonce: "n1", isMine: true)
    try store.write(records([made, kept(2)]), of: server)
    while try store.index(atMost: 10) {}
    try store.write([.replaced(id: "post n1", real, room: "lobby")], of: server)
    #expect(
      try store.recall("lobby", of: server, messages: 10).messages.map(\.message.id)
        == ["m77", "m2"])
    #expect(try store.search(HistoryQuery(text: "hello")).map(\.kept.message.id) == ["m77"])
    #expect(try store.faults() == [])
  }

  @Test func textsOfEveryKindComeBackAsTheyWere() throws {
    let folder = try Folder()
    let store = try folder.open()
    let texts = [
      "", " ", "a\u{0}b", "日本語の行", "👩‍👩‍👧", "\u{202E}abc\u{1B}[31m", "it's \"quoted\"; --",
      "line\nbreak",
    ]
    let messages = texts.enumerated().map { kept($0 + 1, $1) }
    try store.write(records(messages), of: server)
    #expect(try store.recall("lobby", of: server, messages: 100).messages == messages)
  }

  @Test func onlyTheNewestEnteredLinesAreKept() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write((1...Store.mostInputs + 20).map { .input("line \($0)") }, of: server)
    let lines = try store.inputs()
    #expect(lines.count == Store.mostInputs)
    #expect(lines.first == "line 21")
  }
}
