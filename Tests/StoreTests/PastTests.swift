import CSQLite
import Channel
import Foundation
import JSON
import Room
import Store
import Testing
import Text

@Suite struct PastTests {
  private func filled(_ folder: Folder, count: Int = 1_000) throws -> Store {
    let store = try folder.open()
    try store.write(records((1...count).map { kept($0) }), of: server)
    try store.write(records([kept(1, "elsewhere")], in: "kitchen"), of: server)
    return store
  }

  private func numbers(_ messages: [KeptMessage]) -> [Int] {
    messages.compactMap { Int($0.message.id.dropFirst()) }
  }

  @Test func theTranscriptIsReadForwardsAsWell() throws {
    let folder = try Folder()
    let store = try filled(folder)
    let page = try store.later(than: kept(10), in: "lobby", of: server, count: 5)
    #expect(numbers(page.messages) == [11, 12, 13, 14, 15] && page.hasLater)
    let last = try store.later(than: kept(998), in: "lobby", of: server, count: 5)
    #expect(numbers(last.messages) == [999, 1_000] && !last.hasLater)
    let none = try store.later(than: kept(1_000), in: "lobby", of: server, count: 5)
    #expect(none.messages == [] && !none.hasLater)
    // One that is not on disk yet.
    let unknown = try store.later(than: kept(20, id: "unknown"), in: "lobby", of: server, count: 1)
    #expect(numbers(unknown.messages) == [21])
    #expect(try store.later(than: kept(1), in: "nowhere", of: server, count: 5).messages == [])
  }

  @Test func aPageLiesAroundAMessage() throws {
    let folder = try Folder()
    let store = try filled(folder)
    let middle = try store.page(
      at: .message(id: "m500", place: kept(500).place), in: "lobby", of: server, count: 6)
    #expect(numbers(middle.messages) == [497, 498, 499, 500, 501, 502])
    #expect(middle.hasEarlier && middle.hasLater && middle.target == kept(500).place)
    let first = try store.page(at: .oldest, in: "lobby", of: server, count: 6)
    #expect(numbers(first.messages) == [1, 2, 3])
    #expect(!first.hasEarlier && first.hasLater && first.target == kept(1).place)
    #expect(try store.page(at: .oldest, in: "nowhere", of: server, count: 6) == TranscriptPage())
  }

  @Test(arguments: [(-5, 1), (1, 1), (300, 300), (1_000, 1_000), (5_000, 1_000)])
  func aMomentIsFound(second: Int, expected: Int) throws {
    let folder = try Folder()
    let store = try filled(folder)
    let moment = Timestamp(milliseconds: 1_767_225_600_000 + Int64(second) * 1_000)
    let page = try store.page(at: .moment(moment), in: "lobby", of: server, count: 10)
    #expect(page.target == kept(expected).place)
    // Between two messages it is the later one.
    let between = Timestamp(milliseconds: moment.milliseconds - 1)
    let other = try store.page(at: .moment(between), in: "lobby", of: server, count: 10)
    #expect(other.target == kept(expected).place)
  }

  @Test func aSearchMayBeOfOneServer() throws {
    let folder = try Folder()
    let store = try filled(folder, count: 3)
    try store.write(records([kept(9, "elsewhere too")]), of: "ws://other.example/")
    var query = HistoryQuery(text: "elsewhere")
    #expect(try store.search(query).count == 2)
    query.server = server
    #expect(try store.search(query).map(\.room) == ["kitchen"])
  }

  private func bytes(_ folder: Folder) -> Data {
    folder.names.filter { $0.hasPrefix("history.sqlite") }.reduce(Data()) { data, name in
      data + ((try? Data(contentsOf: URL(filePath: folder.path + "/" + name))) ?? Data())
    }
  }

