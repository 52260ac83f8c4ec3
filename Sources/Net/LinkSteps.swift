import Glibc

/// The steps of a link: addresses, TCP, a proxy, TLS.
extension Link {
  /// How long a proxy that refuses may take to say why.
  private static let explanationTime = Duration.seconds(1)

  private var gate: HostPort { target.proxy?.place ?? place }

  // MARK: Addresses

  func lookUp(_ side: Side, at now: Duration) -> [LinkEvent] {
    let (wanted, given) =
      switch (side, target.proxy) {
      case (.gate, let proxy?): (proxy.place, proxy.addresses)
      case (.gate, nil), (.server, _): (place, target.addresses)
      }
    let question = AddressQuestion(host: wanted.host, port: wanted.port, family: target.family)
    if !given.isEmpty {
      return take(Self.addresses(in: given, for: question), about: side, at: now)
    }
    switch LookUp.begin(question, reactor: reactor, token: token) {
    case .answered(let answer):
      return take(answer, about: side, at: now)
    case .underWay(let lookUp):
      state = .lookingUp(lookUp, side)
      return [.lookingUp]
    }
  }

  private static func addresses(
    in texts: [String], for question: AddressQuestion
  ) -> AddressAnswer {
    var addresses: [SocketAddress] = []
    for text in texts {
      var literal = question
      literal.host = text
      guard case .success(let found) = Net.lookUp(literal, flags: AI_NUMERICHOST) else {
        return .failed(
          LinkFailure(
            kind: .dns,
            message: "\(shown(text)) is no address in digits that \(shown(question.host)) can be "
              + "resolved to"))
      }
      addresses += found
    }
    return .addresses(addresses)
  }

  func take(_ answer: AddressAnswer, about side: Side, at now: Duration) -> [LinkEvent] {
    switch (answer, side) {
    case (.failed(let failure), _):
      return fail(failure, side)
    case (.addresses(let found), .server):
      destinations = found[...]
      return lookUp(.gate, at: now)
    case (.addresses(let found), .gate):
      addresses = found
      return connect(at: now)
    }
  }

  // MARK: TCP

  private func connect(at now: Duration) -> [LinkEvent] {
    let tried = addresses.map(\.hostPort.description)
    let race = ConnectRace(addresses, reactor: reactor, token: token)
    state = .connecting(race, tried: tried)
    return [.connecting(tried)] + advance(race, tried: tried, at: now)
  }

  func advance(_ race: ConnectRace, tried: [String], at now: Duration) -> [LinkEvent] {
    switch race.advance(at: now) {
    case .running:
      return []
    case .failed(let errorNumber):
      return fail(
        .connecting(
          gate, tried: tried, errorNumber: errorNumber, isProxy: target.proxy != nil), .gate)
    case .connected(let descriptor, let peer):
      guard let proxy = target.proxy else {
        return enter(descriptor, peer: peer.hostPort, queue: WriteQueue(), at: now)
      }
      return ask(proxy, descriptor, peer: peer.hostPort, at: now)
    }
  }

  // MARK: A proxy

  private func ask(
    _ proxy: LinkProxy, _ descriptor: Int32, peer: HostPort, at now: Duration
  ) -> [LinkEvent] {
    let queue = WriteQueue()
    let tls: TLSSession?
    do throws(LinkFailure) {
      tls = try proxy.tls.map { context throws(LinkFailure) in
        try TLSSession(context, target: proxy.place, line: .socket(queue))
      }
    } catch {
      abandon(descriptor)
      return fail(error, .gate)
    }
    let connection = Connection(
      descriptor, peer: peer, name: proxy.place.description, tls: tls, queue: queue,
      reactor: reactor, token: token)
    destination = destinations.popFirst()
    let passage = ProxyPassage(
      connection, tunnel: proxy.tunnel, to: destination?.hostPort ?? place)
    state = .asking(passage)
    return [.tunnelling(peer: connection.peer)] + goOn(passage, passage.begin(), at: now)
  }

