import Net
import WebSocket

/// The client's side of a conformance suite that is a server: asks for the number of its cases, goes through
/// them, and has the reports written (the protocol of Autobahn's fuzzing server).
final class EchoClient {
  private static let agent = "parlour"
  /// For one case; the slowest of the suite take some seconds.
  private static let timeLimit = Duration.seconds(900)

  private let place: HostPort
  private let reactor: Reactor
  private var entropy = Entropy { fillRandom($0) }
  private var lastToken: UInt64 = 0

  init(_ place: HostPort) throws(SystemFailure) {
    self.place = place
    reactor = try Reactor()
  }

  /// False where the suite did not answer.
  func run() -> Bool {
    let answer = visit("/getCaseCount", echoes: false)
    guard let count = Int(String(decoding: answer, as: UTF8.self)) else { return false }
    for number in 1...max(count, 1) {
      _ = visit("/runCase?case=\(number)&agent=\(Self.agent)", echoes: true)
    }
    _ = visit("/updateReports?agent=\(Self.agent)", echoes: false)
    return true
  }

  /// One connection from its beginning to its end; gives the last message.
  private func visit(_ target: String, echoes: Bool) -> [UInt8] {
    lastToken += 1
    let link = Link(
      to: LinkTarget(host: place.host, port: place.port), reactor: reactor, token: lastToken)
    var visit = Visit(
      ClientHandshake(
        HandshakeRequest(
          host: place.description, target: target, compression: .usualOffer), entropy: &entropy),
      echoes: echoes)
    let limit = MachineClock.now() + Self.timeLimit
    var events = link.start(at: MachineClock.now())
    while true {
      for event in events where perform(event, of: link, &visit) { return visit.lastMessage }
      let now = MachineClock.now()
      guard now < limit else {
        link.drop()
        return visit.lastMessage
      }
      events = []
      for ready in reactor.wait(atMost: min(link.deadline ?? limit, limit) - now)
      where ready.token == link.token {
        events += link.ready(ready, at: MachineClock.now())
      }
      events += link.timeReached(at: MachineClock.now())
    }
  }

  /// True where the link has ended.
  private func perform(_ event: LinkEvent, of link: Link, _ visit: inout Visit) -> Bool {
    switch event {
    case .lookingUp, .connecting, .tunnelling, .securing, .drained: return false
    case .opened: link.write(visit.handshake.request)
    case .ended: return true
    case .readable:
      switch link.read(into: reactor.readBuffer) {
      case .wouldBlock: return false
      case .ended: return true
      case .bytes: link.write(visit.receive(reactor.readBuffer.contents.bytes, &entropy))
      }
      if visit.isOver {
        return link.finish(at: MachineClock.now()).contains { event in
          if case .ended = event { true } else { false }
        }
      }
    }
    return false
  }
}

private struct Visit {
  var handshake: ClientHandshake
  private let echoes: Bool
  private var echo: Echo?
  private var isRefused = false

  init(_ handshake: ClientHandshake, echoes: Bool) {
    self.handshake = handshake
    self.echoes = echoes
  }

  var isOver: Bool { isRefused || echo?.isOver ?? false }
  var lastMessage: [UInt8] { echo?.lastMessage ?? [] }

  mutating func receive(_ bytes: RawSpan, _ entropy: inout Entropy) -> [UInt8] {
    if echo != nil { return echo?.receive(bytes, entropy: &entropy) ?? [] }
    switch handshake.receive(bytes) {
    case .incomplete: return []
    case .refused, .failed:
      isRefused = true
      return []
    case .accepted(let acceptance):
      let transform = acceptance.compression.map { Echo.deflate($0, role: .client) }
      echo = Echo(WebSocketMachine(role: .client, transform: transform), echoes: echoes)
      let rest = bytes.extracting(acceptance.consumed...)
      return echo?.receive(rest, entropy: &entropy) ?? []
    }
  }
}
