package import WebSocket

/// A ping that waits for its answer: said as soon as a person would wonder, long before the line is given up.
extension Session {
  /// How long a line that answers may be silent without a word.
  static let patience: Duration = .seconds(1)

  /// When `timeReached` is to be handed in by somebody who shows the state, so that it tells of the silence. Nil where
  /// it was told, or there is none.
  package var silenceDeadline: Instant? {
    guard case .open(let open) = line, case .online(let online) = state, online.silentSince == nil
    else { return nil }
    return open.keepAlive.silentSince.map { $0 + Self.patience }
  }

  /// A pong is waited for: what the line brings is to be read as soon as it comes, or the round trip is told too long.
  package var awaitsPong: Bool {
    guard case .open(let open) = line else { return false }
    return open.keepAlive.awaitsPong
  }

  mutating func sayIfSilent(at now: Instant) {
    guard let due = silenceDeadline, due <= now, case .open(let open) = line else { return }
    noteSilence(since: open.keepAlive.silentSince)
  }

  mutating func noteSilence(since moment: Instant?) {
    guard case .online(var online) = state, online.silentSince != moment else { return }
    online.silentSince = moment
    enter(.online(online))
  }

  /// What was agreed on about compression for the line that stands; nil without.
  package var compression: DeflateParameters? {
    switch line {
    case .open(let open): open.compression
    case .closing(let open, _): open.compression
    case .none, .waiting, .opening, .upgrading: nil
    }
  }
}
