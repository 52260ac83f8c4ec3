import Glibc
import JSON
import WebSocket

/// One job of `parlour bench` behind the opening handshake: what is sent, what has come, when it is over.
struct BenchRun {
  /// How much is written at once where many messages wait to be sent.
  private static let batch = 256 * 1024

  private let plan: BenchPlan
  private var machine: WebSocketMachine
  private var entropy: Entropy
  /// The message that is sent over and over: ASCII letters.
  private let message: [UInt8]
  private var sent = 0
  private var received = 0
  private var start = BenchMoment()
  private var sentAt: Int64 = 0
  private var roundTrips: [Int64] = []
  private var figures: BenchFigures?
  private var subscription: BenchSubscription?

  init(_ plan: BenchPlan, entropy: Entropy) {
    self.plan = plan
    self.entropy = entropy
    machine = WebSocketMachine(
      role: .client, limits: Limits(message: max(Limits().message, plan.size)))
    message = (0..<plan.size).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    subscription = plan.task.map { BenchSubscription($0) }
    if plan.job == .echo { roundTrips.reserveCapacity(plan.count) }
  }

  /// Hands over what is to be written.
  mutating func drainOutput(_ write: (inout [UInt8]) -> Void) { machine.drainOutput(write) }

  /// The line is open: the clock runs from here.
  mutating func begin() {
    start = BenchMoment()
    switch plan.job {
    case .echo: sendNext()
    case .flood: send(text: "go")
    case .sink: break
    case .gql:
      subscription?.open()
      sendOfSubscription()
    }
  }

  private mutating func sendOfSubscription() {
    for text in subscription?.outgoing ?? [] { send(text: text) }
  }

  private mutating func resultCame(_ text: RawSpan) throws(CommandFailure) {
    subscription?.receive(text)
    guard let subscription else { return }
    sendOfSubscription()
    if subscription.hasBegun { start = BenchMoment() }
    if subscription.results == plan.count {
      var whole = start.figures()
      whole.size = subscription.bytes / plan.count
      figures = whole
    } else if let failure = subscription.failure {
      throw Self.broken("\(failure) after \(subscription.results) of \(plan.count) results")
    }
  }

  /// Sends the next batch of messages; false where it was the last one.
  mutating func send(to write: (inout [UInt8]) -> Void) -> Bool {
    let count = min(plan.count - sent, max(1, Self.batch / (plan.size + 14)))
    let message = message
    for _ in 0..<count {
      machine.send(.text, message.span.bytes, entropy: &entropy, to: write)
    }
    sent += count
    if sent == plan.count { send(text: "done") }
    machine.drainOutput(write)
    return sent < plan.count
  }

  /// Closes the line once everything is measured.
  mutating func close(_ code: CloseCode = .normal) {
    machine.close(CloseReason(code), entropy: &entropy)
  }

  /// Takes what came; gives the figures once the job is done.
  mutating func receive(_ bytes: RawSpan) throws(CommandFailure) -> BenchFigures? {
    var position = 0
    repeat {
      let rest = bytes.extracting(position...)
      position += machine.receive(rest, entropy: &entropy)
      try takeEvents(rest)
    } while figures == nil && position < bytes.byteCount
    return figures
  }

  /// Messages of the job that were handed to the line and that came.
  var messages: Int { sent + received + (subscription?.results ?? 0) }

  /// See the machine's own.
  var roomInPlace: Int { machine.roomInPlace }

  /// Takes a piece of a large message that `read` writes into the message's own memory.
  mutating func receiveInPlace(
    _ read: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(CommandFailure) -> BenchFigures? {
    machine.receiveInPlace(entropy: &entropy, read)
    try takeEvents(RawSpan())
    return figures
  }

  private mutating func takeEvents(_ bytes: RawSpan) throws(CommandFailure) {
    for event in machine.events {
      if figures != nil { return }
      switch event {
      case .message(.text, .range(let range)):
        try take(bytes.extracting(range))
      case .message(.text, .owned(let owned)):
        try take(owned.span.bytes)
      case .message(.text, .restored), .message(.binary, _):
        // Compression is not offered.
        throw Self.broken("a binary message came, where text was expected")
      case .ping, .pong: break
      case .closed(let reason): try closed(reason)
      case .failed(let violation):
        throw Self.broken("it ended with close code \(violation.closeCode.rawValue)")
      }
    }
  }

  private mutating func take(_ text: RawSpan) throws(CommandFailure) {
    switch plan.job {
    case .flood:
      guard text.byteCount == plan.size else {
        throw Self.broken("a message of \(text.byteCount) bytes came, not of \(plan.size)")
      }
      received += 1
      guard received <= plan.count else {
        throw Self.broken("it sends more than \(plan.count) messages")
      }
    case .echo:
      guard text.byteCount == plan.size else {
        throw Self.broken("an echo of \(text.byteCount) bytes came, not of \(plan.size)")
      }
      // Once it runs, the length is enough: comparing is not what is measured.
      if received < plan.warmUp, !isMessage(text) {
        throw Self.broken("what came back is not what was sent")
      }
      try roundTripEnded()
    case .gql: try resultCame(text)
    case .sink:
      try answerCame(text.withUnsafeBytes { Array($0) })
    }
  }

  private func isMessage(_ text: RawSpan) -> Bool {
    message.withUnsafeBytes { sent in
      text.withUnsafeBytes { came in
        guard let sent = sent.baseAddress, let came = came.baseAddress else { return true }
        return memcmp(sent, came, message.count) == 0
      }
    }
  }

  private mutating func closed(_ reason: CloseReason) throws(CommandFailure) {
    guard plan.job == .flood, received == plan.count else {
      throw Self.broken(
        "it closed with code \(reason.code.rawValue) after \(received) of \(plan.count) messages")
    }
    figures = start.figures()
  }

  private mutating func roundTripEnded() throws(CommandFailure) {
    received += 1
    if received > plan.warmUp { roundTrips.append(BenchMoment.nanoseconds() - sentAt) }
    if received == plan.warmUp { start = BenchMoment() }
    if received == plan.warmUp + plan.count {
      figures = start.figures(roundTrips: roundTrips)
    } else {
      sendNext()
    }
  }

  private mutating func sendNext() {
    let message = message
    sentAt = BenchMoment.nanoseconds()
    machine.send(.text, message.span.bytes, entropy: &entropy)
  }

  /// What the server says to `done`: how many bytes came.
  private mutating func answerCame(_ text: [UInt8]) throws(CommandFailure) {
    let expected = plan.count * plan.size
    guard let answer = try? JSON.parse(text.span.bytes), let bytes = answer["bytes"]?.integer else {
      throw Self.broken("it does not say how many bytes came")
    }
    guard Int(bytes) == expected else {
      throw Self.broken("it received \(bytes) bytes, not \(expected)")
    }
    figures = start.figures()
  }

  private mutating func send(text: String) {
    machine.send(.text, Array(text.utf8).span.bytes, entropy: &entropy)
  }

  private static func broken(_ what: String) -> CommandFailure {
    CommandFailure(
      "The server does not do this job: \(what); check the URL and --count.",
      exitCode: ExitCode.peerBrokeProtocol)
  }
}
