import Channel
import Room
import Screen
import Text
import WebSocket

/// `/reveal`: what hides behind ||bars||.
extension Program {
  /// How far back it is looked for.
  private static let mostLooked = 2_000

  /// On the screen of the newest message of which it is not shown yet, in lines of the one with that number.
  mutating func revealSpoiler(_ number: Int?, _ turn: inout Turn, _ entropy: inout Entropy) {
    guard !isPlain else { return spoilersAsked.append(number) }
    guard number == nil else {
      return say(
        "On the screen spoilers have no numbers: /reveal shows the last one, M-s and a that of another "
          + "message.", isError: true, &turn, &entropy)
    }
    let newest = room.entries.suffix(Self.mostLooked).last { entry in
      guard let message = entry.message, !message.isDeleted, !view.shown.contains(entry.serial),
        message.text.raw.utf8.contains(0x7C)
      else { return false }
      return hasSpoiler(message.text.safe(for: .block, limit: 20_000))
    }
    guard let newest else { return say("No message hides anything.", &turn, &entropy) }
    show(allOf: newest.serial)
    reveal(newest.serial)
  }

  /// Some are enough: each costs its whole length whenever it is drawn.
  mutating func show(allOf serial: Int) {
    if view.shown.count >= 32 { view.shown.removeAll() }
    view.shown.insert(serial)
  }
}
