/// Large messages received straight into their own memory: the copy out of the read buffer is saved.
extension WebSocketMachine {
  /// A shorter rest is copied: that costs less than a system call of its own.
  private static let worthwhile = 128 * 1024
  /// How much is asked for at once; also how much memory is made ahead of what has come.
  private static let mostAtOnce = 512 * 1024

  /// How many bytes `receiveInPlace` would take now; 0 where what comes next has to pass through `receive`:
  /// headers, control frames, short rests, and what is masked or compressed.
  package var roomInPlace: Int {
    guard case .some = incoming.kind, isReading, deferredViolation == nil,
      incoming.remaining >= Self.worthwhile, !incoming.isCompressed, incoming.frame.key == nil,
      !incoming.frame.opcode.isControl
    else { return 0 }
    return min(incoming.remaining, Self.mostAtOnce)
  }

  /// Lets `read` write into the memory of the message under way, and takes as many bytes as it says that it
  /// has written: at most `roomInPlace`, which must be above 0. Events of the call before are forgotten, as with
  /// `receive`.
  package mutating func receiveInPlace(
    entropy: inout Entropy, _ read: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let room = roomInPlace
    guard room > 0 else { return }
    beginTurn()
    do throws(ProtocolViolation) {
      try incoming.take(upTo: room, limit: limits.message, read)
      if incoming.remaining == 0 { try finishFrame(entropy: &entropy) }
    } catch {
      fail(error, entropy: &entropy)
    }
  }
}
