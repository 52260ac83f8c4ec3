import Glibc

/// What a link does with a connection before it is open.
extension Connection {
  /// Gives up the descriptor, which stays watched under the token, and the queue. No event follows.
  func release() {
    state = .ended
  }

  /// Takes the next step of the handshake; after a failure the connection is closed.
  func handshake() -> TLSSession.Step {
    guard case .securing = state, let tls else { return .waiting }
    let received = tls.receive(from: descriptor, target: ReadBuffer.defaultCapacity)
    let errorNumber = errno
    let step = tls.handshake()
    // A failure to send shows itself as a failure to receive.
    _ = queue.flush(to: descriptor)
    switch step {
    case .done:
      state = .open
      updateInterest()
      return step
    case .failed:
      drop()
      return step
    case .waiting:
      updateInterest()
      if received > 0 || (received < 0 && isMomentary(errorNumber)) {
        return .waiting
      }
      drop()
      return .failed(tls.cutDuringHandshake())
    }
  }

  /// Ciphertext came in behind the handshake, which the reactor does not know of.
  var hasInput: Bool { tls?.hasInput ?? false }
}