  func goOn(
    _ passage: ProxyPassage, _ outcome: ProxyPassage.Outcome, at now: Duration
  ) -> [LinkEvent] {
    switch outcome {
    case .running:
      if passage.isRefusing { limit = min(limit ?? .zero, now + Self.explanationTime) }
      return []
    case .broken(let failure):
      return fail(failure, .gate)
    case .refused(triesNextAddress: true) where !destinations.isEmpty:
      passage.connection.drop()
      return connect(at: now)
    case .refused:
      drop()
      return [.ended(.tunnelFailed)]
    case .open(let bytes):
      return enter(through: passage.connection, early: bytes, at: now)
    }
  }

  func failLate(_ passage: ProxyPassage, at now: Duration) -> [LinkEvent] {
    if passage.isRefusing { return goOn(passage, passage.ended(), at: now) }
    return failLate(
      passage.isSecured ? "asking for \(shown(place.description))" : "agreeing on TLS", .gate)
  }

  // MARK: The server

  /// The way is open: what was the proxy's connection is the server's now.
  private func enter(
    through proxy: Connection, early bytes: [UInt8], at now: Duration
  ) -> [LinkEvent] {
    proxy.release()
    return enter(
      proxy.descriptor, peer: place, queue: proxy.queue, outer: proxy.tls, early: bytes, at: now)
  }

  private func enter(
    _ descriptor: Int32, peer: HostPort, queue: WriteQueue, outer: TLSSession? = nil,
    early bytes: [UInt8] = [], at now: Duration
  ) -> [LinkEvent] {
    var inner: TLSSession?
    if let context = target.tls {
      do {
        inner = try TLSSession(
          context, target: place, line: outer.map { .session($0) } ?? .socket(queue),
          received: bytes)
      } catch {
        abandon(descriptor)
        return fail(error, .server)
      }
    }
    let connection = Connection(
      descriptor, peer: peer, name: place.description, tls: inner ?? outer,
      isSecured: inner == nil, queue: queue, reactor: reactor, token: token)
    guard inner == nil else {
      state = .securing(connection)
      return [.securing(peer: connection.peer)] + secure(connection, at: now)
    }
    state = .open(connection)
    early = bytes
    let opened = LinkEvent.opened(peer: connection.peer, tls: nil)
    return early.isEmpty ? [opened] : [opened, .readable]
  }

  func secure(_ connection: Connection, at now: Duration) -> [LinkEvent] {
    switch connection.handshake() {
    case .waiting:
      return []
    case .failed where connection.tls?.offersTicket == true:
      // The offer may have been too much for the server, and has been forgotten: once more, from the beginning.
      if let destination { destinations = [destination] + destinations }
      return connect(at: now)
    case .failed(let failure):
      return fail(failure, .server)
    case .done(let version):
      state = .open(connection)
      let opened = LinkEvent.opened(peer: connection.peer, tls: version)
      return connection.hasInput ? [opened, .readable] : [opened]
    }
  }

  func readEarly(into buffer: ReadBuffer) -> ReadResult {
    buffer.memory.copyBytes(from: early)
    buffer.count = early.count
    early = []
    return .bytes(buffer.count)
  }

  // MARK: Failures

  func failLate(_ stage: String, _ side: Side) -> [LinkEvent] {
    let late = side == .gate ? gate : place
    let isProxy = side == .gate && target.proxy != nil
    return fail(.timeLimit(target.timeLimit, of: late, stage: stage, isProxy: isProxy), side)
  }

  private func fail(_ failure: LinkFailure, _ side: Side) -> [LinkEvent] {
    drop()
    guard side == .gate, let proxy = target.proxy else { return [.ended(.failed(failure))] }
    return [.ended(.failed(failure.about(proxy)))]
  }

  private func abandon(_ descriptor: Int32) {
    reactor.forget(descriptor)
    close(descriptor)
  }
}
