import Channel
import JSON
import Testing
import Text

/// Edits, deletions, reactions, answers, who writes and who is there, over GraphQL.
@Suite struct GraphQLChangeTests {
  private static let announcement =
    #"{"type":"connection_ack","payload":{"server":"parlour","features":["changes","typing"]}}"#

  /// A message in a form that the embedded server would send.
  private static func form(
    _ number: Int, _ text: String, _ more: String = ""
  ) -> String {
    #"{"id":"m\#(number)","room":"general","author":"bob","text":"\#(text)","#
      + #""sentAt":"2026-01-01T00:00:0\#(number).000Z"\#(more)}"#
  }

  /// Acknowledged as by the embedded server, with two messages, and the ids of the operations by their documents.
  private static func start(
    _ change: (inout Profile) -> Void = { _ in }
  ) -> (line: GraphQLWire, ids: [String: String], outputs: [DialectOutput]) {
    var line = GraphQLWire(change)
    _ = line.open()
    var outputs = line.receive(announcement)
    let ids = ids(in: outputs)
    let history = [form(1, "one"), form(2, "two")].joined(separator: ",")
    outputs += line.receive(next(ids["messages"] ?? "", #""messages":[\#(history)]"#))
    return (line, ids, outputs)
  }

  private static func ids(in outputs: [DialectOutput]) -> [String: String] {
    var ids: [String: String] = [:]
    for frame in outputs.sent where frame["type"] == "subscribe" {
      let document = frame["payload"]?["query"]?.string ?? ""
      let field = document.split(separator: "{", maxSplits: 1).last ?? ""
      let name = field.drop { $0 == " " }.prefix { $0.isLetter }
      ids[String(name)] = frame["id"]?.string
    }
    return ids
  }

  private static func next(_ id: String, _ data: String) -> String {
    #"{"id":"\#(id)","type":"next","payload":{"data":{\#(data)}}}"#
  }

  private static func changed(_ outputs: [DialectOutput]) -> [ChatMessage] {
    var found: [ChatMessage] = []
    for case .changed(let forms) in outputs { found += forms }
    return found
  }

  @Test func moreIsAskedOfAServerThatSaysItIsAnEmbeddedOne() {
    let (line, ids, outputs) = Self.start()
    #expect(
      Set(ids.keys) == ["messageAdded", "messages", "messageChanged", "typing", "members"])
    #expect(outputs.isReady && outputs.texts == ["one", "two"])
    #expect(outputs.variables(of: "subscription").first?["nick"] == "ada")
    #expect(line.wire.dialect.abilities == .all)
  }

  @Test func ofAnyOtherServerNothingMoreIsAsked() {
    var line = GraphQLWire()
    _ = line.open()
    let outputs = line.receive(#"{"type":"connection_ack","payload":{"server":"x"}}"#)
    #expect(Self.ids(in: outputs).count == 2)
    #expect(line.wire.dialect.abilities == [])
    // The next line may lead to another server, in both directions.
    _ = line.lost()
    _ = line.open()
    #expect(Self.ids(in: line.receive(Self.announcement)).count == 5)
    _ = line.lost()
    _ = line.open()
    #expect(Self.ids(in: line.acknowledge()).count == 2)
  }

  @Test func aChangeIsReportedUnderTheIdOfItsMessage() {
    var (line, ids, _) = Self.start()
    let edit = Self.form(
      1, "uno",
      #","editedAt":"2026-01-01T00:01:00Z","revision":4,"reactions":[{"emoji":"👍","count":2,"authors":["ada","bob"]}]"#
    )
    let outputs = line.receive(
      Self.next(ids["messageChanged"] ?? "", #""messageChanged":\#(edit)"#))
    let form = Self.changed(outputs).first
    #expect(form?.id == "m1" && form?.text.raw == "uno")
    #expect(form?.marks.isEdited == true && form?.marks.revision == 4)
    #expect(form?.marks.editedAt?.iso8601 == "2026-01-01T00:01:00Z")
    #expect(form?.marks.reactions.first?.isBy("ada") == true)
    let gone = Self.form(2, "", #","deletedAt":"2026-01-01T00:02:00Z""#)
    let deletion = line.receive(
      Self.next(ids["messageChanged"] ?? "", #""messageChanged":\#(gone)"#))
    #expect(Self.changed(deletion).first?.isDeleted == true)
  }

  @Test(arguments: [
    (
      MessageChange.Kind.edit("new"), "editMessage",
      #"{"room":"general","id":"m2","author":"ada","text":"new"}"#
    ),
    (.delete, "deleteMessage", #"{"room":"general","id":"m2","author":"ada"}"#),
    (.react("👍"), "addReaction", #"{"room":"general","id":"m2","author":"ada","emoji":"👍"}"#),
    (.unreact("👍"), "removeReaction", #"{"room":"general","id":"m2","author":"ada","emoji":"👍"}"#),
  ])
  func aChangeIsAMutationWhoseAnswerIsTheNewForm(
    kind: MessageChange.Kind, field: String, variables: String
  ) throws {
    var (line, _, _) = Self.start()
    let change = MessageChange(id: "m2", kind)
    let asked = line.wire.dialect.change(change, at: line.wire.now)
    let id = try #require(Self.ids(in: asked)[field])
    #expect(asked.variables(of: "mutation") == [try JSON.parse(variables)])
    let form = Self.form(2, "new", #","editedAt":"2026-01-01T00:01:00Z""#)
    let done = line.receive(Self.next(id, #""\#(field)":\#(form)"#))
    guard case .changeDone(change, let message?) = done.first else {
      Issue.record("\(done)")
      return
    }
    #expect(message.id == "m2" && message.text.raw == "new")
  }

  @Test func whatIsRefusedUnansweredOrLostIsSaid() throws {
    var (line, _, _) = Self.start()
    func ask() -> String {
      let outputs = line.wire.dialect.change(MessageChange(id: "m2", .delete), at: line.wire.now)
      return Self.ids(in: outputs)["deleteMessage"] ?? ""
    }
    func words(_ outputs: [DialectOutput]) -> [String] {
      outputs.compactMap { output in
        if case .changeFailed(_, let sentence) = output { sentence.raw } else { nil }
      }
    }
    #expect(words(line.error(ask())) == ["The deletion was not done: no"])
    let failed = line.receive(
      #"{"id":"\#(ask())","type":"next","payload":{"data":null,"errors":[{"message":"not yours"}]}}"#
    )
    #expect(words(failed) == ["The deletion was not done: not yours"])
    #expect(words(line.receive(Self.next(ask(), #""deleteMessage":false"#))).count == 1)
    _ = ask()
    #expect(words(line.pass(.seconds(31))).first?.contains("for 30 seconds") == true)
    _ = ask()
    #expect(words(line.lost()).first?.contains("when the line was lost") == true)
  }

  @Test func afterALossTheLatestMessagesAreLookedAtOnceMore() throws {
    var (line, _, _) = Self.start()
    let ids = Self.ids(in: line.reconnect(with: Self.announcement))
    let done = line.receive(Self.next(try #require(ids["messages"]), #""messages":[]"#))
    let look = try #require(Self.ids(in: done)["messages"])
    #expect(done.variables(of: "query").first?["after"] == nil)
    let forms = [
      Self.form(1, "uno", #","editedAt":"2026-01-01T00:01:00Z""#), Self.form(2, "two"),
      Self.form(9, "never seen"),
    ].joined(separator: ",")
    let outputs = line.receive(Self.next(look, #""messages":[\#(forms)]"#))
    // The second is as it was.
    #expect(Self.changed(outputs).map(\.text.raw) == ["uno"])
    #expect(outputs.texts == [])
  }

  @Test func aProfileMayTellDeletionsByBareIds() throws {
    let text = #"""
      {"message":{"id":"id","text":"text","deleted":"gone"},
       "live":{"document":"subscription { said { id text gone } }","items":"said"},
       "delete":{"document":"mutation ($i: Int!) { kill(id: $i) }","variables":{"i":"{id}"}},
       "deletions":{"document":"subscription { killed }","items":"killed"}}
      """#
    var line = GraphQLWire { profile in
      if let parsed = try? Profile.parse(text, file: "p.json") { profile = parsed }
    }
    _ = line.open()
    let ids = Self.ids(in: line.acknowledge())
    _ = line.receive(Self.next(try #require(ids["said"]), #""said":{"id":7,"text":"x"}"#))
    let outputs = line.receive(Self.next(try #require(ids["killed"]), #""killed":7"#))
    #expect(Self.changed(outputs).map(\.id) == ["7"])
    #expect(Self.changed(outputs).first?.isDeleted == true)
    // A server that writes its ids as numbers gets them back as such.
    let asked = line.wire.dialect.change(MessageChange(id: "7", .delete), at: line.wire.now)
    #expect(asked.variables(of: "mutation") == [["i": 7]])
    let id = Self.ids(in: asked)["kill"] ?? ""
    let done = line.receive(Self.next(id, #""kill":true"#))
    #expect(done == [.changeDone(MessageChange(id: "7", .delete), nil)])
  }

  @Test func reactionsOfSinglePeopleAreCountedTogether() throws {
    let text = #"""
      {"message":{"id":"id","text":"text","reactions":"reactions.nodes"},
       "reaction":{"emoji":"content","names":"user.login","mine":"viewer"},
       "live":{"document":"subscription { said { id } }","items":"said"}}
      """#
    var line = GraphQLWire { profile in
      if let parsed = try? Profile.parse(text, file: "p.json") { profile = parsed }
    }
    _ = line.open()
    let ids = Self.ids(in: line.acknowledge())
    let said =
      #"{"id":"1","text":"x","reactions":{"nodes":[{"content":"👍","user":{"login":"ada"}},"#
      + #"{"content":"🎉","user":{"login":"eve"},"viewer":true},{"content":"👍","user":{"login":"bob"}}]}}"#
    let outputs = line.receive(Self.next(try #require(ids["said"]), #""said":\#(said)"#))
    guard case .messages(let messages, _) = outputs.first else {
      Issue.record("\(outputs)")
      return
    }
    let reactions = messages.first?.marks.reactions ?? []
    #expect(reactions.map { "\($0.emoji.raw)\($0.count)" } == ["👍2", "🎉1"])
    #expect(reactions.map(\.isMine) == [false, true])
    #expect(reactions.first?.names.map(\.raw) == ["ada", "bob"])
  }

  @Test func whoWritesAndWhoIsThereComeBesideTheMessages() {
    var (line, ids, _) = Self.start()
    #expect(
      line.receive(Self.next(ids["typing"] ?? "", #""typing":"bob""#))
        == [.typing(UntrustedText("bob"))])
    #expect(line.receive(Self.next(ids["typing"] ?? "", #""typing":"ada""#)) == [])
    #expect(
      line.receive(Self.next(ids["members"] ?? "", #""members":["ada","bob"]"#))
        == [.members([UntrustedText("ada"), UntrustedText("bob")])])
    // One that the server does not know is told once, and the line lives.
    let refused = line.error(ids["typing"] ?? "", #"[{"message":"unknown field"}]"#)
    #expect(refused.notices == ["The server does not tell who is writing: unknown field"])
    #expect(line.wire.dialect.typing().types == ["subscribe"])
  }

  /// The id of what is asked for next, and after how many seconds; nil where that is nothing for a long time.
  private static func asked(
    _ line: inout GraphQLWire, _ field: String
  ) -> (after: Int, id: String)? {
    for second in 1...100 {
      if let id = ids(in: line.pass(.seconds(1)))[field] { return (second, id) }
    }
    return nil
  }

  @Test func aSubscriptionThatTheServerEndsIsAskedForAgain() {
    var (line, ids, _) = Self.start()
    let ended = line.receive(#"{"id":"\#(ids["messageChanged"] ?? "")","type":"complete"}"#)
    #expect(
      ended.notices
        == [
          "The server has stopped telling what changes in the messages; it is asked for that again."
        ])
    let again = Self.asked(&line, "messageChanged")
    #expect(again?.after == 1)
    let form = Self.form(1, "one, better", #","editedAt":"2026-01-01T00:01:00.000Z""#)
    let outputs = line.receive(Self.next(again?.id ?? "", #""messageChanged":\#(form)"#))
    #expect(Self.changed(outputs).map(\.text.raw) == ["one, better"])
  }

  @Test func pausesGrowToAMinuteWhereItEndsAtOnceAndBeginAnewOnceItHeld() {
    var (line, ids, _) = Self.start()
    var id = ids["typing"] ?? ""
    var pauses: [Int] = []
    for _ in 0..<9 {
      _ = line.receive(#"{"id":"\#(id)","type":"complete"}"#)
      let next = Self.asked(&line, "typing")
      pauses.append(next?.after ?? 0)
      id = next?.id ?? ""
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    _ = line.pass(.seconds(61))
    _ = line.receive(#"{"id":"\#(id)","type":"complete"}"#)
    #expect(Self.ids(in: line.pass(.seconds(1)))["typing"] != nil)
  }

  @Test func whatChangedWhileNobodyToldIsLookedUp() {
    var (line, ids, _) = Self.start()
    _ = line.receive(#"{"id":"\#(ids["messageChanged"] ?? "")","type":"complete"}"#)
    let outputs = line.pass(.seconds(1))
    let again = Self.ids(in: outputs)
    #expect(Set(again.keys) == ["messageChanged", "messages"])
    let form = Self.form(2, "two, better", #","editedAt":"2026-01-01T00:01:00.000Z""#)
    let found = line.receive(Self.next(again["messages"] ?? "", #""messages":[\#(form)]"#))
    #expect(Self.changed(found).map(\.text.raw) == ["two, better"])
  }

  @Test func oneThatOnlyFailsIsGivenUpOnThisLine() {
    var (line, ids, _) = Self.start()
    var id = ids["typing"] ?? ""
    var count = 0
    while count < 20 {
      count += 1
      _ = line.error(id, #"[{"message":"unknown field"}]"#)
      guard let next = Self.asked(&line, "typing") else { break }
      id = next.id
    }
    #expect(count == 5)
    // What cannot help is not tried at all; another line begins anew.
    let members = ids["members"] ?? ""
    _ = line.error(
      members, #"[{"message":"x","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]"#)
    #expect(Self.asked(&line, "members") == nil)
    _ = line.lost()
    _ = line.open()
    let anew = Self.ids(in: line.receive(Self.announcement))
    #expect(anew["typing"] != nil && anew["members"] != nil)
  }

  @Test func nothingIsAskedForOnceTheLineOrTheRoomIsLeft() {
    var (line, ids, _) = Self.start()
    _ = line.receive(#"{"id":"\#(ids["typing"] ?? "")","type":"complete"}"#)
    _ = line.join("other")
    #expect(Self.asked(&line, "typing") == nil)
    let (other, _, _) = Self.start()
    line = other
    _ = line.lost()
    #expect(line.pass(.seconds(70)).sent.isEmpty)
  }

  @Test func anotherNameIsToldByTheSubscriptionThatCarriesIt() {
    var (line, ids, _) = Self.start()
    let outputs = line.wire.dialect.rename(nick: "eve", at: line.wire.now)
    #expect(outputs.types == ["complete", "subscribe"])
    #expect(outputs.sent.first?["id"]?.string == ids["messageAdded"])
    #expect(outputs.variables(of: "subscription").first?["nick"] == "eve")
    #expect(outputs.variables(of: "subscription").first?["after"] == "m2")
  }

  /// Until the new subscription is live, nothing else brings what is said.
  @Test func whatIsSaidWhileTheSubscriptionIsMadeAnewIsAskedFor() {
    var line = GraphQLWire.ready(GraphQLWire.messages(1...2)) {
      $0.liveResumes = false
      $0.live.variables.append(JSON.Member("nick", "{nick}"))
    }
    _ = line.pass(.seconds(3))
    _ = line.answerHistory([])
    _ = line.pass(.seconds(60))
    #expect(
      line.wire.dialect.rename(nick: "eve", at: line.wire.now).types == ["complete", "subscribe"])
    let check = line.pass(.seconds(3))
    #expect(check.variables(of: "query").map { $0["after"] } == ["m2"])
    #expect(line.answerHistory(GraphQLWire.messages(3...3)).ids == ["m3"])
  }

  @Test func anAnswerCarriesTheIdOfItsMessage() {
    var (line, _, _) = Self.start()
    let outputs = line.wire.dialect.post(
      Post(nonce: "n1", text: "yes", replyTo: "m2"), at: line.wire.now)
    #expect(outputs.variables(of: "mutation").first?["replyTo"] == "m2")
    let plain = line.wire.dialect.post(Post(nonce: "n2", text: "no"), at: line.wire.now)
    #expect(plain.variables(of: "mutation").first?["replyTo"] == nil)
  }
}

extension GraphQLWire {
  mutating func reconnect(with acknowledgement: String) -> [DialectOutput] {
    _ = lost()
    _ = open()
    return receive(acknowledgement)
  }
}
