import Channel
import Foundation
import Room
import Testing
import Text

@testable import Store

/// Messages that were edited, deleted or reacted to, on disk.
@Suite struct ChangeTests {
  private static func edited(_ number: Int, _ text: String, revision: Int64? = nil) -> ChatMessage {
    var form = kept(number, text).message
    form.marks.isEdited = true
    form.marks.revision = revision
    return form
  }

  private static func deleted(_ number: Int) -> ChatMessage {
    var form = kept(number, "").message
    form.marks.isDeleted = true
    return form
  }

  private static func find(_ words: String, in store: Store) throws -> [String] {
    try store.search(HistoryQuery(text: words)).map(\.kept.message.text.raw)
  }

  @Test func theNewestFormIsKeptInItsPlace() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(records((1...3).map { kept($0) }), of: server)
    var form = Self.edited(2, "edited text", revision: 7)
    form.marks.editedAt = Timestamp(milliseconds: 1_767_225_700_000)
    form.marks.replyTo = "m1"
    form.marks.reactions = [
      Reaction(UntrustedText("👍"), count: 3, names: [UntrustedText("bo")], isMine: true)
    ]
    try store.write([.changed(form, room: "lobby")], of: server)
    // Older ones, and those of messages that are not there, change nothing.
    try store.write(
      [
        .changed(Self.edited(2, "older", revision: 6), room: "lobby"),
        .changed(Self.edited(9, "unknown"), room: "lobby"),
      ], of: server)
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(memory.texts == ["message 1", "edited text", "message 3"])
    #expect(memory.messages[1].message == form)
    #expect(memory.messages[1].place == kept(2).place)
    #expect(try store.faults() == [])
  }

  @Test func aMessageThatComesChangedIsKeptSo() throws {
    let folder = try Folder()
    let store = try folder.open()
    var message = kept(1, "")
    message.message = Self.deleted(1)
    try store.write([.message(message, room: "lobby")], of: server)
    let memory = try store.recall("lobby", of: server, messages: 10)
    #expect(memory.messages.first?.message.isDeleted == true)
  }

  @Test(arguments: [true, false]) func theIndexFindsTheNewTextOnly(isIndexed: Bool) throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(records([kept(1, "a secret banana"), kept(2, "apples")]), of: server)
    if isIndexed { while try store.index(atMost: 10) {} }
    try store.write([.changed(Self.edited(1, "plain oranges"), room: "lobby")], of: server)
    #expect(try Self.find("banana", in: store) == [])
    #expect(try Self.find("oranges", in: store) == ["plain oranges"])
    try store.write([.changed(Self.deleted(1), room: "lobby")], of: server)
    #expect(try Self.find("oranges", in: store) == [])
    #expect(try Self.find("apples", in: store) == ["apples"])
    #expect(try store.faults() == [])
    #expect(throws: Never.self) {
      try store.database.run("INSERT INTO texts (texts) VALUES ('integrity-check')")
    }
  }

  @Test func ofADeletedTextNothingStaysInTheFiles() throws {
    let folder = try Folder()
    let store = try folder.open()
    let secret = "qzxwvk-" + String(repeating: "zqjxkv ", count: 2_000)
    try store.write(records((1...200).map { kept($0) }), of: server)
    while try store.index(atMost: 50) {}
    try store.write(
      records([kept(201, secret, isMine: true)]) + [.input(secret)], of: server)
    while try store.index(atMost: 50) {}
    try store.write(records((202...260).map { kept($0) }), of: server)
    while try store.index(atMost: 7) {}
    #expect(try Self.holds("zqj", in: folder))
    try store.write([.changed(Self.deleted(201), room: "lobby")], of: server)
    #expect(try store.hasTraces())
    var steps = 0
    while try store.clean(), steps < 1_000 { steps += 1 }
    #expect(try !store.hasTraces())
    // Neither the text nor its pieces in the index.
    for piece in ["qzxwvk", "zqjx", "zqj", "jxk"] {
      #expect(try !Self.holds(piece, in: folder), "\(piece)")
    }
    #expect(try store.inputs() == [])
    #expect(try Self.find("message 150", in: store).first == "message 150")
    #expect(try store.faults() == [])
  }

  /// In whatever way it was typed, and however often it was changed before it was deleted.
  @Test(arguments: ["%", "/reply %", "/REPLY   % ", "/edit %", "/Edit\t%"])
  func whatWasTypedOfADeletedMessageIsGoneAsWell(line: String) throws {
    let folder = try Folder()
    let store = try folder.open()
    func typed(_ text: String) -> Record {
      .input(line.replacingOccurrences(of: "%", with: text))
    }
    try store.write(
      records([kept(1, "qzxwvk first", isMine: true), kept(2, "a guest's")])
        + [typed("qzxwvk first"), .input("/nick qzxwvk"), .input("a guest's"), .input("/delete")],
      of: server)
    try store.write(
      [typed("qzxwvk second"), .changed(Self.edited(1, "qzxwvk second"), room: "lobby")],
      of: server)
    #expect(try !Self.holdsLine("qzxwvk first", in: store))
    #expect(try Self.holdsLine("qzxwvk second", in: store))
    try store.write([.changed(Self.deleted(1), room: "lobby")], of: server)
    #expect(try store.inputs() == ["/nick qzxwvk", "a guest's", "/delete"])
    while try store.clean() {}
    for text in ["qzxwvk first", "qzxwvk second"] {
      #expect(try !Self.holds(text, in: folder), "\(text)")
    }
  }

  @Test func whatWasTypedInARoomThatIsForgottenIsGoneAsWell() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(
      records([kept(1, "said", isMine: true), kept(2, "/answered", isMine: true)])
        + [.input("said"), .input("/reply /answered"), .input("///answered"), .input("other")],
      of: server)
    _ = try store.forget(server: server, room: "lobby")
    #expect(try store.inputs() == ["///answered", "other"])
  }

  @Test func whileAnotherProgramReadsTheLogItIsKnownThatTracesAreLeft() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(records([kept(1, "qzxwvk secret"), kept(2)]), of: server)
    let other = try folder.open(run: "two")
    try other.database.run("BEGIN")
    #expect(try other.database.integer("SELECT count(*) FROM messages") == 2)
    try store.write([.changed(Self.deleted(1), room: "lobby")], of: server)
    while try store.clean() {}
    #expect(try store.hasTraces() && Self.holds("qzxwvk", in: folder))
    try other.database.run("COMMIT")
    while try store.clean() {}
    #expect(try !store.hasTraces() && !Self.holds("qzxwvk", in: folder))
  }

  private static func holdsLine(_ text: String, in store: Store) throws -> Bool {
    try store.inputs().contains { $0.contains(text) }
  }

  private static func holds(_ text: String, in folder: Folder) throws -> Bool {
    for name in folder.names where name.hasPrefix("history.sqlite") {
      let data = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
      if data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  @Test func whatAPostAnswersWaitsWithIt() throws {
    let folder = try Folder()
    let store = try folder.open(run: "one")
    var item = post("n1")
    item.post.replyTo = "m7"
    try store.write([.post(item, room: "lobby")], of: server)
    #expect(try store.recall("lobby", of: server, messages: 1).outbox == [item])
  }
}
