import CNcurses
import Screen

/// Gives every pair of foreground and background that is drawn a number of ncurses.
struct ColorPairs {
  /// More pairs than any screen needs; beyond it the terminal's own colours are used.
  static let limit = 4_096

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private let depth: Theme.Depth
  private let colors: Int
  private let limit: Int
  private var numbers: [Pair: Int32] = [:]

  /// `depth` is what the person wants, `colors` and `pairs` are what the terminal has.
  init(depth: Theme.Depth, colors: Int, pairs: Int) {
    self.depth = colors < 8 ? .none : depth
    self.colors = colors
    limit = min(Self.limit, pairs - 1)
  }

  /// The attributes and the pair of a style.
  mutating func attributes(of style: Style) -> (bits: UInt32, pair: Int32) {
    let (bits, foreground, background) = colors(of: style)
    return (bits, number(of: Pair(foreground: foreground, background: background)))
  }

  /// The attributes of a style and the numbers of its colours, -1 for the terminal's own.
  func colors(of style: Style) -> (bits: UInt32, foreground: Int32, background: Int32) {
    var bits: UInt32 = 0
    if style.attributes.contains(.bold) { bits |= pc_bold() }
    if style.attributes.contains(.dim) { bits |= pc_dim() }
    if style.attributes.contains(.italic) { bits |= pc_italic() }
    if style.attributes.contains(.underline) { bits |= pc_underline() }
    if style.attributes.contains(.reverse) { bits |= pc_reverse() }
    let foreground = index(of: style.foreground)
    // Eight colours have their bright forms only as bold letters.
    if colors < 16, foreground >= 8 { bits |= pc_bold() }
    return (bits, within(foreground), within(index(of: style.background)))
  }

  /// The number of a colour, -1 for the terminal's own.
  private func index(of color: Color) -> Int32 {
    switch (color, depth) {
    case (.standard, _), (_, .none): return -1
    case (.ansi(let number), _): return Int32(number & 15)
    case (.rgb(_, _, let ansi), .ansi16): return Int32(ansi & 15)
    case (.rgb(let value, let indexed, let ansi), .indexed256),
      (.rgb(let value, let indexed, let ansi), .full):
      if depth == .full, colors >= 1 << 24 {
        // The lowest values mean the palette there.
        return Int32(max(DirectColor.paletteSize, value & 0xFF_FFFF))
      }
      return colors >= 256 ? Int32(indexed) : Int32(ansi & 15)
    }
  }

  private func within(_ index: Int32) -> Int32 {
    colors < 16 && index >= 8 ? index - 8 : index
  }

  private mutating func number(of pair: Pair) -> Int32 {
    if pair.foreground == -1, pair.background == -1 { return 0 }
    if let known = numbers[pair] { return known }
    let next = Int32(numbers.count + 1)
    guard next <= limit, init_extended_pair(next, pair.foreground, pair.background) == OK else {
      return 0
    }
    numbers[pair] = next
    return next
  }
}
