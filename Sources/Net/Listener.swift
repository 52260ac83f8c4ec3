import CLinux
import Glibc

/// A listening TCP socket that hands out connections.
///
/// The owner watches for its token and then calls `accept` until it gives nil, or a bounded number of times:
/// what is left is reported again.
package final class Listener {
  /// Why nobody can connect here, as a sentence.
  package struct Failure: Error, Equatable, Sendable {
    package var message: String

    package init(message: String) {
      self.message = message
    }
  }

  /// Where it listens, with the port that was really taken.
  package let address: HostPort
  private let descriptor: Int32
  private let reactor: Reactor
  /// Given up for a moment when descriptors run out, see `accept`.
  private var spare: Int32

  /// Listens on a host that is a name or an address in digits; an empty one stands for every address of
  /// this machine. Port 0 takes any free one. A name may be looked up, which waits; `localhost` is 127.0.0.1.
  package init(
    on place: HostPort, reactor: Reactor, token: UInt64
  ) throws(Failure) {
    (descriptor, address) = try Self.listen(on: place)
    self.reactor = reactor
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    do throws(SystemFailure) {
      try reactor.watch(descriptor, token: token, for: .readable)
    } catch {
      throw Failure(message: error.message)
    }
  }

  deinit {
    reactor.forget(descriptor)
    Glibc.close(descriptor)
    Glibc.close(spare)
  }

  /// The next connection that waits, which then stands in the reactor under `token`; nil if none waits.
  package func accept(token: UInt64) -> Connection? {
    while true {
      var accepted: Int32 = -1
      let address = SocketAddress(filledBy: { address, length in
        accepted = lx_accept(descriptor, address, length)
        return accepted
      })
      if let address { return connection(accepted, from: address, token: token) }
      switch errno {
      case EINTR, ECONNABORTED:
        continue
      case EMFILE, ENFILE:
        guard turnAway() else { return nil }
      default:
        return nil
      }
    }
  }

  private func connection(
    _ descriptor: Int32, from address: SocketAddress, token: UInt64
  ) -> Connection? {
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    do throws(SystemFailure) {
      try reactor.watch(descriptor, token: token, for: .readable)
    } catch {
      Glibc.close(descriptor)
      return nil
    }
    let peer = address.hostPort
    return Connection(
      descriptor, peer: peer, name: peer.description, tls: nil, queue: WriteQueue(),
      reactor: reactor, token: token)
  }

  /// Out of descriptors: the peer would wait in the queue and the reactor would report it for ever. With
  /// the spare one the peer is let in and sent away.
  private func turnAway() -> Bool {
    guard spare >= 0 else { return false }
    Glibc.close(spare)
    let unwanted = lx_accept(descriptor, nil, nil)
    if unwanted >= 0 { Glibc.close(unwanted) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return unwanted >= 0
  }

  private static func listen(on place: HostPort) throws(Failure) -> (Int32, HostPort) {
    var failure: Failure?
    for address in try addresses(of: place) {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = socket(address.family, kind, Int32(IPPROTO_TCP))
      guard descriptor >= 0 else {
        failure = explain(place, errno)
        continue
      }
      // A server that is started again must not wait until its old connections are forgotten.
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      var no: Int32 = 0
      if place.host.isEmpty && address.family == AF_INET6 {
        setsockopt(
          descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no,
          socklen_t(MemoryLayout<Int32>.size))
      }
      if address.withAddress({ bind(descriptor, $0, $1) }) == 0,
        Glibc.listen(descriptor, SOMAXCONN) == 0,
        let actual = SocketAddress(filledBy: { getsockname(descriptor, $0, $1) })
      {
        return (descriptor, actual.hostPort)
      }
      failure = failure ?? explain(place, errno)
      Glibc.close(descriptor)
    }
    throw failure ?? explain(place, EADDRNOTAVAIL)
  }

  private static func addresses(of place: HostPort) throws(Failure) -> [SocketAddress] {
    var question = AddressQuestion(host: place.host, port: place.port, family: .any)
    if place.host.lowercased() == "localhost" { question.host = "127.0.0.1" }
    switch lookUp(question, flags: AI_PASSIVE) {
    case .failure(let failure):
      throw Failure(message: failure.message)
    case .success(let addresses):
      // Every address: IPv6 first, since its socket takes IPv4 as well.
      guard place.host.isEmpty else { return addresses }
      return addresses.filter { $0.family == AF_INET6 }
        + addresses.filter { $0.family == AF_INET }
    }
  }

  private static func explain(_ place: HostPort, _ errorNumber: Int32) -> Failure {
    let name = shown(place.host.isEmpty ? "port \(place.port)" : place.description)
    switch errorNumber {
    case EADDRINUSE:
      return Failure(
        message: "another program listens on \(name) already: choose another port with --listen")
    case EACCES:
      return Failure(
        message: "this user may not listen on \(name): choose a port above 1023 with --listen")
    case EADDRNOTAVAIL:
      return Failure(
        message: "\(name) cannot be listened on, for this machine has no such address")
    default:
      return Failure(
        message: "\(name) cannot be listened on: \(words(forErrorNumber: errorNumber))")
    }
  }
}
