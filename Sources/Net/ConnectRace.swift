import CLinux
import Glibc

/// TCP connections to all addresses of one host, staggered; the first that stands wins (RFC 8305).
///
/// The next address is tried when one fails, at once, or when 250 ms went by without an answer; those under
/// way go on meanwhile. All descriptors stand in the reactor under one token.
final class ConnectRace {
  enum Outcome {
    case running
    /// The winner, still watched for writing under the token. The race is over.
    case connected(descriptor: Int32, peer: SocketAddress)
    /// The error number of the most telling attempt.
    case failed(Int32)
  }

  /// RFC 8305 section 8, "Connection Attempt Delay".
  private static let attemptDelay = Duration.milliseconds(250)

  private struct Attempt {
    var descriptor: Int32
    var address: SocketAddress
  }

  private let reactor: Reactor
  private let token: UInt64
  private var waiting: ArraySlice<SocketAddress>
  private var attempts: [Attempt] = []
  private var failure: Int32?
  /// When the next address is tried even though others are under way; nil when none is left.
  private(set) var nextStart: Duration?

  /// `addresses` in the order of preference.
  init(_ addresses: [SocketAddress], reactor: Reactor, token: UInt64) {
    waiting = Self.interleaved(addresses)[...]
    self.reactor = reactor
    self.token = token
  }

  deinit {
    abandon()
  }

  /// To be called first, after every readiness under the token, and when `nextStart` is reached.
  func advance(at now: Duration) -> Outcome {
    for attempt in attempts {
      switch Self.progress(of: attempt.descriptor) {
      case nil: continue
      case 0: return win(attempt)
      case .some(let errorNumber): lose(attempt, errorNumber)
      }
    }
    while attempts.isEmpty || nextStart.map({ $0 <= now }) == true {
      guard let address = waiting.popFirst() else { break }
      nextStart = waiting.isEmpty ? nil : now + Self.attemptDelay
      if let winner = start(address) { return win(winner) }
    }
    if let failure, attempts.isEmpty, waiting.isEmpty { return .failed(failure) }
    return .running
  }

  /// Closes every attempt.
  func abandon() {
    for attempt in attempts { close(attempt) }
    attempts = []
    waiting = []
    nextStart = nil
  }

  /// RFC 8305 section 4: the families take turns, beginning with that of the first address.
  private static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let preferred = addresses.filter { $0.family == first.family }
    let others = addresses.filter { $0.family != first.family }
    var result: [SocketAddress] = []
    for index in 0..<max(preferred.count, others.count) {
      if index < preferred.count { result.append(preferred[index]) }
      if index < others.count { result.append(others[index]) }
    }
    return result
  }

  /// Returns the attempt if it stands at once.
  private func start(_ address: SocketAddress) -> Attempt? {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let attempt = Attempt(
      descriptor: socket(address.family, kind, Int32(IPPROTO_TCP)), address: address)
    guard attempt.descriptor >= 0 else {
      note(errno)
      return nil
    }
    var yes: Int32 = 1
    setsockopt(
      attempt.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
      socklen_t(MemoryLayout<Int32>.size))
    let status = address.withAddress { connect(attempt.descriptor, $0, $1) }
    let errorNumber = status == 0 ? 0 : errno
    // EINTR: the connection goes on in the background, as with EINPROGRESS (connect(2)).
    guard [0, EINPROGRESS, EINTR].contains(errorNumber) else {
      Glibc.close(attempt.descriptor)
      note(errorNumber)
      return nil
    }
    guard (try? reactor.watch(attempt.descriptor, token: token, for: .writable)) != nil else {
      Glibc.close(attempt.descriptor)
      note(ENOSPC)
      return nil
    }
    attempts.append(attempt)
    return errorNumber == 0 && Self.progress(of: attempt.descriptor) == 0 ? attempt : nil
  }

  /// nil while it is under way, 0 when it stands, else why it failed.
  private static func progress(of descriptor: Int32) -> Int32? {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, 0) > 0 else { return nil }
    var errorNumber: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &errorNumber, &length) == 0 else {
      return errno
    }
    if errorNumber == 0 && isJoinedToItself(descriptor) { return ECONNREFUSED }
    return errorNumber
  }

  /// Who keeps calling a dead server on a port of the range that callers' own ports are taken from may be
  /// given that very port, and TCP then joins the socket with itself.
  private static func isJoinedToItself(_ descriptor: Int32) -> Bool {
    let own = SocketAddress(filledBy: { getsockname(descriptor, $0, $1) })
    let other = SocketAddress(filledBy: { getpeername(descriptor, $0, $1) })
    return own?.hostPort == other?.hostPort
  }

  private func win(_ winner: Attempt) -> Outcome {
    attempts.removeAll { $0.descriptor == winner.descriptor }
    abandon()
    return .connected(descriptor: winner.descriptor, peer: winner.address)
  }

  private func lose(_ loser: Attempt, _ errorNumber: Int32) {
    attempts.removeAll { $0.descriptor == loser.descriptor }
    close(loser)
    note(errorNumber)
    // The place in the queue is free: the next address need not wait for its time.
    nextStart = waiting.isEmpty ? nil : .zero
  }

  /// A refusal says that the host is there; it tells more than a family without a route.
  private func note(_ errorNumber: Int32) {
    if failure != ECONNREFUSED { failure = errorNumber }
  }

  private func close(_ attempt: Attempt) {
    reactor.forget(attempt.descriptor)
    Glibc.close(attempt.descriptor)
  }
}
