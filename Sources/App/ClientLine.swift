import Channel
import Net
import WebSocket

/// Who gets to know what happens to the links of a `ClientLine`.
protocol ClientLineOwner: AnyObject {
  func lineReported(_ input: SessionInput)
  func lineReceived(_ bytes: RawSpan, from link: LinkID)
  /// What a link is at, before it is reported.
  func lineHeard(_ event: LinkEvent)
  /// A connection stands; `linkOpened` follows.
  func lineStands(_ details: LineDetails)
}

extension ClientLineOwner {
  func lineHeard(_ event: LinkEvent) {}
  func lineStands(_ details: LineDetails) {}
}

/// The links of one session on real sockets: does what the session says, and reports what happens.
final class ClientLine {
  private let reactor: Reactor
  private let buffer: ReadBuffer
  private let tokens: Tokens
  private let options: LinkOptions
  private let proxy: ProxyEndpoint?
  /// Made for the first line with TLS: a redirect may be what leads to it.
  private var tls: TLSContext?
  /// For an https proxy.
  private let proxyTLS: TLSContext?
  private let log: SessionLog?
  private let watch: MachineWatch?
  private let timeLimit: Duration
  /// What waits for a server that does not read; beyond it the line is given up.
  private let mostPendingBytes: Int
  private var links: [UInt64: (id: LinkID, link: Link, tunnel: ProxyTunnel?)] = [:]
  /// Links whose server does not read what waits for it: told once it is much, and once it is little. Little is no less
  /// than what may wait while more is taken from standard input, or it would never come to that.
  private var behind: Set<UInt64> = []
  private static let muchPending = 2 << 20
  private static let littlePending = 1 << 20
  /// The addresses of the link that was opened last.
  private var tried: [String] = []
  weak var owner: (any ClientLineOwner)?

  /// Reads into the reactor's buffer where none is given. With `watchesMachine` it also reports what happens to the
  /// network and the clock; among several lines, one watch does for all.
  init(
    _ options: ConnectOptions, reactor: Reactor, tokens: Tokens, buffer: ReadBuffer? = nil,
    watchesMachine: Bool = true
  ) throws(CommandFailure) {
    self.reactor = reactor
    self.buffer = buffer ?? reactor.readBuffer
    self.tokens = tokens
    self.options = options.link
    timeLimit = options.session.connectTimeout
    log = options.log
    watch = watchesMachine ? MachineWatch(reactor: reactor, tokens: tokens, log: options.log) : nil
    mostPendingBytes = (64 << 20) + 2 * min(options.session.maxMessage, 1 << 32)
    proxy = options.session.proxy
    do {
      tls = options.session.endpoint.isSecure ? try Self.context(options.link.tls, log) : nil
      proxyTLS = proxy?.kind == .https ? try Self.context(options.link.proxyTLS, log) : nil
    } catch {
      throw .configuration(error.message)
    }
  }

  private static func context(
    _ options: TLSOptions, _ log: SessionLog?
  ) throws(TLSConfigurationError) -> TLSContext {
    let context = try TLSContext(options)
    log?.logKeys(of: context)
    return context
  }

  /// When `timeReached` wants to be called.
  var deadline: Duration? {
    links.values.compactMap(\.link.deadline).min()
  }

  /// Bytes that wait to leave.
  var pendingBytes: Int {
    links.values.reduce(0) { $0 + $1.link.pendingBytes }
  }

  func open(_ id: LinkID, _ endpoint: Endpoint) {
    do {
      if endpoint.isSecure, tls == nil { tls = try Self.context(options.tls, log) }
    } catch {
      let failure = Failure(kind: .tls, message: error.message, short: "TLS")
      owner?.lineReported(.linkEnded(id, failure))
      return
    }
    let token = tokens.next()
    var target = options.target(endpoint, tls: tls, timeLimit: timeLimit)
    var tunnel: ProxyTunnel?
    if let proxy {
      let opened = ProxyTunnel(proxy)
      tunnel = opened
      target.proxy = options.proxy(proxy, tls: proxyTLS, tunnel: opened)
    }
    let link = Link(to: target, reactor: reactor, token: token)
    links[token] = (id, link, tunnel)
    report(link.start(at: MachineClock.now()), token: token)
  }

  func write(_ id: LinkID, _ bytes: [UInt8]) {
    guard let (token, entry) = links.first(where: { $0.value.id == id }) else { return }
    log?.sent(bytes, to: id)
    entry.link.write(bytes)
    let pending = entry.link.pendingBytes
    guard pending > Self.muchPending else { return }
    if behind.insert(token).inserted { owner?.lineReported(.linkIsBehind(id, true)) }
    guard pending > mostPendingBytes else { return }
    entry.link.drop()
    log?.forget(id)
    links[token] = nil
    behind.remove(token)
    owner?.lineReported(
      .linkEnded(
        id,
        Failure(
          kind: .tcp,
          message:
            "The server does not read: \(pending >> 20) MiB waited to be sent, and the line was given up.",
          short: "the server does not read")))
  }

