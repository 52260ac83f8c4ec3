import Channel
import Room
import Text

/// Turns entries into rows, one entry at a time and only those that are asked for.
struct TimelineBlocks {
  let room: RoomModel
  let theme: Theme
  let offset: (Timestamp) -> Int
  let width: Int
  let isNarrow: Bool
  /// The first entry that `/clear` left.
  let first: Int
  /// The first entry behind messages that stand on disk only.
  let gapIndex: Int?
  /// The entry that the rule of what is new stands above, and how many messages that are.
  let unread: Unread?
  let nickWidth: Int
  let reading: ReadingLooks

  struct Unread: Equatable {
    var index: Int
    var count: Int
    var mentions: Int
  }

  /// Longer messages are not looked at as a whole.
  static let mostCharacters = 20_000
  /// What a person may ask to see of a message.
  static let mostUnfolded = 200_000
  static let mostUnfoldedRows = 5_000

  init(
    room: RoomModel, view: ViewState, theme: Theme, offset: @escaping (Timestamp) -> Int,
    width: Int
  ) {
    self.room = room
    self.theme = theme
    self.offset = offset
    self.width = max(1, width)
    reading = ReadingLooks(view)
    isNarrow = width < 60
    first = room.firstIndex(after: view.clearedUpTo)
    gapIndex = room.gapIndex
    unread = room.unread(in: view)
    nickWidth = Self.nickWidth(of: room, around: view.anchor, reading)
  }

  var last: Int { room.entries.count - 1 }
  var isEmpty: Bool { first > last }
  /// Something stands above that was cleared from the screen.
  var isCleared: Bool { first > 0 }

  /// The rows of an entry, with the rules that stand above it.
  func rows(at index: Int) -> [TimelineRow] {
    let entry = room.entries[index]
    let time = LocalTime(entry.time, offset: offset)
    let before = index > first ? room.entries[index - 1] : nil
    let timeBefore = before.map { LocalTime($0.time, offset: offset) }
    var rows: [TimelineRow] = []
    if index == first, room.past == .asked {
      rows.append(
        TimelineRow(spans: [
          Span(
            column: textColumn, text: cut("… older messages are asked for", to: textWidth),
            style: theme["chat.control"])
        ]))
    }
    if timeBefore?.day != time.day {
      rows.append(rule(time.date, width: width, style: theme["chat.date"]))
    }
    if index == gapIndex {
      rows.append(gapRow)
    }
    if let unread, unread.index == index {
      rows.append(rule("\(unread.count) new", width: width, style: theme["chat.unread"]))
    }
    var line = EntryLine(
      entry: entry, room: room, theme: theme, time: time, reading: reading)
    if rows.isEmpty, let before, let timeBefore {
      line.repeatsTime = timeBefore == time
      line.repeatsNick =
        before.speaker != nil && before.speaker == entry.speaker
        && abs(time.minute - timeBefore.minute) < 5
    }
    return rows + self.rows(of: line)
  }

  private var gapRow: TimelineRow {
    var row = rule(
      "what was said in between is read when you come to it", width: width, line: "┄",
      style: theme["chat.date"])
    row.target = .gap
    if reading.selected == .gap {
      row.spans.append(Span(column: 0, text: "▸", style: theme["popup.selected"]))
    }
    return row
  }

  /// What was typed and is not known to have arrived, at most that many rows: the latest.
  func outboxRows(most: Int) -> [TimelineRow] {
    guard most > 0 else { return [] }
    var blocks: [[TimelineRow]] = []
    var count = 0
    for item in room.outbox.reversed() where count < most {
      let time = LocalTime(item.time, offset: offset)
      let block = rows(
        of: EntryLine(item: item, room: room, theme: theme, time: time, reading: reading))
      blocks.append(block)
      count += block.count
    }
    let rows = Array(blocks.reversed().joined())
    let hidden = room.outbox.count - blocks.count
    guard hidden > 0 || rows.count > most else { return rows }
    let words = hidden > 0 ? "… \(hidden) more waiting" : "…"
    let more = TimelineRow(spans: [
      Span(column: textColumn, text: cut(words, to: textWidth), style: theme["chat.pending"])
    ])
    return [more] + rows.suffix(most - 1)
  }

  private static func nickWidth(
    of room: RoomModel, around anchor: ViewState.Anchor?, _ reading: ReadingLooks
  ) -> Int {
    let edge = anchor.map { room.firstIndex(after: $0.serial) } ?? room.entries.count
    var most = max(3, columns(of: reading.name(UntrustedText(room.nick).safe(for: .nick))))
    let sample = room.entries[max(0, edge - 200)..<edge]
    for entry in chain(sample, room.entries.suffix(5)) where most < 12 {
      if case .message(let message) = entry.kind, let author = message.author {
        most = max(most, columns(of: reading.name(author.safe(for: .nick))))
      }
    }
    return min(most, 12)
  }

  private static func chain(
    _ one: ArraySlice<TimelineEntry>, _ other: ArraySlice<TimelineEntry>
  ) -> some Sequence<TimelineEntry> {
    [one, other].joined()
  }
}

extension TimelineEntry {
  /// Who speaks; nil for a notice.
  fileprivate var speaker: Speaker? {
    guard case .message(let message) = kind else { return nil }
    return Speaker(author: message.author, isMine: message.isMine)
  }
}

private struct Speaker: Equatable {
  var author: UntrustedText?
  var isMine: Bool
}
