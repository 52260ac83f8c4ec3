import Channel
import Room
import Text
import WebSocket

/// Warnings of the start, such as of the configuration, stand above the history that the server gives, and out of sight
/// then: they are said once more behind it.
struct StartWarnings {
  /// So long after the line is there the history may still come.
  static let patience: Duration = .seconds(5)
  /// Rows of the screen that are not the transcript's.
  static let otherRows = 6

  var texts: [UntrustedText] = []
  /// The line was there once: what is warned of from then on is no warning of the start.
  var areOver = false
}

extension Program {
  mutating func noteWarning(_ text: UntrustedText) {
    if !startWarnings.areOver { startWarnings.texts.append(text) }
  }

  mutating func repeatWarnings(_ turn: inout Turn, _ entropy: inout Entropy) {
    // Lines that were written one after the other stand where they are found.
    guard !isPlain, !startWarnings.areOver, case .online(let online) = room.connection else {
      return
    }
    guard !startWarnings.texts.isEmpty, turn.now - online.since < StartWarnings.patience else {
      startWarnings = StartWarnings(areOver: true)
      return
    }
    let texts = startWarnings.texts
    let areSeen = room.entries.suffix(max(1, height - StartWarnings.otherRows)).contains { entry in
      if case .notice(let text, _) = entry.kind { texts.contains(text) } else { false }
    }
    guard !areSeen else { return }
    startWarnings = StartWarnings(areOver: true)
    if texts.count <= 3 {
      for text in texts { tell(.notice(text, isError: true), &turn, &entropy) }
    } else {
      let sentence = "\(texts.count) warnings of the start stand further up (PgUp)."
      tell(.notice(UntrustedText(sentence), isError: true), &turn, &entropy)
    }
  }
}
