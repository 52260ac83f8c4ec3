import CNcurses
import Screen

/// Links (OSC 8) and pictures of several code points, which no cell of ncurses can hold.
///
/// A row with one of them is written once more behind the update of ncurses, wherever something in it changed: all of
/// it, since ncurses may move cells or write over them on the way of its cursor. ncurses leaves the terminal in its
/// normal rendition after an update and knows where the cursor is; both are as it left them afterwards, and so are
/// all cells as far as it can tell.
extension Presenter {
  /// The bytes that write over the rows of the grid in question; `changed` is what was written of each row.
  func overwriting(_ grid: Grid, changed: [RowChange]) -> [UInt8] {
    guard canOverwrite else { return [] }
    let links = links(of: grid)
    defer { shownLinks = links }
    let leading = links.isEmpty && shownLinks.isEmpty ? [] : rows(with: links, changed)
    var bytes: [UInt8] = []
    for row in 0..<min(height, grid.height) {
      let change = changed[row]
      let hadPicture = rowsWithPictures.contains(row)
      var hasPicture = hadPicture
      if change.isWritten, hadPicture || change.mayHavePicture {
        hasPicture = self.hasPicture(grid, row: row)
        if hasPicture { rowsWithPictures.insert(row) } else { rowsWithPictures.remove(row) }
      }
      guard change.isWritten && (hadPicture || hasPicture) || leading.contains(row) else {
        continue
      }
      write(grid, row: row, links: links.filter { $0.row == row }, to: &bytes)
    }
    guard !bytes.isEmpty else { return [] }
    var (row, column): (Int32, Int32) = (0, 0)
    pc_cursor(&row, &column)
    bytes += Self.place(row: Int(row), column: Int(column))
    return bytes
  }

  /// The rows where links came, went, or stand in what changed.
  private func rows(with links: [GridLink], _ changed: [RowChange]) -> Set<Int> {
    var rows: Set<Int> = []
    for link in links where changed[link.row].isWritten || !shownLinks.contains(link) {
      rows.insert(link.row)
    }
    for link in shownLinks where link.row < changed.count {
      if changed[link.row].isWritten || !links.contains(link) { rows.insert(link.row) }
    }
    return rows
  }

  private var canOverwrite: Bool { kind.isLikeXterm && kind.takesQueries }

  private func links(of grid: Grid) -> [GridLink] {
    tellsLinks && canOverwrite && grid.width == width && grid.height == height ? grid.links : []
  }

  private func hasPicture(_ grid: Grid, row: Int) -> Bool {
    guard canOverwrite, encoding != .ascii, row < grid.height else { return false }
    for place in row * grid.width..<(row + 1) * grid.width
    where isJoinedPicture(grid.cells[place].text) {
      return true
    }
    return false
  }

  private func write(_ grid: Grid, row: Int, links: [GridLink], to bytes: inout [UInt8]) {
    let end = min(width, grid.width)
    var rendition: Style?
    var open: LinkTarget?
    var isPlaced = false
    for column in 0..<end {
      let cell = grid[row: row, column: column]
      // The right half was written with its left one.
      if cell.text.isEmpty, column > 0 { continue }
      let target = links.first { $0.columns.contains(column) }?.target
      if target != open {
        bytes += Self.link(to: target)
        open = target
      }
      if rendition != cell.style {
        bytes += self.rendition(of: cell.style)
        rendition = cell.style
      }
      if !isPlaced { bytes += Self.place(row: row, column: column) }
      let isWide = column + 1 < end && grid[row: row, column: column + 1].text.isEmpty
      isPlaced = !isWide && cell.text.utf8.count == 1
      if isWide {
        // Blank first, so that no half of what stood there is left.
        bytes += [0x20, 0x20] + Self.place(row: row, column: column)
      }
      bytes += Array(text(of: cell, columns: isWide ? 2 : 1).utf8)
      for mark in shownMarks[row * width + column].compactMap(Unicode.Scalar.init) {
        bytes += Array(String(mark).utf8)
        isPlaced = false
      }
    }
    if open != nil { bytes += Self.link(to: nil) }
    bytes += self.rendition(of: .plain)
  }

  /// What ncurses wrote there, but for a picture, which is all there.
  private func text(of cell: Cell, columns: Int) -> String {
    if columns == 2, encoding != .ascii, isJoinedPicture(cell.text) { return cell.text }
    var text = String.UnicodeScalarView()
    for piece in cellPieces(of: cell.text, columns: columns, encoding: encoding) {
      text.append(contentsOf: piece.scalars.compactMap(Unicode.Scalar.init))
    }
    return String(text)
  }

  /// From the normal rendition to that of a style, as ncurses would by the terminal's description.
  private func rendition(of style: Style) -> [UInt8] {
    if let known = renditions[style] { return known }
    let (bits, foreground, background) = pairs.colors(of: style)
    var bytes = Self.capability("sgr0")
    let attributes = [
      (pc_bold(), "bold"), (pc_dim(), "dim"), (pc_italic(), "sitm"), (pc_underline(), "smul"),
      (pc_reverse(), "rev"),
    ]
    for (bit, name) in attributes where bits & bit != 0 { bytes += Self.capability(name) }
    if foreground >= 0 { bytes += Self.capability("setaf", foreground) }
    if background >= 0 { bytes += Self.capability("setab", background) }
    if renditions.count > 500 { renditions = [:] }
    renditions[style] = bytes
    return bytes
  }

  private static func capability(_ name: String) -> [UInt8] {
    pc_capability(name).map { Array(String(cString: $0).utf8) } ?? []
  }

  private static func capability(_ name: String, _ number: Int32) -> [UInt8] {
    pc_capability_with(name, number).map { Array(String(cString: $0).utf8) } ?? []
  }

  private static func place(row: Int, column: Int) -> [UInt8] {
    Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
  }

  /// OSC 8. The target holds nothing that could end it.
  static func link(to target: LinkTarget?) -> [UInt8] {
    guard let target else { return Array("\u{1B}]8;;\u{1B}\\".utf8) }
    return Array("\u{1B}]8;id=\(target.id);\(target.uri)\u{1B}\\".utf8)
  }
}

/// Whether a cell holds more than ncurses can: code points that are joined to the first. Nothing that a terminal would
/// obey is let through.
func isJoinedPicture(_ text: String) -> Bool {
  guard text.utf8.count > 4 else { return false }
  let scalars = text.unicodeScalars
  guard let first = scalars.first, first.properties.isEmoji else { return false }
  var isJoined = false
  for scalar in scalars.dropFirst() {
    switch scalar.value {
    case 0xFE0F, 0x200D, 0x20E3, 0x1F3FB...0x1F3FF: isJoined = true
    default: guard scalar.properties.isEmoji else { return false }
    }
  }
  return isJoined
}
