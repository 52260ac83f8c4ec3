/// The receiving half of the machine: bytes to frames, frames to messages and answers.
extension WebSocketMachine {
  var isReading: Bool {
    switch state {
    case .open, .closing: true
    case .closed, .failed: false
    }
  }

  /// Gives how many of the bytes were taken.
  mutating func consume(_ bytes: UnsafeRawBufferPointer, entropy: inout Entropy) -> Int {
    var position = 0
    do throws(ProtocolViolation) {
      while isReading, position < bytes.count, !hasRestoredEnough {
        if isBetweenFrames {
          try deliverRun(bytes, at: &position)
          if position == bytes.count { break }
        }
        if incoming.remaining > 0 {
          let count = min(incoming.remaining, bytes.count - position)
          let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
          try take(piece)
          position += count
          if incoming.remaining == 0 { try finishFrame(entropy: &entropy) }
        } else if let header = try readHeader(bytes, at: &position) {
          if try !deliverWhole(header, bytes, at: &position) {
            try beginFrame(header)
            if header.length == 0 { try finishFrame(entropy: &entropy) }
          }
        }
      }
    } catch {
      guard !hasMessages else {
        deferredViolation = error
        return min(position, bytes.count - 1)
      }
      fail(error, entropy: &entropy)
    }
    return isReading ? position : bytes.count
  }

  private var hasMessages: Bool {
    events.contains { if case .message = $0 { true } else { false } }
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer) throws(ProtocolViolation) {
    guard incoming.isCompressed, !incoming.frame.opcode.isControl else {
      return try incoming.take(piece, limit: limits.message)
    }
    try inflation?.take(
      piece, key: incoming.frame.key, at: incoming.frame.length - incoming.remaining,
      isText: incoming.kind == .text, text: &incoming.text, limit: limits.message)
    incoming.remaining -= piece.count
  }

  /// A few bytes may stand for many: once messages of this many bytes were restored, they are handed over.
  private var mostRestored: Int { max(1, min(limits.message, 1 << 20)) }

  /// Bytes that the message which has begun may still grow by on the line.
  private var room: Int {
    if incoming.isCompressed, let inflation { return inflation.room(limit: limits.message) }
    return limits.message - incoming.message.count
  }

  /// The next header, `position` moved behind it; nil where the bytes end before it does.
  @inline(__always) private mutating func readHeader(
    _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(ProtocolViolation) -> FrameHeader? {
    let context = FrameHeader.Context(
      role: role, isInsideMessage: incoming.kind != nil,
      room: room, compressedRoom: inflation?.room(limit: limits.message), limit: limits.message)
    if incoming.headerPart.isEmpty {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      if let header = try FrameHeader.read(rest, in: context) {
        position += header.size
        return header
      }
    }
    while position < bytes.count {
      incoming.headerPart.append(bytes[position])
      position += 1
      if let header = try readHeaderPart(in: context) {
        incoming.headerPart.removeAll(keepingCapacity: true)
        return header
      }
    }
    return nil
  }

  private func readHeaderPart(
    in context: FrameHeader.Context
  ) throws(ProtocolViolation) -> FrameHeader? {
    try incoming.headerPart.span.bytes.withUnsafeBytes { part throws(ProtocolViolation) in
      try FrameHeader.read(part, in: context)
    }
  }

  /// The way of nearly every frame: an unfragmented message that lies whole in `bytes` is delivered
  /// without a copy, or with a single one where it has to be unmasked. False for any other frame.
  @inline(__always) private mutating func deliverWhole(
    _ header: FrameHeader, _ bytes: UnsafeRawBufferPointer, at position: inout Int
  ) throws(ProtocolViolation) -> Bool {
    guard header.isFinal, !header.isCompressed, header.length <= bytes.count - position else {
      return false
    }
    let kind: MessageKind
    switch header.opcode {
    case .text: kind = .text
    case .binary: kind = .binary
    case .continuation, .close, .ping, .pong: return false
    }
    let range = position..<(position + header.length)
    let payload = UnsafeRawBufferPointer(rebasing: bytes[range])
    position = range.upperBound
    if let key = header.key {
      var unmasked: [UInt8] = []
      unmasked.append(masked: payload, key: key, at: 0)
      let isValid = kind == .binary || unmasked.withUnsafeBytes { UTF8Validator.isValid($0) }
      guard isValid else { throw .invalidUTF8 }
      events.append(.message(kind, .owned(unmasked)))
    } else {
      guard kind == .binary || UTF8Validator.isValid(payload) else { throw .invalidUTF8 }
      deliver(kind, range)
    }
    return true
  }

  private mutating func deliver(_ kind: MessageKind, _ range: Range<Int>) {
    guard let count = Int32(exactly: range.count) else {
      return events.append(.message(kind, .range(range)))
    }
    let tag: Events.Record.Kind =
      switch kind {
      case .text: .text
      case .binary: .binary
      }
    events.records.append(Events.Record(start: range.lowerBound, count: count, kind: tag))
  }

  private mutating func beginFrame(_ header: FrameHeader) throws(ProtocolViolation) {
    switch header.opcode {
    case .text: incoming.begin(.text, isCompressed: header.isCompressed)
    case .binary: incoming.begin(.binary, isCompressed: header.isCompressed)
    case .continuation, .close, .ping, .pong: break
    }
    if !header.opcode.isControl {
      incoming.fragments += 1
      guard incoming.fragments <= limits.fragments else {
        throw .tooManyFragments(limit: limits.fragments)
      }
    }
    incoming.frame = header
    incoming.remaining = header.length
  }

  mutating func finishFrame(entropy: inout Entropy) throws(ProtocolViolation) {
    switch incoming.frame.opcode {
    case .continuation, .text, .binary:
      guard incoming.frame.isFinal, let kind = incoming.kind else { return }
      events.append(.message(kind, try endMessage()))
    case .ping:
      let payload = takeControlPayload()
      answer(ping: payload, entropy: &entropy)
      events.append(.ping(payload))
    case .pong:
      events.append(.pong(takeControlPayload()))
    case .close:
      try finishClose(takeControlPayload(), entropy: &entropy)
    }
  }

  private mutating func endMessage() throws(ProtocolViolation) -> Payload {
    guard incoming.isCompressed, let range = try inflation?.endMessage() else {
      return .owned(try incoming.endMessage())
    }
    _ = try incoming.endMessage()
    incoming.isCompressed = false
    hasRestoredEnough = range.upperBound >= mostRestored
    return .restored(range)
  }

  private mutating func takeControlPayload() -> [UInt8] {
    var payload: [UInt8] = []
    swap(&payload, &incoming.control)
    return payload
  }

  /// The peer's Close: answered with its code unless ours went out before (RFC 6455 section 5.5.1). A
  /// message that is not whole is dropped.
  private mutating func finishClose(
    _ payload: [UInt8], entropy: inout Entropy
  ) throws(ProtocolViolation) {
    let reason = try CloseReason.read(payload)
    if isOpen { append(.close, CloseReason(reason.code).payload, entropy: &entropy) }
    state = .closed(received: reason)
    events.append(.closed(reason))
    incoming = Incoming()
  }

  /// Fails the connection (RFC 6455 section 7.1.7): a Close with the violation's code, unless one was
  /// sent before.
  mutating func fail(_ violation: ProtocolViolation, entropy: inout Entropy) {
    if isOpen {
      append(.close, CloseReason(violation.closeCode).payload, entropy: &entropy)
    }
    state = .failed(violation)
    events.append(.failed(violation))
    incoming = Incoming()
  }
}
