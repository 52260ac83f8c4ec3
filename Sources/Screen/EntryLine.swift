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
  /// What it answers, on a row above it.
  var quote: String?
  /// What was put to it, on rows below it.
  var reactions: [String] = []
  /// Said at the right end, such as "… pending".
  var remark: (text: String, style: Style)?
  var repeatsTime = false
  var repeatsNick = false

  init(
    entry: TimelineEntry, room: RoomModel, theme: Theme, time: LocalTime, reading: ReadingLooks
  ) {
    self.time = time
    isUnfolded = reading.shown.contains(entry.serial)
    if entry.isChoosable { target = .entry(entry.serial) }
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
      let name = room.shownName(of: message)
      let colour = theme.color(ofNick: name)
      nick = reading.name(name)
      isMention = room.mentionsMe(message)
      textStyle = theme[isMention ? "chat.mention" : "chat.text"]
      nickStyle = theme["chat.self"]
      if !message.isMine {
        nickStyle = theme["chat.text"]
        nickStyle.foreground = colour
      }
      text = reading.looked(
        message.text.safe(for: .block, limit: limit), of: entry.serial, isPlain: false)
      isCutShort = message.text.isLong(limit)
      if message.hasMarks { show(message.marks, room: room, theme: theme) }
    }
  }

  private mutating func show(_ marks: MessageMarks, room: RoomModel, theme: Theme) {
    if marks.isDeleted {
      text = LookedText(text: "message deleted")
      textStyle = theme["chat.deleted"]
      isMention = false
      return
    }
    if marks.isEdited { text.append(text.text.isEmpty ? "(edited)" : " (edited)", .edited) }
    quote = marks.replyTo.map { room.quote(of: $0) }
    reactions = marks.reactions.map { room.chip(of: $0) }.filter { !$0.isEmpty }
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
    quote = item.post.replyTo.map { room.quote(of: $0) }
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
  /// What a message answers, in a few words; made safe.
  fileprivate func quote(of id: String) -> String {
    guard let message = entry(id: id)?.message else { return "↪ an earlier message" }
    let words = message.isDeleted ? "message deleted" : Self.beginning(of: message, most: 120)
    return "↪ \(shownName(of: message)): \(words)"
  }

  /// Such as "👍 2" and, where the person is among them, "👍 2 (you)"; made safe.
  func chip(of reaction: Reaction) -> String {
    let emoji = reaction.emoji.safe(for: .line, limit: Reaction.longest)
    guard !emoji.isEmpty else { return "" }
    return "\(emoji) \(reaction.count)\(reaction.isBy(nick) ? " (you)" : "")"
  }

  /// The own nick, made safe; never empty.
  var shownNick: String {
    let safe = UntrustedText(nick).safe(for: .nick)
    return safe.isEmpty ? "?" : safe
  }
}
