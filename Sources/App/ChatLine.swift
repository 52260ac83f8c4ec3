import Channel
import Net
import Program
import Text
import WebSocket

/// What a window of the chat has of the machine: the line of its session, where its token comes from, and its log.
final class ChatLine: ClientLineOwner {
  let id: WindowID
  private(set) var options: ConnectOptions
  let line: ClientLine
  private unowned let loop: any WindowLoop
  /// The turn in which something of it was read last: those that waited longest come first.
  var servedAt = 0
  /// Its window is closed: what was written may still leave until then.
  private(set) var endsBy: Instant?

  /// How long the Close of a closed window may take to leave.
  private static let patience: Duration = .seconds(5)

  init(_ id: WindowID, _ options: ConnectOptions, loop: any WindowLoop, surroundings: Surroundings)
    throws(CommandFailure)
  {
    self.id = id
    self.options = options
    server = options.session.endpoint.identity
    self.loop = loop
    line = try ClientLine(
      options, reactor: surroundings.reactor, tokens: surroundings.tokens,
      buffer: surroundings.buffer, watchesMachine: false)
    line.owner = self
    options.log?.complain = { [weak loop] sentence in
      loop?.feed(.notice(UntrustedText(sentence), isError: true), to: id)
    }
  }

  /// What the lines of one thread share.
  struct Surroundings {
    let reactor: Reactor
    let tokens: Tokens
    let buffer: ReadBuffer
  }

  var log: SessionLog? { options.log }
  /// What is kept of it on disk is kept under this name.
  let server: String

  func lineReported(_ input: SessionInput) {
    guard endsBy == nil else { return }
    loop.feed(.session(input), to: id)
  }

  func lineStands(_ details: LineDetails) {
    guard endsBy == nil else { return }
    loop.feed(.lineDetails(details), to: id)
  }

  func lineReceived(_ bytes: RawSpan, from link: LinkID) {
    guard endsBy == nil else { return }
    loop.received(bytes, from: link, in: id)
  }

  /// The session takes this token from now on, and so do windows that are opened beside this one.
  func renewed(_ token: Bearer) {
    log?.hide(token)
    options.session.token = token
    if options.session.context.token != nil { options.session.context.token = token }
  }

  /// Ends once what was written has left.
  func end(at now: Instant) {
    endsBy = now + Self.patience
    line.finishAll()
  }

  /// Nothing is left to do; what would not leave in time is given up.
  func hasEnded(at now: Instant) -> Bool {
    guard let endsBy else { return false }
    if endsBy <= now { line.dropAll() }
    return line.isIdle
  }
}
