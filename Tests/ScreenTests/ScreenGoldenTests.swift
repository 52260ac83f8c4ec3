import Channel
import Room
import TestKit
import Testing
import Text
import WebSocket

@testable import Screen

/// Every state of the screen as one sees it, at three sizes.
@Suite struct ScreenGoldenTests {
  struct Size: Sendable, CustomStringConvertible {
    var width: Int
    var height: Int
    var description: String { "\(width)x\(height)" }
  }

  static let sizes = [
    Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 120, height: 40),
  ]

  @Test(
    arguments: [
      "online", "offline", "disconnected", "closed", "connecting", "refused", "gave-up",
      "lost", "pending", "scrolled", "new", "help", "help-topic", "multi-line", "long-input",
      "empty", "insecure", "hostile", "completion", "history-search", "paste-question", "overflow",
      "emoji-safe", "emoji-native", "emoji-text", "gap", "changed", "chosen", "editing",
      "answering", "settings",
    ], sizes) func theScreenLooksAsRecorded(state: String, size: Size)
  {
    let (room, view, input) = Self.state(state, size: size)
    let grid = Fixture.screen(room, view, input: input).grid(width: size.width, height: size.height)
    #expect(brokenPromise(of: grid, emoji: view.settings.emoji) == nil)
    let hasStyles = ["online", "refused", "changed"].contains(state) && size.width == 80
    #expect(
      Golden.difference(Golden.text(of: grid, styles: hasStyles), "\(state)-\(size)") == nil)
  }

  static func state(_ name: String, size: Size) -> (RoomModel, ViewState, InputText) {
    var room = Fixture.lobby
    var view = ViewState()
    var input = InputText("", caret: 0)
    let failure = Failure(
      kind: .timeout, message: "The server did not answer a ping for 30 s.", short: "no pong 30 s")
    switch name {
    case "changed", "chosen", "editing", "answering":
      (room, view) = ChangedRoom.state(name)
      input = view.shownInput
    case "offline": room.connection = .offline(.idle)
    case "disconnected": room.connection = .offline(.stopped)
    case "closed":
      room.connection = .offline(.closed(CloseReason(.goingAway, "maintenance at nine")))
    case "connecting":
      room.connection = .connecting(
        .init(attempt: 2, phase: .dialling(.upgrading, since: Instant(.milliseconds(998_800)))))
    case "refused":
      room.connection = .offline(
        .refused(
          Failure(
            kind: .refused, status: 401,
            message: "The server refused the token; set another one.", short: "401 token rejected"))
      )
      room.note(
        "The server refused the token; set another one.", isError: true, at: Fixture.time(9, 22))
    case "gave-up":
      room.connection = .offline(
        .gaveUp(
          attempts: 10, Failure(kind: .tcp, message: "Nobody listens.", short: "connection refused")
        ))
    case "lost", "pending":
      room.lostAt = Fixture.time(9, 22)
      room.connection = .connecting(
        .init(
          attempt: 4, phase: .waiting(until: Instant(.milliseconds(1_006_300))),
          lastFailure: failure, lostAt: Instant(.seconds(970))))
      guard name == "pending" else { break }
      room.wait("did this one arrive?", .unsure, at: Fixture.time(9, 22))
      room.wait("this cannot be sent", .failed(UntrustedText("too long")), at: Fixture.time(9, 22))
      room.wait("on its way", .sending, at: Fixture.time(9, 22))
      room.wait("are you there?", .pending, at: Fixture.time(9, 22))
      input = InputText("and this is still being written", caret: 8)
    case "scrolled":
      room = Fixture.busy
      view.markRead(in: room)
      view.scroll(byRows: 40, in: room, width: size.width, height: size.height)
      room.say("sana", "hello you", at: Fixture.time(9, 0))
      room.say("ko", "newest message stays visible", at: Fixture.time(9, 1))
      view.markRead(in: room)
    case "new":
      view.isFocused = false
      view.readUpTo = 4
      view.markRead(in: room)
      view.isFocused = true
      view.markRead(in: room)
    case "help": view.overlay = .help(topic: nil, scroll: 0)
    case "settings":
      view.settings.takesMouse = false
      view.overlay = .settings(group: "", scroll: 0)
    case "help-topic": view.overlay = .help(topic: "scroll", scroll: 0)
    case "multi-line":
      input = InputText("first line\nsecond line\n\nfourth\nfifth\nsixth\nseventh", caret: 34)
    case "long-input":
      let words = (1...40).map { "word\($0)" }.joined(separator: " ")
      input = InputText(words, caret: 130)
    case "empty":
      room.entries = []
      room.members = []
    case "completion":
      for character in "/" { _ = view.editor.type(character) }
      let found = SlashCommands.all.map {
        Candidate("/\($0.name) ", label: $0.usage, summary: $0.summary)
      }
      view.completion = Completion(found, in: view.editor, range: 0..<1, backward: false)
      for _ in 0..<5 { view.completion?.step(by: 1) }
      if let completion = view.completion { view.editor = completion.completed }
      input = InputText(view.editor)
    case "history-search":
      for line in ["deploy the new build", "two\nlines of the build"] {
        _ = view.editor.paste(line)
        _ = view.editor.perform(.send)
      }
      view.historySearch = HistorySearch(view.editor, isBackward: true)
      view.historySearch?.type("build")
    case "paste-question":
      view.pasteQuestion = PasteQuestion(
        String(
          repeating: "a line of sixty-two characters, as it may stand in a log file.\n", count: 34),
        lines: 5)
    case "overflow":
      let text =
        String(repeating: "long ", count: RoomModel.largestMessage / 5) + "and then some more"
      input = InputText(text, caret: text.count)
    case "emoji-safe", "emoji-native", "emoji-text":
      view.settings.emoji = EmojiPolicy(rawValue: String(name.dropFirst(6))) ?? .safe
      room.entries = []
      room.say(
        "🦊 fox", "[😮\u{200D}💨] [🤷🏿\u{200D}♂\u{FE0F}] [👩🏽\u{200D}🚀] [👍🏻]", at: Fixture.time(9, 3))
      room.say(
        "ko", "♻\u{FE0F}♻\u{FE0F}ab ❤ ❤\u{FE0F} 1\u{FE0F}\u{20E3} 🇦🇺🇻🇳", at: Fixture.time(9, 4))
      room.say(
        "ko", String(repeating: "👨\u{200D}👩\u{200D}👧\u{200D}👦", count: 40), at: Fixture.time(9, 5))
      room.say("mira", "plain words, 日本語, and 🙂 at https://ci.example/🙂?a", at: Fixture.time(9, 6))
      input = InputText("typed 👩🏽\u{200D}🚀 and 🙂 here", caret: 9)
    case "gap":
      room = Fixture.busy
      let old = (0..<30).map { number in
        KeptMessage(
          message: ChatMessage(
            id: "old\(number)", author: UntrustedText("ko"),
            text: UntrustedText("old message \(number)")), time: Fixture.time(7, number),
          place: number - 1_000)
      }
      room.show(TranscriptPage(messages: old, hasLater: true))
      view.selection = MessageSelection(in: room, view: view)
      view.selection?.choose(.gap)
      if let gap = room.gapIndex {
        view.reveal(room.entries[gap].serial, in: room, width: size.width, height: size.height)
      }
    case "insecure":
      room.isInsecure = true
    case "hostile":
      room = RoomModel(
        room: "\u{1B}]0;x\u{7}room", nick: "you", server: "wss://\u{202E}elpmaxe/")
      room.connection = Fixture.online
      room.say("long", String(repeating: "x", count: 80_000), at: Fixture.time(8, 59))
      room.say("\u{202E}bob\n", "title \u{1B}]0;x\u{7} and \u{1B}[2Jscreen", at: Fixture.time(9, 0))
      room.say("eve", "safe\u{202E}gnp.exe lone\rreturn\tand a tab", at: Fixture.time(9, 1))
      room.say(
        "zalgo", "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}algo \u{301}",
        at: Fixture.time(9, 2))
      room.say("emoji", "[😮‍💨] [🤷🏿‍♂️] ♻️♻️ab 🇦🇺🇻🇳 \u{1FAE8} \u{378}", at: Fixture.time(9, 3))
      room.say("zero", "one \u{200B} two", at: Fixture.time(9, 4))
      room.say("", "no name\n\n\n", at: Fixture.time(9, 6))
      room.say(nil, "no author", at: Fixture.time(9, 7))
    default: break
    }
    return (room, view, input)
  }
}
