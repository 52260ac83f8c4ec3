import Channel
import Program
import Room
import Screen
import TestKit
import Testing
import Text
import WebSocket

/// What one reads with, by its keys.
@Suite struct ReadingTests {
  static func kept(_ number: Int, _ text: String? = nil) -> KeptMessage {
    let time = Timestamp(milliseconds: 1_767_000_000_000 + Int64(number) * 1_000)
    return KeptMessage(
      message: ChatMessage(
        id: "old\(number)", author: UntrustedText("ko"),
        text: UntrustedText(text ?? "message \(number)"), time: time), time: time,
      place: number * Serials.stride)
  }

  /// Sixty messages, of which three speak of a resize bug.
  private func talk(_ subprotocol: String = "graphql-transport-ws") -> Conversation {
    var talk = Conversation(subprotocol)
    for number in 0..<60 {
      talk.say(number % 20 == 5 ? "a Resize bug \(number)" : "message \(number)")
    }
    return talk
  }

  @Test func aSearchGoesToMatchesAsItIsTyped() {
    var talk = talk()
    talk.press(.control("f"))
    #expect(talk.shows("search:"))
    talk.write("resize")
    #expect(talk.shows("search 1/3: resize"), "\(talk.screen)")
    #expect(talk.shows("a Resize bug 45"))
    talk.press(.up)
    #expect(talk.shows("search 2/3") && talk.shows("a Resize bug 25"))
    talk.press(.control("r"), .control("r"))
    #expect(talk.shows("search 1/3"))
    talk.press(.down)
    #expect(talk.shows("search 3/3") && talk.shows("a Resize bug 5"))
    talk.press(.alt("c"))
    #expect(talk.shows("search none (case): resize"))
    talk.press(.alt("c"), .alt("r"), .control("u"))
    talk.write("bug [24]5")
    #expect(talk.shows("search 1/2 (regex): "), "\(talk.screen)")
    talk.write("(")
    #expect(talk.shows("no pattern yet"))
    talk.press(.escape)
    #expect(!talk.shows("search") || talk.shows("^F search"))
    #expect(talk.shows("message 59") && !talk.shows("below"))
  }

  /// Keys act on it: what is chosen or found must be seen at every size.
  @Test func whatKeysActOnStaysInSightAtAnotherSize() {
    for (width, height) in [(40, 10), (24, 8), (200, 50), (80, 24)] {
      var chosen = talk()
      chosen.press(.alt("s"), .up, .up, .up, .up, .up, .up, .up, .up)
      chosen.resize(width, height)
      #expect(chosen.screen.contains("▸"), "\(width)×\(height): \(chosen.screen)")
      var found = talk()
      found.press(.control("f"))
      found.write("resize")
      found.press(.up)
      found.resize(width, height)
      #expect(found.shows("bug 25"), "\(width)×\(height): \(found.screen)")
    }
  }

  @Test func aSearchKeepsThePlaceAndTheDraft() {
    var talk = talk()
    talk.write("draft")
    talk.press(.control("f"))
    talk.write("bug 5")
    talk.press(.enter)
    #expect(talk.shows("a Resize bug 5") && talk.shows("ada> draft"))
    #expect(talk.shows("M-> end"))
    // The marks go, and the place stays.
    talk.press(.escape)
    #expect(talk.shows("a Resize bug 5"))
  }

  /// ^F is the line's where it has something to do there.
  @Test func aKeyOfTheLineStaysItsOwn() {
    var talk = talk()
    talk.write("ab")
    talk.press(.control("a"), .control("f"), .character("x"))
    #expect(talk.shows("ada> axb"))
    talk.press(.control("a"), .alt("u"))
    #expect(talk.shows("ada> AXB"))
  }

  @Test func aLongSearchIsDoneInPieces() {
    var talk = Conversation()
    let long = String(repeating: "some words ", count: 2_000)
    for number in 0..<300 { talk.say(number == 3 ? "needle" : long) }
    talk.press(.control("f"))
    talk.write("needle")
    #expect(talk.shows("search …: needle"))
    #expect(talk.program.deadline == Instant(talk.now))
    talk.advance(by: .milliseconds(1))
    #expect(talk.shows("search 1/1: needle"))
  }

  // MARK: - A chosen message

