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
  private static let worthAWrite = 64 * 1024

  let role: Role
  let limits: Limits
  var incoming = Incoming()
  /// Where compression was agreed on.
  var inflation: Inflation?
  /// What the peer did wrong behind the messages that were handed over.
  var deferredViolation: ProtocolViolation?
  /// The messages restored in this turn are to be handed over before there are more.
  package internal(set) var hasRestoredEnough = false
  /// Pings are not answered for the time being; see `holdPongs`.
  private var holdsPongs = false
  /// The payload of the newest ping since then.
  private var heldPong: [UInt8]?
  /// Messages of fewer bytes are not compressed.
  private let compressionThreshold: Int
  private var output: [UInt8] = []

  /// A message limit below zero counts as zero, a fragment limit below one as one. `transform` is what
  /// the opening handshake agreed on.
  package init(
    role: Role, limits: Limits = Limits(), transform: (any MessageTransform)? = nil
  ) {
    self.role = role
    inflation = transform.map { Inflation($0) }
    compressionThreshold = transform?.threshold ?? .max
    self.limits = Limits(message: max(0, limits.message), fragments: max(1, limits.fragments))
  }

  /// Takes `bytes`, and says how many of them. Where some are left, hand them in again after the events:
  /// the messages so far have restored too much, or stand before a violation, and answers to them have to
  /// go out before the Close that it leads to.
  ///
  /// Frames may begin and end anywhere. Events of the call before are forgotten first. What comes once
  /// the machine is closed or failed is thrown away.
  package mutating func receive(_ bytes: RawSpan, entropy: inout Entropy) -> Int {
    beginTurn()
    if let violation = deferredViolation {
      deferredViolation = nil
      fail(violation, entropy: &entropy)
    }
    return bytes.withUnsafeBytes { consume($0, entropy: &entropy) }
  }

  /// Forgets what the last call of `receive` has reported.
  mutating func beginTurn() {
    reuseMemory()
    events.removeAll()
    inflation?.beginTurn()
    hasRestoredEnough = false
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
    bytes.withUnsafeBytes { message in
      guard message.count >= compressionThreshold,
        let compressed = inflation?.transform.compress(message)
      else { return append(opcode, message, entropy: &entropy) }
      append(opcode, compressed, isCompressed: true, entropy: &entropy)
    }
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

  /// While what was written waits for a peer that does not read, its pings are not answered; once that is over, the
  /// newest of them is, and those before it need not be (RFC 6455 section 5.5.3).
  package mutating func holdPongs(_ holds: Bool, entropy: inout Entropy) {
    holdsPongs = holds
    guard !holds, let payload = heldPong else { return }
    heldPong = nil
    if isOpen { append(.pong, payload, entropy: &entropy) }
  }

  mutating func answer(ping payload: [UInt8], entropy: inout Entropy) {
    guard isOpen else { return }
    if holdsPongs { heldPong = payload } else { append(.pong, payload, entropy: &entropy) }
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
  package func withBytes<R>(
    of payload: Payload, in bytes: RawSpan, _ body: (RawSpan) throws -> R
  ) rethrows -> R {
    switch payload {
    case .range(let range): return try body(bytes.extracting(range))
    case .owned(let array): return try body(array.span.bytes)
    case .restored(let range):
      guard let inflation else { return try body(bytes.extracting(first: 0)) }
      return try body(inflation.output.span.bytes.extracting(range))
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
    _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isCompressed: Bool = false,
    entropy: inout Entropy
  ) {
    let key = role == .client ? entropy.word() : nil
    let header = FrameHeader(
      opcode: opcode, isFinal: true, isCompressed: isCompressed, length: payload.count, key: key,
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

extension WebSocketMachine {
  /// Bytes of memory that restored messages take up, those to come included: what tests bound.
  package var restoredCapacity: Int { inflation?.output.capacity ?? 0 }
}
