import Channel
import Room
import Text

/// An entry or a waiting message, taken apart for drawing.
struct EntryLine {
  var time: LocalTime
  var nick: String
  var nickStyle: Style
  var text: LookedText
  var textStyle: Style
  /// The text was too long to be looked at as a whole.
  var isCutShort = false
  var isNotice = false
  var isMention = false
  /// The person asked to see all of it.
  var isUnfolded = false
  /// What it is of, where it can be chosen.
  var target: MessageSelection.Target?
  var isSelected = false
  /// Said at the right end, such as "… pending".
  var remark: (text: String, style: Style)?
  var repeatsTime = false
  var repeatsNick = false

  init(
    entry: TimelineEntry, room: RoomModel, theme: Theme, time: LocalTime, reading: ReadingLooks
  ) {
    self.time = time
    isUnfolded = reading.shown.contains(entry.serial)
    if entry.message != nil { target = .entry(entry.serial) }
    isSelected = reading.selected == .entry(entry.serial)
    let limit = isUnfolded ? TimelineBlocks.mostUnfolded : TimelineBlocks.mostCharacters
    switch entry.kind {
    case .notice(let words, let isError):
      nick = "--"
      isNotice = true
      textStyle = theme[isError ? "chat.error" : "chat.notice"]
      nickStyle = textStyle
      text = reading.looked(words.safe(for: .block, limit: limit), of: entry.serial, isPlain: true)
      isCutShort = words.isLong(limit)
    case .message(let message):
      nick = message.author?.safe(for: .nick) ?? (message.isMine ? room.shownNick : "<")
      if nick.isEmpty { nick = "?" }
      let colour = theme.color(ofNick: nick)
      nick = reading.name(nick)
      isMention = room.mentionsMe(message)
      textStyle = theme[isMention ? "chat.mention" : "chat.text"]
      nickStyle = theme["chat.self"]
      if !message.isMine {
        nickStyle = theme["chat.text"]
        nickStyle.foreground = colour
      }
      text = reading.looked(
        message.text.safe(for: .block, limit: limit), of: entry.serial, isPlain: isMention)
      isCutShort = message.text.isLong(limit)
    }
  }

  init(
    item: OutboxItem, room: RoomModel, theme: Theme, time: LocalTime, reading: ReadingLooks
  ) {
    self.time = time
    target = .post(item.post.nonce)
    isSelected = reading.selected == .post(item.post.nonce)
    nick = reading.name(room.shownNick)
    nickStyle = theme["chat.self"]
    textStyle = theme["chat.pending"]
    let words = UntrustedText(item.post.text)
    text = LookedText(
      text: words.safe(for: .block, limit: TimelineBlocks.mostCharacters))
    isCutShort = words.isLong(TimelineBlocks.mostCharacters)
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
  fileprivate func isLong(_ most: Int) -> Bool {
    raw.utf8.count > most && raw.unicodeScalars.dropFirst(most).first != nil
  }
}

extension RoomModel {
  /// The own nick, made safe; never empty.
  var shownNick: String {
    let safe = UntrustedText(nick).safe(for: .nick)
    return safe.isEmpty ? "?" : safe
  }
}
