/// The sign of a line that is being opened: a disc that turns by a quarter each `step`.
package enum Spinner {
  package static let step: Duration = .milliseconds(250)

  static func sign(after elapsed: Duration, turns: Bool) -> String {
    guard turns, elapsed > .zero else { return "◐" }
    return ["◐", "◓", "◑", "◒"][Int(elapsed / step) % 4]
  }
}
