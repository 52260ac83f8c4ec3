import Text

/// A grid that is drawn on by columns, and that keeps its promise about wide clusters: each is followed
/// by an empty cell of its own row, whatever is drawn over it.
struct Canvas {
  private(set) var grid: Grid
  let base: Style
  /// The columns of the grid that are drawn on, and where they begin: the rest is not there for what is drawn.
  private var origin = 0
  private(set) var width: Int
  /// For each cell the number of its link, from 1; empty until there is one.
  private var links: [Int] = []
  private var targets: [LinkTarget] = []
  private var isolates = CellIsolates()

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
    _ safe: String, row: Int, column: Int, limit: Int? = nil, style: Style,
    emoji: EmojiPolicy = .safe, link: LinkTarget? = nil
  ) -> Int {
    if link == nil,
      let end = putASCII(safe, row: row, column: column, limit: limit, style: style)
    {
      return end
    }
    let clusters = clusters(of: safe, emoji: emoji)
    guard holdsRightToLeft(safe) else {
      return put(clusters, row: row, column: column, limit: limit, style: style, link: link)
    }
    // Each name by itself: the signs and numbers around it stay where they are.
    var column = column
    var start = 0
    for run in rightToLeftRuns(of: clusters) {
      column = put(
        Array(clusters[start..<run.lowerBound]), row: row, column: column, limit: limit,
        style: style, link: link)
      column = put(
        Array(clusters[run]), row: row, column: column, limit: limit, style: style, link: link,
        isolate: beginIsolate())
      start = run.upperBound
    }
    return put(
      Array(clusters[start...]), row: row, column: column, limit: limit, style: style, link: link)
  }

  /// The number of text that is put in pieces and is to be kept apart as a whole.
  mutating func beginIsolate(_ direction: WritingDirection? = nil) -> Int {
    isolates.begin(direction, cells: grid.width * grid.height)
  }

  /// Most text has a byte for each column: it needs no look at its clusters. Nil for other text.
  private mutating func putASCII(
    _ safe: String, row: Int, column: Int, limit: Int?, style: Style
  ) -> Int? {
    guard (0..<height).contains(row), column >= 0 else { return column }
    let most = max(0, min(limit ?? width, width) - column)
    let count = safe.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      let shown = bytes.prefix(most)
      guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
      write(shown, row: row, column: column, style: style)
      return shown.count
    }
    return (count ?? nil).map { column + $0 }
  }

  /// A cell for each byte of printable ASCII.
  private mutating func write(
    _ bytes: some RandomAccessCollection<UInt8>, row: Int, column: Int, style: Style
  ) {
    guard !bytes.isEmpty else { return }
    let first = origin + column
    let last = first + bytes.count - 1
    if !links.isEmpty {
      for index in first...last { links[row * grid.width + index] = 0 }
    }
    if !isolates.isEmpty {
      for index in first...last { isolates.set(0, cell: row * grid.width + index) }
    }
    // Only at the ends may half of a wide cluster be left.
    detach(row: row, column: first)
    detach(row: row, column: last)
    grid.write(bytes, row: row, column: first, style: style)
  }

  @discardableResult
  mutating func put(
    _ clusters: [Cluster], row: Int, column: Int, limit: Int? = nil, style: Style,
    link: LinkTarget? = nil, isolate: Int = 0
  ) -> Int {
    let link = link.map { number(of: $0) } ?? 0
    let limit = min(limit ?? width, width)
    guard (0..<height).contains(row), column >= 0 else { return column }
    let first = column
    var column = column
    for cluster in clusters {
      guard column < limit else { break }
      if column + cluster.width <= limit {
        set(
          Cell(cluster.text, style), row: row, column: column, width: cluster.width, link, isolate)
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
    let columns = (columns ?? 0..<width).clamped(to: 0..<width)
    write(
      repeatElement(UInt8(ascii: " "), count: columns.count), row: row,
      column: columns.lowerBound, style: style)
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

  /// What was drawn, with the links and the isolates that nothing was drawn over.
  var finished: Grid {
    guard !links.isEmpty || !isolates.isEmpty else { return grid }
    var grid = grid
    grid.isolates = isolates.found(width: grid.width)
    guard !links.isEmpty else { return grid }
    for row in 0..<grid.height {
      var column = 0
      while column < grid.width {
        let number = links[row * grid.width + column]
        let start = column
        repeat {
          column += 1
        } while column < grid.width && links[row * grid.width + column] == number
        guard number > 0 else { continue }
        grid.links.append(
          GridLink(row: row, columns: start..<column, target: targets[number - 1]))
      }
    }
    return grid
  }

  private mutating func number(of target: LinkTarget) -> Int {
    if links.isEmpty { links = [Int](repeating: 0, count: grid.width * grid.height) }
    if let known = targets.firstIndex(of: target) { return known + 1 }
    targets.append(target)
    return targets.count
  }

  private mutating func set(
    _ cell: Cell, row: Int, column: Int, width: Int, _ link: Int = 0, _ isolate: Int = 0
  ) {
    let column = origin + column
    if !isolates.isEmpty {
      for index in column..<min(column + width, grid.width) {
        isolates.set(isolate, cell: row * grid.width + index)
      }
    }
    if !links.isEmpty {
      for index in column..<min(column + width, grid.width) {
        links[row * grid.width + index] = link
      }
    }
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
