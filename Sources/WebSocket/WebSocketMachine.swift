/// A connection after the opening handshake: frames, messages, ping and pong, closing handshake, in
/// either role. It owns no socket and no clock. What the peer does wrong becomes state and output.
///
/// The driver calls `receive`, then takes `events` and writes `takeOutput()`.
package struct WebSocketMachine: Sendable {
  package enum State: Equatable, Sendable {
    case open
    /// We sent Close and wait for the peer's.
    case closing(sent: CloseReason)
    /// Both Close frames were exchanged: the line can end. Carries what the peer said (1005 if no code).
    case closed(received: CloseReason)
    /// The peer broke the protocol; our Close is in the output, and the line is to be ended.
    case failed(ProtocolViolation)
  }

  package enum Event: Equatable, Sendable {
    case message(MessageKind, Payload)
    case ping([UInt8])
    case pong([UInt8])
    /// The peer's Close; ours has been answered or is answered in the output.
    case closed(CloseReason)
    case failed(ProtocolViolation)
  }

  package internal(set) var state: State = .open
  /// What arrived, in order; ranges refer to the bytes of the last `receive`.
  package internal(set) var events = Events()

  /// Memory above this size is given back, so that one large message does not stay in memory for ever.
  private static let keptCapacity = 5 << 19
  /// So much is collected: it costs few system calls and is still in the cache when it is written.
  private static let worthAWrite = 128 * 1024

  let role: Role
  let limits: Limits
  var incoming = Incoming()
  private var output: [UInt8] = []

  /// A message limit below zero counts as zero, a fragment limit below one as one.
  package init(role: Role, limits: Limits = Limits()) {
    self.role = role
    self.limits = Limits(message: max(0, limits.message), fragments: max(1, limits.fragments))
  }

  /// Takes all of `bytes`. Frames may begin and end anywhere. Events of the call before are forgotten
  /// first; those that precede a violation in the same bytes stand before it. Nothing is taken any
  /// more once the machine is closed or failed.
  package mutating func receive(_ bytes: RawSpan, entropy: inout Entropy) {
    reuseMemory()
    events.removeAll()
    bytes.withUnsafeBytes { consume($0, entropy: &entropy) }
  }

  /// Appends a message to the output as one frame. Ignored once a Close was sent. The bytes of a text
  /// are UTF-8: that is the caller's word.
  package mutating func send(_ kind: MessageKind, _ bytes: RawSpan, entropy: inout Entropy) {
    guard isOpen else { return }
    let opcode: Opcode =
      switch kind {
      case .text: .text
      case .binary: .binary
      }
    bytes.withUnsafeBytes { append(opcode, $0, entropy: &entropy) }
  }

  /// Sends like `send`, for many messages in a row: they are collected until they are worth a write. What is
  /// left after the last one is taken by `drainOutput`.
  package mutating func send(
    _ kind: MessageKind, _ bytes: RawSpan, entropy: inout Entropy,
    to write: (inout [UInt8]) -> Void
  ) {
    send(kind, bytes, entropy: &entropy)
    if output.count >= Self.worthAWrite { drainOutput(write) }
  }

  /// Appends a ping; at most 125 bytes of payload. Ignored once a Close was sent.
  package mutating func ping(_ payload: [UInt8], entropy: inout Entropy) {
    precondition(
      payload.count <= FrameHeader.largestControlPayload,
      "The payload of a ping has \(payload.count) bytes; give it at most 125.")
    guard isOpen else { return }
    append(.ping, payload, entropy: &entropy)
  }

  /// Begins the closing handshake; the reason's text is cut to 123 bytes at a character border. A code
  /// that may not be sent, such as 1005, makes a Close frame without a payload.
  package mutating func close(_ reason: CloseReason, entropy: inout Entropy) {
    guard isOpen else { return }
    let fitting = reason.fitting
    append(.close, fitting.payload, entropy: &entropy)
    state = .closing(sent: fitting)
  }

  /// Whether bytes wait to be written.
  package var hasOutput: Bool { !output.isEmpty }

  /// The bytes to write, handed over once.
  package mutating func takeOutput() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &output)
    return taken
  }

  /// The same for a writer who gives memory back: the next bytes are then written into that.
  package mutating func drainOutput(_ write: (inout [UInt8]) -> Void) {
    guard !output.isEmpty else { return }
    write(&output)
    if output.capacity <= Self.keptCapacity {
      output.removeAll(keepingCapacity: true)
    } else {
      output = []
    }
  }

  /// Runs `body` on a payload's bytes; `bytes` are those of the `receive` that reported it.
  package static func withBytes<R>(
    of payload: Payload, in bytes: RawSpan, _ body: (RawSpan) throws -> R
  ) rethrows -> R {
    switch payload {
    case .range(let range): try body(bytes.extracting(range))
    case .owned(let array): try body(array.span.bytes)
    }
  }

  /// Keeps the memory of the last message that came in pieces for another one, unless somebody holds it.
  private mutating func reuseMemory() {
    guard let last = events.others.popLast(), case .message(_, .owned(var memory)) = last else {
      return
    }
    guard memory.capacity > incoming.spare.capacity, memory.capacity <= Self.keptCapacity else {
      return
    }
    memory.removeAll(keepingCapacity: true)
    incoming.spare = memory
  }

  var isOpen: Bool {
    switch state {
    case .open: true
    case .closing, .closed, .failed: false
    }
  }

  mutating func append(_ opcode: Opcode, _ payload: [UInt8], entropy: inout Entropy) {
    payload.withUnsafeBytes { append(opcode, $0, entropy: &entropy) }
  }

  /// Appends one whole frame: header and payload are written in one pass, masked by a fresh key where
  /// we are the client.
  private mutating func append(
    _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, entropy: inout Entropy
  ) {
    let key = role == .client ? entropy.word() : nil
    let header = FrameHeader(
      opcode: opcode, isFinal: true, length: payload.count, key: key,
      size: FrameHeader.size(for: payload.count, isMasked: key != nil))
    output.append(addingCapacity: header.size + payload.count) { span in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        guard let start = UnsafeMutableRawBufferPointer(buffer).baseAddress else { return }
        header.write(to: start)
        if let key {
          Mask.apply(key, from: payload, to: start + header.size)
        } else if let source = payload.baseAddress {
          (start + header.size).copyMemory(from: source, byteCount: payload.count)
        }
        initializedCount = header.size + payload.count
      }
    }
  }
}
