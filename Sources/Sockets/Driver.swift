import Channel
import Net
import WebSocket

/// What a channel hands to the thread that drives it.
struct Errand: Sendable {
  var order: Order
  /// Nil for a channel of one line.
  var policy: ReconnectPolicy?
  var pingInterval: Duration
  var inbox: Inbox
  var outbox: Outbox
}

/// One channel on the driving thread: its link on a real socket, the line as a value, and the wait for the next.
final class Driver {
  /// While so much waits for the socket, no more is made of the queue.
  private static let mostUnsent = 256 * 1024
  /// While so much does, the peer does not read, and its pings are not answered.
  private static let muchUnsent = 2 << 20

  let errand: Errand
  let hub: HubThread
  var entropy = Entropy { fillRandom($0) }
  var reconnection: Reconnection?
  var pingInterval: Duration
  var tls: TLSContext?
  var link: Link?
  var line: LineMachine?
  var hasOpened = false
  /// When the next attempt begins.
  var waitsUntil: Instant?
  /// The next attempt waits until the consumer has taken what there is.
  var isHeld = false
  /// Why the channel is to end, once that was asked for.
  var closing: CloseReason?
  var batch = Batch()
  private var queue = MessageQueue()
  /// Read and not taken yet, since the consumer is slow.
  var stalled: [UInt8] = []
  var isPaused = false
  var unsent = 0
  private var isBehind = false
  var isOver = false

  init(_ errand: Errand, hub: HubThread) {
    self.errand = errand
    self.hub = hub
    reconnection = errand.policy.map { Reconnection($0) }
    pingInterval = errand.pingInterval
  }

  var deadline: Duration? {
    [link?.deadline, line?.deadline?.sinceStart, waitsUntil?.sinceStart].compactMap { $0 }.min()
  }

  // MARK: What the tasks ask for

  func start(at now: Instant) {
    dial(at: now)
    settle(at: now)
  }

  /// There is something in the outbox.
  func sendQueued() {
    guard let link, line?.isOpen == true, line?.isClosing == false,
      link.pendingBytes < Self.mostUnsent
    else { return }
    takeQueue(to: link)
  }

  /// The consumer has room again.
  func resume(at now: Instant) {
    if isHeld {
      isHeld = false
      dial(at: now)
    }
    goOnReading(at: now)
    settle(at: now)
  }

  func keepAlive(every interval: Duration, at now: Instant) {
    pingInterval = interval
    line?.keepAlive(every: interval, at: now, entropy: &entropy)
    write()
  }

  /// Ends in order; a line that is not open yet ends at once.
  func close(_ reason: CloseReason, at now: Instant) {
    guard closing == nil, !isOver else { return }
    closing = reason
    guard let link, line?.isOpen == true else {
      link?.drop()
      return end(.closed(reason), at: now)
    }
    errand.outbox.enter(.closing)
    takeQueue(to: link)
    line?.close(reason, at: now, entropy: &entropy)
    write()
    // The answer stands behind all that the consumer has not asked for.
    goOnReading(at: now)
    settle(at: now)
  }

  /// Nobody is left to hear of the channel.
  func abandon(at now: Instant) {
    guard !isOver else { return }
    if let link, line?.isOpen == true {
      errand.outbox.enter(.closing)
      takeQueue(to: link)
      line?.close(CloseReason(.goingAway), at: now, entropy: &entropy)
      write()
      hub.finish(link, within: errand.order.closeTimeout, at: now)
    } else {
      link?.drop()
    }
    end(.closed(CloseReason(.goingAway)), at: now)
  }

  // MARK: The link

  func ready(_ ready: Ready, at now: Instant) {
    guard let link else { return }
    let waiting = ready.isWritable ? link.pendingBytes : 0
    let events = link.ready(ready, at: now.sinceStart)
    // A peer that takes a large message slowly comes to the ping behind it only then.
    if link.pendingBytes < waiting {
      line?.peerTookBytes()
      update(unsent: link.pendingBytes)
      write()
    }
    handle(events, at: now)
    settle(at: now)
  }

  func timeReached(at now: Instant) {
    if let due = waitsUntil, due <= now {
      waitsUntil = nil
      // A server that accepts and drops for ever must not fill the memory with the news of that.
      isHeld = errand.inbox.isFull
      if !isHeld { dial(at: now) }
    }
    if let link, let due = link.deadline, due <= now.sinceStart {
      handle(link.timeReached(at: now.sinceStart), at: now)
    }
    line?.timeReached(at: now, isPaused: isPaused, entropy: &entropy)
    write()
    settle(at: now)
  }

