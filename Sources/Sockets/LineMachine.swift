import Channel
import Deflate
import WebSocket

/// One line as a value: from a link that is being opened, over the upgrade and the open line, to its end.
///
/// It owns no socket and no clock. The driver hands in what happens, writes `drainOutput`, and looks at
/// `ending` after every call.
struct LineMachine {
  private enum Stage {
    case linking
    case upgrading(ClientHandshake)
    case open
  }

  private let order: Order
  private var stage = Stage.linking
  private var machine = WebSocketMachine(role: .client)
  private var keepAlive: KeepAlive
  /// When the time to get there is over.
  private let connectBy: Instant
  /// We sent a Close: when its answer must be there.
  private var closeBy: Instant?
  private var request: [UInt8] = []
  /// Set once: then the line is over.
  private(set) var ending: LineEnding?

  init(_ order: Order, pingInterval: Duration, at now: Instant) {
    self.order = order
    connectBy = now + order.connectTimeout
    keepAlive = KeepAlive(interval: pingInterval, timeout: order.pingTimeout)
  }

  var isOpen: Bool {
    if case .open = stage { ending == nil } else { false }
  }

  /// A Close of ours is on its way or answered.
  var isClosing: Bool { closeBy != nil }

  var deadline: Instant? {
    guard ending == nil else { return nil }
    switch stage {
    case .linking, .upgrading: return connectBy
    case .open: return [keepAlive.deadline, closeBy].compactMap { $0 }.min()
    }
  }

  // MARK: The link

  /// Bytes may flow: the request of the upgrade is in the output.
  mutating func linkOpened(entropy: inout Entropy) {
    guard case .linking = stage else { return }
    let handshake = ClientHandshake(order.request, entropy: &entropy)
    request = handshake.request
    stage = .upgrading(handshake)
  }

  /// The link is gone; nil is an end of stream in order.
  mutating func linkEnded(_ failure: Failure?) {
    guard ending == nil else { return }
    switch stage {
    case .linking:
      let cut = failure ?? order.failure(.tcp, "ended the connection before it was up.")
      end(verdict(onLink: cut, wasUp: false), .none)
    case .upgrading(var handshake):
      let progress = handshake.endOfStream()
      endUpgrade(progress, failure, isEmpty: !handshake.hasAnswerBegun)
    case .open:
      let what =
        isClosing
        ? "ended the connection without answering the Close." : "cut the line without a Close."
      end(verdict(onLink: failure ?? order.failure(.tcp, what), wasUp: true), .none)
    }
  }

  private mutating func endUpgrade(
    _ progress: ClientHandshake.Progress, _ failure: Failure?, isEmpty: Bool
  ) {
    switch progress {
    case .refused(let refusal): end(order.verdict(onRefusal: refusal), .none)
    case .failed(let error) where failure == nil || error != .endedEarly:
      end(verdict(onHandshakeError: error, from: order.endpoint, isEmpty: isEmpty), .none)
    case .incomplete, .accepted, .failed:
      let cut = failure ?? order.failure(.tcp, "ended the connection before it was up.")
      end(verdict(onLink: cut, wasUp: false), .none)
    }
  }

  // MARK: Receiving

  /// Takes `bytes`, and says how many of them; events go into the batch. Where some are left, hand them in again.
  mutating func receive(
    _ bytes: RawSpan, into batch: inout Batch, at now: Instant, entropy: inout Entropy
  ) -> Int {
    guard ending == nil else { return bytes.byteCount }
    switch stage {
    case .linking: return bytes.byteCount
    case .upgrading(var handshake):
      let progress = handshake.receive(bytes)
      stage = .upgrading(handshake)
      return take(progress, of: bytes.byteCount, into: &batch, at: now, entropy: &entropy)
    case .open:
      keepAlive.bytesCame()
      let taken = machine.receive(bytes, entropy: &entropy)
      takeEvents(bytes.extracting(first: taken), into: &batch, at: now)
      return taken
    }
  }

  /// The peer takes what was sent: it cannot be dead.
  mutating func peerTookBytes() { keepAlive.bytesCame() }

  /// See the machine's own.
  var roomInPlace: Int { isOpen ? machine.roomInPlace : 0 }

  /// Takes a piece of a large message that `read` writes into the message's own memory.
  mutating func receiveInPlace(
    into batch: inout Batch, at now: Instant, entropy: inout Entropy,
    _ read: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    machine.receiveInPlace(entropy: &entropy) { memory in
      let count = read(memory)
      if count > 0 { keepAlive.bytesCame() }
      return count
    }
    takeEvents(RawSpan(), into: &batch, at: now)
  }

  private mutating func take(
    _ progress: ClientHandshake.Progress, of count: Int, into batch: inout Batch, at now: Instant,
    entropy: inout Entropy
  ) -> Int {
    switch progress {
    case .incomplete: return count
    case .refused(let refusal): end(order.verdict(onRefusal: refusal), .drop)
    case .failed(let error): end(verdict(onHandshakeError: error, from: order.endpoint), .drop)
    case .accepted(let acceptance):
      open(acceptance, into: &batch, at: now, entropy: &entropy)
      return acceptance.consumed
    }
    return count
  }