  func finish(_ id: LinkID) {
    guard let (token, entry) = links.first(where: { $0.value.id == id }) else { return }
    report(entry.link.finish(at: MachineClock.now()), token: token)
  }

  /// No link is there.
  var isIdle: Bool { links.isEmpty }

  /// Whether something ready is one of its links.
  func owns(_ token: UInt64) -> Bool { links[token] != nil }

  /// Ends every link after what was written has left.
  func finishAll() {
    for entry in links.values { finish(entry.id) }
  }

  func dropAll() {
    for entry in links.values { drop(entry.id) }
  }

  func drop(_ id: LinkID) {
    guard let (token, entry) = links.first(where: { $0.value.id == id }) else { return }
    entry.link.drop()
    log?.forget(id)
    links[token] = nil
    behind.remove(token)
  }

  /// Deals with something ready; false where its token is somebody else's.
  func ready(_ ready: Ready, at now: Duration) -> Bool {
    guard let entry = links[ready.token] else {
      guard let inputs = watch?.ready(ready, log: log) else { return false }
      for input in inputs { owner?.lineReported(input) }
      return true
    }
    let waiting = ready.isWritable ? entry.link.pendingBytes : 0
    report(entry.link.ready(ready, at: now), token: ready.token)
    // The server takes what we send, if not fast: it cannot be dead.
    if waiting > 0, entry.link.pendingBytes < waiting {
      owner?.lineReported(.linkTookBytes(entry.id))
    }
    if entry.link.pendingBytes < Self.littlePending, behind.remove(ready.token) != nil {
      owner?.lineReported(.linkIsBehind(entry.id, false))
    }
    return true
  }

  func timeReached(at now: Duration) {
    for (token, entry) in links {
      guard let deadline = entry.link.deadline, deadline <= now else { continue }
      report(entry.link.timeReached(at: now), token: token)
    }
  }

  private func report(_ events: [LinkEvent], token: UInt64) {
    for event in events {
      // What an event leads to may have ended the link.
      guard let entry = links[token] else { return }
      log?.happened(event, on: entry.link, entry.id)
      owner?.lineHeard(event)
      switch event {
      case .lookingUp, .drained: break
      case .connecting(let addresses): tried = addresses
      case .tunnelling: owner?.lineReported(.linkStage(entry.id, .tunnelling))
      case .securing: owner?.lineReported(.linkStage(entry.id, .securing))
      case .opened(let peer, let version):
        owner?.lineStands(details(of: entry.link, peer: peer))
        owner?.lineReported(.linkOpened(entry.id, peer: peer, tls: version))
      case .readable: read(entry.link, as: entry.id, token: token)
      case .ended(let end): ended(entry.id, token: token, end)
      }
    }
  }

  private func details(of link: Link, peer: String) -> LineDetails {
    LineDetails(
      peer: peer, tried: Array(tried.prefix(16)), proxy: proxy?.named,
      tls: link.tlsDetails.map { tls in
        LineDetails.TLS(
          version: tls.version, cipher: tls.cipher, isResumed: tls.isResumed, names: tls.names,
          issuer: tls.issuer,
          expires: tls.expiresAtMilliseconds.map { Timestamp(milliseconds: $0) })
      })
  }

  private func read(_ link: Link, as id: LinkID, token: UInt64) {
    switch link.read(into: buffer) {
    case .wouldBlock: break
    case .bytes:
      log?.received(buffer.contents.bytes, from: id)
      owner?.lineReceived(buffer.contents.bytes, from: id)
    case .ended(let end):
      log?.ended(end, id)
      ended(id, token: token, end)
    }
  }

  private func ended(_ id: LinkID, token: UInt64, _ end: LinkEnd) {
    let tunnel = links.removeValue(forKey: token)?.tunnel
    behind.remove(token)
    switch end {
    case .closed:
      owner?.lineReported(.linkEnded(id, nil))
    case .truncated:
      owner?.lineReported(
        .linkEnded(
          id,
          Failure(
            kind: .tls,
            message:
              "The line was cut without the end that TLS demands: something may be missing.",
            short: "cut short")))
    case .failed(let failure):
      owner?.lineReported(.linkEnded(id, Failure(failure)))
    case .tunnelFailed:
      if let verdict = tunnel?.verdict { owner?.lineReported(.tunnelFailed(id, verdict)) }
    }
  }
}

extension Failure {
  nonisolated init(_ failure: LinkFailure) {
    let kind: Kind =
      switch failure.kind {
      case .dns: .dns
      case .tcp: .tcp
      case .tls: .tls
      case .timeout: .timeout
      case .proxy: .proxy
      }
    self.init(kind: kind, message: failure.sentence, short: failure.short)
  }
}
