import Channel
import Room
import TestKit
import Testing
import Text

@testable import Store

/// Several programs in one room share the file: each counts places for itself, with rows of its own between the messages.
@Suite struct TwoProgramsTests {
  /// One of the programs: what it shows goes to the disk at once.
  private struct Program {
    var room: RoomModel
    let store: Store

    init(_ folder: Folder) throws {
      room = RoomModel(room: "lobby", nick: "you", server: server)
      room.startKeeping()
      store = try folder.open()
      room.recall(try store.recall("lobby", of: server, messages: 100))
    }

    mutating func take(_ event: RoomEvent) throws {
      _ = room.handle(event, at: Instant(), wall: Timestamp(milliseconds: 0)) { "n" }
      try store.write(room.takeRecords(), of: server)
    }

    var texts: [String] { room.entries.compactMap { $0.message?.text.raw } }
  }

  private static func message(_ number: Int) -> ChatMessage {
    kept(number).message
  }

  @Test(arguments: 1...40) func theTranscriptHasTheServersOrderWhoeverWritesFirst(seed: UInt64)
    throws
  {
    let folder = try Folder()
    var random = SplitMix(state: seed)
    var programs = try (0..<3).map { _ in try Program(folder) }
    var next = [1, 1, 1]
    while next.contains(where: { $0 <= 60 }) {
      let index = random.below(3)
      switch random.below(10) {
      case 0...2:
        try programs[index].take(.channel(.notice(UntrustedText("a row that is not kept"))))
      case 3:
        // It ends, and begins again with what is on disk; the server gives what came since.
        let last = next[index] - 1
        programs[index] = try Program(folder)
        let texts = programs[index].texts
        #expect(Set(texts).count == texts.count)
        let missed = (1...max(1, last)).map(Self.message)
        if last > 0 { try programs[index].take(.channel(.messages(missed, .missed))) }
      default:
        let count = min(60 - next[index] + 1, 1 + random.below(4))
        guard count > 0 else { continue }
        let batch = (next[index]..<next[index] + count).map(Self.message)
        try programs[index].take(.channel(.messages(batch, .live)))
        next[index] += count
      }
    }
    let expected = (1...60).map { "message \($0)" }
    var last = try Program(folder)
    #expect(last.texts == expected)
    let serials = last.room.entries.map(\.serial)
    #expect(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 })
    // Going over it once more changes nothing.
    try last.take(.channel(.messages((1...60).map(Self.message), .missed)))
    #expect(try last.store.recall("lobby", of: server, messages: 100).texts == expected)
    #expect(try last.store.faults() == [])
  }

  @Test func messagesOfOnePlaceAreEntriesOfTheirOwn() throws {
    let folder = try Folder()
    let store = try folder.open()
    var same = kept(2, "another of the same place", id: "x")
    same.place = kept(1).place
    try store.write(records([kept(1), same, kept(3)]), of: server)
    var program = try Program(folder)
    #expect(program.texts == ["message 1", "another of the same place", "message 3"])
    let serials = program.room.entries.map(\.serial)
    #expect(zip(serials, serials.dropFirst()).allSatisfy { $0 < $1 })
    // Another form of one of them goes to that one.
    var form = same.message
    form.text = UntrustedText("edited")
    form.marks.isEdited = true
    try program.take(.channel(.changed([form])))
    #expect(program.texts == ["message 1", "edited", "message 3"])
    #expect(
      try store.recall("lobby", of: server, messages: 9).texts == [
        "message 1", "edited", "message 3",
      ])
  }

  @Test func theReadMarkStandsAtTheMessageNotAtANumber() throws {
    let folder = try Folder()
    let first = try folder.open()
    try first.write(records([kept(10), kept(11), kept(12)]), of: server)
    // The other program counts from 1.
    try first.write([.readUpTo(place: 2 << 20, id: "m11", room: "lobby")], of: server)
    #expect(try first.recall("lobby", of: server, messages: 9).readUpTo == kept(11).place)
  }

  // MARK: Drafts

  private func draft(_ store: Store) throws -> String {
    try store.recall("lobby", of: server, messages: 1).draft
  }

  @Test func aDraftIsNobodyElsesWhileItsProgramGoesOn() throws {
    let folder = try Folder()
    var first: Store? = try folder.open()
    try first?.write([.draft("half a sen", room: "lobby")], of: server)
    let second = try folder.open()
    #expect(try draft(second) == "")
    try second.write([.draft("another", room: "lobby")], of: server)
    // What the one sends leaves the draft of the other alone.
    try second.write([.draft("", room: "lobby")], of: server)
    #expect(try first.map(draft) == "half a sen")
    first = nil
    // It has ended: the next one that comes has the draft, and no one else.
    #expect(try draft(try folder.open(run: "short")) == "half a sen")
    let third = try folder.open()
    #expect(try draft(third) == "half a sen")
    #expect(try draft(second) == "")
    #expect(try draft(third) == "half a sen")
  }

  @Test func ofSeveralDraftsThatWereLeftEachComesBackOnce() throws {
    let folder = try Folder()
    for text in ["older", "newer"] {
      try folder.open(run: text).write([.draft(text, room: "lobby")], of: server)
    }
    let store = try folder.open()
    #expect(try draft(store) == "newer")
    try store.write([.draft("", room: "lobby")], of: server)
    #expect(try draft(try folder.open()) == "older")
  }

  @Test func aDraftThatCannotBeTakenOverWaitsForALaterRun() throws {
    let folder = try Folder()
    try folder.open(run: "ended").write([.draft("half a sen", room: "lobby")], of: server)
    let store = try folder.open(patience: 0)
    let writer = try Database(path: folder.file, patience: 0)
    try writer.run("BEGIN IMMEDIATE")
    #expect(try draft(store) == "")
    try writer.run("ROLLBACK")
    #expect(try draft(try folder.open(run: "later")) == "half a sen")
    #expect(try draft(store) == "half a sen")
    #expect(try draft(store) == "half a sen")
  }
}
