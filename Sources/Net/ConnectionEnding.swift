import Glibc

/// The end of a connection in order: everything leaves, then both sides end their stream.
extension Connection {
  /// When `timeReached` wants to be called; only while the connection is ending.
  package var deadline: Duration? {
    switch state {
    case .finishing(let until, _), .lingering(let until): until
    case .securing, .open, .deaf, .ended: nil
    }
  }

  package func timeReached(at now: Duration) -> [LinkEvent] {
    guard let deadline, deadline <= now else { return [] }
    return endWithLoss()
  }

  /// Ends in order: what was written leaves, then close_notify and the end of our stream, then the peer
  /// has the rest of `limit` to end its side. `ended` follows as an event, here or later; nothing is read
  /// any more.
  package func finish(at now: Duration, within limit: Duration = .seconds(5)) -> [LinkEvent] {
    switch state {
    case .securing:
      drop()
      return [.ended(.closed)]
    case .open:
      flush()
      // Writing may just have failed.
      guard case .open = state else { return finish(at: now, within: limit) }
      let messages = queue.count
      tls?.sendCloseNotify()
      goodbye = queue.count - messages
      state = .finishing(until: now + limit, hasPeerEnded: false)
      wantsInput = true
      return goOnEnding()
    case .deaf(let errorNumber):
      drop()
      return [.ended(.failed(.broken(name, errorNumber: errorNumber)))]
    case .finishing, .lingering, .ended:
      return []
    }
  }

  func goOnEnding() -> [LinkEvent] {
    if case .finishing(let until, let hasPeerEnded) = state {
      switch queue.flush(to: descriptor) {
      case .emptied:
        shutdown(descriptor, Int32(SHUT_WR))
        state = .lingering(until: until)
        if hasPeerEnded { return endInOrder() }
      case .blocked:
        break
      case .failed:
        return endWithLoss()
      }
    }
    if case .finishing(_, hasPeerEnded: true) = state { return [] }
    switch (discardInput(of: descriptor), state) {
    case (.more, _):
      break
    case (.ended, .finishing(let until, _)):
      // The peer may have ended only its own side and still take what we have.
      state = .finishing(until: until, hasPeerEnded: true)
    case (.failed, .finishing):
      return endWithLoss()
    case (.ended, _), (.failed, _):
      return endInOrder()
    }
    updateInterest()
    return []
  }

  private func endInOrder() -> [LinkEvent] {
    drop()
    return [.ended(.closed)]
  }

  /// A peer that is gone before our close_notify has left has missed nothing.
  private var unsentMessages: Int { max(0, queue.count - goodbye) }

  private func endWithLoss() -> [LinkEvent] {
    let unsent = unsentMessages
    drop()
    return [.ended(unsent == 0 ? .closed : .failed(.unsent(name, bytes: unsent)))]
  }
}
