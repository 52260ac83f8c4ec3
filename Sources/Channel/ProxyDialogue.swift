import WebSocket

/// What is said with a proxy until bytes of the server flow through it, whichever kind it is of.
package struct ProxyDialogue: Sendable {
  package enum Step: Equatable, Sendable {
    /// More is to come from the proxy. `send` may be empty.
    case waiting(send: [UInt8])
    /// It refuses, and only its explanation is still on its way: `ended` need not be awaited for long.
    case refusing
    /// The way is open; behind so many of the bytes handed over last it is the server who speaks.
    case open(consumed: Int)
    /// `isOfAddress`: the proxy could not reach this address of the server, and might reach another one.
    case failed(Verdict, isOfAddress: Bool)
  }

  private enum Machine {
    case connect(ConnectHandshake)
    case socks(SOCKSHandshake)
  }

  private let words: ProxyWords
  private var machine: Machine

  /// Begins: the dialogue, and its first step. `host` is what the proxy is asked for, a name or an address in
  /// digits without brackets. `wall` is what our clock shows, for a proxy that names a date.
  package static func begin(
    with proxy: ProxyEndpoint, to host: String, port: UInt16, wall: Timestamp? = nil
  ) -> (ProxyDialogue?, Step) {
    let bracketed = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let words = ProxyWords(
      proxy: proxy, place: "\(bracketed):\(port)", calendar: wall.map { $0.milliseconds / 1000 })
    switch proxy.kind {
    case .http, .https:
      let machine = ConnectHandshake(to: words.place, authorization: proxy.authorization)
      return (
        ProxyDialogue(words: words, machine: .connect(machine)), .waiting(send: machine.request)
      )
    case .socks5, .socks5h:
      do {
        let machine = try SOCKSHandshake(to: host, port: port, credentials: proxy.credentials)
        return (
          ProxyDialogue(words: words, machine: .socks(machine)), .waiting(send: machine.greeting)
        )
      } catch {
        return (nil, .failed(words.verdict(onSOCKS: error), isOfAddress: error.isOfAddress))
      }
    }
  }

  package mutating func receive(_ bytes: RawSpan) -> Step {
    switch machine {
    case .connect(var handshake):
      let progress = handshake.receive(bytes)
      machine = .connect(handshake)
      return step(progress, isRefused: handshake.isRefused)
    case .socks(var handshake):
      let progress = handshake.receive(bytes)
      machine = .socks(handshake)
      return step(progress)
    }
  }

  /// The proxy ended the connection, or has had the time to explain its refusal.
  package mutating func ended() -> Step {
    switch machine {
    case .connect(var handshake):
      let progress = handshake.endOfStream()
      machine = .connect(handshake)
      return step(progress, isRefused: false)
    case .socks(var handshake):
      let progress = handshake.endOfStream()
      machine = .socks(handshake)
      return step(progress)
    }
  }

  private func step(_ progress: ConnectHandshake.Progress, isRefused: Bool) -> Step {
    switch progress {
    case .incomplete: isRefused ? .refusing : .waiting(send: [])
    case .accepted(let consumed): .open(consumed: consumed)
    case .refused(let refusal): .failed(words.verdict(onRefusal: refusal), isOfAddress: false)
    case .failed(let error): .failed(words.verdict(onHTTP: error), isOfAddress: false)
    }
  }

  private func step(_ progress: SOCKSHandshake.Progress) -> Step {
    switch progress {
    case .incomplete(let reply): .waiting(send: reply)
    case .accepted(let consumed): .open(consumed: consumed)
    case .failed(let error):
      .failed(words.verdict(onSOCKS: error), isOfAddress: error.isOfAddress)
    }
  }
}

extension SOCKSError {
  /// General failure, network, host, connection, time to live, type of address: see RFC 1928 section 6.
  fileprivate var isOfAddress: Bool {
    if case .refused(let code) = self { [1, 3, 4, 5, 6, 8].contains(code) } else { false }
  }
}
