import Channel
import TestKit
import Text
import WebSocket

/// The session with a clock moved by hand and, at the other end of the line, the WebSocket core in its
/// server role.
struct SessionHarness {
  var session: Session
  var entropy = Entropy.seeded()
  var now = Instant()
  /// All actions so far, in order.
  var actions: [SessionAction] = []
  /// The server's end of the newest link.
  var server = ServerEnd()
  var link = LinkID(0)

  init(
    _ text: String = "ws://chat.example/", subprotocols: [String] = [],
    profile: Profile = .bare(), isScripted: Bool = true,
    _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) throws {
    let endpoint = try Endpoint(parsing: text)
    var configuration = SessionConfiguration(
      endpoint: endpoint, subprotocols: subprotocols,
      context: DialectContext(room: "lobby", nick: "ada", profile: profile))
    configuration.backoff.jitter = 0
    configure(&configuration)
    guard isScripted else {
      session = Session(configuration)
      return
    }
    session = Session(
      configuration,
      makeDialect: { name, context in
        name == .graphql
          ? ScriptedDialect<WaitsForAck>(context) as any Dialect
          : ScriptedDialect<ReadyAtOnce>(context)
      },
      dialectOf: { $0 == "graphql-transport-ws" ? .graphql : nil })
  }

  /// The events since the last call, in order.
  mutating func events() -> [ChannelEvent] {
    defer { actions = [] }
    return actions.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// The events since the last call without changes of state.
  mutating func news() -> [ChannelEvent] {
    events().filter { if case .stateChanged = $0 { false } else { true } }
  }

  mutating func handle(_ input: SessionInput) {
    take(session.handle(input, at: now, entropy: &entropy))
  }

  /// Bytes from the server's end of `link`, or of the newest.
  mutating func receive(_ bytes: [UInt8], from link: LinkID? = nil) {
    var position = 0
    repeat {
      take(
        session.receive(
          bytes.span.bytes.extracting(position...), from: link ?? self.link, at: now,
          entropy: &entropy))
      position = bytes.count - session.untaken
    } while position < bytes.count
  }

  /// Moves the clock, handing in every deadline on the way.
  mutating func advance(_ distance: Duration) {
    let end = now + distance
    while let deadline = session.deadline, deadline <= end {
      now = max(deadline, now)
      handle(.timeReached)
      if session.deadline == deadline { break }
    }
    now = end
  }

  /// The clock is much later at once, as after a sleep of the machine.
  mutating func jump(_ distance: Duration) {
    now = now + distance
    handle(.timeReached)
  }

  mutating func linkOpened() {
    handle(.linkOpened(link, peer: "192.0.2.1:80", tls: nil))
  }

  /// The server accepts; `then` follows in the same bytes.
  mutating func accept(subprotocol: String? = nil, then more: [UInt8] = []) {
    receive(server.acceptance(subprotocol: subprotocol) + more)
  }

  /// From nothing to an open line.
  mutating func open(subprotocol: String? = nil) {
    handle(.connect)
    linkOpened()
    accept(subprotocol: subprotocol)
  }

  /// A redirect with further fields.
  mutating func redirect(_ status: Int = 302, to location: String, _ headers: [Header] = []) {
    answer(status, [Header("Location", location)] + headers)
  }

  mutating func answer(_ status: Int, _ headers: [Header] = [], body: String = "") {
    receive(
      ServerHandshake.answer(status: status, reason: "", headers: headers, body: body))
  }

  mutating func serverSends(_ text: String) {
    receive(server.text(text))
  }

  mutating func serverCloses(_ code: Int, _ text: String = "") {
    receive(server.close(code, text))
  }

  /// What the server's machine has to say by itself: pongs, its answer to Close.
  mutating func deliverAnswers() {
    let bytes = server.takeAnswers()
    if !bytes.isEmpty { receive(bytes) }
  }

  private mutating func take(_ new: [SessionAction]) {
    for action in new {
      switch action {
      case .openLink(let opened, _):
        link = opened
        server = ServerEnd()
      case .write(let written, let bytes) where written == link: server.take(bytes)
      case .write, .finishLink, .dropLink, .event: break
      }
    }
    actions += new
  }
}

extension Failure {
  /// As it is told where it ended the row of attempts whichever attempt it was.
  var asFinal: Failure {
    var failure = self
    failure.isFinal = true
    return failure
  }
}

/// The other end of one link.
struct ServerEnd {
  private(set) var request: ClientRequest?
  /// What arrived after the upgrade.
  private(set) var events: [WebSocketMachine.Event] = []
  private var handshake = ServerHandshake()
  private var machine = WebSocketMachine(role: .server)
  private var entropy = Entropy.seeded(2)

  var texts: [String] {
    events.compactMap {
      guard case .message(.text, .owned(let bytes)) = $0 else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  var pings: [[UInt8]] {
    events.compactMap { if case .ping(let payload) = $0 { payload } else { nil } }
  }

  var closes: [CloseReason] {
    events.compactMap { if case .closed(let reason) = $0 { reason } else { nil } }
  }

  func header(_ name: String) -> [String] {
    (request?.headers ?? []).filter { $0.name == name }.map(\.value)
  }

  mutating func take(_ bytes: [UInt8]) {
    if request == nil {
      if case .request(let read) = handshake.receive(bytes.span.bytes) { request = read }
    } else {
      _ = machine.receive(bytes.span.bytes, entropy: &entropy)
      events += machine.events
    }
  }

  func acceptance(subprotocol: String?) -> [UInt8] {
    ServerHandshake.accept(key: request?.key ?? "", subprotocol: subprotocol)
  }

  mutating func text(_ text: String) -> [UInt8] {
    machine.send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
    return machine.takeOutput()
  }

  mutating func pong(_ payload: [UInt8]) -> [UInt8] {
    [0x8A, UInt8(payload.count)] + payload
  }

  mutating func binary(_ bytes: [UInt8]) -> [UInt8] {
    machine.send(.binary, bytes.span.bytes, entropy: &entropy)
    return machine.takeOutput()
  }

  mutating func close(_ code: Int, _ text: String) -> [UInt8] {
    machine.close(CloseReason(CloseCode(rawValue: UInt16(code)), text), entropy: &entropy)
    return machine.takeOutput()
  }

  mutating func takeAnswers() -> [UInt8] {
    machine.takeOutput()
  }
}
