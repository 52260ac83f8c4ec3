/// One column of one row. The right half of a wide cluster is a cell of its own with an empty text.
package struct Cell: Equatable, Sendable {
  /// One cluster, made safe; empty for the right half of a wide one.
  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style) {
    self.text = text
    self.style = style
  }

  package static let blank = Cell(" ", .plain)
}

/// The screen as a value: what `render` makes and a presenter shows.
package struct Grid: Equatable, Sendable {
  package let width: Int
  package let height: Int
  package private(set) var cells: [Cell]
  /// Where the hardware cursor is parked; nil hides it.
  package var cursor: Position?
  /// Cells that lead somewhere, row by row from the left.
  package var links: [GridLink] = []
  /// Cells that are kept apart as to the direction of writing, row by row from the left.
  package var isolates: [GridIsolate] = []

  package struct Position: Equatable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  package init(width: Int, height: Int, fill: Cell = .blank) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = [Cell](repeating: fill, count: self.width * self.height)
  }

  package subscript(row row: Int, column column: Int) -> Cell {
    get { cells[row * width + column] }
    set { cells[row * width + column] = newValue }
  }

  /// Puts printable ASCII into the cells from that column on, which are there.
  mutating func write(
    _ ascii: some Sequence<UInt8>, row: Int, column: Int, style: Style
  ) {
    var place = row * width + column
    for byte in ascii {
      cells[place] = Cell(Self.ascii[Int(byte & 0x7F)], style)
      place += 1
    }
  }

  private static let ascii = (UInt8(0)..<0x80).map { String(Unicode.Scalar($0)) }

  /// The rows as text, trailing blanks dropped: what the goldens hold.
  package var text: String {
    (0..<height).map { row in
      var line = ""
      for column in 0..<width { line += self[row: row, column: column].text }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

extension [Cell] {
  /// Where the cells differ from others, in order.
  package func places(unlike others: [Cell]) -> [Int] {
    places(in: 0..<Swift.min(count, others.count), unlike: others, from: 0)
  }

  /// Where those cells differ from the same number of others, which begin at `start`, in order.
  package func places(in cells: Range<Int>, unlike others: [Cell], from start: Int) -> [Int] {
    var places: [Int] = []
    // Most parts of the screen are as they were, byte for byte: looking at those first costs a tenth.
    let part = 40
    withUnsafeBytes { own in
      others.withUnsafeBytes { other in
        for begin in stride(from: cells.lowerBound, to: cells.upperBound, by: part) {
          let end = Swift.min(begin + part, cells.upperBound)
          let away = start - cells.lowerBound
          if isSame(own.cells(begin..<end), other.cells(begin + away..<end + away)) { continue }
          for place in begin..<end where self[place] != others[place + away] {
            places.append(place)
          }
        }
      }
    }
    return places
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func cells(_ range: Range<Int>) -> Slice<Self> {
    let size = MemoryLayout<Cell>.stride
    return self[range.lowerBound * size..<range.upperBound * size]
  }
}

/// Whether the bytes are the same: as many of both, a multiple of 8.
private func isSame(
  _ own: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>
) -> Bool {
  let own = UnsafeRawBufferPointer(rebasing: own)
  let other = UnsafeRawBufferPointer(rebasing: other)
  var difference: UInt64 = 0
  for offset in stride(from: 0, to: own.count, by: 8) {
    difference |=
      own.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
  return difference == 0
}