  @Test func oneLetterActsOnTheChosenMessage() throws {
    var talk = Conversation()
    talk.say("first https://a.example/1 and (https://b.example/2).")
    talk.say("second\nline")
    talk.say("third https://c.example/3")
    talk.press(.alt("s"))
    #expect(talk.shows("c copy"))
    var effects = talk.effects { $0.press(.character("o")) }
    #expect(effects.contains(.browse("https://c.example/3")))
    talk.press(.up)
    effects = talk.effects { $0.press(.character("c")) }
    #expect(effects.contains(.copy("second\nline")))
    #expect(talk.shows("copied 11 characters"))
    talk.press(.up)
    effects = talk.effects { $0.press(.character("o")) }
    #expect(!effects.contains { if case .browse = $0 { true } else { false } })
    #expect(talk.shows("Links of this message"))
    effects = talk.effects { $0.press(.down, .enter) }
    #expect(effects.contains(.browse("https://b.example/2")))
    talk.press(.character("i"))
    #expect(talk.shows("id") && talk.shows("mira"))
    talk.press(.escape, .down, .character("q"))
    #expect(talk.shows("> second") && !talk.shows("c copy"))
  }

  @Test func onlyTheWebIsOpened() {
    var talk = Conversation()
    talk.say("ws://a.example/ is no page")
    talk.press(.alt("s"))
    let effects = talk.effects { $0.press(.character("o")) }
    #expect(!effects.contains { if case .browse = $0 { true } else { false } })
    #expect(talk.shows("Only http and https"))
  }

  @Test func aChosenMessageIsSaved() {
    var talk = Conversation()
    talk.say("to be \u{1B}[2Jkept")
    talk.press(.alt("s"), .character("s"))
    #expect(talk.shows("save as: parlour-lobby.txt"))
    talk.press(.control("u"))
    talk.write("mine.txt")
    let effects = talk.effects { $0.press(.enter) }
    #expect(effects.contains(.save("to be \u{241B}[2Jkept\n", path: "mine.txt")))
  }

  @Test func whatFailedIsSentAgainOrDroppedOneByOne() {
    var talk = Conversation("parlour-plain")
    talk.isSilent = true
    for text in ["one", "two"] { talk.enter(text) }
    talk.cut()
    #expect(talk.screen.components(of: "not sure") == 2)
    talk.press(.alt("s"), .character("d"))
    #expect(talk.screen.components(of: "not sure") == 1 && talk.shows("one"))
    talk.isSilent = false
    talk.press(.character("r"), .escape)
    talk.advance(by: .seconds(5))
    #expect(!talk.shows("not sure"), "\(talk.screen)")
  }

  /// What lies behind it in memory is found, and shown again.
  @Test func aSearchFindsWhatClearTookFromTheScreen() {
    var talk = talk()
    talk.enter("/clear")
    #expect(!talk.shows("Resize"))
    talk.press(.control("f"))
    talk.write("resize")
    #expect(talk.shows("search 1/3: resize") && talk.shows("a Resize bug 45"), "\(talk.screen)")
  }

  @Test func onlyWhatWorksIsOfferedForAMessageAndANoteGoesAtTheNextKey() {
    var talk = Conversation()
    talk.say("no link in this")
    talk.say("see https://example.org/")
    talk.press(.alt("s"))
    #expect(talk.shows("o open"), "\(talk.screen)")
    talk.press(.up)
    #expect(talk.shows("i details") && !talk.shows("o open"), "\(talk.screen)")
    talk.press(.character("o"))
    #expect(talk.shows("there is no link in it"))
    talk.press(.character("z"))
    #expect(!talk.shows("there is no link in it") && talk.shows("i details"))
  }

