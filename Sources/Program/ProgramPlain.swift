import Channel
import Room
package import Screen

/// The chat without a screen: the same program, told in lines.
extension Program {
  /// What is new, for a program that only writes. A page that lies over the screen is written out and left.
  package mutating func plainLines(_ transcript: inout PlainTranscript, clock: Clock) -> [String] {
    transcript.hidesSpoilers = view.settings.showsMarkup
    transcript.layout.isolates = view.settings.isolatesText
    var lines = transcript.lines(of: room, clock: clock)
    lines += PlainPage(room, view, facts: lineFacts(), clock: clock).lines
    view.overlay = nil
    isPlain = true
    lines += spoilersAsked.flatMap { transcript.spoiler($0, in: room) }
    spoilersAsked = []
    if view.compose != toldCompose {
      toldCompose = view.compose
      if let compose = view.compose { lines.append("* \(compose.words)") }
    }
    return lines
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
