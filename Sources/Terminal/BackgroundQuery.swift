extension Presenter {
  /// Asks the terminal for the colour of its background (OSC 11); the answer comes with the input. False where it is not
  /// asked: a terminal that knows no such question might show it.
  package func askBackground() -> Bool {
    guard kind.takesQueries, isWritable else { return false }
    writeAll(Array("\u{1B}]11;?\u{1B}\\".utf8), to: output)
    return true
  }
}
