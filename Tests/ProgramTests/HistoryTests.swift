import Channel
import JSON
import Program
import Room
import Screen
import TestKit
import Testing
import Text
import WebSocket

/// A disk that is a value: what was told to be kept, as the next run gets it.
private struct Disk {
  var memory = RoomMemory()
  var cursors: [String: JSON] = [:]
  var inputs: [String] = []

  init(_ records: [Record]) {
    for record in records { keep(record) }
  }

  mutating func keep(_ record: Record) {
    switch record {
    case .message(let message, _):
      if !memory.messages.contains(where: { $0.message.id == message.message.id }) {
        memory.messages.append(message)
      }
    case .replaced(let id, let message, _):
      memory.messages = memory.messages.map { $0.message.id == id ? message : $0 }
    case .changed(let form, _):
      for index in memory.messages.indices where memory.messages[index].message.id == form.id {
        let message = memory.messages[index].message
        memory.messages[index].message = message.changed(by: form) ?? message
      }
    case .post(let item, _):
      if let index = memory.outbox.firstIndex(where: { $0.post.nonce == item.post.nonce }) {
        memory.outbox[index] = item
      } else {
        memory.outbox.append(item)
      }
    case .postEnded(let nonce, _): memory.outbox.removeAll { $0.post.nonce == nonce }
    case .cursor(let cursor, let room): cursors[room] = cursor
    case .draft(let text, _): memory.draft = text
    case .input(let line, _): inputs.append(line)
    case .notice(let notice, _): memory.notice = notice
    case .readUpTo(let place, _, _): memory.readUpTo = place
    }
    memory.messages.sort { $0.place < $1.place }
  }
}

@Suite struct ProgramHistoryTests {
  /// The next run, after the one before was killed.
  private func next(
    after talk: Conversation, _ subprotocol: String = "graphql-transport-ws"
  ) -> Conversation {
    let disk = Disk(talk.records)
    return Conversation(
      subprotocol, sharing: talk, recalling: disk.memory, inputs: disk.inputs
    ) {
      $0.context.memory.cursors = disk.cursors
    }
  }

  /// How often somebody else finds a text in the room.
  private func onServer(_ talk: Conversation, _ text: String) -> Int {
    Conversation(nick: "reader", height: 60, sharing: talk).count(text)
  }

