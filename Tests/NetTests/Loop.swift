import Net
import Testing

/// A reactor with the owners of its tokens, turned by hand. Its time stands still unless a test moves it.
final class Loop {
  let reactor: Reactor
  var now = Duration.zero
  private var owners: [UInt64: (Ready) -> Void] = [:]
  private var tokens: UInt64 = 0

  init() throws {
    reactor = try Reactor()
  }

  func own(_ owner: @escaping (Ready) -> Void) -> UInt64 {
    tokens += 1
    owners[tokens] = owner
    return tokens
  }

  /// One wait, of at most 100 ms, and what comes of it. Returns the tokens that were ready.
  @discardableResult
  func turn(atMost limit: Duration = .milliseconds(100)) -> [UInt64] {
    let ready = reactor.wait(atMost: limit)
    for each in ready { owners[each.token]?(each) }
    return ready.map(\.token)
  }

  /// Turns until the condition holds; gives up after some 100 idle waits.
  func run(until isDone: () -> Bool, _ location: SourceLocation = #_sourceLocation) {
    var idle = 0
    while !isDone() {
      if turn().isEmpty { idle += 1 }
      if idle > 100 {
        Issue.record("nothing more happens", sourceLocation: location)
        return
      }
    }
  }
}

/// A link with what it reported and received.
final class Client {
  let loop: Loop
  private(set) var link: Link?
  private(set) var events: [LinkEvent] = []
  private(set) var received: [UInt8] = []
  private(set) var end: LinkEnd?

  init(_ loop: Loop, to target: LinkTarget) {
    self.loop = loop
    let token = loop.own { [weak self] in self?.take($0) }
    link = Link(to: target, reactor: loop.reactor, token: token)
  }

  convenience init(_ loop: Loop, host: String = "127.0.0.1", to place: HostPort) {
    self.init(loop, to: LinkTarget(host: host, port: place.port))
  }

  @discardableResult
  func start() -> Self {
    note(link?.start(at: loop.now) ?? [])
    return self
  }

  func timeReached() { note(link?.timeReached(at: loop.now) ?? []) }
  func finish() { note(link?.finish(at: loop.now) ?? []) }
  func write(_ text: String) { link?.write(Array(text.utf8)) }

  var isOpen: Bool {
    events.contains { if case .opened = $0 { true } else { false } }
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  var failure: LinkFailure? {
    if case .failed(let failure) = end { failure } else { nil }
  }

  private func take(_ ready: Ready) {
    note(link?.ready(ready, at: loop.now) ?? [])
  }

  private func note(_ new: [LinkEvent]) {
    for event in new {
      switch event {
      case .readable:
        read()
      case .ended(let how):
        events.append(event)
        end = how
      default:
        events.append(event)
      }
    }
  }

  private func read() {
    switch link?.read(into: loop.reactor.readBuffer) {
    case .bytes(let count):
      #expect(loop.reactor.readBuffer.contents.count == count)
      received += loop.reactor.readBuffer.contents
    case .ended(let how): end = how
    case .wouldBlock, nil: break
    }
  }
}

/// A listener whose connections go to a function.
final class Server {
  let loop: Loop
  private(set) var listener: Listener?
  private(set) var visitors: [Visitor] = []

  init(
    _ loop: Loop, on host: String = "127.0.0.1", port: UInt16 = 0,
    setUp: @escaping (Visitor) -> Void
  ) throws {
    self.loop = loop
    let token = loop.own { [weak self] _ in self?.accept(setUp) }
    listener = try Listener(
      on: HostPort(host: host, port: port), reactor: loop.reactor, token: token)
  }

  var address: HostPort { listener?.address ?? HostPort(host: "", port: 0) }

  /// Sends everything back.
  static func echo(_ loop: Loop, on host: String = "127.0.0.1") throws -> Server {
    try Server(loop, on: host) { visitor in
      visitor.take = { [unowned visitor] in visitor.connection?.write($0) }
    }
  }

  private func accept(_ setUp: (Visitor) -> Void) {
    while true {
      let visitor = Visitor(loop)
      guard let connection = listener?.accept(token: visitor.token) else { return }
      visitor.connection = connection
      visitors.append(visitor)
      setUp(visitor)
    }
  }
}

/// The server's side of one connection.
final class Visitor {
  let loop: Loop
  private(set) var token: UInt64 = 0
  var connection: Connection?
  var take: ([UInt8]) -> Void = { _ in }
  private(set) var end: LinkEnd?

  init(_ loop: Loop) {
    self.loop = loop
    token = loop.own { [weak self] in self?.ready($0) }
  }

  func finish() { note(connection?.finish(at: loop.now) ?? []) }

  private func ready(_ ready: Ready) {
    note(connection?.ready(ready, at: loop.now) ?? [])
  }

  private func note(_ events: [LinkEvent]) {
    for event in events {
      switch event {
      case .readable:
        switch connection?.read(into: loop.reactor.readBuffer) {
        case .bytes: take(Array(loop.reactor.readBuffer.contents))
        case .ended(let how): end = how
        case .wouldBlock, nil: break
        }
      case .ended(let how): end = how
      default: break
      }
    }
  }
}

/// Bytes that do not repeat within a record or a page: 4093 is a prime.
func pattern(_ count: Int) -> [UInt8] {
  let block = (0..<4093).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + block.count)
  while bytes.count < count { bytes += block }
  bytes.removeLast(bytes.count - count)
  return bytes
}
