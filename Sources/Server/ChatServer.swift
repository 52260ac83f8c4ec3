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
  /// Refuses this many connections (503) before it accepts any.
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
  /// Close the socket after what was written has left.
  case finish(ConnectionID)
  /// Cut the socket at once.
  case drop(ConnectionID)
}

/// The embedded chat server as a value: rooms with history and ids, three dialects by subprotocol.
/// Times are distances from the server's start; `wall` is milliseconds since 1970.
package struct ChatServer {
  package init(_ configuration: ServerConfiguration) {
    fatalError("interface only")
  }

  package var deadline: Duration? {
    fatalError("interface only")
  }

  package mutating func accepted(_ id: ConnectionID, at now: Duration) -> [ServerAction] {
    fatalError("interface only")
  }

  package mutating func receive(
    _ bytes: RawSpan, from id: ConnectionID, at now: Duration, wall: Int64,
    entropy: inout Entropy
  ) -> [ServerAction] {
    fatalError("interface only")
  }

  package mutating func ended(_ id: ConnectionID, at now: Duration) -> [ServerAction] {
    fatalError("interface only")
  }

  package mutating func timeReached(at now: Duration, entropy: inout Entropy) -> [ServerAction] {
    fatalError("interface only")
  }

  /// Says something in a room as if somebody had: the demo's visitors.
  package mutating func say(
    _ text: String, by author: String, in room: String, at now: Duration, wall: Int64,
    entropy: inout Entropy
  ) -> [ServerAction] {
    fatalError("interface only")
  }
}
