package import Text

/// Cells of a row that hold text which is written from right to left, to be kept apart from the others.
package struct GridIsolate: Equatable, Sendable {
  package var row: Int
  package var columns: Range<Int>
  /// That of the whole text of which this row is a part; nil goes by the first letter.
  package var direction: WritingDirection?

  package init(row: Int, columns: Range<Int>, direction: WritingDirection? = nil) {
    self.row = row
    self.columns = columns
    self.direction = direction
  }

  /// The marks that are to stand before its first cell and behind its last one.
  package var opening: Unicode.Scalar {
    switch direction {
    case .leftToRight: Isolate.leftToRight
    case .rightToLeft: Isolate.rightToLeft
    case nil: Isolate.byFirstLetter
    }
  }
  package static let end = Isolate.end
}

/// The isolates of a canvas: for each cell the number of the one that it is in, from 1; nothing until there is one.
struct CellIsolates {
  private(set) var isEmpty = true
  private var numbers: [Int] = []
  private var directions: [WritingDirection?] = []

  mutating func begin(_ direction: WritingDirection?, cells: Int) -> Int {
    if isEmpty {
      isEmpty = false
      numbers = [Int](repeating: 0, count: cells)
    }
    directions.append(direction)
    return directions.count
  }

  /// What is drawn over a cell takes it out of the one that it was in.
  mutating func set(_ number: Int, cell: Int) {
    if !isEmpty, numbers.indices.contains(cell) { numbers[cell] = number }
  }

  /// Row by row from the left.
  func found(width: Int) -> [GridIsolate] {
    guard !isEmpty, width > 0 else { return [] }
    var found: [GridIsolate] = []
    for row in 0..<numbers.count / width {
      var column = 0
      while column < width {
        let number = numbers[row * width + column]
        let start = column
        repeat { column += 1 } while column < width && numbers[row * width + column] == number
        if number > 0 {
          found.append(
            GridIsolate(row: row, columns: start..<column, direction: directions[number - 1]))
        }
      }
    }
    return found
  }
}