  private func dial(at now: Instant) {
    hasOpened = false
    isBehind = false
    do throws(TLSConfigurationError) {
      if let options = errand.order.tls, tls == nil { tls = try hub.context(for: options) }
    } catch {
      let failure = SocketError(kind: .configuration, message: inLibraryWords(error.message))
      return end(errand.policy == nil ? .failed(failure) : .gaveUp(failure), failure)
    }
    var order = errand.order
    order.calendar = MachineClock.wallMilliseconds() / 1000
    line = LineMachine(order, pingInterval: pingInterval, at: now)
    let link = Link(
      to: errand.order.target(tls: tls), reactor: hub.reactor, token: hub.nextToken(for: self))
    self.link = link
    handle(link.start(at: now.sinceStart), at: now)
  }

  private func handle(_ events: [LinkEvent], at now: Instant) {
    for event in events {
      guard line?.ending == nil else { return }
      switch event {
      case .lookingUp, .connecting, .tunnelling, .securing: break
      case .opened:
        line?.linkOpened(entropy: &entropy)
        write()
      case .drained:
        update(unsent: 0)
        sendQueued()
      case .readable: read(at: now)
      case .ended(let end): linkEnded(end)
      }
    }
  }

  private func linkEnded(_ end: LinkEnd) {
    switch end {
    // The library asks no proxy, so no tunnel can fail.
    case .closed, .tunnelFailed: line?.linkEnded(nil)
    case .failed(let failure): line?.linkEnded(Failure(failure))
    case .truncated:
      line?.linkEnded(
        errand.order.failure(
          .tls, "cut the line without the end that TLS demands: something may be missing."))
    }
  }

  // MARK: Receiving

  private func read(at now: Instant) {
    guard let link, stalled.isEmpty else { return }
    if let room = line?.roomInPlace, room > 0 { return readInPlace(link, at: now) }
    switch link.read(into: hub.reactor.readBuffer) {
    case .wouldBlock: break
    case .ended(let end): linkEnded(end)
    case .bytes: take(hub.reactor.readBuffer.contents.bytes, at: now)
    }
  }

  private func readInPlace(_ link: Link, at now: Instant) {
    var result = ReadResult.wouldBlock
    line?.receiveInPlace(into: &batch, at: now, entropy: &entropy) { memory in
      result = link.read(into: memory)
      if case .bytes(let count) = result { return count }
      return 0
    }
    write()
    if deliver() { pause() }
    if case .ended(let end) = result { linkEnded(end) }
  }

  private func take(_ bytes: RawSpan, at now: Instant) {
    var position = 0
    while position < bytes.byteCount, let taken = receive(bytes.extracting(position...), at: now) {
      position += taken
      guard deliver() else { continue }
      pause()
      stalled = bytes.extracting(position...).withUnsafeBytes { Array($0) }
      return
    }
  }

  /// Nil where the line has ended.
  private func receive(_ bytes: RawSpan, at now: Instant) -> Int? {
    guard line?.ending == nil else { return nil }
    let taken = line?.receive(bytes, into: &batch, at: now, entropy: &entropy)
    if !hasOpened, let line, line.isOpen {
      hasOpened = true
      reconnection?.opened(at: now)
      errand.outbox.enter(.open, subprotocol: line.subprotocol)
      sendQueued()
    }
    write()
    return taken
  }

  /// Hands over what there is; true where that is enough.
  private func deliver() -> Bool {
    guard line?.isClosing == true, errand.inbox.isFull else { return errand.inbox.post(&batch) }
    // Whoever closes and does not read on waits for the peer's Close, not for what stands before it.
    batch.removeAll()
    return false
  }

  private func pause() {
    isPaused = true
    link?.wantsInput = false
  }

  private func goOnReading(at now: Instant) {
    guard isPaused else { return }
    isPaused = false
    var waiting: [UInt8] = []
    swap(&waiting, &stalled)
    take(waiting.span.bytes, at: now)
    if !isPaused { link?.wantsInput = true }
  }

  // MARK: Sending

  private func takeQueue(to link: Link) {
    errand.outbox.take(&queue)
    guard !queue.isEmpty else { return }
    line?.send(queue, entropy: &entropy) { link.write(exchanging: &$0) }
    queue.removeAll()
    line?.drainOutput { link.write(exchanging: &$0) }
    update(unsent: link.pendingBytes)
  }

  func write() {
    guard let link else { return }
    line?.drainOutput { link.write(exchanging: &$0) }
    if link.pendingBytes != unsent { update(unsent: link.pendingBytes) }
  }

  private func update(unsent: Int) {
    if unsent > Self.muchUnsent, !isBehind {
      isBehind = true
      line?.holdPongs(true, entropy: &entropy)
    } else if unsent < Self.mostUnsent, isBehind {
      isBehind = false
      line?.holdPongs(false, entropy: &entropy)
    }
    self.unsent = unsent
    errand.outbox.update(unsent: unsent)
  }
}
