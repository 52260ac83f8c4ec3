import Text

/// A grid that is drawn on by columns, and that keeps its promise about wide clusters: each is followed
/// by an empty cell of its own row, whatever is drawn over it.
struct Canvas {
  private(set) var grid: Grid
  let base: Style
  /// The columns of the grid that are drawn on, and where they begin: the rest is not there for what is drawn.
  private var origin = 0
  private(set) var width: Int

  init(width: Int, height: Int, style: Style) {
    base = style
    grid = Grid(width: width, height: height, fill: Cell(" ", style))
    self.width = grid.width
  }

  var height: Int { grid.height }

  /// Draws safe text from a column, inside `limit` (the first column that is not the text's any more).
  /// Gives the column behind it.
  @discardableResult
  mutating func put(
    _ safe: String, row: Int, column: Int, limit: Int? = nil, style: Style
  ) -> Int {
    put(clusters(of: safe), row: row, column: column, limit: limit, style: style)
  }

  @discardableResult
  mutating func put(
    _ clusters: [Cluster], row: Int, column: Int, limit: Int? = nil, style: Style
  ) -> Int {
    let limit = min(limit ?? width, width)
    guard (0..<height).contains(row), column >= 0 else { return column }
    let first = column
    var column = column
    for cluster in clusters {
      guard column < limit else { break }
      if column + cluster.width <= limit {
        set(Cell(cluster.text, style), row: row, column: column, width: cluster.width)
        column += cluster.width
      } else {
        // A wide cluster in the last column of its place: a stand-in, since half of it cannot be shown.
        set(Cell(limit - first == 1 ? "□" : " ", style), row: row, column: column, width: 1)
        column += 1
      }
    }
    return column
  }

  /// Gives the cells of a row, from a column on, one look without text.
  mutating func fill(row: Int, columns: Range<Int>? = nil, style: Style) {
    guard (0..<height).contains(row) else { return }
    for column in (columns ?? 0..<width).clamped(to: 0..<width) {
      set(Cell(" ", style), row: row, column: column, width: 1)
    }
  }

  mutating func park(cursorRow row: Int, column: Int) {
    guard width > 0, (0..<height).contains(row) else { return }
    grid.cursor = Grid.Position(row: row, column: origin + min(max(0, column), width - 1))
  }

  /// Draws on some columns as if they were all there are.
  mutating func inside(_ columns: Range<Int>, _ draw: (inout Canvas) -> Void) {
    let (outerOrigin, outerWidth) = (origin, width)
    let columns = columns.clamped(to: 0..<width)
    origin += columns.lowerBound
    width = columns.count
    draw(&self)
    (origin, width) = (outerOrigin, outerWidth)
  }

  mutating func hideCursor() {
    grid.cursor = nil
  }

  private mutating func set(_ cell: Cell, row: Int, column: Int, width: Int) {
    let column = origin + column
    detach(row: row, column: column)
    grid[row: row, column: column] = cell
    if width == 2 {
      detach(row: row, column: column + 1)
      grid[row: row, column: column + 1] = Cell("", cell.style)
    }
  }

  /// Blanks the other half of a wide cluster that is about to lose the half in that cell.
  private mutating func detach(row: Int, column: Int) {
    if grid[row: row, column: column].text.isEmpty, column > 0 {
      grid[row: row, column: column - 1].text = " "
    }
    if column + 1 < grid.width, grid[row: row, column: column + 1].text.isEmpty {
      grid[row: row, column: column + 1].text = " "
    }
  }
}
