import Room
import Text

/// The one line of state: the connection first, then where the view is, cut down to what fits.
struct StatusLine {
  let words: StatusWords
  let position: ScrollPosition?
  /// Said where the title row has no place for it.
  let warning: String?
  /// The key that leads to the newest message, where it is to be said.
  var newestKey = ""
  var windows: WindowStrip?
  let theme: Theme

  func draw(on canvas: inout Canvas, row: Int) {
    canvas.fill(row: row, style: theme["status"])
    // The windows may have half of the line: what is said elsewhere is no less news than the line's state.
    let space = canvas.width - 2
    let windows = space < Self.leastForWindows ? nil : windows
    let reserved = windows.map { min($0.wanted(most: space / 2), space / 2) + 3 } ?? 0
    let chosen = choose(width: space - reserved)
    var column = canvas.width >= 4 ? 1 : 0
    column = canvas.put(
      chosen.variant.state, row: row, column: column, style: theme[words.part])
    let rest = chosen.variant.rest + (chosen.extra.isEmpty ? "" : " │ " + chosen.extra)
    column = canvas.put(rest, row: row, column: column, style: theme["status"])
    guard let windows, column + 3 < canvas.width - 1 else { return }
    column = canvas.put(" │ ", row: row, column: column, style: theme["status"])
    windows.draw(on: &canvas, row: row, columns: column..<canvas.width - 1)
  }

  /// With fewer columns the state needs all of them.
  private static let leastForWindows = 36

  /// As much as fits: shorter words of the state rather than no word about the position.
  private func choose(width: Int) -> (variant: StatusWords.Variant, extra: String) {
    for extra in extras {
      for variant in words.variants {
        let wanted =
          columns(of: variant.state) + columns(of: variant.rest)
          + (extra.isEmpty ? 0 : 3 + columns(of: extra))
        if wanted <= width { return (variant, extra) }
      }
    }
    let shortest = words.variants.last ?? StatusWords.Variant(words.sign)
    return (StatusWords.Variant(cut(shortest.state, to: max(0, width))), "")
  }

  private var extras: [String] {
    var result: [String] = []
    if let position {
      let news =
        (position.new > 0 ? " · \(position.new) new" : "")
        + (position.mentions > 0 ? " !\(position.mentions)" : "")
      let end = newestKey.isEmpty ? "" : " · \(newestKey) end"
      result.append("↑ \(position.below) below (\(position.percent) %)" + news + end)
      result.append("↑ \(position.below) below" + news)
      result.append("↑\(position.below)" + news)
    }
    if let warning {
      result = result.map { $0 + " │ " + warning } + [warning] + result
    }
    return result + [""]
  }

  /// The state in the few signs of a tiny screen: "●2!1" for two new messages, one with the own nick.
  static func stub(_ words: StatusWords, unread: TimelineBlocks.Unread?) -> String {
    var text = words.sign
    if let unread {
      text += "\(unread.count)"
      if unread.mentions > 0 { text += "!\(unread.mentions)" }
    }
    return text
  }
}
