import Glibc

/// The client's side of one connection, from the name of a host to the end: look-up, TCP, proxy, TLS, bytes.
///
/// It never waits. The owner calls `start` once, hands every `Ready` of the token to `ready`, calls
/// `timeReached` when `deadline` is reached, and looks at the events that these return. A link is used
/// once; the next attempt is a new link with a new token.
package final class Link {
  enum State {
    case idle
    case lookingUp(LookUp, Side)
    /// To the gate.
    case connecting(ConnectRace, tried: [String])
    /// A proxy, while TLS with it is under way too.
    case asking(ProxyPassage)
    case securing(Connection)
    /// Also while it is ending in order.
    case open(Connection)
    case ended
  }

  /// Whose name is looked up, and whom a failure is about.
  enum Side {
    case server
    /// Whom TCP goes to: the proxy, or the server where there is none.
    case gate
  }

  package let token: UInt64
  let target: LinkTarget
  let reactor: Reactor
  var state = State.idle
  /// When the time limit for getting there is up.
  var limit: Duration?
  /// Those of the gate.
  var addresses: [SocketAddress] = []
  /// Those of the server that a proxy has not been asked for; only where they are looked up here.
  var destinations: ArraySlice<SocketAddress> = []
  /// The one that the proxy has been asked for.
  var destination: SocketAddress?
  /// What the server said behind the proxy's answer; the first `read` gives it.
  var early: [UInt8] = []

  package init(to target: LinkTarget, reactor: Reactor, token: UInt64) {
    self.target = target
    self.reactor = reactor
    self.token = token
  }

  deinit {
    drop()
  }

  var place: HostPort { HostPort(host: target.host, port: target.port) }

  // MARK: Events

  /// Begins. May go as far as `opened` or `ended` at once.
  package func start(at now: Duration) -> [LinkEvent] {
    guard case .idle = state else { return [] }
    limit = now + target.timeLimit
    return lookUp(target.proxy?.looksUpServer == true ? .server : .gate, at: now)
  }

  /// The reactor says that something is ready under the token.
  package func ready(_ ready: Ready, at now: Duration) -> [LinkEvent] {
    switch state {
    case .idle, .ended:
      return []
    case .lookingUp(let lookUp, let side):
      guard let answer = lookUp.answer() else { return [] }
      return take(answer, about: side, at: now)
    case .connecting(let race, let tried):
      return advance(race, tried: tried, at: now)
    case .asking(let passage):
      return goOn(passage, passage.ready(ready, at: now), at: now)
    case .securing(let connection):
      return secure(connection, at: now)
    case .open(let connection):
      return noting(connection.ready(ready, at: now))
    }
  }

  /// When `timeReached` wants to be called.
  package var deadline: Duration? {
    switch state {
    case .idle, .ended: nil
    case .lookingUp, .asking, .securing: limit
    case .connecting(let race, _): [limit, race.nextStart].compactMap { $0 }.min()
    case .open(let connection): connection.deadline
    }
  }

  package func timeReached(at now: Duration) -> [LinkEvent] {
    let isLate = limit.map { $0 <= now } == true
    switch state {
    case .idle, .ended:
      return []
    case .lookingUp(_, let side):
      return isLate ? failLate("looking up the name", side) : []
    case .connecting(let race, let tried):
      return isLate ? failLate("connecting", .gate) : advance(race, tried: tried, at: now)
    case .asking(let passage):
      return isLate ? failLate(passage, at: now) : []
    case .securing:
      return isLate ? failLate("agreeing on TLS", .server) : []
    case .open(let connection):
      return noting(connection.timeReached(at: now))
    }
  }

  // MARK: Bytes

  /// See `Connection.read(into:)`. After `ended` the link is closed and reports nothing more.
  package func read(into buffer: ReadBuffer) -> ReadResult {
    guard case .open(let connection) = state else {
      buffer.count = 0
      return .wouldBlock
    }
    if !early.isEmpty { return readEarly(into: buffer) }
    return noting(connection.read(into: buffer))
  }

  /// The same into memory of the caller's own, of 64 KiB at least; not before the first read into a buffer.
  package func read(into memory: UnsafeMutableRawBufferPointer) -> ReadResult {
    guard case .open(let connection) = state, early.isEmpty else { return .wouldBlock }
    return noting(connection.read(into: memory))
  }

  private func noting(_ result: ReadResult) -> ReadResult {
    if case .ended = result { state = .ended }
    return result
  }

  /// See `Connection.write(_:)`. Ignored unless the link is open.
  package func write(_ bytes: [UInt8]) {
    connection?.write(bytes)
  }

  /// See `Connection.write(exchanging:)`.
  package func write(exchanging bytes: inout [UInt8]) {
    connection?.write(exchanging: &bytes)
  }

  /// See `Connection.collect(_:)`.
  package func collect(_ bytes: [UInt8]) {
    connection?.collect(bytes)
  }

  package func flush() {
    connection?.flush()
  }

  /// What was agreed on in the TLS handshake; nil before its end and without TLS.
  package var tlsDetails: TLSDetails? { connection?.tls?.details }

  /// Bytes that have not left yet.
  package var pendingBytes: Int { connection?.pendingBytes ?? 0 }

  /// False: nothing is read for the time being, and the server is slowed down by TCP.
  package var wantsInput: Bool {
    get { connection?.wantsInput ?? true }
    set { connection?.wantsInput = newValue }
  }

  private var connection: Connection? {
    if case .open(let connection) = state { connection } else { nil }
  }

  /// Ends in order, see `Connection.finish(at:within:)`. A link that is not open yet ends at once.
  package func finish(at now: Duration, within limit: Duration = .seconds(5)) -> [LinkEvent] {
    switch state {
    case .ended:
      return []
    case .open(let connection):
      return noting(connection.finish(at: now, within: limit))
    case .idle, .lookingUp, .connecting, .asking, .securing:
      drop()
      return [.ended(.closed)]
    }
  }

  /// Ends at once, in any state. No event follows, and a look-up that is under way is abandoned.
  package func drop() {
    switch state {
    case .idle, .ended: break
    case .lookingUp(let lookUp, _): lookUp.abandon()
    case .connecting(let race, _): race.abandon()
    case .asking(let passage): passage.connection.drop()
    case .securing(let connection), .open(let connection): connection.drop()
    }
    state = .ended
  }

  private func noting(_ events: [LinkEvent]) -> [LinkEvent] {
    if case .ended = events.last { state = .ended }
    return events
  }
}
