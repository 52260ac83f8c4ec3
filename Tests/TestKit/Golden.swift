import Foundation
package import Screen

/// Screens as text files, to be looked at and compared: `Goldens/NAME.txt` beside the test. They are
/// written anew where PARLOUR_RECORD=1 is in the environment.
package enum Golden {
  /// The text of a grid with its cursor; with `styles`, a second block that has a letter for the style of
  /// each cell, and what the letters mean.
  package static func text(of grid: Grid, styles: Bool = false) -> String {
    var text = grid.text + "\n"
    if let cursor = grid.cursor { text += "cursor \(cursor.row) \(cursor.column)\n" }
    return styles ? text + styleBlock(of: grid) : text
  }

  /// The difference to what is recorded, in words; nil where there is none.
  package static func difference(
    _ text: String, _ name: String, testFile: String = #filePath
  ) -> String? {
    let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
      .appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["PARLOUR_RECORD"] == "1" {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return nil
      } catch {
        return "\(name) cannot be recorded: \(error)"
      }
    }
    guard let data = try? Data(contentsOf: file) else {
      return "\(name) is not recorded; run the test with PARLOUR_RECORD=1 and look at the file"
    }
    let recorded = String(decoding: data, as: UTF8.self)
    guard recorded != text else { return nil }
    return "\(name) is not as recorded.\nrecorded:\n\(recorded)\nnow:\n\(text)"
  }

  private static func styleBlock(of grid: Grid) -> String {
    let letters = Array(".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var known: [Style] = []
    var rows: [String] = []
    for row in 0..<grid.height {
      var line = ""
      for column in 0..<grid.width {
        let style = grid[row: row, column: column].style
        if !known.contains(style) { known.append(style) }
        let index = known.firstIndex(of: style) ?? 0
        line.append(letters[min(index, letters.count - 1)])
      }
      rows.append(line)
    }
    let legend = known.enumerated().map { "\(letters[min($0, letters.count - 1)]) \(words($1))" }
    return "\n" + (rows + legend).joined(separator: "\n") + "\n"
  }

  private static func words(_ style: Style) -> String {
    let names: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.reverse, "reverse"),
    ]
    let attributes = names.filter { style.attributes.contains($0.0) }.map { " " + $0.1 }.joined()
    return "\(words(style.foreground)) on \(words(style.background))\(attributes)"
  }

  private static func words(_ color: Color) -> String {
    switch color {
    case .standard: "default"
    case .ansi(let index): "ansi \(index)"
    case .rgb(let value, let indexed, let ansi):
      "#\(String(value | 0x100_0000, radix: 16).dropFirst()) \(indexed) \(ansi)"
    }
  }
}
