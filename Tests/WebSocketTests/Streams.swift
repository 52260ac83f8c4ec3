import TestKit
import Testing
import WebSocket

/// What a machine reported, with the bytes in place of ranges.
enum Seen: Equatable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case closed(CloseReason)
  case failed(ProtocolViolation)

  init(_ event: WebSocketMachine.Event, of machine: WebSocketMachine, in bytes: [UInt8]) {
    switch event {
    case .message(let kind, let payload):
      let content = machine.withBytes(of: payload, in: bytes.span.bytes) { span in
        span.withUnsafeBytes { Array($0) }
      }
      self = kind == .text ? .text(String(decoding: content, as: UTF8.self)) : .binary(content)
    case .ping(let payload): self = .ping(payload)
    case .pong(let payload): self = .pong(payload)
    case .closed(let reason): self = .closed(reason)
    case .failed(let violation): self = .failed(violation)
    }
  }
}

/// All that a stream of bytes led to.
struct Outcome: Equatable {
  var seen: [Seen] = []
  var state = WebSocketMachine.State.open
  var output: [UInt8] = []
}

/// Mask keys of zeros, so that what a client writes can be read as it is.
func zeroKeys() -> Entropy { .repeating([0, 0, 0, 0]) }

extension WebSocketMachine {
  /// Feeds one piece and gives what was reported.
  mutating func take(_ piece: [UInt8], entropy: inout Entropy) -> [Seen] {
    var seen: [Seen] = []
    var rest = piece
    while !rest.isEmpty {
      let taken = receive(rest.span.bytes, entropy: &entropy)
      seen += events.map { Seen($0, of: self, in: rest) }
      rest.removeFirst(taken)
    }
    return seen
  }

  mutating func sendText(_ text: String, entropy: inout Entropy) {
    send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
  }
}

/// What a fresh machine makes of these pieces.
func feed(
  pieces: [[UInt8]], to role: Role = .client, limits: Limits = Limits(),
  after prepare: (inout WebSocketMachine, inout Entropy) -> Void = { _, _ in }
) -> Outcome {
  var entropy = zeroKeys()
  var machine = WebSocketMachine(role: role, limits: limits)
  prepare(&machine, &entropy)
  var outcome = Outcome()
  for piece in pieces {
    outcome.seen += machine.take(piece, entropy: &entropy)
    outcome.output += machine.takeOutput()
  }
  outcome.state = machine.state
  return outcome
}

/// What a fresh machine makes of a stream, after making sure that it makes the same of it however the
/// bytes are cut up.
func feed(
  _ bytes: [UInt8], to role: Role = .client, limits: Limits = Limits(),
  after prepare: (inout WebSocketMachine, inout Entropy) -> Void = { _, _ in },
  sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome {
  let whole = feed(pieces: [bytes], to: role, limits: limits, after: prepare)
  for pieces in splits(of: bytes) {
    let cut = feed(pieces: pieces, to: role, limits: limits, after: prepare)
    #expect(cut == whole, "cut as \(pieces.map(\.count))", sourceLocation: sourceLocation)
  }
  return whole
}

/// Builds a frame byte by byte, as the oracle for the machine's own way.
func frame(
  _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, key: [UInt8]? = nil
) -> [UInt8] {
  var bytes = [(isFinal ? 0x80 : 0) | opcode]
  let mask: UInt8 = key == nil ? 0 : 0x80
  if payload.count < 126 {
    bytes.append(mask | UInt8(payload.count))
  } else if payload.count < 65_536 {
    bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
  } else {
    bytes.append(mask | 127)
    for shift in [56, 48, 40, 32, 24, 16, 8, 0] {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
    }
  }
  guard let key else { return bytes + payload }
  bytes += key
  for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index % 4]) }
  return bytes
}

/// A server's frame of at most 125 bytes as a client writes it, masked with a key that is not zero.
func masked(_ bytes: [UInt8]) -> [UInt8] {
  frame(
    bytes[0] & 0x0F, Array(bytes.dropFirst(2)), isFinal: bytes[0] & 0x80 != 0,
    key: [0xA1, 0x02, 0xFE, 0x7C])
}
