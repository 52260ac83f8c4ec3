import Channel
import Room
import Text

/// An entry or a waiting message, taken apart for drawing.
struct EntryLine {
  var time: LocalTime
  var nick: String
  var nickStyle: Style
  var text: String
  var textStyle: Style
  /// The text was too long to be looked at as a whole.
  var isCutShort = false
  var isNotice = false
  var isMention = false
  /// Said at the right end, such as "… pending".
  var remark: (text: String, style: Style)?
  var repeatsTime = false
  var repeatsNick = false

  init(entry: TimelineEntry, room: RoomModel, theme: Theme, time: LocalTime) {
    self.time = time
    switch entry.kind {
    case .notice(let words, let isError):
      nick = "--"
      isNotice = true
      textStyle = theme[isError ? "chat.error" : "chat.notice"]
      nickStyle = textStyle
      text = words.safe(for: .block, limit: TimelineBlocks.mostCharacters)
      isCutShort = words.isLong
    case .message(let message):
      nick = message.author?.safe(for: .nick) ?? (message.isMine ? room.shownNick : "<")
      if nick.isEmpty { nick = "?" }
      isMention = room.mentionsMe(message)
      textStyle = theme[isMention ? "chat.mention" : "chat.text"]
      nickStyle = theme["chat.self"]
      if !message.isMine {
        nickStyle = theme["chat.text"]
        if nickStyle.foreground != theme.color(ofNick: nick) {
          nickStyle.foreground = theme.color(ofNick: nick)
        }
      }
      text = message.text.safe(for: .block, limit: TimelineBlocks.mostCharacters)
      isCutShort = message.text.isLong
    }
  }

  init(item: OutboxItem, room: RoomModel, theme: Theme, time: LocalTime) {
    self.time = time
    nick = room.shownNick
    nickStyle = theme["chat.self"]
    textStyle = theme["chat.pending"]
    let words = UntrustedText(item.post.text)
    text = words.safe(for: .block, limit: TimelineBlocks.mostCharacters)
    isCutShort = words.isLong
    switch item.state {
    case .pending: remark = ("… pending", theme["chat.pending"])
    case .sending: remark = ("… sending", theme["chat.pending"])
    case .unsure: remark = ("? not sure · /resend or /drop", theme["chat.failed"])
    case .failed(let reason):
      remark = ("✕ failed: " + reason.safe(for: .line, limit: 200), theme["chat.failed"])
    }
  }
}

extension UntrustedText {
  fileprivate var isLong: Bool {
    let most = TimelineBlocks.mostCharacters
    return raw.utf8.count > most && raw.unicodeScalars.dropFirst(most).first != nil
  }
}

extension RoomModel {
  /// The own nick, made safe; never empty.
  var shownNick: String {
    let safe = UntrustedText(nick).safe(for: .nick)
    return safe.isEmpty ? "?" : safe
  }
}
