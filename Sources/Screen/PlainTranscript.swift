import Channel
package import Room
import Text

/// The chat as finished lines, for screen readers and terminals that cannot place text: what is new since the last time,
/// a line each, in words and without any drawing.
package struct PlainTranscript: Sendable {
  /// How far behind the newest entry one may be put in (missed messages) and still be told.
  private static let depth = 64
  private static let mostRemembered = 100_000

  private var room = ""
  /// What was told, by serial; of notices the text too, since they may be replaced by a newer word in their place.
  private var told: [Int: String] = [:]
  /// What had become of messages when they were told, where something had.
  private var marks: [Int: MessageMarks] = [:]
  private var outbox: [String: OutboxItem.State] = [:]
  private var day: Int?
  private var attempt: (number: Int, isWaiting: Bool)?

  /// What hides in messages is told by its length only, with the number by which `/reveal` tells it.
  package var hidesSpoilers = true
  private var spoilers = SpoilerNumbers()
  package var layout = PlainLayout()

  /// Where there are several, the room is said elsewhere.
  private let saysRoom: Bool

  package init(saysRoom: Bool = true) {
    self.saysRoom = saysRoom
  }

  /// What there is to tell now.
  package mutating func lines(of room: RoomModel, clock: Clock) -> [String] {
    var lines: [String] = []
    if room.room != self.room {
      self.room = room.room
      if saysRoom {
        lines.append("* you are in #\(UntrustedText(room.room).safe(for: .plainOutput))")
      }
      outbox = [:]
    }
    for entry in news(of: room) {
      if let old = entry.old, let message = entry.now.message {
        let text = hiding(message, entry.now.serial)
        lines += PlainChange(of: message, text: text, since: old, in: room, layout).lines
      } else {
        lines += words(for: entry.now, of: room, clock: clock)
      }
    }
    tellOutbox(of: room, &lines)
    tellConnection(of: room, clock: clock, &lines)
    return lines
  }

  /// What is new, and of a message that was told before the form that it had then.
  private mutating func news(of room: RoomModel) -> [(now: TimelineEntry, old: MessageMarks?)] {
    var found: [(now: TimelineEntry, old: MessageMarks?)] = []
    var known = 0
    for entry in room.entries.reversed() {
      let mark = entry.message == nil ? Self.text(of: entry) : ""
      let marks = entry.message?.hasMarks == true ? entry.message?.marks : nil
      if told[entry.serial] == mark {
        known += 1
        if marks != nil || self.marks[entry.serial] != nil, marks != self.marks[entry.serial] {
          found.append((entry, self.marks[entry.serial] ?? MessageMarks()))
          self.marks[entry.serial] = marks
        }
        if known > Self.depth { break }
      } else {
        found.append((entry, nil))
        told[entry.serial] = mark
        self.marks[entry.serial] = marks
      }
    }
    if told.count > Self.mostRemembered {
      let oldest = room.entries.first?.serial ?? .max
      told = told.filter { $0.key >= oldest }
      marks = marks.filter { $0.key >= oldest }
    }
    return found.reversed()
  }

  private static func text(of entry: TimelineEntry) -> String {
    switch entry.kind {
    case .message(let message): message.text.raw
    case .notice(let text, _): text.raw
    }
  }

  /// "09:14 ko: text", or "* text" for what is no message; further lines of a message are set in by two blanks.
  private mutating func words(
    for entry: TimelineEntry, of room: RoomModel, clock: Clock
  ) -> [String] {
    let time = LocalTime(entry.time, offset: clock.offset)
    var lines: [String] = []
    switch entry.kind {
    case .notice(let text, let isError):
      lines = layout.rows(text, first: isError ? "* ! " : "* ")
    case .message(let message):
      if day != time.day { lines.append("* \(time.date)") }
      day = time.day
      let author =
        message.author?.safe(for: .nick, limit: 64)
        ?? (message.isMine ? UntrustedText(room.nick).safe(for: .nick) : nil)
      let who =
        author.map { layout.name($0) + (room.mentionsMe(message) ? " (to you): " : ": ") } ?? ""
      let text = hiding(message, entry.serial)
      lines += PlainChange(of: message, text: text, since: MessageMarks(), in: room, layout)
        .told(who: "\(time.clock) \(who)")
    }
    return lines
  }

  /// The text as far as it may be read at once.
  private mutating func hiding(_ message: ChatMessage, _ serial: Int) -> UntrustedText {
    guard hidesSpoilers, message.text.raw.utf8.contains(0x7C) else { return message.text }
    let safe = message.text.safe(for: .plainOutput)
    guard hasSpoiler(safe) else { return message.text }
    let number = spoilers.number(of: serial)
    return UntrustedText(
      hidingSpoilers(of: safe) { count in
        "[spoiler: \(count == 1 ? "1 character" : "\(count) characters"), /reveal \(number)]"
      })
  }

  /// All of the message with that number, or of the last one that hides something.
  package func spoiler(_ number: Int?, in room: RoomModel) -> [String] {
    guard let number = number ?? spoilers.last else {
      return ["* No message hides anything."]
    }
    guard let message = spoilers.serial(number).flatMap({ room.entry(serial: $0)?.message }) else {
      return ["* No message here that hides something has the number \(number)."]
    }
    let name = layout.name(room.shownName(of: message))
    return layout.rows(message.text, first: "* spoiler \(number), \(name): ")
  }

  // MARK: - What was typed

  private mutating func tellOutbox(of room: RoomModel, _ lines: inout [String]) {
    var now: [String: OutboxItem.State] = [:]
    let isOnline = if case .online = room.connection { true } else { false }
    for item in room.outbox {
      now[item.post.nonce] = item.state
      guard outbox[item.post.nonce] != item.state else { continue }
      let text = Self.short(item.post.text)
      switch item.state {
      case .pending where !isOnline && outbox[item.post.nonce] == nil:
        lines.append("* waits for the line: \(text)")
      case .pending, .sending: break
      case .unsure:
        lines.append("* ! not known whether it arrived, /resend or /drop: \(text)")
      case .failed(let reason):
        lines.append(
          "* ! not sent (\(reason.safe(for: .line, limit: 200))), /resend or /drop: \(text)")
      }
    }
    outbox = now
  }

  private static func short(_ text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    let safe = UntrustedText(String(line)).safe(for: .plainOutput)
    return safe.count > 60 || line.count < text.count ? safe.prefix(60) + "…" : safe
  }

  // MARK: - The line

  /// Attempts and pauses are told once each; that the line is up or lost stands among the entries.
  private mutating func tellConnection(
    of room: RoomModel, clock: Clock, _ lines: inout [String]
  ) {
    guard case .connecting(let connecting) = room.connection else {
      attempt = nil
      return
    }
    let isWaiting: Bool
    let line: String
    switch connecting.phase {
    case .waiting(let until):
      isWaiting = true
      line =
        "* attempt \(connecting.attempt) follows in \((until - clock.now).plainWords);"
        + " Enter on an empty line tries now"
    case .dialling:
      isWaiting = false
      let server = UntrustedText(room.server).safe(for: .plainOutput)
      line =
        "* connecting to \(server)\(connecting.attempt > 1 ? ", attempt \(connecting.attempt)" : "")"
    }
    guard attempt?.number != connecting.attempt || attempt?.isWaiting != isWaiting else { return }
    attempt = (connecting.attempt, isWaiting)
    lines.append(line)
  }
}

extension Duration {
  /// Rounded up to whole seconds: "7 s", "1 min 07 s".
  fileprivate var plainWords: String {
    let words = countdown
    return words.hasPrefix("0") ? String(words.dropFirst()) : words
  }
}
