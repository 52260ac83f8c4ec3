import Glibc

/// A TCP connection that stands, plain or with TLS: reading, writing without waiting, ending in order.
///
/// Made by a `Listener` or inside a `Link`. It stands in the reactor under its token; the owner hands every
/// `Ready` of that token to `ready`, and calls `timeReached` when `deadline` is reached.
package final class Connection {
  enum State {
    /// The TLS handshake is under way.
    case securing
    case open
    /// The peer takes nothing any more, for this error number; what it sent before can still be read,
    /// and reading then tells how the connection ended.
    case deaf(Int32)
    /// What is queued goes out; what comes in is thrown away.
    case finishing(until: Duration, hasPeerEnded: Bool)
    /// All has left and we have ended our side; the peer has until then to end its side.
    case lingering(until: Duration)
    case ended
  }

  package let token: UInt64
  /// Address and port of the other side in digits, such as 127.0.0.1:9000.
  package let peer: String

  /// Host and port for sentences.
  let name: String
  let descriptor: Int32
  private let reactor: Reactor
  let queue: WriteQueue
  let tls: TLSSession?
  /// What `collect` has kept back for TLS, so that it leaves in as few records as possible.
  private var collected: [UInt8] = []
  /// How much of the queue's end is our close_notify.
  var goodbye = 0
  var state: State
  private var interest = Interest.readable
  private var isWatched = true

  private static let readableOnly: [LinkEvent] = [.readable]
  /// Of the bytes of a message; a whole number of the largest records (RFC 8446 section 5.1).
  private static let encryptedAtOnce = 128 * 1024

  /// Takes over a connected, non-blocking descriptor that the reactor watches under the token. `isSecured`: the
  /// handshake of `tls` is over already.
  init(
    _ descriptor: Int32, peer: HostPort, name: String, tls: TLSSession?, isSecured: Bool = false,
    queue: WriteQueue, reactor: Reactor, token: UInt64
  ) {
    self.descriptor = descriptor
    self.peer = peer.description
    self.name = name
    self.tls = tls
    self.queue = queue
    self.reactor = reactor
    self.token = token
    state = tls == nil || isSecured ? .open : .securing
    if !queue.isEmpty { interest.insert(.writable) }
    reactor.modify(descriptor, token: token, for: interest)
  }

  deinit {
    drop()
  }

  // MARK: Reading

  /// Reads once, up to the buffer's size; with TLS it decrypts into the same buffer.
  ///
  /// What one read leaves is reported as `readable` again by the next turn, so that one call for each
  /// `readable` is enough and a flood cannot keep the thread from its other work.
  package func read(into buffer: ReadBuffer) -> ReadResult {
    buffer.count = 0
    let result = read(into: buffer.memory)
    if case .bytes(let count) = result { buffer.count = count }
    return result
  }

  /// The same into memory of the caller's own, of 64 KiB at least.
  package func read(into memory: UnsafeMutableRawBufferPointer) -> ReadResult {
    switch state {
    case .open, .deaf: break
    case .securing, .finishing, .lingering, .ended: return .wouldBlock
    }
    if let tls { return read(from: tls, into: memory) }
    let count = recv(descriptor, memory.baseAddress, memory.count, 0)
    if count > 0 { return .bytes(count) }
    return count == 0 ? ended(.closed) : afterFailedRead(errno)
  }

  private func read(
    from tls: TLSSession, into memory: UnsafeMutableRawBufferPointer
  ) -> ReadResult {
    let received = tls.receive(from: descriptor, target: memory.count)
    let errorNumber = errno
    let decrypted = tls.decrypt(into: memory)
    // Answers to the peer's key updates and alerts, not our messages.
    if !queue.isEmpty { flush() }
    switch decrypted {
    case .bytes(let count):
      if tls.hasMoreToTell { updateInterest() }
      return .bytes(count)
    case .closed:
      tls.sendCloseNotify()
      // Now or never, whatever the reactor is waiting for.
      _ = queue.flush(to: descriptor)
      return ended(.closed)
    case .failed(let failure):
      return ended(.failed(failure))
    case .nothing:
      if received > 0 { return .wouldBlock }
      return received == 0 ? ended(.truncated) : afterFailedRead(errorNumber)
    }
  }

  private func afterFailedRead(_ errorNumber: Int32) -> ReadResult {
    isMomentary(errorNumber)
      ? .wouldBlock : ended(.failed(.broken(name, errorNumber: errorNumber)))
  }

  private func ended(_ end: LinkEnd) -> ReadResult {
    // The kernel tells of a reset once, and writing has been told already.
    if case .deaf(let errorNumber) = state, end == .closed || end == .truncated {
      drop()
      return .ended(.failed(.broken(name, errorNumber: errorNumber)))
    }
    drop()
    return .ended(end)
  }

  /// False: nothing is read for the time being, and the peer is slowed down by TCP.
  package var wantsInput = true {
    didSet {
      guard wantsInput != oldValue else { return }
      updateInterest()
    }
  }

  // MARK: Writing

  /// Sends at once what the socket takes and keeps the rest. Ignored once the connection is ending.
  package func write(_ bytes: [UInt8]) {
    collect(bytes)
    flush()
  }

  /// The same for a caller who goes on with the memory: `bytes` is empty afterwards, and has the memory of
  /// these bytes if they have left at once, else that of others which have.
  package func write(exchanging bytes: inout [UInt8]) {
    defer { bytes.removeAll(keepingCapacity: true) }
    guard case .open = state else { return }
    if tls != nil {
      flush()
      encrypt(bytes)
      flush()
    } else if !queue.isEmpty || !write(directly: &bytes) {
      queue.append(&bytes)
      updateInterest()
    }
  }

  /// False where nothing was taken; what was taken only in part goes into the queue.
  private func write(directly bytes: inout [UInt8]) -> Bool {
    let sent = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if sent == bytes.count { return true }
    if sent < 0 {
      guard !isMomentary(errno) else { return false }
      becomeDeaf(errno)
      return true
    }
    queue.append(&bytes, from: sent)
    updateInterest()
    return true
  }

  /// A large message leaves while it is encrypted, so that its records need no memory of its size, and are sent while
  /// they are in the processor's cache.
  private func encrypt(_ bytes: [UInt8]) {
    guard case .open = state, let tls else { return }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Self.encryptedAtOnce)
      let isEncrypted = bytes.withUnsafeBytes {
        tls.encrypt(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
      guard isEncrypted else { return becomeDeaf(ECONNABORTED) }
      start = end
      guard start < bytes.count, !interest.contains(.writable) else { continue }
      send()
      guard case .open = state else { return }
    }
  }

  /// Keeps the bytes until `flush` or the next `write`: many small messages then leave in one system call.
  package func collect(_ bytes: [UInt8]) {
    guard case .open = state else { return }
    if tls == nil {
      queue.append(bytes)
    } else if collected.isEmpty {
      collected = bytes
    } else {
      collected.append(contentsOf: bytes)
    }
  }

  /// Sends what was collected.
  package func flush() {
    guard case .open = state else { return }
    if !collected.isEmpty {
      encrypt(collected)
      collected = []
      guard case .open = state else { return }
    }
    // While the socket is full every try would be in vain; the reactor tells when it is not.
    if !interest.contains(.writable) { send() }
  }

  /// Bytes that have not left yet; with TLS as they stand on the line.
  package var pendingBytes: Int { queue.count + collected.count }

  private func send() {
    if case .failed(let errorNumber) = queue.flush(to: descriptor) {
      becomeDeaf(errorNumber)
    } else {
      updateInterest()
    }
  }

  private func becomeDeaf(_ errorNumber: Int32) {
    queue.removeAll()
    state = .deaf(errorNumber)
    updateInterest()
  }

  func updateInterest() {
    var wanted: Interest = wantsInput ? .readable : []
    // A socket is nearly always writable, and so gives another turn.
    if !queue.isEmpty || (wantsInput && tls?.hasMoreToTell == true) { wanted.insert(.writable) }
    if case .finishing(_, hasPeerEnded: true) = state { wanted.remove(.readable) }
    if case .ended = state { return }
    if !isWatched {
      guard wantsInput else { return }
      isWatched = (try? reactor.watch(descriptor, token: token, for: wanted)) != nil
    } else if wanted != interest {
      reactor.modify(descriptor, token: token, for: wanted)
    }
    interest = wanted
  }

  // MARK: Turns

  /// The reactor says that something is ready under the token.
  package func ready(_ ready: Ready, at now: Duration) -> [LinkEvent] {
    switch state {
    case .securing, .ended:
      return []
    case .open, .deaf:
      let isDrained = ready.isWritable && sendWaiting()
      let hasMore = tls?.hasMoreToTell ?? false
      guard ready.isReadable || ready.hasHungUp || hasMore else {
        return isDrained ? [.drained] : []
      }
      guard wantsInput else {
        // A hang-up is reported whatever the interest is, and would be for ever.
        if ready.hasHungUp {
          reactor.forget(descriptor)
          isWatched = false
        }
        return isDrained ? [.drained] : []
      }
      return isDrained ? [.drained, .readable] : Self.readableOnly
    case .finishing, .lingering:
      return goOnEnding()
    }
  }

  /// True if bytes had to wait and none do any more.
  private func sendWaiting() -> Bool {
    guard case .open = state, !queue.isEmpty else { return false }
    send()
    guard case .open = state else { return false }
    return queue.isEmpty
  }

  /// Ends at once. No event follows.
  package func drop() {
    if case .ended = state { return }
    state = .ended
    queue.removeAll()
    collected = []
    reactor.forget(descriptor)
    close(descriptor)
  }
}
