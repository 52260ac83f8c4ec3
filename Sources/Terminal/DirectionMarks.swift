import Screen

/// What stands behind the letters of cells to keep text that is written from right to left apart: nothing that takes a
/// column. A terminal keeps such marks with the cell before them, so that an isolate opens behind the cell to its left.
struct DirectionMarks: Equatable {
  private var scalars: [Int: [UInt32]] = [:]

  init() {}

  init(_ grid: Grid) {
    // In the first column there is no cell that could hold the opening one.
    for isolate in grid.isolates where isolate.columns.lowerBound > 0 {
      add(isolate.opening, behind: isolate.columns.lowerBound - 1, row: isolate.row, grid)
      add(GridIsolate.end, behind: isolate.columns.upperBound - 1, row: isolate.row, grid)
    }
  }

  var isEmpty: Bool { scalars.isEmpty }

  subscript(place: Int) -> [UInt32] { scalars.isEmpty ? [] : scalars[place] ?? [] }

  /// Where they differ from others, and other places, in order.
  func places(unlike others: DirectionMarks, with more: [Int]) -> [Int] {
    guard self != others else { return more }
    let changed = Set(scalars.keys).union(others.scalars.keys).filter { self[$0] != others[$0] }
    return changed.union(more).sorted()
  }

  private mutating func add(
    _ scalar: Unicode.Scalar, behind column: Int, row: Int, _ grid: Grid
  ) {
    // The right half of a wide cell is written with its left one.
    let isHalf = column > 0 && grid[row: row, column: column].text.isEmpty
    scalars[row * grid.width + column - (isHalf ? 1 : 0), default: []].append(scalar.value)
  }
}

extension [CellPiece] {
  /// Puts marks behind the last of them; a cell of ncurses has room for four, and accents make way.
  mutating func add(_ marks: [UInt32]) {
    guard !marks.isEmpty, let last = indices.last else { return }
    let kept = self[last].scalars.prefix(5 - Swift.min(4, marks.count))
    self[last].scalars = [UInt32](kept + marks.prefix(4))
  }
}
