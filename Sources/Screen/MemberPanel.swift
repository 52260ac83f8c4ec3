import Room
import Text

/// Who is in the room, one in a row.
struct MemberPanel {
  let room: RoomModel
  let theme: Theme

  /// Draws from a column of the canvas on, to its end.
  func draw(on canvas: inout Canvas, from start: Int) {
    let width = canvas.width - start
    guard width > 4, canvas.height > 0 else { return }
    let count = room.members.count
    let head = count == 0 ? "not known off line" : "\(count) here"
    canvas.put(cut(head, to: width), row: 0, column: start, style: theme["title.topic"])
    let rows = canvas.height - 1
    let shown = count <= rows ? count : max(0, rows - 1)
    for (index, member) in room.members.prefix(shown).enumerated() {
      let nick = member.safe(for: .nick)
      let isMine = member.raw == room.nick
      var style = theme[isMine ? "chat.self" : "chat.text"]
      if !isMine { style.foreground = theme.color(ofNick: nick) }
      canvas.put(cut(nick, to: width), row: index + 1, column: start, style: style)
    }
    if shown < count, rows > 0 {
      canvas.put(
        cut("+\(count - shown) more", to: width), row: shown + 1, column: start,
        style: theme["scroll.more"])
    }
  }
}
