import Channel

/// The time line of the last hours: a cell for each piece of time, by the worst that was in it.
struct ConnectionStrip {
  let record: ConnectionRecord
  let clock: Clock
  let theme: Theme

  /// The windows that a strip may show.
  private static let windows: [(length: Duration, words: String)] = [
    (.seconds(600), "10 min"), (.seconds(1800), "30 min"), (.seconds(3600), "1 h"),
    (.seconds(3 * 3600), "3 h"), (.seconds(6 * 3600), "6 h"), (.seconds(12 * 3600), "12 h"),
    (.seconds(24 * 3600), "24 h"),
  ]

  /// The smallest window that holds all that is known.
  var window: (length: Duration, words: String) {
    let known = record.spans.first.map { clock.now - $0.since } ?? .zero
    return Self.windows.first { known <= $0.length } ?? Self.windows[Self.windows.count - 1]
  }

  func spans(width: Int, column: Int) -> [Span] {
    guard width > 0 else { return [] }
    let step = window.length / width
    var result: [Span] = []
    for index in 0..<width {
      let end = Instant(clock.now.sinceStart - step * (width - 1 - index))
      let start = Instant(end.sinceStart - step)
      let (sign, part) = Self.look(record.worst(from: start, to: end))
      if let last = result.last, last.style == theme[part] {
        result[result.count - 1].text = last.text + sign
      } else {
        result.append(Span(column: column + index, text: sign, style: theme[part]))
      }
    }
    return result
  }

  /// Told apart by the sign, not by the colour alone.
  static func look(_ phase: ConnectionRecord.Phase?) -> (sign: String, part: String) {
    switch phase {
    case .online: ("█", "status.online")
    case .dialling: ("▒", "status.connecting")
    case .waiting: ("░", "status.reconnecting")
    case .off: ("·", "status.offline")
    case nil: (" ", "text")
    }
  }

  static let legend = "█ on line  ▒ dialling  ░ waiting  · off"
}
