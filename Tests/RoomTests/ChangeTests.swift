import Channel
import Testing
import Text

@testable import Room

/// Messages that change in their place, and the commands for that.
@Suite struct ChangeTests {
  private static func edited(_ id: String, _ text: String, revision: Int64? = nil) -> ChatMessage {
    var form = message(id, text, at: 1)
    form.marks.isEdited = true
    form.marks.revision = revision
    return form
  }

  private static func deleted(_ id: String) -> ChatMessage {
    var form = message(id, "", at: 1)
    form.marks.isDeleted = true
    return form
  }

  private static func online(_ abilities: MessageAbilities = .all) -> Bench {
    var bench = Bench()
    bench.goOnline()
    bench.room.abilities = abilities
    bench.channel(
      .messages(
        [
          message("m1", "one", at: 1), message("m2", "mine", at: 2, by: "ada", isMine: true),
          message("m3", "three", at: 3),
        ], .history))
    return bench
  }

  @Test func anEditedMessageChangesInItsPlace() {
    var bench = Self.online()
    let serials = bench.room.entries.map(\.serial)
    bench.channel(.changed([Self.edited("m1", "uno")]))
    #expect(bench.messages == ["uno", "mine", "three"])
    #expect(bench.room.entries.map(\.serial) == serials)
    bench.channel(.changed([Self.deleted("m3")]))
    #expect(bench.messages == ["uno", "mine", ""])
    #expect(bench.room.entry(id: "m3")?.message?.isDeleted == true)
  }

  @Test func aChangeOfAnUnknownMessageIsIgnoredUntilTheMessageComes() {
    var bench = Self.online()
    bench.channel(.changed([Self.edited("m9", "new", revision: 2), Self.deleted("m8")]))
    #expect(bench.messages == ["one", "mine", "three"])
    // The history is older than the changes: it was asked for before.
    bench.channel(.messages([message("m8", "old", at: 4), message("m9", "old", at: 5)], .missed))
    #expect(bench.messages == ["one", "mine", "three", "", "new"])
  }

  @Test(arguments: [10, 100_000, 4_000_000]) func changesOfUnknownMessagesAreBoundedTogether(
    size: Int
  ) {
    var early = EarlyForms()
    let text = String(repeating: "x", count: size)
    for number in 1...1_100 {
      early.remember(Self.edited("m\(number)", text, revision: 1))
      early.remember(Self.edited("m\(number)", text + "y", revision: 2))
      #expect(early.bytes <= EarlyForms.mostBytes)
    }
    let isKept = early.latest(of: message("m1100", "old", at: 1)).text.raw == text + "y"
    #expect(isKept == (size < EarlyForms.mostBytes / 2))
    #expect(early.latest(of: message("m1", "old", at: 1)).text.raw == "old")
  }

