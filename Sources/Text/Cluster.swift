import CUTF8Proc

/// An extended grapheme cluster (UAX #29) as it is drawn: what goes into one or two cells.
package struct Cluster: Equatable, Sendable {
  /// At most one base and four marks, since a cell of ncurses holds no more. The `safe` emoji policy:
  /// variation selectors, skin tones and ZWJ tails are left out, flags stay a pair.
  package var text: String
  /// 1 or 2 columns; never 0.
  package var width: Int

  package init(text: String, width: Int) {
    self.text = text
    self.width = width
  }
}

/// The clusters of text that was made safe, in order; line breaks must have been split off before.
package func clusters(of safe: String) -> [Cluster] {
  fatalError("interface only")
}

/// The columns that safe text takes on the screen.
package func columns(of safe: String) -> Int {
  fatalError("interface only")
}
