import Channel
import Room
import Screen

/// When something on the screen changes by time alone.
extension Program {
  var nextTick: Instant? {
    isInFront ? [lineTick, pageTick].compactMap(\.self).min() : nil
  }

  /// The next full second of a countdown, of a silence, or of the time that a stage takes.
  private var lineTick: Instant? {
    switch room.connection {
    case .offline: return nil
    case .online(let online): return online.silentSince.map { second(after: $0) }
    case .connecting(let connecting):
      switch connecting.phase {
      case .waiting(let until):
        let left = until - lastInput
        guard left > .zero else { return nil }
        let (seconds, attoseconds) = left.components
        return until + .seconds(attoseconds > 0 ? -seconds : 1 - seconds)
      case .dialling(_, let since):
        guard view.settings.turnsSpinner else { return second(after: since) }
        let steps = Int(max(.zero, lastInput - since) / Spinner.step)
        return since + Spinner.step * (steps + 1)
      }
    }
  }

  /// Speeds and times on the page about the line.
  private var pageTick: Instant? {
    if case .connection = view.overlay { second(after: Instant()) } else { nil }
  }

  /// The first moment behind the last input that is whole seconds after a moment.
  private func second(after moment: Instant) -> Instant {
    moment + .seconds(max(0, (lastInput - moment).components.seconds) + 1)
  }
}
