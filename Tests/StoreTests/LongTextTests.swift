import Channel
import Room
import Store
import Testing
import Text

/// Texts of which a few fill what is let into memory at once.
@Suite struct LongTextTests {
  private static let size = 1_100_000

  private func text(_ number: Int) -> String {
    let word = "abc def \(number) "
    return String(repeating: word, count: Self.size / word.utf8.count)
  }

  private func filled(_ folder: Folder, count: Int) throws -> Store {
    let store = try folder.open()
    for number in 1...count { try store.write(records([kept(number, text(number))]), of: server) }
    return store
  }

  private func bytes(_ messages: [KeptMessage]) -> Int {
    messages.reduce(0) { $0 + $1.message.text.raw.utf8.count }
  }

  @Test func whatIsReadAtOnceIsBoundedByItsBytesAndTheRestComesWhenItIsScrolledTo() throws {
    let folder = try Folder()
    let store = try filled(folder, count: 30)
    let memory = try store.recall("lobby", of: server, messages: 200)
    #expect(bytes(memory.messages) <= Store.mostBytes && memory.hasEarlier)
    #expect(memory.messages.last?.message.id == "m30" && memory.messages.count > 1)
    var seen = memory.messages
    while let first = seen.first, seen.count < 30 {
      let page = try store.earlier(than: first, in: "lobby", of: server, count: 500)
      #expect(bytes(page.messages) <= Store.mostBytes)
      #expect(page.hasEarlier == (page.messages.first?.message.id != "m1"))
      try #require(!page.messages.isEmpty)
      seen = page.messages + seen
    }
    #expect(seen.map(\.message.id) == (1...30).map { "m\($0)" })
    var forwards = [seen[0]]
    while let last = forwards.last, forwards.count < 30 {
      let page = try store.later(than: last, in: "lobby", of: server, count: 500)
      #expect(bytes(page.messages) <= Store.mostBytes)
      #expect(page.hasLater == (page.messages.last?.message.id != "m30"))
      try #require(!page.messages.isEmpty)
      forwards += page.messages
    }
    #expect(forwards == seen)
    let page = try store.page(
      at: .message(id: "m15", place: kept(15).place), in: "lobby", of: server, count: 500)
    #expect(bytes(page.messages) <= 2 * Store.mostBytes)
    #expect(page.hasEarlier && page.hasLater && page.messages.contains { $0.message.id == "m15" })
  }

  @Test func oneThatIsLongerThanAllThatIsLetInComesAlone() throws {
    let folder = try Folder()
    let store = try folder.open()
    let huge = String(repeating: "x", count: Store.mostBytes + 1)
    try store.write(records([kept(1), kept(2, huge), kept(3)]), of: server)
    let memory = try store.recall("lobby", of: server, messages: 200)
    #expect(memory.messages.map(\.message.id) == ["m3"] && memory.hasEarlier)
    let second = try store.earlier(than: kept(3), in: "lobby", of: server, count: 9)
    #expect(second.messages.map(\.message.id) == ["m2"] && second.hasEarlier)
    let first = try store.earlier(than: kept(2), in: "lobby", of: server, count: 9)
    #expect(first.messages.map(\.message.id) == ["m1"] && !first.hasEarlier)
  }

  @Test func ofLongLinesTheLastComeBack() throws {
    let folder = try Folder()
    let store = try folder.open()
    let lines = (1...30).map { text($0) }
    try store.write(lines.map { .input($0) }, of: server)
    let inputs = try store.inputs()
    #expect(inputs.count > 1 && inputs == lines.suffix(inputs.count))
    #expect(inputs.reduce(0) { $0 + $1.utf8.count } <= Store.mostBytes)
  }

  @Test(arguments: ["needle", "NEEDLE", "折り返", "ǅungla", "ne"])
  func aListOfWhatWasFoundHoldsWhatStandsAroundIt(word: String) throws {
    let folder = try Folder()
    let store = try folder.open()
    let fillers = ["aa bb ", "日本語 ", "İİ ẞẞ "]
    var long: [String] = []
    for filler in fillers {
      let much = String(repeating: filler, count: 20_000)
      long += ["\(word) \(much)", "\(much)\(word) \(much)", "\(much) \(word)"]
    }
    let messages = (long + ["short \(word)"]).enumerated().map { kept($0 + 1, $1) }
    try store.write(records(messages), of: server)
    var query = HistoryQuery(text: word)
    #expect(try store.search(query).count == messages.count)
    #expect(try store.search(query).contains { $0.kept.message.text.raw == long[1] })
    query.givesExcerpts = true
    for found in try store.search(query) {
      let text = found.kept.message.text.raw
      #expect(text.contains(word) && text.utf8.count <= 2_010, "\(text.prefix(80))")
      #expect(!text.contains("\u{FFFD}"))
    }
    #expect(try store.search(query).contains { $0.kept.message.text.raw == "short \(word)" })
  }
}
