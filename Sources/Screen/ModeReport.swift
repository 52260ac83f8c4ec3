/// What a terminal answers to the question about one of its private modes (DECRQM, DECRPM).
package struct ModeReport: Equatable, Sendable {
  /// Such as 2026, synchronized output.
  package var mode: Int
  /// 0: not known; 1: set; 2: reset; 3: always set; 4: always reset.
  package var state: Int

  package init(mode: Int, state: Int) {
    self.mode = mode
    self.state = state
  }

  /// It can be switched on.
  package var isKnown: Bool { (1...3).contains(state) }
}
