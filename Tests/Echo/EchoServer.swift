import Glibc
import Net
import WebSocket

/// The server's side of a conformance suite that is a client, until standard input ends.
final class EchoServer {
  private static let listenerToken: UInt64 = 1
  private static let inputToken: UInt64 = 2

  let address: HostPort
  private let reactor: Reactor
  private let listener: Listener
  private var guests: [UInt64: Guest] = [:]
  private var entropy = Entropy { fillRandom($0) }
  private var lastToken: UInt64 = 2

  private struct Guest {
    let connection: Net.Connection
    var handshake = ServerHandshake()
    var echo: Echo?
  }

  init(on place: HostPort) throws {
    reactor = try Reactor()
    listener = try Listener(on: place, reactor: reactor, token: Self.listenerToken)
    address = listener.address
    try reactor.watch(STDIN_FILENO, token: Self.inputToken, for: .readable)
  }

  func run() {
    while true {
      let deadline = guests.values.compactMap(\.connection.deadline).min()
      for ready in reactor.wait(atMost: deadline.map { $0 - MachineClock.now() }) {
        switch ready.token {
        case Self.inputToken: return
        case Self.listenerToken: accept()
        default:
          guard let connection = guests[ready.token]?.connection else { continue }
          perform(connection.ready(ready, at: MachineClock.now()), ready.token)
        }
      }
      for (token, guest) in guests {
        perform(guest.connection.timeReached(at: MachineClock.now()), token)
      }
    }
  }

  private func accept() {
    lastToken += 1
    guard let connection = listener.accept(token: lastToken) else { return }
    guests[lastToken] = Guest(connection: connection)
  }

  private func perform(_ events: [LinkEvent], _ token: UInt64) {
    for event in events {
      switch event {
      case .lookingUp, .connecting, .tunnelling, .securing, .opened, .drained: break
      case .ended: guests[token] = nil
      case .readable: read(token)
      }
    }
  }

  private func read(_ token: UInt64) {
    guard let connection = guests[token]?.connection else { return }
    switch connection.read(into: reactor.readBuffer) {
    case .wouldBlock: break
    case .ended: guests[token] = nil
    case .bytes:
      let isOver = receive(reactor.readBuffer.contents.bytes, token)
      if isOver { perform(connection.finish(at: MachineClock.now()), token) }
    }
  }

  /// True where the connection is to be ended.
  private func receive(_ bytes: RawSpan, _ token: UInt64) -> Bool {
    if guests[token]?.echo != nil { return echo(bytes, token) }
    switch guests[token]?.handshake.receive(bytes) {
    case nil, .incomplete: return false
    case .malformed(let answer):
      guests[token]?.connection.write(answer)
      return true
    case .request(let request):
      guard let key = request.key else {
        guests[token]?.connection.write(
          ServerHandshake.answer(status: 426, reason: "Upgrade Required", body: "WebSocket\n"))
        return true
      }
      let compression = DeflateParameters(answering: request.extensions)
      guests[token]?.connection.write(
        ServerHandshake.accept(key: key, subprotocol: nil, compression: compression))
      guests[token]?.echo = Echo(
        WebSocketMachine(
          role: .server,
          transform: compression.map { Echo.deflate($0, role: .server) }))
      return echo(bytes.extracting(request.consumed...), token)
    }
  }

  private func echo(_ bytes: RawSpan, _ token: UInt64) -> Bool {
    let output = guests[token]?.echo?.receive(bytes, entropy: &entropy) ?? []
    if !output.isEmpty { guests[token]?.connection.write(output) }
    return guests[token]?.echo?.isOver ?? true
  }
}
