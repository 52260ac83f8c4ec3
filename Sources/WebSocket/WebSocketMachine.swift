/// Text or binary (RFC 6455 section 5.6).
package enum MessageKind: Sendable {
  case text, binary
}

/// Where the bytes of a message are: in the bytes that were just handed to `receive`, or in memory of
/// their own when they came in several pieces or had to be unmasked. Text has been checked as UTF-8.
package enum Payload: Equatable, Sendable {
  case range(Range<Int>)
  case owned([UInt8])
}

/// Bounds on what a peer may send.
package struct Limits: Equatable, Sendable {
  /// The largest message in bytes; a larger one fails the connection with 1009.
  package var message: Int
  /// The most fragments that a message may come in (Autobahn needs more than 65 536).
  package var fragments: Int

  package init(message: Int = 16 << 20, fragments: Int = 131_072) {
    self.message = message
    self.fragments = fragments
  }
}

/// What the peer did wrong; each has one close code.
package enum ProtocolViolation: Error, Equatable, Sendable {
  case reservedBits
  case unknownOpcode(UInt8)
  case fragmentedControl
  case oversizedControl
  case nonMinimalLength
  case lengthOverflow
  case maskedByServer
  case unmaskedByClient
  case unexpectedContinuation
  case interruptedMessage
  case invalidUTF8
  case invalidCloseFrame
  case messageTooBig(limit: Int)
  case tooManyFragments(limit: Int)

  package var closeCode: CloseCode {
    switch self {
    case .invalidUTF8: .invalidData
    case .messageTooBig: .tooBig
    case .tooManyFragments: .policyViolation
    default: .protocolError
    }
  }
}

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

  package private(set) var state: State = .open
  /// What arrived, in order; ranges refer to the bytes of the last `receive`.
  package private(set) var events: [Event] = []

  package init(role: Role, limits: Limits = Limits()) {
    fatalError("interface only")
  }

  /// Takes all of `bytes`. Frames may begin and end anywhere. Events of the call before are forgotten
  /// first; those that precede a violation in the same bytes stand before it.
  package mutating func receive(_ bytes: RawSpan, entropy: inout Entropy) {
    fatalError("interface only")
  }

  /// Appends a message to the output. Ignored once a Close was sent.
  package mutating func send(_ kind: MessageKind, _ bytes: RawSpan, entropy: inout Entropy) {
    fatalError("interface only")
  }

  /// Appends a ping; at most 125 bytes of payload.
  package mutating func ping(_ payload: [UInt8], entropy: inout Entropy) {
    fatalError("interface only")
  }

  /// Begins the closing handshake; the reason's text is cut to 123 bytes at a character border.
  package mutating func close(_ reason: CloseReason, entropy: inout Entropy) {
    fatalError("interface only")
  }

  /// Whether bytes wait to be written.
  package var hasOutput: Bool {
    fatalError("interface only")
  }

  /// The bytes to write, handed over once.
  package mutating func takeOutput() -> [UInt8] {
    fatalError("interface only")
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
}