  @Test func olderFormsAndDuplicatesChangeNothing() {
    var bench = Self.online()
    bench.room.startKeeping()
    _ = bench.room.takeRecords()
    bench.channel(.changed([Self.edited("m1", "b", revision: 5)]))
    #expect(
      bench.room.takeRecords() == [
        .changed(bench.room.entry(id: "m1")?.message ?? message("", ""), room: "lobby")
      ])
    bench.channel(
      .changed([Self.edited("m1", "a", revision: 4), Self.edited("m1", "b", revision: 5)]))
    #expect(bench.messages.first == "b")
    #expect(bench.room.takeRecords() == [])
  }

  @Test func aChangeOfAMessageOnDiskIsKept() {
    var bench = Self.online()
    bench.room.startKeeping()
    _ = bench.room.takeRecords()
    let form = Self.edited("m0", "old but edited")
    bench.channel(.changed([form]))
    #expect(bench.room.takeRecords() == [.changed(form, room: "lobby")])
  }

  @Test func theIdsOfMessagesThatWereDroppedAreForgotten() {
    var bench = Bench(bounds: .init(entries: 40))
    bench.goOnline()
    for number in 0..<100 {
      bench.channel(.messages([message("m\(number)", "t\(number)", at: Int64(number))], .live))
    }
    #expect(bench.room.entry(id: "m0") == nil)
    #expect(bench.room.entry(id: "m99")?.message?.text.raw == "t99")
    for entry in bench.room.entries {
      guard let id = entry.message?.id else { continue }
      #expect(bench.room.entry(id: id) == entry)
    }
  }

  // MARK: - Commands

  @Test func editingChangesTheLastOwnMessage() {
    var bench = Self.online()
    #expect(bench.enter("/edit changed") == [.change(MessageChange(id: "m2", .edit("changed")))])
    #expect(bench.enter("/edit") == [.compose(ComposeTarget(.edit, id: "m2"))])
    #expect(bench.enter("/edit mine") == [])
    #expect(bench.notices.last == "[The message says that already.]")
  }

  @Test func answeringIsAPostWithItsTarget() {
    var bench = Self.online()
    #expect(bench.enter("/reply yes") == [.post(Post(nonce: "n1", text: "yes", replyTo: "m3"))])
    #expect(bench.enter("/reply") == [.compose(ComposeTarget(.reply, id: "m3"))])
  }

  @Test func deletingAsksFirst() {
    var bench = Self.online()
    #expect(bench.enter("/delete yes") == [])
    #expect(bench.notices.last?.contains("Nothing was deleted yet") == true)
    #expect(bench.enter("/delete") == [])
    #expect(bench.notices.last == "[/delete yes deletes “mine” for everybody, for good.]")
    // Only the message that was shown, even if another came behind it.
    bench.channel(.messages([message("m4", "newer", at: 4, by: "ada", isMine: true)], .live))
    #expect(bench.enter("/delete yes") == [.change(MessageChange(id: "m2", .delete))])
    #expect(bench.enter("/delete yes") == [])
    #expect(bench.enter("/delete it").isEmpty)
    #expect(bench.notices.last?.contains("knows only “yes”") == true)
  }

  @Test func reactingAgainTakesTheReactionBack() {
    var bench = Self.online()
    #expect(bench.enter("/react 👍") == [.change(MessageChange(id: "m3", .react("👍")))])
    bench.channel(.changeDone(MessageChange(id: "m3", .react("👍")), nil))
    #expect(bench.room.entry(id: "m3")?.message?.marks.reactions.first?.isBy("ada") == true)
    #expect(bench.enter("/react 👍") == [.change(MessageChange(id: "m3", .unreact("👍")))])
    bench.channel(.changeDone(MessageChange(id: "m3", .unreact("👍")), nil))
    #expect(bench.room.entry(id: "m3")?.message?.hasMarks == false)
    #expect(bench.enter("/react two words") == [])
    #expect(bench.enter("/react notemoji") == [])
  }

  @Test(arguments: ["/edit x", "/delete", "/react 👍", "/reply x"])
  func whereTheDialectHasNoneOfItASentenceSaysSo(line: String) {
    for (dialect, words) in [
      (DialectName.plain, "the plain dialect"), (.envelope, "has not said that it knows how"),
      (.graphql, "the profile in use does not say how"),
    ] {
      var bench = Bench()
      bench.goOnline(dialect)
      bench.channel(
        .messages([message("m2", "mine", at: 2, by: "ada", isMine: true)], .history))
      let commands = bench.enter(line)
      #expect(!commands.contains { if case .change = $0 { true } else { false } })
      #expect(bench.notices.last?.contains(words) == true, "\(bench.notices)")
    }
  }

  @Test func withoutALineAnAnswerWaitsAndNothingElseDoes() {
    var bench = Self.online()
    bench.lose()
    #expect(bench.enter("/edit x") == [.restoreInput("/edit x")])
    #expect(bench.notices.last?.contains("on line only") == true)
    #expect(bench.enter("/reply later") == [])
    #expect(bench.waiting == ["pending later"])
    #expect(bench.room.outbox.first?.post.replyTo == "m3")
  }

  @Test func whatTheServerRefusedIsSaid() {
    var bench = Self.online()
    bench.channel(
      .changeFailed(
        MessageChange(id: "m2", .delete), UntrustedText("The deletion was not done: no")))
    #expect(bench.notices.last == "[! The deletion was not done: no]")
    #expect(bench.messages == ["one", "mine", "three"])
  }
}
