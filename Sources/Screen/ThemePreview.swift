import Channel
import Room
import Text

/// A theme as it looks: a short conversation with a mention, a notice, an error, an address and messages
/// that wait.
package func previewGrid(theme: Theme, width: Int, height: Int) -> Grid {
  var room = RoomModel(room: "lobby", nick: "you", server: "theme " + theme.name)
  // Noon of 3 March 2026, so that a preview is the same whenever it is looked at.
  let noon = Timestamp(milliseconds: 1_772_539_200_000)
  room.lostAt = noon
  room.connection = .connecting(
    SessionState.Connecting(
      attempt: 2, phase: .waiting(until: Instant(.seconds(7))), lostAt: Instant()))
  room.members = ["mira", "ko", "sana", "you"].map { UntrustedText($0) }
  let lines: [(author: String?, text: String)] = [
    ("mira", "morning all"), ("ko", "the build is green again: https://ci.example/4711"),
    ("sana", "you, can you look at the resize bug?"), ("you", "on it"),
    (nil, "ada joined"), ("ada", "日本語の行も折り返す"),
  ]
  for (serial, line) in lines.enumerated() {
    let text = UntrustedText(line.text)
    let kind: TimelineEntry.Kind
    if let author = line.author {
      kind = .message(
        ChatMessage(
          id: "\(serial)", author: UntrustedText(author), text: text, time: noon,
          isMine: author == room.nick))
    } else {
      kind = .notice(text, isError: false)
    }
    room.entries.append(TimelineEntry(kind: kind, time: noon, serial: serial))
  }
  room.entries.append(
    TimelineEntry(
      kind: .notice(UntrustedText("The line was lost: no answer for 30 s."), isError: true),
      time: noon, serial: lines.count))
  for (number, state) in [OutboxItem.State.failed(UntrustedText("too long")), .pending].enumerated()
  {
    let post = Post(nonce: "\(number)", text: "are you there?")
    room.outbox.append(OutboxItem(post: post, state: state, time: noon))
  }
  var view = ViewState()
  view.unreadAfter = 4
  view.unreadUpTo = lines.count
  let clock = Clock(now: Instant(), wall: noon, offset: { _ in 0 })
  let screen = Screen(
    room: room, view: view, theme: theme, clock: clock, input: InputText("", caret: 0))
  var grid = screen.grid(width: width, height: height)
  grid.cursor = nil
  return grid
}
