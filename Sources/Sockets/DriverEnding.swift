import Channel
import Net
import WebSocket

/// How lines end, and what follows.
extension Driver {
  func settle(at now: Instant) {
    guard let ending = line?.ending else { return }
    write()
    if let link {
      switch ending.disposal {
      case .finish: hub.finish(link, within: errand.order.closeTimeout, at: now)
      case .drop: link.drop()
      case .none: break
      }
    }
    end(ending, at: now)
  }

  private func end(_ ending: LineEnding, at now: Instant) {
    let error = SocketError(ending.news, from: errand.order.endpoint)
    leaveLine()
    guard closing == nil, var reconnection else { return end(ending.news, at: now) }
    _ = errand.inbox.post(&batch)
    batch.append(hasOpened ? .lost(error) : .failed(error))
    switch reconnection.ended(ending.course, at: now, random: entropy.unit()) {
    case .giveUp: end(.gaveUp(error), error)
    case .wait(let attempt, let delay):
      errand.outbox.enter(.offline)
      waitsUntil = now + delay
      batch.append(.waiting(attempt: attempt, delay: delay))
      _ = errand.inbox.post(&batch)
    }
    self.reconnection = reconnection
  }

  func end(_ news: LineEnding.News, at now: Instant) {
    end(ResilientEvent(news), SocketError(news, from: errand.order.endpoint))
  }

  /// The last event, and why there is no line any more.
  func end(_ event: ResilientEvent, _ error: SocketError) {
    leaveLine()
    waitsUntil = nil
    isHeld = false
    isOver = true
    batch.append(event)
    _ = errand.inbox.post(&batch)
    errand.inbox.finish()
    errand.outbox.enter(.over(error))
  }

  private func leaveLine() {
    if let link { hub.forget(link.token) }
    link = nil
    line = nil
    stalled = []
    isPaused = false
    unsent = 0
  }
}

extension ResilientEvent {
  fileprivate init(_ news: LineEnding.News) {
    switch news {
    case .closed(let reason):
      self = .closed(
        code: SocketCloseCode(rawValue: Int(reason.code.rawValue)), reason: reason.text)
    case .failed(let error): self = .failed(error)
    }
  }
}

extension SocketError {
  fileprivate init(_ news: LineEnding.News, from endpoint: Endpoint) {
    switch news {
    case .closed(let reason): self.init(reason, from: endpoint)
    case .failed(let error): self = error
    }
  }
}
