import Deflate
import WebSocket

/// Sends every message back as it came.
struct Echo {
  private var machine: WebSocketMachine
  /// Both sides have said Close, or the peer broke the protocol.
  private(set) var isOver = false
  private(set) var lastMessage: [UInt8] = []
  private let echoes: Bool

  init(_ machine: WebSocketMachine, echoes: Bool = true) {
    self.machine = machine
    self.echoes = echoes
  }

  /// Compresses the smallest message too: the suites are to see it, and kosoku 0.1.0 trips over a plain
  /// text in its group 12.
  static func deflate(_ parameters: DeflateParameters, role: Role) -> PerMessageDeflate {
    PerMessageDeflate(parameters, role: role, threshold: 0)
  }

  /// Gives what is to be written.
  mutating func receive(_ bytes: RawSpan, entropy: inout Entropy) -> [UInt8] {
    var position = 0
    repeat {
      let rest = bytes.extracting(position...)
      position += machine.receive(rest, entropy: &entropy)
      for event in machine.events {
        switch event {
        case .message(let kind, let payload): take(kind, payload, in: rest, &entropy)
        case .closed, .failed: isOver = true
        case .ping, .pong: break
        }
      }
    } while position < bytes.byteCount
    return machine.takeOutput()
  }

  private mutating func take(
    _ kind: MessageKind, _ payload: Payload, in bytes: RawSpan, _ entropy: inout Entropy
  ) {
    guard echoes else {
      lastMessage = copy(of: payload, in: bytes)
      return
    }
    switch payload {
    case .range(let range): machine.send(kind, bytes.extracting(range), entropy: &entropy)
    case .owned(let message): machine.send(kind, message.span.bytes, entropy: &entropy)
    case .restored:
      machine.send(kind, copy(of: payload, in: bytes).span.bytes, entropy: &entropy)
    }
  }

  private func copy(of payload: Payload, in bytes: RawSpan) -> [UInt8] {
    machine.withBytes(of: payload, in: bytes) { span in span.withUnsafeBytes { Array($0) } }
  }
}
