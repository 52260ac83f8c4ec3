import JSON
import TestKit
import WebSocket

@testable import Server

/// A server and its clients in memory: the clients are real handshakes and machines in the client's role,
/// and time is moved by hand.
final class Bench {
  /// What one client has seen.
  final class Client {
    let id: ConnectionID
    fileprivate var handshake: ClientHandshake
    fileprivate var machine: WebSocketMachine?
    fileprivate(set) var subprotocol: String?
    fileprivate(set) var refusal: Refusal?
    fileprivate(set) var texts: [String] = []
    fileprivate(set) var binaries: [[UInt8]] = []
    fileprivate(set) var closed: CloseReason?
    fileprivate(set) var isFinished = false
    fileprivate(set) var isDropped = false

    fileprivate init(_ id: ConnectionID, _ handshake: ClientHandshake) {
      self.id = id
      self.handshake = handshake
    }

    var refusalText: String {
      guard let refusal else { return "" }
      return String(decoding: refusal.body, as: UTF8.self)
    }

    /// The texts that came since the last time.
    func take() -> [String] {
      defer { texts = [] }
      return texts
    }
  }

  /// 2026-01-01T00:00:00Z.
  static let wall: Int64 = 1_767_225_600_000

  var server: ChatServer
  private(set) var now = Duration.zero
  private var entropy = Entropy.seeded()
  private var clients: [Client] = []

  init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) {
    var configuration = ServerConfiguration()
    configure(&configuration)
    server = ChatServer(configuration)
  }

  /// Opens a connection and sends the request.
  func connect(
    _ target: String = "/", _ subprotocols: [String] = [], headers: [Header] = []
  ) -> Client {
    let handshake = ClientHandshake(
      HandshakeRequest(
        host: "127.0.0.1", target: target, headers: headers, subprotocols: subprotocols),
      entropy: &entropy)
    let client = Client(ConnectionID(clients.count + 1), handshake)
    clients.append(client)
    perform(server.accepted(client.id, at: now))
    deliver(handshake.request, from: client)
    return client
  }

  /// A connection that sends the bytes as they are; gives what the server wrote.
  func raw(_ text: String) -> (written: String, isFinished: Bool) {
    let id = ConnectionID(1000 + clients.count)
    var actions = server.accepted(id, at: now)
    actions += server.receive(
      Array(text.utf8).span.bytes, from: id, at: now, wall: Self.wall, entropy: &entropy)
    var written = ""
    var isFinished = false
    for action in actions {
      switch action {
      case .write(id, let bytes): written += String(decoding: bytes, as: UTF8.self)
      case .finish(id): isFinished = true
      default: break
      }
    }
    return (written, isFinished)
  }

  func send(_ text: String, from client: Client) {
    client.machine?.send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
    flush(client)
  }

  func send(binary bytes: [UInt8], from client: Client) {
    client.machine?.send(.binary, bytes.span.bytes, entropy: &entropy)
    flush(client)
  }

  /// Several texts in one piece of bytes.
  func send(together texts: [String], from client: Client) {
    for text in texts {
      client.machine?.send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
    }
    flush(client)
  }

  func ping(_ payload: [UInt8], from client: Client) {
    client.machine?.ping(payload, entropy: &entropy)
    flush(client)
  }

  func close(_ client: Client, _ reason: CloseReason) {
    client.machine?.close(reason, entropy: &entropy)
    flush(client)
  }

  /// Bytes that are no frame of a machine.
  func send(raw bytes: [UInt8], from client: Client) {
    deliver(bytes, from: client)
  }

  func end(_ client: Client) {
    perform(server.ended(client.id, at: now))
  }

  func say(_ text: String, by author: String, in room: String) {
    perform(
      server.say(text, by: author, in: room, at: now, wall: Self.wall, entropy: &entropy))
  }

  func closeAll(_ reason: String) {
    perform(server.closeAll(reason: reason, at: now, entropy: &entropy))
  }

  /// Moves time on, by way of every deadline on the path.
  func advance(by distance: Duration) {
    let goal = now + distance
    while let deadline = server.deadline, deadline <= goal {
      now = max(now, deadline)
      perform(server.timeReached(at: now, entropy: &entropy))
    }
    now = goal
  }

  private func flush(_ client: Client) {
    let bytes = client.machine?.takeOutput() ?? []
    if !bytes.isEmpty { deliver(bytes, from: client) }
  }

  private func deliver(_ bytes: [UInt8], from client: Client) {
    perform(
      server.receive(
        bytes.span.bytes, from: client.id, at: now, wall: Self.wall, entropy: &entropy))
  }

  private func perform(_ actions: [ServerAction]) {
    for action in actions {
      switch action {
      case .write(let id, let bytes):
        if let client = clients.first(where: { $0.id == id }) { take(bytes, at: client) }
      case .finish(let id):
        clients.first { $0.id == id }?.isFinished = true
      case .drop(let id):
        clients.first { $0.id == id }?.isDropped = true
      }
    }
  }

  private func take(_ bytes: [UInt8], at client: Client) {
    guard client.machine != nil else {
      switch client.handshake.receive(bytes.span.bytes) {
      case .accepted(let acceptance):
        client.subprotocol = acceptance.subprotocol
        client.machine = WebSocketMachine(role: .client)
        read(Array(bytes[acceptance.consumed...]), at: client)
      case .refused(let refusal): client.refusal = refusal
      case .incomplete, .failed: break
      }
      return
    }
    read(bytes, at: client)
  }

  private func read(_ bytes: [UInt8], at client: Client) {
    _ = client.machine?.receive(bytes.span.bytes, entropy: &entropy)
    guard let events = client.machine?.events else { return }
    for event in events {
      switch event {
      case .message(let kind, let payload):
        let message =
          client.machine?.withBytes(of: payload, in: bytes.span.bytes) { bytes in
            bytes.withUnsafeBytes { Array($0) }
          } ?? []
        if kind == .text {
          client.texts.append(String(decoding: message, as: UTF8.self))
        } else {
          client.binaries.append(message)
        }
      case .closed(let reason): client.closed = reason
      case .ping, .pong, .failed: break
      }
    }
    // The client's answers, such as its Close.
    flush(client)
  }
}

extension Bench {
  static let transport = "graphql-transport-ws"

  static let acknowledgement =
    #"{"type":"connection_ack","payload":{"server":"parlour","features":["changes","replies","typing","members"]}}"#

  /// A GraphQL client that was acknowledged.
  func graphql() -> Client {
    let client = connect("/graphql", [Self.transport])
    send(#"{"type":"connection_init"}"#, from: client)
    _ = client.take()
    return client
  }

  func subscribe(
    _ id: String, _ query: String, variables: JSON = [:], from client: Client
  ) {
    let message: JSON = [
      "id": .string(id), "type": "subscribe",
      "payload": ["query": .string(query), "variables": variables],
    ]
    send(message.text, from: client)
  }

  /// An envelope client in a room; what it was told on joining is forgotten.
  func envelope(_ nick: String, in room: String) -> Client {
    let client = connect("/", ["parlour-envelope"])
    send(#"{"kind":"join","payload":{"room":"\#(room)","nick":"\#(nick)"}}"#, from: client)
    _ = client.take()
    return client
  }
}

/// Envelopes with their payloads decoded, as `kind payload`.
func opened(_ frames: [String]) -> [String] {
  frames.map { frame in
    guard let json = try? JSON.parse(frame), let kind = json["kind"]?.string,
      let bytes = Base64.decoded(json["payload"]?.string ?? "?")
    else { return "broken: \(frame)" }
    return "\(kind) \(String(decoding: bytes, as: UTF8.self))"
  }
}
