/// A row of numbers as bars of eighths of a cell's height.
enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The last numbers that fit, the newest at the right; the highest of them is a full bar. Zero is a blank.
  static func text(_ values: [Double], width: Int) -> String {
    let shown = values.suffix(max(0, width))
    guard let most = shown.max(), most > 0 else {
      return String(repeating: " ", count: shown.count)
    }
    return String(
      shown.map { value -> Character in
        guard value > 0 else { return " " }
        return bars[min(bars.count - 1, Int(value / most * Double(bars.count)))]
      })
  }
}