  private mutating func open(
    _ acceptance: Acceptance, into batch: inout Batch, at now: Instant, entropy: inout Entropy
  ) {
    stage = .open
    machine = WebSocketMachine(
      role: .client, limits: Limits(message: order.maximumMessageSize),
      transform: acceptance.compression.map { PerMessageDeflate($0, role: .client) })
    guard acceptance.subprotocol != nil || !order.requiresSubprotocol else {
      machine.close(
        CloseReason(.protocolError, "no subprotocol was agreed"), entropy: &entropy)
      let offered = order.request.subprotocols.joined(separator: ", ")
      let failure = order.failure(
        .upgrade,
        "selected no subprotocol, where \(offered) was offered: check "
          + "SocketConfiguration.subprotocols, or set requiresSubprotocol to false.")
      return end(Verdict(.giveUp, failure), .finish)
    }
    batch.append(.opened(subprotocol: acceptance.subprotocol))
    subprotocol = acceptance.subprotocol
    if keepAlive.isOn { ping(at: now, entropy: &entropy) }
  }

  /// What the server selected; known once the line is open.
  private(set) var subprotocol: String?

  private mutating func takeEvents(_ bytes: RawSpan, into batch: inout Batch, at now: Instant) {
    // Where the received bytes stand in the batch, once a message wants them.
    var base: Int?
    for event in machine.events {
      switch event {
      case .message(let kind, .range(let range)):
        let start = base ?? bytes.withUnsafeBytes { batch.append(memory: $0) }
        base = start
        batch.append(kind, at: (start + range.lowerBound)..<(start + range.upperBound))
      case .message(let kind, .owned(let message)):
        batch.append(kind, message)
      case .message(let kind, .restored(let range)):
        let start = machine.withBytes(of: .restored(range), in: bytes) { restored in
          restored.withUnsafeBytes { batch.append(memory: $0) }
        }
        batch.append(kind, at: start..<(start + range.count))
      case .ping: break
      case .pong(let payload): _ = keepAlive.pongCame(payload, at: now)
      case .closed(let reason): closed(reason)
      case .failed(let violation):
        ending = LineEnding(
          news: .failed(SocketError(violation, from: order.endpoint)), course: .retry(after: nil),
          disposal: .finish)
      }
    }
  }

  private mutating func closed(_ reason: CloseReason) {
    let safe = CloseReason(reason.code, order.hidingSecret(reason.text))
    ending = LineEnding(
      news: .closed(safe), course: verdict(onClose: safe, from: order.endpoint).course,
      disposal: .finish)
  }

  private mutating func end(_ verdict: Verdict, _ disposal: LineEnding.Disposal) {
    ending = LineEnding(
      news: .failed(SocketError(verdict.failure)), course: verdict.course, disposal: disposal)
  }

  // MARK: Sending

  /// Hands over what is to be written.
  mutating func drainOutput(_ write: (inout [UInt8]) -> Void) {
    if !request.isEmpty { write(&request) }
    request = []
    machine.drainOutput(write)
  }

  mutating func send(
    _ queue: MessageQueue, entropy: inout Entropy, to write: (inout [UInt8]) -> Void
  ) {
    let bytes = queue.bytes.span.bytes
    var start = 0
    for entry in queue.entries {
      machine.send(entry.kind, bytes.extracting(start..<entry.end), entropy: &entropy, to: write)
      start = entry.end
    }
  }

  /// See the machine's own.
  mutating func holdPongs(_ holds: Bool, entropy: inout Entropy) {
    if isOpen { machine.holdPongs(holds, entropy: &entropy) }
  }

  /// Begins the closing handshake of an open line.
  mutating func close(_ reason: CloseReason, at now: Instant, entropy: inout Entropy) {
    guard isOpen, !isClosing else { return }
    machine.close(reason, entropy: &entropy)
    closeBy = now + order.closeTimeout
  }

  /// Pings from now on at this distance; zero ends that.
  mutating func keepAlive(every interval: Duration, at now: Instant, entropy: inout Entropy) {
    keepAlive = KeepAlive(interval: interval, timeout: order.pingTimeout)
    if isOpen, !isClosing, keepAlive.isOn { ping(at: now, entropy: &entropy) }
  }

  private mutating func ping(at now: Instant, entropy: inout Entropy) {
    let payload = entropy.bytes(8)
    machine.ping(payload, entropy: &entropy)
    keepAlive.sent(payload, for: .keepAlive(isSilent: false), at: now)
  }

  // MARK: Time

  /// `isPaused` tells that nothing is read at the moment: then silence is ours, not the peer's.
  mutating func timeReached(at now: Instant, isPaused: Bool, entropy: inout Entropy) {
    guard let deadline, deadline <= now else { return }
    switch stage {
    case .linking, .upgrading: timedOut()
    case .open:
      if let closeBy, closeBy <= now {
        return end(
          Verdict(.retry(after: nil), order.failure(.timeout, "did not answer the Close in time.")),
          .drop)
      }
      if isPaused { keepAlive.bytesCame() }
      switch keepAlive.due(at: now) {
      case .nothing: break
      case .ping: ping(at: now, entropy: &entropy)
      case .dead:
        let failure = order.failure(
          .timeout, "has not answered a ping in time: the line is dead.")
        end(Verdict(.retry(after: nil), failure), .drop)
      }
    }
  }

  private mutating func timedOut() {
    if case .upgrading(let handshake) = stage, let refusal = handshake.refusalSoFar() {
      return end(order.verdict(onRefusal: refusal), .drop)
    }
    let failure = order.failure(
      .timeout,
      "did not answer in time: check the URL, or raise SocketConfiguration.connectTimeout.")
    end(Verdict(.retry(after: nil), failure), .drop)
  }
}
