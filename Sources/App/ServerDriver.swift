import Channel
import Net
import Server
import WebSocket

/// The embedded server on real sockets: hands bytes and times to the `ChatServer` value, and does what it says.
final class ServerDriver {
  /// What waits for a reader who does not read; beyond it the connection is cut.
  private static let mostPendingBytes = 16 << 20
  /// While so much does, pings are not answered.
  private static let muchPending = 1 << 20

  let address: HostPort
  private let listener: Listener
  private let listenerToken: UInt64
  private let reactor: Reactor
  private let tokens: Tokens
  private var server: ChatServer
  private var connections: [UInt64: Connection] = [:]
  private var entropy = Machine.entropy()

  init(
    _ configuration: ServerConfiguration, on place: HostPort, reactor: Reactor, tokens: Tokens
  ) throws(CommandFailure) {
    listenerToken = tokens.next()
    do {
      listener = try Listener(on: place, reactor: reactor, token: listenerToken)
    } catch {
      throw CommandFailure(error.message, exitCode: ExitCode.unavailable)
    }
    address = listener.address
    server = ChatServer(configuration)
    self.reactor = reactor
    self.tokens = tokens
  }

  /// When `timeReached` wants to be called.
  var deadline: Duration? {
    let ending = connections.values.compactMap(\.deadline).min()
    return [server.deadline, ending].compactMap { $0 }.min()
  }

  /// Deals with something ready; false where its token is somebody else's.
  func ready(_ ready: Ready, at now: Duration) -> Bool {
    if ready.token == listenerToken {
      accept(at: now)
      return true
    }
    guard let connection = connections[ready.token] else { return false }
    handle(connection.ready(ready, at: now), of: connection, at: now)
    return true
  }

  func timeReached(at now: Duration) {
    perform(server.timeReached(at: now, entropy: &entropy), at: now)
    for connection in Array(connections.values) {
      guard let deadline = connection.deadline, deadline <= now else { continue }
      handle(connection.timeReached(at: now), of: connection, at: now)
    }
  }

  func say(_ text: String, by author: String, in room: String, at now: Duration) {
    let wall = MachineClock.wallMilliseconds()
    perform(
      server.say(text, by: author, in: room, at: now, wall: wall, entropy: &entropy), at: now)
  }

  /// Lists somebody in a room who has no connection.
  func seat(_ name: String, in room: String) {
    server.seat(name, in: room)
  }

  /// Says goodbye to everybody with 1001.
  func closeAll(at now: Duration) {
    perform(server.closeAll(reason: "the server stops", at: now, entropy: &entropy), at: now)
  }

  private func accept(at now: Duration) {
    // Bounded, so that a crowd at the door does not keep those inside waiting.
    for _ in 0..<64 {
      let token = tokens.next()
      guard let connection = listener.accept(token: token) else { return }
      connections[token] = connection
      perform(server.accepted(ConnectionID(Int(token)), at: now), at: now)
    }
  }

  private func handle(_ events: [LinkEvent], of connection: Connection, at now: Duration) {
    for event in events {
      switch event {
      case .readable: read(connection, at: now)
      case .ended: ended(connection.token, at: now)
      case .drained:
        let id = ConnectionID(Int(connection.token))
        perform(server.client(id, isBehind: false, at: now, entropy: &entropy), at: now)
      case .lookingUp, .connecting, .tunnelling, .securing, .opened: break
      }
    }
  }

  private func read(_ connection: Connection, at now: Duration) {
    switch connection.read(into: reactor.readBuffer) {
    case .wouldBlock: break
    case .ended: ended(connection.token, at: now)
    case .bytes:
      let actions = server.receive(
        reactor.readBuffer.contents.bytes, from: ConnectionID(Int(connection.token)), at: now,
        wall: MachineClock.wallMilliseconds(), entropy: &entropy)
      perform(actions, at: now)
    }
  }

  private func ended(_ token: UInt64, at now: Duration) {
    guard connections.removeValue(forKey: token) != nil else { return }
    perform(server.ended(ConnectionID(Int(token)), at: now), at: now)
  }

  private func perform(_ actions: [ServerAction], at now: Duration) {
    for action in actions {
      switch action {
      case .write(let id, let bytes):
        guard let connection = connections[UInt64(id.number)] else { continue }
        connection.write(bytes)
        if connection.pendingBytes > Self.muchPending {
          perform(server.client(id, isBehind: true, at: now, entropy: &entropy), at: now)
        }
        if connection.pendingBytes > Self.mostPendingBytes {
          connection.drop()
          ended(connection.token, at: now)
        }
      case .finish(let id):
        guard let connection = connections[UInt64(id.number)] else { continue }
        handle(connection.finish(at: now), of: connection, at: now)
      case .drop(let id):
        guard let connection = connections[UInt64(id.number)] else { continue }
        connection.drop()
        ended(connection.token, at: now)
      }
    }
  }
}
