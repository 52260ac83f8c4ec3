package import Room
import Text

/// Where the input stands on the screen, by itself: nothing lies over it or in its place.
package struct InputPlace: Equatable, Sendable {
  package let rows: Range<Int>
  /// The columns of the chat, without the panels beside it.
  package let columns: Range<Int>
  /// Of the screen.
  let width: Int
  let height: Int

  package func isOf(width: Int, height: Int) -> Bool {
    self.width == width && self.height == height
  }

  /// The size is that of the chat, and the panels stand beside it. Nil where the input shares its rows with something
  /// else, or holds what is not drawn cell by cell: a letter more is then drawn with all the rest.
  package init?(_ view: ViewState, width: Int, height: Int, panels: PanelLayout = PanelLayout()) {
    guard view.overlay == nil, view.search == nil, view.selection == nil, view.completion == nil,
      view.historySearch == nil, view.pasteQuestion == nil, !view.editor.isQuoting,
      view.editor.text.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    let layout = ScreenLayout(width: width, height: height, view: view)
    guard layout.status != nil, !layout.input.isEmpty else { return nil }
    rows = layout.input
    columns = panels.left..<panels.left + width
    self.width = width + panels.columns
    self.height = height
  }
}

/// A part of the screen, drawn alone.
package struct GridPiece: Equatable, Sendable {
  package let place: InputPlace
  /// As large as the place.
  package let grid: Grid

  /// Where the hardware cursor is parked on the screen; nil hides it.
  package var cursor: Grid.Position? {
    grid.cursor.map {
      Grid.Position(
        row: place.rows.lowerBound + $0.row, column: place.columns.lowerBound + $0.column)
    }
  }
}

/// The input alone, as `render` would draw it there: what a typed letter costs does not depend on the rest of the screen.
package func renderInput(
  _ room: RoomModel, _ view: ViewState, theme: Theme, clock: Clock, at place: InputPlace
) -> GridPiece {
  let screen = Screen(
    room: room, view: view, theme: theme, clock: clock, input: view.shownInput)
  let width = place.columns.count
  var canvas = Canvas(width: width, height: place.rows.count, style: theme["text"])
  let layout = ScreenLayout(width: width, height: place.height, view: view, input: screen.input)
  screen.inputField(layout, width: width).draw(on: &canvas, rows: 0..<place.rows.count)
  return GridPiece(place: place, grid: canvas.finished)
}

extension Grid {
  /// The same with a piece of it drawn anew.
  package mutating func put(_ piece: GridPiece) {
    for row in 0..<piece.grid.height {
      for column in 0..<piece.grid.width {
        self[
          row: piece.place.rows.lowerBound + row,
          column: piece.place.columns.lowerBound + column] = piece.grid[row: row, column: column]
      }
    }
    cursor = piece.cursor
  }
}