  @Test(arguments: ["graphql-transport-ws", "parlour-envelope", "parlour-plain"])
  func aPostIsKeptBeforeItIsWritten(subprotocol: String) throws {
    var talk = Conversation(subprotocol, recalling: RoomMemory())
    let effects = talk.effects { $0.enter("hello") }
    let kept = try #require(
      effects.firstIndex {
        if case .keep(let records) = $0 {
          return records.contains {
            if case .post(let item, "lobby") = $0 {
              item.post.text == "hello" && item.state == .sending
            } else {
              false
            }
          }
        }
        return false
      })
    let written = try #require(
      effects.lastIndex { if case .write = $0 { true } else { false } })
    #expect(kept < written)
    let state = Disk(talk.records)
    #expect(state.memory.outbox == [])
    #expect(state.memory.messages.map(\.message.text.raw) == ["hello"])
  }

  @Test(arguments: ["graphql-transport-ws", "parlour-envelope"])
  func theNextRunShowsTheSameAndAsksOnlyForWhatIsMissing(subprotocol: String) throws {
    var talk = Conversation(subprotocol, recalling: RoomMemory())
    talk.say("first")
    talk.enter("second")
    talk.say("third")
    talk.say("fourth", in: "kitchen")
    talk.cut()
    var other = talk
    other.say("while away")
    var later = next(after: other, subprotocol)
    #expect(later.rows.count { $0.hasSuffix("first") } == 1)
    #expect(later.rows.count { $0.hasSuffix("while away") } == 1)
    let told = later.records.compactMap { record -> String? in
      if case .message(let message, _) = record { message.message.text.raw } else { nil }
    }
    #expect(told == ["while away"])
    later.say("and now")
    let order = ["first", "second", "third", "while away", "and now"].compactMap { later.row($0) }
    #expect(order.count == 5 && order == order.sorted())
    #expect(Disk(talk.records + later.records).memory.messages.count == 5)
  }

  @Test func theTranscriptStandsThereBeforeTheLineDoes() {
    var talk = Conversation(recalling: RoomMemory())
    talk.say("first")
    var program = Program(
      SessionConfiguration(
        endpoint: Endpoint(isSecure: false, host: "h", port: 1, target: "/"), subprotocols: [],
        context: DialectContext(room: "lobby", nick: "ada")),
      theme: .fallback, width: 80, height: 24)
    program.keepHistory(inputs: [])
    var entropy = Entropy.seeded()
    let effects = program.handle(
      .recalled(Disk(talk.records).memory, room: "lobby"), at: Instant(), wall: talk.wall,
      entropy: &entropy)
    #expect(!effects.contains { if case .openLink = $0 { true } else { false } })
    let clock = Clock(now: Instant(), wall: talk.wall, offset: { _ in 0 })
    #expect(program.grid(clock: clock).text.contains("first"))
  }

  /// A post was on its way when the program was killed: with and without the server having it.
  @Test(arguments: ["graphql-transport-ws", "parlour-envelope"], [true, false])
  func whatWasOnItsWayIsSentExactlyOnce(subprotocol: String, hasArrived: Bool) throws {
    var talk = Conversation(subprotocol, recalling: RoomMemory())
    talk.say("before")
    var lost = talk
    lost.isDeaf = hasArrived
    lost.isSilent = !hasArrived
    lost.enter("important")
    #expect(Disk(lost.records).memory.outbox.map(\.state) == [.sending])
    #expect(onServer(lost, "important") == (hasArrived ? 1 : 0))
    var later = next(after: lost, subprotocol)
    #expect(later.rows.count { $0.contains("important") } == 1, "\(later.screen)")
    #expect(!later.shows("not sure") && !later.shows("pending"))
    later.say("after")
    #expect(onServer(later, "important") == 1)
    #expect(Disk(lost.records + later.records).memory.outbox == [])
  }

  @Test func withoutIdsOfPostsThePersonDecides() {
    var talk = Conversation("parlour-plain", recalling: RoomMemory())
    talk.isSilent = true
    talk.enter("important")
    talk.cut()
    var later = next(after: talk, "parlour-plain")
    #expect(later.shows("not sure"))
    #expect(onServer(later, "important") == 0)
    later.enter("/resend")
    #expect(!later.shows("not sure"))
    #expect(onServer(later, "important") == 1)
  }

  @Test func whatWaitedGoesOutInItsOrder() {
    var talk = Conversation(recalling: RoomMemory())
    talk.isServerUp = false
    for number in 1...5 { talk.enter("post \(number)") }
    let later = next(after: talk)
    let reader = Conversation(nick: "reader", height: 60, sharing: later)
    let order = (1...5).compactMap { reader.row("post \($0)") }
    #expect(order.count == 5 && order == order.sorted())
    #expect(!later.shows("pending"))
  }

  @Test(arguments: [
    ("/connect ws://u:SECRET@h.example:9/a?token=SECRET", "/connect ws://h.example:9/a"),
    ("/connect ws://h.example:9/a#SECRET", "/connect ws://h.example:9/a"),
    ("/connect ws://u:SEC?RET@h/", "/connect ws://"), ("/connect ws://u:SECRET", "/connect ws://u"),
    ("/connect ws://[::1]:9/", "/connect ws://[::1]:9/"), ("/connect home", "/connect home"),
    ("see https://h/?q=1", "see https://h/?q=1"),
  ])
  func passwordsInURLsAreNotKept(line: String, kept: String) {
    for isEntered in [true, false] {
      var talk = Conversation(recalling: RoomMemory())
      talk.write(line)
      if isEntered { talk.press(.enter) } else { talk.advance(by: .seconds(1)) }
      let texts = talk.records.compactMap { record -> String? in
        switch record {
        case .input(let text, _): isEntered ? text : nil
        case .draft(let text, _): isEntered || text.isEmpty ? nil : text
        default: nil
        }
      }
      #expect(texts == [kept])
      #expect(!"\(talk.records)".contains("SEC"))
    }
  }

  @Test func draftAndEnteredLinesComeBack() {
    var talk = Conversation(recalling: RoomMemory())
    talk.enter("sent long ago")
    talk.write("half a sen")
    talk.advance(by: .seconds(1))
    var later = next(after: talk)
    #expect(later.shows("ada> half a sen"))
    later.press(.control("u"), .up)
    #expect(later.shows("ada> sent long ago"))
    // What was entered is no draft any more.
    later.press(.enter)
    later.advance(by: .seconds(1))
    #expect(Disk(talk.records + later.records).memory.draft == "")
  }

  @Test func theRuleOfWhatIsNewStandsWhereReadingEnded() throws {
    var talk = Conversation(recalling: RoomMemory())
    talk.say("read")
    talk.run(.key(.focusOut))
    talk.say("not read")
    talk.cut()
    var other = talk
    other.say("while away")
    let later = next(after: other)
    let rule = try #require(later.rows.firstIndex { $0.contains("2 new") }, "\(later.screen)")
    #expect(try #require(later.row("read")) < rule || later.rows[rule - 1].hasSuffix("read"))
    #expect(try #require(later.row("not read")) > rule)
    #expect(try #require(later.row("while away")) > rule)
  }

  @Test func scrollingUpGoesOnToTheDiskAndMemoryStaysBounded() throws {
    var memory = RoomMemory()
    memory.messages = (800..<1_000).map(Self.kept)
    memory.hasEarlier = true
    var talk = Conversation(recalling: memory)
    var asked: [KeptMessage] = []
    for _ in 0..<400 {
      let effects = talk.effects { $0.press(.pageUp) }
      for case .loadEarlier(let message, "lobby") in effects {
        asked.append(message)
        let last = message.place / Serials.stride
        let first = max(0, last - 100)
        talk.run(
          .earlier((first..<last).map(Self.kept), hasEarlier: first > 0, room: "lobby"))
      }
    }
    #expect(asked.count == 8)
    #expect(talk.shows("message 0"))
    talk.press(.alt(">"))
    #expect(talk.shows("message 999"))
    // None of it is told to be kept once more.
    #expect(!talk.records.contains { if case .message = $0 { true } else { false } })
  }

  private static func kept(_ number: Int) -> KeptMessage {
    let time = Timestamp(milliseconds: 1_767_000_000_000 + Int64(number) * 1_000)
    return KeptMessage(
      message: ChatMessage(
        id: "old\(number)", author: UntrustedText("ko"), text: UntrustedText("message \(number)"),
        time: time), time: time, place: number * Serials.stride)
  }

  @Test func withoutAHistoryNothingIsKept() {
    var talk = Conversation()
    talk.say("first")
    talk.enter("second")
    talk.press(.pageUp)
    #expect(talk.records == [])
  }

  @Test func whatWaitsInAnotherRoomIsTold() {
    var memory = RoomMemory()
    memory.waitingElsewhere = ["kitchen": 2]
    #expect(Conversation(recalling: memory).shows("2 messages wait in #kitchen"))
    memory.messages = [Self.kept(1)]
    #expect(Conversation(recalling: memory).shows("2 messages wait in #kitchen"))
  }
}
