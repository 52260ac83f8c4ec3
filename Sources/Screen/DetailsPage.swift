package import Channel
import JSON
package import Room
import Text

/// Everything that is known of a message.
package struct MessageDetails: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    package var name: String
    /// Made safe.
    package var value: String
  }

  package var lines: [Line] = []

  package init(of entry: TimelineEntry, in room: RoomModel, offset: (Timestamp) -> Int) {
    guard let message = entry.message else { return }
    add("from", message.author?.safe(for: .nick) ?? "")
    if message.isMine { add("", "written by you") }
    add("id", UntrustedText(message.id).safe(for: .line, limit: 500))
    add("server's time", message.time.map { Self.exact($0, offset) } ?? "none was given")
    if message.time == nil { add("seen here", Self.exact(entry.time, offset)) }
    if let nonce = message.nonce {
      add("nonce", UntrustedText(nonce).safe(for: .line, limit: 200) + " (the server gave it back)")
    }
    if let cursor = message.cursor {
      add("cursor", UntrustedText(cursor.text).safe(for: .line, limit: 200))
    }
    if let seq = message.seq { add("number", String(seq)) }
    if message.hasMarks { add(message.marks, in: room, offset) }
    if message.isDeleted { return }
    let text = message.text.raw
    add("text", "\(text.count) characters, \(text.utf8.count) bytes")
    let unsafe = message.text.safe(for: .block) != text
    if unsafe { add("", "not all of it can be shown as it came") }
  }

  package init(of item: OutboxItem, offset: (Timestamp) -> Int) {
    let state =
      switch item.state {
      case .pending: "waits for the line"
      case .sending: "on its way"
      case .unsure: "may have arrived: the line was lost before the answer"
      case .failed(let reason): "failed: " + reason.safe(for: .line, limit: 500)
      }
    add("state", state)
    add("entered", Self.exact(item.time, offset))
    add("nonce", item.post.nonce)
    add("text", "\(item.post.text.count) characters, \(item.post.text.utf8.count) bytes")
  }

  private mutating func add(
    _ marks: MessageMarks, in room: RoomModel, _ offset: (Timestamp) -> Int
  ) {
    if marks.isDeleted { add("deleted", "its text is gone, here too") }
    if marks.isEdited {
      add("edited", marks.editedAt.map { Self.exact($0, offset) } ?? "the server does not say when")
    }
    if let target = marks.replyTo {
      add("answers", UntrustedText(target).safe(for: .line, limit: 200))
    }
    for reaction in marks.reactions {
      let names = reaction.names.map { $0.safe(for: .nick) }.filter { !$0.isEmpty }
      let more = reaction.count - names.count
      let others = !names.isEmpty && more > 0 ? " and \(more) more" : ""
      let who = names.isEmpty ? "" : ": " + names.joined(separator: ", ") + others
      add("reaction", room.chip(of: reaction) + who)
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    guard !value.isEmpty else { return }
    lines.append(Line(name: name, value: value))
  }

  private static func exact(_ time: Timestamp, _ offset: (Timestamp) -> Int) -> String {
    let local = LocalTime(time, offset: offset)
    let seconds = Int(time.milliseconds.flooredQuotient(1_000).flooredRemainder(60))
    let milliseconds = time.milliseconds.flooredRemainder(1_000)
    let fraction = milliseconds == 0 ? "" : "." + String(milliseconds + 1_000).dropFirst()
    return "\(local.date) \(local.clock):\(twoDigits(seconds))\(fraction) (\(time.iso8601))"
  }
}

struct DetailsPage {
  let details: MessageDetails
  let theme: Theme

  func draw(on canvas: inout Canvas, rows: Range<Int>) {
    let page = ChoicePage(
      heading: "Message", position: "i", empty: "Nothing more is known.", theme: theme)
    let indent = canvas.width < 40 ? 2 : 16
    var lines: [ChoicePage.Row] = []
    for line in details.lines {
      let name = Span(column: 1, text: cut(line.name, to: 14), style: theme["help.key"])
      let wrapped = wrap(line.value, width: max(1, canvas.width - indent - 1), most: 20).rows
      if indent < 16, !line.name.isEmpty {
        lines.append(ChoicePage.Row(spans: [name], isChosen: false))
      }
      for (index, text) in wrapped.enumerated() {
        let value = Span(column: indent, text: text, style: theme["help.text"])
        let spans = indent == 16 && index == 0 ? [name, value] : [value]
        lines.append(ChoicePage.Row(spans: spans, isChosen: false))
      }
    }
    page.draw(lines, on: &canvas, in: rows)
  }
}
