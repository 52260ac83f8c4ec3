import Glibc

/// The client's side of one connection, from the name of a host to the end: look-up, TCP, TLS, bytes.
///
/// It never waits. The owner calls `start` once, hands every `Ready` of the token to `ready`, calls
/// `timeReached` when `deadline` is reached, and looks at the events that these return. A link is used
/// once; the next attempt is a new link with a new token.
package final class Link {
  private enum State {
    case idle
    case lookingUp(LookUp)
    case connecting(ConnectRace, tried: [String])
    case securing(Connection)
    /// Also while it is ending in order.
    case open(Connection)
    case ended
  }

  package let token: UInt64
  private let target: LinkTarget
  private let reactor: Reactor
  private var state = State.idle
  /// When the time limit for getting there is up.
  private var limit: Duration?
  private var addresses: [SocketAddress] = []

  package init(to target: LinkTarget, reactor: Reactor, token: UInt64) {
    self.target = target
    self.reactor = reactor
    self.token = token
  }

  deinit {
    drop()
  }

  private var place: HostPort { HostPort(host: target.host, port: target.port) }

  // MARK: Events

  /// Begins. May go as far as `opened` or `ended` at once.
  package func start(at now: Duration) -> [LinkEvent] {
    guard case .idle = state else { return [] }
    limit = now + target.timeLimit
    if !target.addresses.isEmpty { return startWithGivenAddresses(at: now) }
    let question = AddressQuestion(host: target.host, port: target.port, family: target.family)
    switch LookUp.begin(question, reactor: reactor, token: token) {
    case .answered(.addresses(let addresses)):
      return connect(to: addresses, at: now)
    case .answered(.failed(let failure)):
      return fail(failure)
    case .underWay(let lookUp):
      state = .lookingUp(lookUp)
      return [.lookingUp]
    }
  }

  /// The reactor says that something is ready under the token.
  package func ready(_ ready: Ready, at now: Duration) -> [LinkEvent] {
    switch state {
    case .idle, .ended:
      return []
    case .lookingUp(let lookUp):
      switch lookUp.answer() {
      case nil: return []
      case .addresses(let addresses): return connect(to: addresses, at: now)
      case .failed(let failure): return fail(failure)
      }
    case .connecting(let race, let tried):
      return advance(race, tried: tried, at: now)
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
    case .lookingUp, .securing: limit
    case .connecting(let race, _): [limit, race.nextStart].compactMap { $0 }.min()
    case .open(let connection): connection.deadline
    }
  }

  package func timeReached(at now: Duration) -> [LinkEvent] {
    let isLate = limit.map { $0 <= now } == true
    switch state {
    case .idle, .ended:
      return []
    case .lookingUp:
      return isLate ? failLate("looking up the name") : []
    case .connecting(let race, let tried):
      return isLate ? failLate("connecting") : advance(race, tried: tried, at: now)
    case .securing:
      return isLate ? failLate("agreeing on TLS") : []
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
    let result = connection.read(into: buffer)
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
    case .idle, .lookingUp, .connecting, .securing:
      drop()
      return [.ended(.closed)]
    }
  }

  /// Ends at once, in any state. No event follows, and a look-up that is under way is abandoned.
  package func drop() {
    switch state {
    case .idle, .ended: break
    case .lookingUp(let lookUp): lookUp.abandon()
    case .connecting(let race, _): race.abandon()
    case .securing(let connection), .open(let connection): connection.drop()
    }
    state = .ended
  }

  // MARK: Steps

  private func startWithGivenAddresses(at now: Duration) -> [LinkEvent] {
    var addresses: [SocketAddress] = []
    for text in target.addresses {
      let question = AddressQuestion(host: text, port: target.port, family: target.family)
      guard case .success(let found) = lookUp(question, flags: AI_NUMERICHOST) else {
        return fail(
          LinkFailure(
            kind: .dns,
            message: "\(shown(text)) is no address in digits that \(shown(target.host)) can be "
              + "resolved to"))
      }
      addresses += found
    }
    return connect(to: addresses, at: now)
  }

  private func connect(to addresses: [SocketAddress], at now: Duration) -> [LinkEvent] {
    self.addresses = addresses
    let tried = addresses.map(\.hostPort.description)
    let race = ConnectRace(addresses, reactor: reactor, token: token)
    state = .connecting(race, tried: tried)
    return [.connecting(tried)] + advance(race, tried: tried, at: now)
  }

  private func advance(_ race: ConnectRace, tried: [String], at now: Duration) -> [LinkEvent] {
    switch race.advance(at: now) {
    case .running:
      return []
    case .failed(let errorNumber):
      return fail(.connecting(place, tried: tried, errorNumber: errorNumber))
    case .connected(let descriptor, let peer):
      return connected(descriptor, peer: peer.hostPort, at: now)
    }
  }

  private func connected(_ descriptor: Int32, peer: HostPort, at now: Duration) -> [LinkEvent] {
    let queue = WriteQueue()
    do throws(LinkFailure) {
      let tls: TLSSession? =
        if let context = target.tls {
          try TLSSession(context, target: place, output: queue)
        } else {
          nil
        }
      let connection = Connection(
        descriptor, peer: peer, name: place.description, tls: tls, queue: queue, reactor: reactor,
        token: token)
      guard tls != nil else {
        state = .open(connection)
        return [.opened(peer: connection.peer, tls: nil)]
      }
      state = .securing(connection)
      return [.securing(peer: connection.peer)] + secure(connection, at: now)
    } catch {
      reactor.forget(descriptor)
      close(descriptor)
      return fail(error)
    }
  }

  private func secure(_ connection: Connection, at now: Duration) -> [LinkEvent] {
    switch connection.handshake() {
    case .waiting:
      return []
    case .failed where connection.tls?.offersTicket == true:
      // The offer may have been too much for the server, and has been forgotten: once more, from the beginning.
      return connect(to: addresses, at: now)
    case .failed(let failure):
      return fail(failure)
    case .done(let version):
      state = .open(connection)
      let opened = LinkEvent.opened(peer: connection.peer, tls: version)
      return connection.hasInput ? [opened, .readable] : [opened]
    }
  }

  private func failLate(_ stage: String) -> [LinkEvent] {
    fail(.timeLimit(target.timeLimit, of: place, stage: stage))
  }

  private func fail(_ failure: LinkFailure) -> [LinkEvent] {
    drop()
    return [.ended(.failed(failure))]
  }

  private func noting(_ events: [LinkEvent]) -> [LinkEvent] {
    if case .ended = events.last { state = .ended }
    return events
  }
}
