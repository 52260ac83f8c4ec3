import Channel
import Room
package import Screen

/// The chat without a screen: the same program, told in lines.
extension Program {
  /// What is new, for a program that only writes. A page that lies over the screen is written out and left.
  package mutating func plainLines(_ transcript: inout PlainTranscript, clock: Clock) -> [String] {
    var lines = transcript.lines(of: room, clock: clock)
    switch view.overlay {
    case nil: break
    case .help, .bindings, .settings:
      let help = view.plainHelp ?? []
      lines += help.isEmpty ? ["* Nothing in the help speaks of that."] : help
    case .connection, .frames, .results, .links, .details: lines += pageLines(clock: clock)
    case .themes: lines.append("* Colours are not shown here.")
    }
    view.overlay = nil
    if view.compose != toldCompose {
      toldCompose = view.compose
      if let compose = view.compose { lines.append("* \(compose.words)") }
    }
    return lines
  }

  /// A page about the line as it would stand on a high screen, without what stands below it.
  private func pageLines(clock: Clock) -> [String] {
    var tall = self
    tall.height = 200
    let rows = tall.grid(clock: clock).text.split(separator: "\n", omittingEmptySubsequences: false)
    let page = rows.prefix(max(0, rows.count - 3)).map(String.init)
    return Array(page.prefix((page.lastIndex { !$0.isEmpty } ?? -1) + 1))
  }

  /// What is typed and not entered yet.
  package var typed: String { view.editor.text }

  /// Something that was entered is still on its way, and may get there: the line is up or being made.
  package var isBusy: Bool {
    let waits = room.outbox.contains { $0.state == .pending || $0.state == .sending }
    guard case .offline(let end) = room.connection else { return waits }
    return waits && end == .idle
  }
}
