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
    let parts = parts(width: canvas.width)
    var column = parts.state.lowerBound
    column = canvas.put(
      parts.variant.state, row: row, column: column, style: theme[words.part])
    column = canvas.put(
      parts.variant.rest + parts.extra, row: row, column: column, style: theme["status"])
    guard !parts.windows.isEmpty else { return }
    canvas.put(" │ ", row: row, column: column, style: theme["status"])
    for piece in parts.windows {
      canvas.put(piece.text, row: row, column: piece.column, style: piece.style)
    }
  }

  /// What is drawn at a column.
  func place(column: Int, width: Int) -> ScreenPlace {
    let parts = parts(width: width)
    if parts.state.contains(column) { return .connection }
    if position != nil, (parts.state.upperBound..<parts.end).contains(column) { return .tail }
    let piece = parts.windows.first {
      ($0.column..<$0.column + columns(of: $0.text)).contains(column)
    }
    return piece?.window.map(ScreenPlace.window) ?? .nothing
  }

  /// What stands on the line, and where.
  private struct Parts {
    var variant: StatusWords.Variant
    var state: Range<Int>
    /// With the stroke before it.
    var extra: String
    var end: Int
    var windows: [WindowStrip.Piece] = []
  }

  private func parts(width: Int) -> Parts {
    // The windows may have half of the line: what is said elsewhere is no less news than the line's state.
    let space = width - 2
    let windows = space < Self.leastForWindows ? nil : windows
    let reserved = windows.map { min($0.wanted(most: space / 2), space / 2) + 3 } ?? 0
    let chosen = choose(width: space - reserved)
    let start = width >= 4 ? 1 : 0
    let state = columns(of: chosen.variant.state) + columns(of: chosen.variant.rest)
    let extra = chosen.extra.isEmpty ? "" : " │ " + chosen.extra
    let end = start + state + columns(of: extra)
    var parts = Parts(
      variant: chosen.variant, state: start..<start + state, extra: extra, end: end)
    // No stroke before nothing.
    if let windows, end + 3 < width - 1 { parts.windows = windows.pieces(in: end + 3..<width - 1) }
    return parts
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
