import Channel
import Room
import Text
import WebSocket

@testable import Screen

/// A room and a clock as the screen tests use them: Tue 3 March 2026, 09:22:30, in UTC.
enum Fixture {
  static let startOfDay: Int64 = 1_772_496_000_000
  static let clock = Clock(
    now: Instant(.seconds(1000)), wall: time(9, 22, 30), offset: { _ in 0 })

  static func time(_ hour: Int, _ minute: Int, _ second: Int = 0, day: Int = 0) -> Timestamp {
    let seconds = Int64((day * 24 + hour) * 3600 + minute * 60 + second)
    return Timestamp(milliseconds: startOfDay + seconds * 1000)
  }

  static var online: SessionState {
    .online(
      SessionState.Online(
        since: Instant(.seconds(900)), subprotocol: "graphql-transport-ws", dialect: .graphql,
        peer: "chat.example", tls: "TLSv1.3", roundTrip: .milliseconds(38)))
  }

  /// The conversation of the design notes, across a day's end.
  static var lobby: RoomModel {
    var room = RoomModel(room: "lobby", nick: "you", server: "wss://chat.example/ws")
    room.connection = online
    room.members = ["mira", "ko", "sana", "you"].map { UntrustedText($0) }
    room.say("ko", "good night", at: time(23, 58, day: -1))
    room.say("mira", "morning all", at: time(9, 12))
    room.say("mira", "the build is green again https://ci.example/4711", at: time(9, 12, 30))
    room.say("ko", "@you can you look at the resize bug?", at: time(9, 14))
    room.say("you", "on it ✓", at: time(9, 15))
    room.say("sana", "日本語の行も折り返す。長い文は幅に合わせて次の行へ続き、全角の文字が半分に切れることはない。", at: time(9, 20))
    room.note("ko joined", at: time(9, 21))
    room.say(
      "苺ましまろ",
      "a message that is long enough to be wrapped over several rows, so that one can see how they hang under the first one",
      at: time(9, 21, 40))
    return room
  }

  /// Four hundred messages of one row each at 80 columns.
  static var busy: RoomModel {
    var room = lobby
    room.entries = []
    for number in 0..<400 {
      room.say(number % 3 == 0 ? "mira" : "ko", "message \(number)", at: time(8, number / 10))
    }
    return room
  }

  static func screen(
    _ room: RoomModel, _ view: ViewState = ViewState(), input: InputText? = nil,
    theme: Theme = .fallback
  ) -> Screen {
    Screen(
      room: room, view: view, theme: theme, clock: clock, input: input ?? view.shownInput)
  }
}

extension RoomModel {
  mutating func say(_ author: String?, _ text: String, at time: Timestamp) {
    let serial = (entries.last?.serial ?? -1) + 1
    let message = ChatMessage(
      id: "m\(serial)", author: author.map { UntrustedText($0) }, text: UntrustedText(text),
      time: time, isMine: author == nick)
    entries.append(TimelineEntry(kind: .message(message), time: time, serial: serial))
  }

  mutating func note(_ text: String, isError: Bool = false, at time: Timestamp) {
    let serial = (entries.last?.serial ?? -1) + 1
    entries.append(
      TimelineEntry(
        kind: .notice(UntrustedText(text), isError: isError), time: time, serial: serial))
  }

  mutating func wait(_ text: String, _ state: OutboxItem.State, at time: Timestamp) {
    outbox.append(
      OutboxItem(post: Post(nonce: "n\(outbox.count)", text: text), state: state, time: time))
  }
}

/// What must hold of every grid: each wide cluster has an empty cell behind it in its own row, and every other
/// cell holds exactly one cluster of one column.
func brokenPromise(of grid: Grid, emoji: EmojiPolicy = .safe) -> String? {
  for row in 0..<grid.height {
    var column = 0
    while column < grid.width {
      let text = grid[row: row, column: column].text
      let found = clusters(of: text, emoji: emoji)
      guard found.count == 1, found[0].text == text else {
        return "row \(row) column \(column) holds “\(text)” (\(found.count) clusters)"
      }
      if found[0].width == 2 {
        guard column + 1 < grid.width, grid[row: row, column: column + 1].text.isEmpty else {
          return "row \(row) column \(column): half of “\(text)” is missing"
        }
        column += 1
      }
      column += 1
    }
  }
  if let cursor = grid.cursor {
    guard (0..<grid.height).contains(cursor.row), (0..<grid.width).contains(cursor.column) else {
      return "the cursor is outside"
    }
  }
  return nil
}
