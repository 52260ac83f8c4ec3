import Channel
import Room
import Screen
import Testing
import Text

@Suite struct PlainPromptTests {
  @Test func whatIsTypedIsWrittenForwardsAndTakenBack() {
    var prompt = PlainPrompt()
    #expect(prompt.show("h") == "h")
    #expect(prompt.show("hé中") == "é中")
    #expect(prompt.show("hé") == "\u{8}\u{8}  \u{8}\u{8}")
    #expect(prompt.show("hé") == "")
    #expect(prompt.show("ho") == "\u{8} \u{8}o")
    #expect(prompt.show("ho\nx") == " / x")
    #expect(prompt.end() == "\n")
    #expect(prompt.show("") == "")
  }

  @Test func aLineThatArrivesStandsBeforeWhatIsBeingTyped() {
    var prompt = PlainPrompt()
    #expect(prompt.put(["* connected"]) == "* connected\n")
    _ = prompt.show("hel")
    #expect(
      prompt.put(["09:14 ko: hi", "09:15 ko: there"]) == "\n09:14 ko: hi\n09:15 ko: there\nhel")
    #expect(prompt.show("hello") == "lo")
    // Behind what the shell wrote while the program was stopped.
    #expect(prompt.again() == "hello" && prompt.show("hello") == "")
  }

  @Test func nothingThatATerminalObeysIsWritten() {
    var prompt = PlainPrompt()
    #expect(!prompt.show("a\u{1B}[2Jb\u{202E}").contains("\u{1B}"))
  }
}

@Suite struct PlainTranscriptTests {
  private static let clock = Clock(
    now: Instant(), wall: Timestamp(milliseconds: 1_772_539_200_000), offset: { _ in 0 })

  private static func message(_ id: String, _ author: String?, _ text: String) -> ChatMessage {
    ChatMessage(
      id: id, author: author.map { UntrustedText($0) }, text: UntrustedText(text),
      time: clock.wall, isMine: author == "you")
  }

  private static func room(_ kinds: [TimelineEntry.Kind]) -> RoomModel {
    var room = RoomModel(room: "lobby", nick: "you", server: "ws://h/")
    room.entries = kinds.enumerated().map { index, kind in
      TimelineEntry(kind: kind, time: clock.wall, serial: index * Serials.stride)
    }
    return room
  }

  @Test func everyEventIsAFinishedLineOnce() {
    var transcript = PlainTranscript()
    var room = Self.room([
      .notice(UntrustedText("connected to ws://h/"), isError: false),
      .message(Self.message("1", "ko", "morning\nall")),
      .message(Self.message("2", "mira", "you, look")),
    ])
    #expect(
      transcript.lines(of: room, clock: Self.clock) == [
        "* you are in #lobby", "* connected to ws://h/", "* Tue 3 March 2026", "12:00 ko: morning",
        "  all", "12:00 mira (to you): you, look",
      ])
    #expect(transcript.lines(of: room, clock: Self.clock) == [])
    room.entries.append(
      TimelineEntry(
        kind: .message(Self.message("3", nil, "raw\u{1B}[2J")), time: Self.clock.wall,
        serial: 3 * Serials.stride))
    let lines = transcript.lines(of: room, clock: Self.clock)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix("12:00 raw") && !lines[0].contains("\u{1B}"))
  }

  @Test func aWordThatTakesThePlaceOfAnotherIsToldToo() {
    var transcript = PlainTranscript()
    var room = Self.room([.notice(UntrustedText("line lost"), isError: true)])
    #expect(transcript.lines(of: room, clock: Self.clock).last == "* ! line lost")
    room.entries[0].kind = .notice(UntrustedText("connected again"), isError: false)
    #expect(transcript.lines(of: room, clock: Self.clock) == ["* connected again"])
  }

  @Test func whatHappensToAPostIsSaidInWords() {
    var transcript = PlainTranscript()
    var room = Self.room([])
    _ = transcript.lines(of: room, clock: Self.clock)
    room.outbox = [
      OutboxItem(post: Post(nonce: "n", text: "hi"), state: .pending, time: Self.clock.wall)
    ]
    #expect(transcript.lines(of: room, clock: Self.clock) == ["* waits for the line: hi"])
    room.outbox[0].state = .sending
    #expect(transcript.lines(of: room, clock: Self.clock) == [])
    room.outbox[0].state = .failed(UntrustedText("too long"))
    #expect(
      transcript.lines(of: room, clock: Self.clock) == [
        "* ! not sent (too long), /resend or /drop: hi"
      ])
  }

  @Test func whatHidesIsToldByItsLengthUntilItIsAskedFor() {
    var transcript = PlainTranscript()
    let room = Self.room([
      .message(Self.message("1", "ko", "the end: ||all of them|| and ||x||")),
      .message(Self.message("2", "mira", "a || b, no spoiler")),
      .message(Self.message("3", "mira", "see ||https://a.example/||\nand ||this||")),
    ])
    #expect(
      transcript.lines(of: room, clock: Self.clock).suffix(4) == [
        "12:00 ko: the end: [spoiler: 11 characters, /reveal 1] and [spoiler: 1 character, /reveal 1]",
        "12:00 mira: a || b, no spoiler",
        "12:00 mira: see [spoiler: 18 characters, /reveal 2]",
        "  and [spoiler: 4 characters, /reveal 2]",
      ])
    #expect(
      transcript.spoiler(1, in: room) == ["* spoiler 1, ko: the end: ||all of them|| and ||x||"])
    #expect(
      transcript.spoiler(nil, in: room).first == "* spoiler 2, mira: see ||https://a.example/||")
    #expect(transcript.spoiler(9, in: room).first?.contains("number 9") == true)
    #expect(PlainTranscript().spoiler(nil, in: room) == ["* No message hides anything."])
  }

  @Test func whoWantsNoMarkupSeesTheTextAsItStands() {
    var transcript = PlainTranscript()
    transcript.hidesSpoilers = false
    let room = Self.room([.message(Self.message("1", "ko", "it was ||the gardener||"))])
    #expect(
      transcript.lines(of: room, clock: Self.clock).last == "12:00 ko: it was ||the gardener||")
  }

  /// Report 20 of the research, for a program that only writes.
  @Test func whatIsWrittenFromRightToLeftIsKeptApartFromItsLine() {
    var transcript = PlainTranscript()
    let room = Self.room([.message(Self.message("1", "רון", "שלום, 3 > 2"))])
    #expect(
      transcript.lines(of: room, clock: Self.clock).last
        == "12:00 \u{2068}רון\u{2069}: \u{2068}שלום, 3 > 2\u{2069}")
    transcript = PlainTranscript()
    transcript.layout.isolates = false
    #expect(transcript.lines(of: room, clock: Self.clock).last == "12:00 רון: שלום, 3 > 2")
  }

  @Test func aWaitIsToldOnceAndNotEverySecond() {
    var transcript = PlainTranscript()
    var room = Self.room([])
    _ = transcript.lines(of: room, clock: Self.clock)
    room.connection = .connecting(
      .init(attempt: 3, phase: .waiting(until: Instant(.seconds(7)))))
    #expect(
      transcript.lines(of: room, clock: Self.clock) == [
        "* attempt 3 follows in 7 s; Enter on an empty line tries now"
      ])
    var later = Self.clock
    later.now = Instant(.seconds(3))
    #expect(transcript.lines(of: room, clock: later) == [])
  }
}
