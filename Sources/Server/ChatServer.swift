package import WebSocket

/// A connection of the embedded server.
package struct ConnectionID: Hashable, Sendable {
  package var number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

package struct ServerConfiguration: Sendable {
  /// Tokens that are let in; empty lets everybody in.
  package var tokens: [String] = []
  /// Cuts every connection this long after it opened, without a Close frame.
  package var dropEvery: Duration?
  /// Refuses this many upgrades (503) before it accepts any.
  package var refuse = 0
  /// Answers come this much later.
  package var latency: Duration = .zero
  /// Messages kept in a room.
  package var historyLimit = 10_000
  package var maxMessage = 1 << 20
  package var maxConnections = 1024

  package init() {}
}

package enum ServerAction: Equatable, Sendable {
  case write(ConnectionID, [UInt8])
  /// Close the socket after what was written has left. The server has forgotten the connection.
  case finish(ConnectionID)
  /// Cut the socket at once. The server has forgotten the connection.
  case drop(ConnectionID)
}

/// The embedded chat server as a value: rooms with history and ids, three dialects by subprotocol.
/// Times are distances from the server's start; `wall` is milliseconds since 1970.
///
/// The driver hands in what happens, carries out the actions in their order, and calls `timeReached` when
/// `deadline` has come. Ids of connections are never used twice. What is handed in for a connection that was
/// finished or dropped is ignored.
package struct ChatServer {
  let configuration: ServerConfiguration
  var state: ServerState
  var connections: [ConnectionID: Connection] = [:]
  /// Who hears a room, in the order of entering.
  var audience: [String: [ConnectionID]] = [:]
  var actions: DelayedActions
  /// Connections with something to write, in the order in which it came up.
  private var touched: [ConnectionID] = []
  private var touchedSet: Set<ConnectionID> = []
  private var refusals: Int
  private var guests = 0

  /// Connections beyond the limit that may wait for their refusal at a time; more are cut.
  private static let mostSurplus = 64

  package init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    state = ServerState(rooms: RoomStore(historyLimit: configuration.historyLimit))
    actions = DelayedActions(latency: configuration.latency)
    refusals = max(0, configuration.refuse)
  }

  /// When `timeReached` is to be called, or nil when nothing waits for time.
  package var deadline: Duration? {
    var earliest = actions.deadline
    for connection in connections.values {
      guard let deadline = connection.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  /// A socket was accepted.
  package mutating func accepted(_ id: ConnectionID, at now: Duration) -> [ServerAction] {
    let limit = max(1, configuration.maxConnections)
    if connections.count >= limit + Self.mostSurplus {
      actions.drop(id)
    } else {
      connections[id] = Connection(isSurplus: connections.count >= limit, at: now)
    }
    return actions.take(at: now)
  }

  /// Bytes arrived.
  package mutating func receive(
    _ bytes: RawSpan, from id: ConnectionID, at now: Duration, wall: Int64,
    entropy: inout Entropy
  ) -> [ServerAction] {
    if connections[id]?.handshake != nil {
      receiveRequest(bytes, from: id, at: now, wall: wall, &entropy)
    } else {
      receiveFrames(bytes, from: id, at: now, wall: wall, &entropy)
    }
    return flush(at: now)
  }

  /// The socket was closed by the other side, or broke.
  package mutating func ended(_ id: ConnectionID, at now: Duration) -> [ServerAction] {
    var entropy = Self.noEntropy()
    leaveAll(id, at: now, &entropy)
    connections[id] = nil
    actions.forget(id)
    return flush(at: now)
  }

  /// Does what is due.
  package mutating func timeReached(at now: Duration, entropy: inout Entropy) -> [ServerAction] {
    let due = connections.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys
    for id in due.sorted(by: { $0.number < $1.number }) {
      if let cut = connections[id]?.cutAt, cut <= now {
        leaveAll(id, at: now, &entropy)
        connections[id] = nil
        actions.drop(id)
      } else if let effects = connections[id]?.dialect?.timeReached(at: now) {
        apply(effects, of: id, at: now, &entropy)
      }
    }
    return flush(at: now)
  }

  /// Says something in a room as if somebody had: the demo's visitors. A name or text out of bounds is not said.
  package mutating func say(
    _ text: String, by author: String, in room: String, at now: Duration, wall: Int64,
    entropy: inout Entropy
  ) -> [ServerAction] {
    if let post = try? state.rooms.post(text, by: author, in: room, clientId: nil, wall: wall) {
      announce(.message(post.message), in: room, except: nil, at: now, &entropy)
    }
    return flush(at: now)
  }

  /// Lists somebody in a room for as long as the server runs, without a connection: the demo's visitors. To be said
  /// before anybody comes in.
  package mutating func seat(_ name: String, in room: String) {
    guard state.residents[room]?.contains(name) != true else { return }
    state.residents[room, default: []].append(name)
    state.rosters[room, default: []].append(name)
  }

  /// How many connections are in a room, whatever their dialect.
  package func memberCount(_ room: String) -> Int {
    audience[room]?.count ?? 0
  }

  /// Refuses the next upgrades with 503, besides those that are still to be refused.
  package mutating func refuse(next count: Int) {
    refusals += max(0, min(count, 1_000_000))
  }

  /// The server stops: says Close 1001 to all, without latency, and cuts those that never upgraded. Go on with
  /// `receive` and `timeReached` until the connections have ended, or just close them.
  package mutating func closeAll(
    reason: String, at now: Duration, entropy: inout Entropy
  ) -> [ServerAction] {
    for id in connections.keys.sorted(by: { $0.number < $1.number }) {
      if connections[id]?.machine == nil {
        connections[id] = nil
        actions.drop(id)
      } else {
        beginClose(id, CloseReason(.goingAway, reason), at: now, &entropy)
      }
    }
    stage(at: now)
    return actions.takeAll()
  }

  /// Much waits for a client that does not read: its pings are not answered until that has left.
  package mutating func client(
    _ id: ConnectionID, isBehind: Bool, at now: Duration, entropy: inout Entropy
  ) -> [ServerAction] {
    connections[id]?.machine?.holdPongs(isBehind, entropy: &entropy)
    touch(id)
    return flush(at: now)
  }

  // MARK: The request

  private mutating func receiveRequest(
    _ bytes: RawSpan, from id: ConnectionID, at now: Duration, wall: Int64,
    _ entropy: inout Entropy
  ) {
    guard let progress = connections[id]?.handshake?.receive(bytes) else { return }
    switch progress {
    case .incomplete:
      return
    case .malformed(let answer):
      finish(id, with: answer)
    case .request(let request):
      switch Admission.decide(request, circumstances(of: request, id, at: now)) {
      case .answer(let answer):
        finish(id, with: answer)
      case .upgrade(let answer, let dialect, let transform):
        open(id, answer, dialect, transform, at: now, &entropy)
        receiveFrames(
          bytes.extracting(request.consumed..<bytes.byteCount), from: id, at: now, wall: wall,
          &entropy)
      }
    }
  }

  private mutating func circumstances(
    of request: ClientRequest, _ id: ConnectionID, at now: Duration
  ) -> Admission.Circumstances {
    var refusal: String?
    if connections[id]?.isSurplus ?? true {
      refusal =
        "This server has as many connections as it takes (\(configuration.maxConnections)): try again later."
    } else if refusals > 0, request.key != nil {
      refusals -= 1
      refusal =
        "This server was told to refuse connections for a while (\(refusals) more): try again in a moment."
    }
    guests += 1
    return Admission.Circumstances(
      tokens: configuration.tokens, refusal: refusal, guest: "guest-\(guests)", now: now)
  }

  private mutating func finish(_ id: ConnectionID, with answer: [UInt8]) {
    connections[id]?.answer = answer
    connections[id]?.handshake = nil
    connections[id]?.isFinished = true
    touch(id)
  }

  private mutating func open(
    _ id: ConnectionID, _ answer: [UInt8], _ dialect: any ServerDialect,
    _ transform: (any MessageTransform)?, at now: Duration, _ entropy: inout Entropy
  ) {
    connections[id]?.answer = answer
    connections[id]?.handshake = nil
    connections[id]?.machine = WebSocketMachine(
      role: .server, limits: Limits(message: configuration.maxMessage), transform: transform)
    connections[id]?.dialect = dialect
    connections[id]?.dropAt = configuration.dropEvery.map { now + $0 }
    touch(id)
    if let effects = connections[id]?.dialect?.opened() {
      apply(effects, of: id, at: now, &entropy)
    }
  }

  // MARK: Output

  mutating func touch(_ id: ConnectionID) {
    if touchedSet.insert(id).inserted { touched.append(id) }
  }

  private mutating func flush(at now: Duration) -> [ServerAction] {
    stage(at: now)
    return actions.take(at: now)
  }

  /// Moves what the touched connections have to write into the actions.
  private mutating func stage(at now: Duration) {
    for id in touched {
      guard let answer = connections[id]?.answer else { continue }
      connections[id]?.answer = []
      let frames = connections[id]?.machine?.takeOutput() ?? []
      if !answer.isEmpty || !frames.isEmpty {
        actions.write(answer + frames, to: id, at: now)
      }
      if connections[id]?.isFinished ?? false {
        actions.finish(id, at: now)
        connections[id] = nil
      }
    }
    touched = []
    touchedSet = []
  }

  /// A server masks nothing (RFC 6455 section 5.1), so what it writes by itself needs no randomness.
  private static func noEntropy() -> Entropy {
    Entropy { buffer in
      for index in buffer.indices { buffer[index] = 0 }
    }
  }
}