  @Test func whatIsForgottenIsNowhereInTheFiles() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(
      records([
        kept(1, "xylophonesecret one"), kept(2, "xylophonesecret two", isMine: true),
      ]) + [
        .input("xylophonesecret two"), .input("harmless"), .cursor(.string("m2"), room: "lobby"),
      ],
      of: server)
    try store.write(records([kept(3, "stays")], in: "kitchen"), of: server)
    while try store.index(atMost: 100) {}
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) != nil)
    #expect(try store.forget(server: server, room: "lobby") == 2)
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) == nil)
    // The index holds pieces of three letters.
    #expect(bytes(folder).range(of: Data("xyl".utf8)) == nil)
    #expect(try store.search(HistoryQuery(text: "stays")).count == 1)
    #expect(try store.inputs() == ["harmless"])
    #expect(try store.cursors(of: server) == ["lobby": .string("m2")])
    #expect(try store.faults() == [])
    // The room lives on.
    try store.write(records([kept(4, "and on")]), of: server)
    #expect(try store.recall("lobby", of: server, messages: 9).texts == ["and on"])
    #expect(try store.forget(server: "ws://nobody/", room: nil) == 0)
  }

  /// However often something comes that lies between.
  @Test func importsKeepTheOrderOfTheirTimes() throws {
    let store = try Folder().open()
    for times in [
      [50, 200], [100, 180], [150, 70], [60, 75, 185], [10, 30], [20], [175, 300], [250],
    ] {
      let intake = try HistoryImport(store)
      for time in times {
        try intake.add(HistoryMessage(server: server, room: "lobby", kept: kept(time, "t\(time)")))
      }
      try intake.flush()
    }
    let sorted = [10, 20, 30, 50, 60, 70, 75, 100, 150, 175, 180, 185, 200, 250, 300]
    #expect(try store.recall("lobby", of: server, messages: 99).texts == sorted.map { "t\($0)" })
    // More than the gap has places for.
    let intake = try HistoryImport(store)
    for number in 1...2_000 {
      let time = kept(200).time.milliseconds + Int64(number)
      let message = kept(number + 1_000, "m\(number)", time: time)
      try intake.add(HistoryMessage(server: server, room: "lobby", kept: message))
    }
    try intake.flush()
    let texts = try store.recall("lobby", of: server, messages: 9_999).texts
    #expect(texts.filter { $0.hasPrefix("m") } == (1...2_000).map { "m\($0)" })
    #expect(texts.suffix(2) == ["t250", "t300"])
  }

  @Test func whatIsForgottenAltogetherLeavesNoLineThatWasTyped() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(
      records([kept(1, "one", isMine: true)]) + [
        .input("one"), .input("/search xylophonesecret"),
        .draft("half a xylophonesecret", room: "lobby"),
      ], of: server)
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) != nil)
    #expect(try store.forget(server: nil, room: nil) == 1)
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) == nil)
    #expect(try store.inputs() == [])
  }

  /// Whatever came of it: a message, another text for one, a command that is none.
  @Test func whatWasTypedInARoomIsForgottenWithIt() throws {
    let folder = try Folder()
    let store = try folder.open()
    let lines = [
      "xylophonesecret", "/me xylophonesecret", "/search xylophonesecret", "/edit xylophonesecret",
    ]
    try store.write(
      lines.map { .input($0, room: "lobby") }
        + [.input("elsewhere", room: "kitchen"), .input("of before")], of: server)
    try store.write([.input("other server", room: "lobby")], of: "ws://other.example/")
    #expect(try store.forget(server: server, room: "lobby") == 0)
    #expect(try store.inputs() == ["elsewhere", "of before", "other server"])
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) == nil)
    #expect(try store.forget(server: "ws://other.example/", room: nil) == 0)
    #expect(try store.inputs() == ["elsewhere", "of before"])
  }

  /// Two runs, in which the person has another nick.
  @Test(arguments: [true, false]) func oneOfTheirOwnIsTheirsWhoeverWroteItFirst(isFirst: Bool)
    throws
  {
    let folder = try Folder()
    let store = try folder.open()
    let other = try folder.open()
    try store.write(records([kept(1, "said", isMine: isFirst)]) + [.input("said")], of: server)
    try other.write(records([kept(1, "said", isMine: !isFirst)]), of: server)
    let memory = try store.recall("lobby", of: server, messages: 9)
    #expect(memory.messages.map(\.message.isMine) == [true])
    #expect(try store.forget(server: server, room: "lobby") == 1)
    #expect(try store.inputs() == [])
  }

  @Test(arguments: [true, false]) func whatAReaderKeepsInTheLogIsToldAndGoesOnceItHasEnded(
    prunes: Bool
  ) throws {
    let folder = try Folder()
    let store = try folder.open(patience: 100)
    try store.write(records((1...50).map { kept($0, "xylophonesecret \($0)") }), of: server)
    func forget() throws -> Int {
      prunes
        ? try store.prune(before: Timestamp(milliseconds: .max))
        : try store.forget(server: nil, room: nil)
    }
    var reader: OpaquePointer?
    #expect(sqlite3_open(folder.file, &reader) == SQLITE_OK)
    let reading = "BEGIN; SELECT count(*) FROM messages"
    #expect(sqlite3_exec(reader, reading, nil, nil, nil) == SQLITE_OK)
    #expect(try forget() == 50)
    #expect(try store.hasTraces())
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) != nil)
    #expect(sqlite3_close(reader) == SQLITE_OK)
    #expect(try forget() == 0)
    #expect(try !store.hasTraces())
    #expect(bytes(folder).range(of: Data("xyl".utf8)) == nil)
  }

  @Test func whatIsNotKeptAnyLongerLeavesNoLineThatSaidIt() throws {
    let store = try Folder().open()
    try store.write(
      records([kept(1, "old", isMine: true), kept(2, "new", isMine: true)]) + [
        .input("old"), .input("new"),
      ], of: server)
    _ = try store.pruneStep(.newest(1), at: kept(9).time, atMost: 50)
    #expect(try store.inputs() == ["new"])
  }

  @Test func whatIsPrunedLeavesNoLineThatSaidIt() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(
      records([kept(1, "xylophonesecret", isMine: true)]) + [
        .input("xylophonesecret"), .input("harmless"),
      ], of: server)
    #expect(try store.prune(before: Timestamp(milliseconds: .max)) == 1)
    #expect(bytes(folder).range(of: Data("xylophonesecret".utf8)) == nil)
    #expect(try store.inputs() == ["harmless"])
  }

  @Test func onlyTheNewestAreKeptOrThoseOfSomeTime() throws {
    let folder = try Folder()
    let store = try filled(folder, count: 500)
    while try store.index(atMost: 1_000) {}
    let now = Timestamp(milliseconds: 1_767_225_600_000 + 500_000)
    #expect(try !store.pruneStep(.all, at: now, atMost: 50))
    var steps = 0
    while try store.pruneStep(.newest(120), at: now, atMost: 50) { steps += 1 }
    #expect(steps == 8)
    var memory = try store.recall("lobby", of: server, messages: 1_000)
    #expect(numbers(memory.messages) == Array(381...500))
    #expect(try store.recall("kitchen", of: server, messages: 9).messages.count == 1)
    while try store.pruneStep(.age(20_000), at: now, atMost: 50) {}
    memory = try store.recall("lobby", of: server, messages: 1_000)
    #expect(numbers(memory.messages) == Array(480...500))
    #expect(try store.search(HistoryQuery(text: "message 100")).count == 0)
    #expect(try store.faults() == [])
  }
}
