import CNcurses
package import Screen

/// Shows grids by ncurses.
package final class Presenter {
  package init() {}

  package func present(_ grid: Grid) {}
}
