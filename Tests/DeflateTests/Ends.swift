import CZlib
import Deflate
import TestKit
import Testing
import WebSocket

/// What one end got to see, with the bytes in place of ranges.
enum Seen: Equatable {
  case text(String)
  case binary([UInt8])
  case failed(ProtocolViolation)
  case other
}

/// One end of a line that agreed on compression.
struct End {
  var machine: WebSocketMachine
  private var entropy = Entropy.seeded(7)

  init(
    _ role: Role = .client, _ parameters: DeflateParameters = DeflateParameters(),
    limits: Limits = Limits()
  ) {
    machine = WebSocketMachine(
      role: role, limits: limits, transform: PerMessageDeflate(parameters, role: role))
  }

  /// Feeds the pieces and gives all that was reported.
  mutating func take(_ pieces: [[UInt8]]) -> [Seen] {
    pieces.flatMap { take($0) }
  }

  mutating func take(_ piece: [UInt8]) -> [Seen] {
    var seen: [Seen] = []
    var rest = piece
    while !rest.isEmpty {
      let taken = machine.receive(rest.span.bytes, entropy: &entropy)
      for event in machine.events {
        switch event {
        case .message(let kind, let payload):
          let bytes = machine.withBytes(of: payload, in: rest.span.bytes) { span in
            span.withUnsafeBytes { Array($0) }
          }
          seen.append(
            kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(bytes))
        case .failed(let violation): seen.append(.failed(violation))
        case .ping, .pong, .closed: seen.append(.other)
        }
      }
      rest.removeFirst(taken)
    }
    return seen
  }

  /// The frame of a message.
  mutating func frame(_ kind: MessageKind, _ bytes: [UInt8]) -> [UInt8] {
    machine.send(kind, bytes.span.bytes, entropy: &entropy)
    return machine.takeOutput()
  }
}

/// What a fresh client makes of a server's bytes, the same however they are cut up.
func seen(
  _ bytes: [UInt8], _ parameters: DeflateParameters = DeflateParameters(),
  limits: Limits = Limits(), sourceLocation: SourceLocation = #_sourceLocation
) -> [Seen] {
  var end = End(.client, parameters, limits: limits)
  let whole = end.take(bytes)
  for pieces in splits(of: bytes, rounds: 4) {
    var other = End(.client, parameters, limits: limits)
    #expect(other.take(pieces) == whole, sourceLocation: sourceLocation)
  }
  return whole
}

/// A server's frame.
func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
  let size = payload.count
  if size < 126 { return [first, UInt8(size)] + payload }
  if size < 65_536 { return [first, 126, UInt8(size >> 8), UInt8(size & 0xFF)] + payload }
  return [first, 127, 0, 0, 0, 0]
    + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + payload
}

/// The payload of a server's frame.
func payload(of frame: [UInt8]) -> [UInt8] {
  switch frame[1] {
  case 126: Array(frame.dropFirst(4))
  case 127: Array(frame.dropFirst(10))
  default: Array(frame.dropFirst(2))
  }
}

/// What a deflater with the largest window makes of a message, without the tail: the oracle.
func compressed(_ bytes: [UInt8]) -> [UInt8] {
  let deflate = PerMessageDeflate(DeflateParameters(), role: .server)
  return bytes.withUnsafeBytes { deflate.compress($0).map { Array($0) } ?? [] }
}

/// What another zlib with a window of that many bits makes of a payload; nil where it refuses it.
func inflated(_ payload: [UInt8], windowBits: Int32, size: Int) -> [UInt8]? {
  var stream = z_stream()
  guard cz_inflate_init(&stream, windowBits) == Z_OK else { return nil }
  defer { inflateEnd(&stream) }
  var input = payload + [0, 0, 0xFF, 0xFF]
  var output = [UInt8](repeating: 0, count: size + 1)
  let result = input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      return inflate(&stream, Z_SYNC_FLUSH)
    }
  }
  guard result == Z_OK || result == Z_BUF_ERROR else { return nil }
  return Array(output.prefix(Int(stream.total_out)))
}

/// Bytes that look like chat: words drawn again and again.
func words(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var dice = Entropy.seeded(seed)
  let known = ["alpha ", "beta ", "gamma, ", "what ", "über ", "€uro ", "line\n", "0123456789 "]
  var bytes: [UInt8] = []
  while bytes.count < count { bytes += Array(known[dice.below(known.count)].utf8) }
  return Array(bytes.prefix(count))
}

func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var dice = Entropy.seeded(seed)
  return (0..<count).map { _ in UInt8(dice.below(256)) }
}