  /// By the same key as a long message.
  @Test func whatTheProgramSaidAtLengthIsOpenedAsWell() {
    var talk = Conversation(height: 100)
    let words = (1...41).map { "line \($0)" }.joined(separator: "\n")
    talk.run(.notice(UntrustedText(words), isError: false))
    #expect(
      talk.shows("… 1 more row (M-s a shows all)") && !talk.shows("line 41"), "\(talk.screen)")
    talk.press(.alt("s"), .character("a"))
    #expect(talk.shows("line 41"), "\(talk.screen)")
    #expect(talk.shows("c copy") && !talk.shows("r reply"))
    talk.press(.character("c"))
    #expect(talk.shows("copied"))
  }

  @Test func aLongMessageAndASpoilerAreShownOnDemand() {
    var talk = Conversation(height: 100)
    talk.say((1...60).map { "row \($0)" }.joined(separator: "\n"))
    talk.say("the end: ||butler||")
    #expect(talk.shows("… 20 more rows (M-s a shows all)") && !talk.shows("row 41"))
    #expect(talk.shows("▒▒▒") && !talk.shows("butler"))
    talk.press(.alt("s"), .character("a"))
    #expect(talk.shows("||butler||"))
    talk.press(.up, .character("a"))
    #expect(talk.shows("row 60"))
    talk.press(.character("a"))
    #expect(!talk.shows("row 60"))
  }

  // MARK: - Jumps

  @Test func oneGoesToMentionsAndToTheFirstNewMessage() {
    var talk = Conversation()
    talk.say("ada, the first")
    for number in 0..<50 { talk.say("message \(number)") }
    talk.run(.key(.focusOut))
    talk.say("new one")
    for number in 50..<100 { talk.say(number == 70 ? "hello Ada!" : "message \(number)") }
    talk.press(.alt("u"))
    #expect(talk.shows("new one") && talk.shows("51 new"))
    talk.press(.alt(">"), .alt("p"))
    #expect(talk.shows("hello Ada!"))
    talk.press(.alt("p"))
    #expect(talk.shows("ada, the first"))
    talk.press(.alt("n"))
    #expect(talk.shows("hello Ada!"))
  }

  @Test func aDayOrATimeIsGoneTo() {
    var memory = RoomMemory()
    memory.messages = (0..<200).map { Self.kept($0) }
    var talk = Conversation(recalling: memory)
    talk.enter("/goto 2025-12-29 09:21")
    #expect(talk.shows("message 60"), "\(talk.screen)")
    talk.enter("/goto nonsense")
    #expect(talk.shows("is no day or time"))
    memory.hasEarlier = true
    talk = Conversation(recalling: memory)
    let effects = talk.effects { $0.enter("/goto 2025-12-01") }
    guard case .loadPage(.moment(let moment), "lobby")? = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(moment.iso8601 == "2025-12-01T00:00:00Z")
  }

  // MARK: - Everything that is kept

  @Test func aSearchOverTheHistoryLeadsToTheMessage() {
    var memory = RoomMemory()
    memory.messages = (800..<1_000).map { Self.kept($0) }
    memory.hasEarlier = true
    var talk = Conversation(recalling: memory)
    var effects = talk.effects { $0.enter("/search message 100") }
    #expect(effects.contains(.search("message 100", room: "lobby")))
    let found = [100, 850].map { FoundMessage(room: "lobby", kept: Self.kept($0)) }
    talk.run(.found(found, text: "message 100", room: "lobby"))
    #expect(talk.shows("Search “message 100” in #lobby") && talk.shows("▸"))
    effects = talk.effects { $0.press(.enter) }
    let place = TranscriptPlace.message(id: "old100", place: Self.kept(100).place)
    #expect(effects.contains(.loadPage(place, room: "lobby")))
    talk.run(
      .page(
        TranscriptPage(
          messages: (50..<150).map { Self.kept($0) }, hasEarlier: true, hasLater: true,
          target: Self.kept(100).place), room: "lobby"))
    #expect(talk.shows("message 100") && talk.shows("message 999"), "\(talk.screen)")
    // What is in memory needs no disk.
    talk.run(.found(found, text: "message", room: nil))
    effects = talk.effects { $0.press(.down, .enter) }
    #expect(!effects.contains { if case .loadPage = $0 { true } else { false } })
    #expect(talk.shows("message 850"))
    // ^G hands a search over.
    talk.press(.control("f"))
    talk.write("word")
    effects = talk.effects { $0.press(.control("g")) }
    #expect(effects.contains(.search("word", room: nil)))
  }

  // MARK: - The server's past

  @Test(arguments: [true, false])
  func behindTheDiskComesTheServer(isKept: Bool) throws {
    var old = Conversation()
    for number in 0..<300 { old.say("message \(number)") }
    var talk = Conversation(sharing: old, recalling: isKept ? RoomMemory() : nil)
    #expect(talk.shows("message 299"))
    var seen: Set<Int> = []
    for _ in 0..<40 {
      for row in talk.rows {
        guard let number = row.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
        seen.insert(number)
      }
      talk.press(.pageUp)
    }
    #expect(talk.shows("message 0"), "\(talk.screen)")
    #expect(Set(0..<300).subtracting(seen) == [])
    let order = talk.rows.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(order.prefix(5) == [0, 1, 2, 3, 4] || order.first ?? 9 < 5)
    if isKept {
      let kept = talk.records.compactMap { record -> Int? in
        if case .message(let message, _) = record { message.place } else { nil }
      }
      #expect(kept.count == 300 && Set(kept).count == 300)
    }
    talk.press(.alt(">"))
    #expect(talk.shows("message 299"))
  }

  @Test func waitingForTheServerIsSaidAndEndsWithTheLine() {
    var old = Conversation()
    for number in 0..<100 { old.say("message \(number)") }
    var talk = Conversation(sharing: old)
    talk.isSilent = true
    for _ in 0..<5 { talk.press(.pageUp) }
    #expect(talk.shows("… older messages are asked for"), "\(talk.screen)")
    talk.cut()
    #expect(!talk.shows("asked for"))
    talk.isSilent = false
    talk.advance(by: .seconds(5))
    for _ in 0..<20 { talk.press(.pageUp) }
    #expect(talk.shows("message 0"), "\(talk.screen)")
  }

  @Test func aResultOfAnotherRoomLeadsThere() {
    var talk = Conversation(recalling: RoomMemory())
    talk.run(
      .found(
        [FoundMessage(room: "kitchen", kept: Self.kept(7))], text: "message", room: nil))
    #expect(talk.shows("all rooms") && talk.shows("#kitchen"))
    let effects = talk.effects { $0.press(.enter) }
    let found = FoundMessage(room: "kitchen", kept: Self.kept(7))
    #expect(effects.contains(.manage(.go(to: found, words: "message"))))
    // Its own window goes to the page.
    var kitchen = Conversation(recalling: RoomMemory()) { $0.context.room = "kitchen" }
    let loads = kitchen.effects { $0.run(.goTo(found, words: "message")) }
    #expect(
      loads.contains(
        .loadPage(.message(id: "old7", place: Self.kept(7).place), room: "kitchen")))
  }

  @Test func withoutAHistoryThereIsOnlyTheScreenToSearch() {
    var talk = Conversation()
    talk.enter("/search x")
    #expect(talk.shows("^F searches"))
    talk.enter("/forget lobby")
    #expect(talk.shows("there is nothing to forget"))
  }

  @Test func whatIsForgottenHasToBeNamed() {
    var talk = Conversation(recalling: RoomMemory())
    var effects = talk.effects { $0.enter("/forget") }
    #expect(!effects.contains(.forget(room: "lobby")))
    #expect(talk.shows("/forget lobby deletes"))
    effects = talk.effects { $0.enter("/forget #lobby") }
    #expect(effects.contains(.forget(room: "lobby")))
  }

  /// Ten thousand messages on disk, read to their beginning and back, row by row of pages: every message is seen, in
  /// order, and nothing jumps.
  @Test func aWholeTranscriptIsReadUpAndDownWithoutASeam() throws {
    let total = 30_000
    var memory = RoomMemory()
    memory.messages = (total - 200..<total).map { Self.kept($0) }
    memory.hasEarlier = true
    var talk = Conversation(height: 15, recalling: memory)
    func numbers() -> [Int] {
      talk.rows.compactMap { row in
        row.split(separator: " ").drop { $0 != "message" }.dropFirst().first.flatMap { Int($0) }
      }
    }
    func serve(_ effects: [ProgramEffect]) {
      for effect in effects {
        switch effect {
        case .loadEarlier(let message, _):
          let end = message.place / Serials.stride
          let start = max(0, end - 500)
          talk.run(
            .earlier((start..<end).map { Self.kept($0) }, hasEarlier: start > 0, room: "lobby"))
        case .loadLater(let message, _):
          let start = message.place / Serials.stride + 1
          let end = min(total, start + 500)
          talk.run(
            .later((start..<end).map { Self.kept($0) }, hasLater: end < total, room: "lobby"))
        case .loadPage(.oldest, _):
          talk.run(
            .page(
              TranscriptPage(
                messages: (0..<250).map { Self.kept($0) }, hasLater: true, target: 0),
              room: "lobby"))
        default: break
        }
      }
    }
    var last = try #require(numbers().first)
    for _ in 0..<1_000 {
      serve(talk.effects { $0.press(.pageUp) })
      let shown = numbers()
      let top = try #require(shown.first)
      #expect(shown.last ?? 0 >= last - 1 && top <= last, "\(shown) after \(last)")
      last = top
    }
    #expect(last < total - 10_000)
    serve(talk.effects { $0.press(.alt("<")) })
    #expect(numbers().first == 0)
    var bottom = try #require(numbers().last)
    for _ in 0..<200 {
      serve(talk.effects { $0.press(.pageDown) })
      let shown = numbers()
      #expect(shown.first ?? 0 <= bottom + 1, "\(shown) after \(bottom)")
      bottom = try #require(shown.last)
    }
    talk.press(.alt(">"))
    #expect(numbers().last == total - 1)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    ranges(of: part).count
  }
}
