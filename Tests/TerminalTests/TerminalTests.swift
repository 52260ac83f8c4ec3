import CNcurses
import Glibc
import Screen
import Terminal
import Testing

/// ncurses and the guard know one terminal per process, so these suites run one after the other.
@Suite(.serialized) enum TerminalTests {}

/// A presenter without a terminal: real ncurses that writes to /dev/null.
@MainActor
func withPresenter(
  type: String = "xterm-256color", encoding: TextEncoding = .utf8, depth: Theme.Depth = .full,
  width: Int, height: Int, output: Int32? = nil, _ body: (Presenter) throws -> Void
) throws {
  _ = TextEncoding.adopt()
  let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
  defer { close(nowhere) }
  let presenter = try Presenter(
    kind: TerminalKind(type: type), encoding: encoding, depth: depth, input: nowhere,
    output: output ?? nowhere)
  defer { presenter.leave() }
  presenter.resize(width: width, height: height)
  try body(presenter)
}

/// A grid of plain text, a cluster for each character; those in `wide` take two cells.
func grid(_ rows: [String], width: Int, style: Style = .plain) -> Grid {
  let wide: Set<Character> = ["中", "文", "한", "🙂", "🇩🇪", "👩‍👩‍👧", "\u{1FAE8}", "❤️"]
  var grid = Grid(width: width, height: rows.count)
  for (row, text) in rows.enumerated() {
    var column = 0
    for character in text where column < width {
      grid[row: row, column: column] = Cell(String(character), style)
      if wide.contains(character), column + 1 < width {
        grid[row: row, column: column + 1] = Cell("", style)
        column += 1
      }
      column += 1
    }
  }
  return grid
}

/// One cell as ncurses has it.
struct ReadCell: Equatable {
  var scalars: [UInt32]
  var attributes: UInt32
  var pair: Int32
}

@MainActor
func readCell(row: Int, column: Int) -> ReadCell? {
  var scalars = [UInt32](repeating: 0, count: 5)
  var attributes: UInt32 = 0
  var pair: Int32 = 0
  let count = pc_read(Int32(row), Int32(column), &scalars, &attributes, &pair)
  guard count >= 0 else { return nil }
  return ReadCell(
    scalars: Array(scalars[..<Int(count)]), attributes: attributes & 0xFFFF_0000, pair: pair)
}

/// A row as ncurses has it, the right halves left out.
@MainActor
func readRow(_ row: Int, width: Int) -> String {
  var text = String.UnicodeScalarView()
  var column = 0
  while column < width, let cell = readCell(row: row, column: column), let base = cell.scalars.first
  {
    for scalar in cell.scalars { text.append(Unicode.Scalar(scalar) ?? "?") }
    column += max(1, Int(pc_width(base)))
  }
  return String(text)
}
