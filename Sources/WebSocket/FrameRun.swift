/// The short way for what a client mostly receives: one short, unfragmented, unmasked message behind the
/// other. Everything else, and everything that is wrong, is left to the long way, which begins anew at the
/// same frame.
extension WebSocketMachine {
  /// How many messages are taken note of before there is made room for more.
  private static let chunk = 512

  /// No frame and no message has begun.
  var isBetweenFrames: Bool {
    role == .client && incoming.remaining == 0 && incoming.kind == nil
      && incoming.headerPart.isEmpty
  }

  /// Delivers the messages at the beginning of `bytes[position...]`, and moves `position` behind them.
  mutating func deliverRun(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(ProtocolViolation) {
    guard let start = bytes.baseAddress else { return }
    let most = limits.message
    var run = FrameRun(start: start, position: position, end: bytes.count, most: most)
    while run.hasMore {
      events.records.append(addingCapacity: Self.chunk) { records in
        while !records.isFull, let record = run.next() { records.append(record) }
      }
    }
    position = run.position
    if run.hasInvalidText { throw .invalidUTF8 }
  }
}

/// Frames that lie one behind the other in memory.
private struct FrameRun {
  let start: UnsafeRawPointer
  var position: Int
  let end: Int
  /// The largest message.
  let most: Int
  var hasMore = true
  var hasInvalidText = false

  /// The next message where it is of the simple kind, lies whole in memory, and is valid.
  @inline(__always) mutating func next() -> WebSocketMachine.Events.Record? {
    hasMore = false
    guard end &- position >= 2 else { return nil }
    let first = start.load(fromByteOffset: position, as: UInt8.self)
    // Final, no reserved bits, text or binary.
    guard first == 0x81 || first == 0x82 else { return nil }
    var count = Int(start.load(fromByteOffset: position &+ 1, as: UInt8.self))
    var payload = position &+ 2
    if count > 125 {
      guard count == 126, end &- position >= 4 else { return nil }
      count = Int(
        UInt16(bigEndian: start.loadUnaligned(fromByteOffset: payload, as: UInt16.self)))
      guard count > 125 else { return nil }
      payload &+= 2
    }
    guard count <= most, count <= end &- payload else { return nil }
    if first == 0x81, !UTF8Validator.isValid(start + payload, count: count) {
      hasInvalidText = true
      return nil
    }
    position = payload &+ count
    hasMore = true
    return WebSocketMachine.Events.Record(
      start: payload, count: Int32(truncatingIfNeeded: count),
      kind: first == 0x81 ? .text : .binary)
  }
}
