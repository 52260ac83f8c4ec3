package import Channel
import Room
import Text
import WebSocket

/// `parlour cat` without its machine: lines of standard input go out one after the other, messages come in
/// on standard output.
///
/// It has no session in it: every event of one is handed in, and the session inputs that come out are for
/// it. `CatClient` puts both together.
package struct CatProgram {
  /// As many posts may wait before standard input has to.
  private static let mostPosts = 256
  private static let mostBytes = 4 << 20

  enum Stage: Equatable {
    case running
    /// Everything went out: leave at that moment, nil never.
    case lingering(until: Instant?)
    /// The session was told to end.
    case leaving
    case over
  }

  let options: CatOptions
  var report: CatReport
  var lines: LineSplitter
  var outbox = Outbox()
  /// Posts that a line took.
  var handedOver: Set<String> = []
  /// Binary messages have no nonce: they wait here until the line is ready.
  var binaries: [[UInt8]] = []
  private var binaryBytes = 0
  var stage = Stage.running
  private var inputEnded = false
  private var lineNumber = 0
  private var unsentFirst: ArraySlice<String>
  private var dialect = DialectName.plain
  private var isReady = false
  /// A post came back: nothing goes out until it is known whether the line is still there.
  private(set) var isHeld = false
  /// There was a line at some time: an empty input is no reason to leave before.
  private var wasReady = false
  /// A post was lost sight of while it was to be delivered, or refused: success cannot be told.
  var hasDoubt = false
  /// A line of standard input was none that can be sent.
  private(set) var hasLeftOut = false
  /// A signal ends the program: what still comes is not printed.
  private var isInterrupted = false
  private var counted = 0
  private var printed = PrintedIDs()

  package init(_ options: CatOptions) {
    self.options = options
    report = CatReport(options)
    lines = LineSplitter(limit: options.maxMessage)
    unsentFirst = options.send[...]
  }

  /// Whether standard input is to be read now.
  package var wantsInput: Bool {
    // Where there is room, all that waits is the beginning of one line.
    !inputEnded && stage != .leaving && stage != .over && hasRoom
  }

  /// When `timeReached` is to be handed in.
  package var deadline: Instant? {
    if case .lingering(let until) = stage { until } else { nil }
  }

  package mutating func handle(
    _ input: CatInput, at now: Instant, wall: Timestamp, nonce: () -> String
  ) -> [CatOutput] {
    guard stage != .over else { return [] }
    switch input {
    case .start: report.append(.session(.connect))
    case .standardInput(let bytes):
      if !inputEnded { lines.append(bytes) }
    case .standardInputEnded:
      inputEnded = true
      lines.end()
    case .channel(let event): hear(event)
    case .timeReached: break
    case .interrupted: leave(.leave)
    case .lineHolds:
      isHeld = false
      tellUnsureOnes()
    }
    advance(at: now, wall: wall, nonce: nonce)
    return report.take()
  }

  private var hasRoom: Bool {
    outbox.count + binaries.count < Self.mostPosts
      && outbox.bytes + binaryBytes < Self.mostBytes
  }

  // MARK: - What is sent

  private mutating func advance(at now: Instant, wall: Timestamp, nonce: () -> String) {
    switch stage {
    case .over, .leaving: return
    case .running, .lingering: break
    }
    var left = 0
    repeat {
      takeLines(wall: wall, nonce: nonce)
      left = binaries.count
      handOver()
      // Binary messages have gone with that, and made room for more.
    } while isReady && !isHeld && left > 0
    guard inputEnded, wasReady, !outbox.isBusy, !waitsForLookUp, binaries.isEmpty, !hasLines
    else { return }
    if case .running = stage {
      stage = .lingering(until: options.wait.map { now + $0 })
    }
    if case .lingering(let until?) = stage, now >= until { leave() }
  }

  /// Something that could be a line is left, and no line comes out only for want of room.
  var hasLines: Bool { !unsentFirst.isEmpty || (lines.waiting > 0 && !hasRoom) }

  private mutating func takeLines(wall: Timestamp, nonce: () -> String) {
    // What failed was told, and nobody is there to decide about it.
    if !waitsForLookUp { _ = outbox.drop(all: false) }
    while hasRoom {
      if let text = unsentFirst.popFirst() {
        add(Array(text.utf8), text: text, wall: wall, nonce: nonce)
        continue
      }
      guard let line = lines.next() else { return }
      lineNumber += 1
      switch line {
      case .tooLong:
        leaveOut("it has more than \(options.maxMessage) bytes, which --max-message allows at most")
      case .line(let bytes):
        add(bytes, text: nil, wall: wall, nonce: nonce)
      }
    }
  }

  private mutating func add(
    _ bytes: [UInt8], text: String?, wall: Timestamp, nonce: () -> String
  ) {
    if options.isBinary {
      binaries.append(bytes)
      binaryBytes += bytes.count
    } else if let text = text ?? String(validating: bytes, as: UTF8.self) {
      outbox.add(Post(nonce: nonce(), text: text), at: wall)
    } else {
      leaveOut("it is not UTF-8; --binary sends bytes as they are")
    }
  }

  private mutating func leaveOut(_ reason: String) {
    hasLeftOut = true
    report.say("Line \(lineNumber) of standard input was left out: \(reason).")
  }

  private mutating func handOver() {
    guard isReady, !isHeld else { return }
    for bytes in binaries { report.append(.session(.sendBinary(bytes))) }
    binaries = []
    binaryBytes = 0
    for post in outbox.takeNext(allAtOnce: dialect == .plain) {
      handedOver.insert(post.nonce)
      report.append(.session(.post(post)))
    }
  }

  private mutating func leave(_ input: SessionInput = .disconnect) {
    if input == .leave { isInterrupted = true }
    guard stage != .leaving else { return }
    stage = .leaving
    isReady = false
    report.append(.session(input))
  }

  // MARK: - What comes

  private mutating func hear(_ event: ChannelEvent) {
    switch event {
    case .connecting(let attempt):
      let lost = outbox.abandonSending()
      if !options.looksUpPosts { for item in lost { tellUnsure(item.post.text) } }
      report.connecting(attempt: attempt)
    case .opened(let subprotocol, let dialect, let isCompressed, let peer, let tls):
      self.dialect = dialect
      report.opened(
        subprotocol: subprotocol, isCompressed: isCompressed, peer: peer, tls: tls)
    case .ready:
      isReady = stage != .leaving
      isHeld = false
      wasReady = true
      tellUnsureOnes()
    case .raw(let kind, let bytes):
      if counts() { report.raw(kind, bytes) }
      leaveIfCounted()
    case .messages(let messages, _):
      for message in messages { show(message) }
      leaveIfCounted()
    case .sent(let nonce, let message):
      settle(nonce, message)
      leaveIfCounted()
    case .repeatable(let nonce):
      outbox.putBack(nonce: nonce)
      isHeld = true
    case .unsure(let nonce):
      let item = outbox.markUnsure(nonce: nonce)
      if let item, !options.looksUpPosts { tellUnsure(item.post.text) }
      isHeld = true
    case .rejected(let nonce, let reason):
      if let item = outbox.markFailed(nonce: nonce, reason: reason) {
        report.rejected(item.post.text, reason: reason)
        hasDoubt = true
      }
    case .changed(let forms):
      for form in forms { report.changed(form) }
    case .notice(let text): report.notice(text.raw)
    case .pong(let roundTrip):
      isHeld = false
      tellUnsureOnes()
      report.pong(roundTrip: roundTrip)
    case .closed(let reason, let isClean):
      isReady = false
      report.closed(reason, isClean: isClean)
    case .failed(let failure):
      isReady = false
      report.failed(failure)
    case .waiting(let attempt, let delay):
      isReady = false
      report.waiting(attempt: attempt, delay: delay)
    case .gaveUp(let attempts, let failure):
      report.gaveUp(attempts: attempts, failure)
      end(in: .gaveUp(attempts: attempts, failure))
    case .stateChanged(.offline(let end)):
      isReady = false
      // Giving up is told by an event of its own, which comes last.
      if case .gaveUp = end { return }
      self.end(in: end)
    case .stateChanged(.connecting): isReady = false
    case .stateChanged(.online), .members, .typing, .operation, .changeDone, .changeFailed: break
    }
  }

  private mutating func settle(_ nonce: String, _ message: ChatMessage?) {
    let item = outbox.settle(nonce: nonce)
    handedOver.remove(nonce)
    guard dialect != .plain else { return }
    if var message {
      message.isMine = true
      show(message)
    }
    if let item { report.sent(item.post.text, id: message?.id) }
  }

  /// Each message once: a post's own comes as an echo, in the answer to it, or both.
  private mutating func show(_ message: ChatMessage) {
    guard !message.isMine || printed.insert(message.id), counts() else { return }
    report.message(message)
  }

  /// False once as many messages as were asked for have been printed.
  private mutating func counts() -> Bool {
    guard !isInterrupted else { return false }
    guard counted < options.count ?? .max else { return false }
    counted += 1
    return true
  }

  private mutating func leaveIfCounted() { if counted >= options.count ?? .max { leave() } }

  private mutating func end(in end: SessionState.Offline) {
    guard stage != .over, end != .idle else { return }
    let wasAsked = stage == .leaving
    tellUnsureOnes()
    if !isInterrupted { tellLeftovers() }
    stage = .over
    if isInterrupted { return report.append(.exit(ExitStatus.interrupted)) }
    report.append(.exit(status(of: end, wasAsked: wasAsked)))
  }

  /// The line is gone, and with the next one the history says what has become of these.
  private var waitsForLookUp: Bool {
    options.looksUpPosts && (isHeld || !isReady) && outbox.items.contains { $0.state == .unsure }
  }
}
