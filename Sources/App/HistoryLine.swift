import Channel
import JSON
import Room
import Store
import Text

/// A message of the history as a line: JSON for programs, text and HTML for people.
nonisolated enum HistoryLine {
  /// Where something was said.
  struct Place: Equatable {
    var server: String
    var room: String

    init(_ message: HistoryMessage) {
      server = message.server
      room = message.room
    }
  }

  // MARK: JSON

  /// One line. `time` is the server's, `seen` that of the arrival where the server gave none.
  static func json(_ message: HistoryMessage) -> String {
    let inner = message.kept.message
    var members: [JSON.Member] = [
      .init("server", .string(message.server)), .init("room", .string(message.room)),
      .init("id", .string(inner.id)),
    ]
    if let author = inner.author { members.append(.init("author", .string(author.raw))) }
    members.append(.init("text", .string(inner.text.raw)))
    members.append(
      .init(inner.time == nil ? "seen" : "time", .string(message.kept.time.writable.iso8601)))
    if let nonce = inner.nonce { members.append(.init("nonce", .string(nonce))) }
    if let cursor = inner.cursor { members.append(.init("cursor", cursor)) }
    members.append(.init("mine", .bool(inner.isMine)))
    if inner.hasMarks {
      members.append(.init("marks", (try? JSON.parse(StoreMarks.text(inner.marks))) ?? .null))
    }
    return JSON.object(members).text
  }

  /// Nil where the line is no message.
  static func read(_ line: ArraySlice<UInt8>) -> HistoryMessage? {
    guard let value = try? JSON.parse(line.span.bytes, depth: 8), case .object(let members) = value
    else { return nil }
    var server: String?
    var room: String?
    var time: Timestamp?
    var seen: Timestamp?
    var message = ChatMessage(id: "", author: nil, text: UntrustedText(""))
    var hasText = false
    for member in members {
      switch (member.key, member.value) {
      case ("server", .string(let text)): server = text
      case ("room", .string(let text)): room = text
      case ("id", .string(let text)): message.id = text
      case ("author", .string(let text)): message.author = UntrustedText(text)
      case ("text", .string(let text)):
        message.text = UntrustedText(text)
        hasText = true
      case ("time", .string(let text)): time = Timestamp(iso8601: text)
      case ("seen", .string(let text)): seen = Timestamp(iso8601: text)
      case ("nonce", .string(let text)): message.nonce = text
      case ("cursor", let cursor): message.cursor = cursor
      case ("mine", .bool(let isMine)): message.isMine = isMine
      case ("marks", let marks): message.marks = StoreMarks.read(marks.text)
      default: break
      }
    }
    guard let server, let room, hasText, !message.id.isEmpty, let moment = time ?? seen else {
      return nil
    }
    message.time = time
    return HistoryMessage(
      server: server, room: room, kept: KeptMessage(message: message, time: moment, place: 0))
  }

  // MARK: HTML

  static let htmlHead = """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>Parlour: history</title>
    <style>body{font-family:sans-serif;max-width:60em;margin:auto;padding:1em}
    p{margin:.2em 0;white-space:pre-wrap;overflow-wrap:anywhere}time{color:#666}.mine b{color:#06c}</style>
    </head><body>

    """

  static func htmlTail(isEmpty: Bool) -> String {
    (isEmpty ? "" : "</section>\n") + "</body></html>\n"
  }

  static func htmlHeading(_ place: Place, isFirst: Bool) -> String {
    (isFirst ? "" : "</section>\n")
      + "<section><h2>#\(escaped(place.room))</h2><p>\(escaped(place.server))</p>\n"
  }

  static func html(_ message: HistoryMessage) -> String {
    let inner = message.kept.message
    let time = message.kept.time.iso8601
    let author = inner.author.map { "<b><bdi>\(escaped($0.raw))</bdi></b> " } ?? ""
    return "<p\(inner.isMine ? " class=\"mine\"" : "")><time datetime=\"\(time)\">\(time)</time> "
      + "\(author)<bdi>\(escaped(inner.text.raw))</bdi>\(remark(inner).map { " <i>\($0)</i>" } ?? "")</p>\n"
  }

  /// What is to be known beside the text.
  static func remark(_ message: ChatMessage) -> String? {
    guard message.hasMarks else { return nil }
    if message.isDeleted { return "message deleted" }
    return message.marks.isEdited ? "(edited)" : nil
  }

  /// No markup is left in it, and no control that HTML forbids or that turns text around.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in UntrustedText(text).safe(for: .block, limit: .max).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Such as 2026-11-30 08:59, by the clock here.
  static func local(_ moment: Timestamp, _ offset: (Timestamp) -> Int) -> String {
    let here = Timestamp(milliseconds: moment.milliseconds + Int64(offset(moment)) * 1_000)
    let text = here.iso8601
    guard let mark = text.firstIndex(of: "T") else { return text }
    return text[..<mark] + " " + text[text.index(after: mark)...].prefix(5)
  }
}

/// Text for a person or a pipe. On a terminal it can do no harm; in a pipe texts are whole, with one message a line.
nonisolated struct HistoryOutput {
  let isTerminal: Bool

  /// Time, room, author and text in a line.
  func line(_ message: HistoryMessage, offset: (Timestamp) -> Int) -> String {
    let time = HistoryLine.local(message.kept.time, offset)
    let text = with(message, line(message.kept.message.text))
    return "\(time)  #\(word(message.room))  \(author(message))  \(text)"
  }

  func heading(_ place: HistoryLine.Place) -> String {
    "#\(word(place.room)) · \(word(place.server))"
  }

  /// As in `line`, without the room, and the text in as many lines as it has.
  func block(_ message: HistoryMessage, offset: (Timestamp) -> Int) -> String {
    let time = HistoryLine.local(message.kept.time, offset)
    let text = message.kept.message.text
    let lines = isTerminal ? text.safe(for: .plainOutput, limit: .max) : text.raw
    let whole = with(message, lines.replacing("\n", with: "\n\t"))
    return "\(time)  \(author(message))  \(whole)"
  }

  private func with(_ message: HistoryMessage, _ text: String) -> String {
    guard let remark = HistoryLine.remark(message.kept.message) else { return text }
    return text.isEmpty ? remark : "\(text) \(remark)"
  }

  private func line(_ text: UntrustedText) -> String {
    isTerminal ? text.safe(for: .line, limit: 400) : text.raw.replacing("\n", with: " ")
  }

  private func author(_ message: HistoryMessage) -> String {
    guard let author = message.kept.message.author else { return "-" }
    return isTerminal ? author.safe(for: .nick) : author.raw.replacing("\n", with: " ")
  }

  private func word(_ text: String) -> String {
    isTerminal ? UntrustedText(text).safe(for: .line, limit: 200) : text
  }
}
