import Channel
import Text

extension WindowTag {
  /// The sign of its connection, the same as in the status line, and the part of the theme it is drawn in.
  var sign: (text: String, part: String) {
    switch connection {
    case .online: ("●", "status.online")
    case .connecting(let connecting):
      if case .waiting = connecting.phase {
        ("◌", "status.reconnecting")
      } else {
        ("◐", "status.connecting")
      }
    case .offline(.idle), .offline(.stopped), .offline(.closed): ("○", "status.offline")
    case .offline(.refused), .offline(.gaveUp): ("✕", "status.error")
    }
  }

  var isOnline: Bool {
    if case .online = connection { true } else { false }
  }

  /// Made safe.
  var name: String {
    let name = UntrustedText(room).safe(for: .line, limit: 80)
    return name.hasPrefix("#") ? name : "#" + name
  }

  /// Its name, with the server where there are several.
  package var label: String {
    guard let server else { return name }
    return name + "@" + UntrustedText(server).safe(for: .line, limit: 80)
  }

  /// Such as "+3 !1".
  var counts: String {
    var words: [String] = []
    if unread > mentions { words.append("+\(Self.shown(unread - mentions))") }
    if mentions > 0 { words.append("!\(Self.shown(mentions))") }
    return words.joined(separator: " ")
  }

  private static func shown(_ count: Int) -> String { count > 999 ? "999+" : "\(count)" }

  /// The part of the theme for its name, nil where nothing is to be said of it.
  var part: String? {
    if isMuted { return "rooms.muted" }
    if mentions > 0 { return "rooms.mention" }
    return unread > 0 ? "rooms.unread" : nil
  }
}

/// The windows in one row: the one in front, then those where something was said, then as many others as fit.
struct WindowStrip {
  let list: WindowList
  let theme: Theme

  /// A window, or how many more there are.
  struct Piece {
    var text: String
    var column: Int
    var style: Style
    /// The index of the window.
    var window: Int?
  }

  /// What stands in the columns; nothing where not even the first one fits.
  func pieces(in range: Range<Int>) -> [Piece] {
    let order = order(most: range.count / 4)
    var pieces: [Piece] = []
    var left = range.lowerBound
    for (shown, index) in order.enumerated() {
      let tag = list.tag(index)
      let words = words(of: tag)
      let start = left + (shown == 0 ? 0 : 2)
      let rest = list.count - shown - 1
      let more = rest > 0 ? "  +\(rest) more" : ""
      let end = start + Text.columns(of: words)
      guard end + Text.columns(of: more) <= range.upperBound else {
        if shown == 0 { return narrowest(words, others: rest, window: index, in: range) }
        let word = "+\(rest + 1) more"
        pieces.append(Piece(text: word, column: start, style: theme["status"]))
        return pieces
      }
      let style = theme[index == list.current ? "rooms.current" : tag.part ?? "status"]
      pieces.append(Piece(text: words, column: start, style: style, window: index))
      left = end
    }
    let rest = list.count - order.count
    if rest > 0 {
      pieces.append(Piece(text: "  +\(rest) more", column: left, style: theme["status"]))
    }
    return pieces
  }

  /// The one in front, cut, and how many others there are; nothing where hardly a sign would be left of it.
  private func narrowest(
    _ words: String, others: Int, window: Int, in range: Range<Int>
  ) -> [Piece] {
    let word = others > 0 ? "+\(others)" : ""
    let room = range.count - (word.isEmpty ? 0 : Text.columns(of: word) + 2)
    guard room >= 5 else { return [] }
    let name = cut(words, to: room)
    let first = Piece(
      text: name, column: range.lowerBound, style: theme["rooms.current"], window: window)
    guard others > 0 else { return [first] }
    let column = range.lowerBound + Text.columns(of: name) + 2
    return [first, Piece(text: word, column: column, style: theme["status"])]
  }

  /// The columns that all of it would take, as far as that matters.
  func wanted(most: Int) -> Int {
    var width = 0
    for index in order(most: most / 4) {
      width += (width == 0 ? 0 : 2) + Text.columns(of: words(of: list.tag(index)))
      if width >= most { return most }
    }
    return width
  }

  private func words(of tag: WindowTag) -> String {
    var words = "\(tag.number) \(cut(tag.name, to: 20))"
    if let server = tag.server { words += "@" + cut(server, to: 24) }
    if !tag.counts.isEmpty { words += " " + tag.counts }
    if tag.hasDraft, tag.number != list.current + 1 { words += " ✎" }
    return tag.isOnline ? words : tag.sign.text + " " + words
  }

  private func order(most: Int) -> [Int] {
    var result = [list.current]
    for index in list.active where index != list.current && result.count < most {
      result.append(index)
    }
    var seen = Set(result)
    for index in 0..<list.count where result.count < most && seen.insert(index).inserted {
      result.append(index)
    }
    return result
  }
}
