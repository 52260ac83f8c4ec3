import CSQLite
import Channel
import Foundation
import Room
import Store
import Testing

/// Several connections at once, each as another run of the program would have it.
@Suite struct SharingTests {
  @Test func twoWritersInTurnLoseNothing() throws {
    let folder = try Folder()
    let stores = try [folder.open(), folder.open()]
    for number in 1...200 {
      try stores[number % 2].write(
        records([kept(number)]) + [.input("line \(number)")], of: server)
      if number % 20 == 0 { try stores[number / 20 % 2].index(atMost: 7) }
    }
    let ids = try stores[0].recall("lobby", of: server, messages: 500).messages.map(\.message.id)
    #expect(ids == (1...200).map { "m\($0)" })
    #expect(try stores[1].search(HistoryQuery(text: "message 77")).first?.kept.message.id == "m77")
    #expect(try stores[0].inputs().count == 200)
    #expect(try stores[1].faults() == [])
  }

  @Test func programsThatImportTheSameAtOnceKeepEachMessageOnce() throws {
    let folder = try Folder()
    let work = DispatchQueue(label: "import", attributes: .concurrent)
    let group = DispatchGroup()
    for _ in 0..<3 {
      let path = folder.path
      work.async(group: group) {
        do {
          let store = try Store(
            folder: path, run: UUID().uuidString, at: Timestamp(milliseconds: 0), patience: 20_000)
          let intake = try HistoryImport(store)
          for number in 1...12_000 {
            try intake.add(HistoryMessage(server: server, room: "lobby", kept: kept(number)))
          }
          try intake.flush()
          while try store.index(atMost: 1_000) {}
        } catch {
          Issue.record(error)
        }
      }
    }
    group.wait()
    let store = try folder.open()
    #expect(try store.figures().messages == 12_000)
    #expect(try store.search(HistoryQuery(text: "message 7777")).count == 1)
    #expect(try store.faults() == [])
  }

  /// Parts of the index keep what was taken out of it; that they do is noted with the deletion, before the program can be killed.
  @Test func whatIsNotToBeKeptLeavesTheIndexToo() throws {
    let folder = try Folder()
    do {
      let store = try folder.open()
      try store.write(records([kept(1, "the 🂡🂢🂣 card"), kept(2, "public")]), of: server)
      while try store.index(atMost: 1_000) {}
      #expect(try store.hasTraces() == false)
      while try store.pruneStep(.newest(1), at: kept(9).time, atMost: 50) {}
      #expect(try store.hasTraces())
    }
    let store = try folder.open()
    #expect(try store.hasTraces())
    while try store.clean() {}
    #expect(try store.hasTraces() == false)
    for name in folder.names where name.hasPrefix("history") {
      let data = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
      #expect(data.range(of: Data("🂢🂣".utf8)) == nil, "\(name)")
    }
  }

  @Test func whatIsPrunedWhileAnotherRunIsThereLeavesNoTraceEither() throws {
    let folder = try Folder()
    let store = try folder.open()
    let other = try folder.open()
    try store.write(records((1...1_700).map { kept($0, "secret \($0)") }), of: server)
    try store.write(records([kept(1_701, "public")]), of: server)
    while try store.index(atMost: 1_000) {}
    #expect(try store.prune(before: kept(1_701).time) == 1_700)
    #expect(try store.hasTraces() == false)
    #expect(try store.search(HistoryQuery(text: "secret")) == [])
    #expect(try other.recall("lobby", of: server, messages: 5).texts == ["public"])
    #expect(try other.faults() == [])
    for name in folder.names where name.hasPrefix("history") {
      let data = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
      #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
  }

  @Test func aRoomIsRecalledWhileAnotherProgramHoldsTheLock() throws {
    let folder = try Folder()
    do {
      let ended = try folder.open()
      try ended.write(records([kept(1)]) + [.post(post("a"), room: "lobby")], of: server)
    }
    let store = try folder.open(patience: 0)
    var lock: OpaquePointer?
    #expect(sqlite3_open(folder.file, &lock) == SQLITE_OK)
    defer { sqlite3_close(lock) }
    #expect(sqlite3_exec(lock, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    #expect(try store.recall("lobby", of: server, messages: 5).texts == ["message 1"])
    #expect(sqlite3_exec(lock, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(try store.recall("lobby", of: server, messages: 5).outbox == [post("a")])
  }
}
