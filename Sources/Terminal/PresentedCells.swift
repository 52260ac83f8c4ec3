import CNcurses
import Screen

/// From grid to window, cell by cell.
extension Presenter {
  /// What became of a row.
  struct RowChange {
    var isWritten = false
    /// A cell of what was written holds more than a few bytes.
    var mayHavePicture = false
  }

  /// Returns what changed in each row.
  func write(_ grid: Grid) -> [RowChange] {
    var changed = [RowChange](repeating: RowChange(), count: height)
    let isSame = grid.width == width && grid.height == height
    let wanted = isSame ? grid.cells : fitted(grid)
    // A blank window is what there is after anything that disturbed the screen.
    let shown = shownCells ?? [Cell](repeating: .blank, count: width * height)
    let marks = isSame && takesMarks ? DirectionMarks(grid) : DirectionMarks()
    let marksBefore = shownMarks
    shownMarks = marks
    for place in marks.places(unlike: marksBefore, with: wanted.places(unlike: shown)) {
      let before = cellsWritten
      let row = place / width
      put(wanted, place, row: row, column: place - row * width)
      guard cellsWritten > before else { continue }
      changed[row].isWritten = true
      if wanted[place].text.utf8.count > 4 { changed[row].mayHavePicture = true }
    }
    shownCells = wanted
    return changed
  }

  /// Writes a part of the screen; false where the screen is not known, is of another size, or holds there what is more than
  /// cells.
  func write(_ piece: GridPiece) -> Bool {
    let rows = piece.place.rows
    guard var shown = shownCells, piece.place.isOf(width: width, height: height),
      piece.grid.links.isEmpty, piece.grid.isolates.isEmpty, shownMarks.isEmpty,
      rowsWithPictures.isDisjoint(with: rows),
      !shownLinks.contains(where: { rows.contains($0.row) })
    else { return false }
    // Changed in place.
    shownCells = nil
    let cells = piece.grid.cells
    let columns = piece.grid.width
    var places: [Int] = []
    for row in 0..<piece.grid.height {
      let own = row * columns..<(row + 1) * columns
      let start = (rows.lowerBound + row) * width + piece.place.columns.lowerBound
      for place in cells.places(in: own, unlike: shown, from: start) {
        places.append(start + place - own.lowerBound)
        shown[start + place - own.lowerBound] = cells[place]
      }
    }
    for place in places {
      put(shown, place, row: place / width, column: place % width)
    }
    shownCells = shown
    return true
  }

  func park(_ cursor: Grid.Position?) {
    guard let cursor, (0..<height).contains(cursor.row), (0..<width).contains(cursor.column) else {
      curs_set(0)
      return
    }
    wmove(pc_window(), Int32(cursor.row), Int32(cursor.column))
    curs_set(1)
  }

  /// The console of Linux would show them.
  private var takesMarks: Bool { isolatesText && kind.isLikeXterm && encoding != .ascii }

  private func put(_ cells: [Cell], _ place: Int, row: Int, column: Int) {
    let cell = cells[place]
    // The right half was written with its left one.
    if cell.text.isEmpty, column > 0, !cells[place - 1].text.isEmpty { return }
    let isWide = column + 1 < width && cells[place + 1].text.isEmpty && !cell.text.isEmpty
    let (bits, pair) = pairs.attributes(of: cell.style)
    if let byte = cell.text.utf8.first, cell.text.utf8.count == 1, (0x20...0x7E).contains(byte),
      !isWide, shownMarks[place].isEmpty
    {
      pc_put_byte(Int32(row), Int32(column), byte, bits, pair)
      cellsWritten += 1
      return
    }
    var pieces = cellPieces(of: cell.text, columns: isWide ? 2 : 1, encoding: encoding)
    pieces.add(shownMarks[place])
    if isWide {
      // Blank first, so that no half of what stood there is left.
      put([0x20], row, column, bits, pair)
      put([0x20], row, column + 1, bits, pair)
    }
    var target = column
    for piece in pieces {
      put(piece.scalars, row, target, bits, pair)
      target += piece.columns
    }
  }

  private func put(_ scalars: [UInt32], _ row: Int, _ column: Int, _ bits: UInt32, _ pair: Int32) {
    pc_put(Int32(row), Int32(column), scalars, Int32(scalars.count), bits, pair)
    cellsWritten += 1
  }

  /// The grid in the size of the screen. A wide cluster that the edge cuts keeps its left cell, which is then
  /// shown as a stand-in.
  private func fitted(_ grid: Grid) -> [Cell] {
    var cells = [Cell](repeating: .blank, count: width * height)
    for row in 0..<min(height, grid.height) {
      for column in 0..<min(width, grid.width) {
        cells[row * width + column] = grid[row: row, column: column]
      }
    }
    return cells
  }
}
