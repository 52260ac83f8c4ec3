public import FoundationEssentials

/// A WebSocket channel that comes back: it connects again when the line is lost or does not come about.
///
/// Before attempt n of a row it waits 1 s × 2^(n−1), at most 60 s, plus up to a quarter at random; after ten
/// attempts in a row it gives up, and at once where another attempt could not help: a refusal (401, 403, close
/// code 1008 and the like), an unknown certificate authority, a wrong answer to the upgrade. The count begins
/// anew once a line has stood for 5 s. ``ReconnectPolicy`` holds these numbers. `Retry-After` is honoured.
///
/// A message is sent at most once: what ``send(_:)-(String)`` took and the network did not get goes out on the
/// next line only if no part of it was written to the lost one.
public final class ResilientChannel: Sendable {
  let core: Core

  /// A channel to a `ws://` or `wss://` URL; see ``SocketChannel`` for the arguments.
  public init(
    url: URL, subprotocols: [String] = [], headers: [String: String] = [:], bearer: String? = nil,
    policy: ReconnectPolicy = ReconnectPolicy(),
    configuration: SocketConfiguration = SocketConfiguration()
  ) {
    core = Core(
      url, configuration.with(subprotocols: subprotocols, headers: headers, bearer: bearer),
      policy: policy)
  }

  /// What happens to the channel. For one consumer: every call gives the same events.
  public var events: ResilientEvents { ResilientEvents(core: core) }

  /// The subprotocol that the server selected last.
  public var subprotocol: String? { core.subprotocol }

  /// Begins to connect and returns at once. Behind ``disconnect()`` and after `gaveUp` it begins a new row of
  /// attempts; else it does nothing.
  @discardableResult
  public func connect() -> ResilientEvents {
    core.connect()
    return events
  }

  /// Connects and returns once a line is open, after as many attempts as that takes.
  ///
  /// Throws the ``SocketError`` for which the channel gave up. A cancelled task ends the attempts, in the middle
  /// of a wait too, and throws `CancellationError`.
  public func open() async throws {
    try await core.open()
  }

  /// Puts a text message into the queue of the line, see ``SocketChannel/send(_:)-(String)``. While there is no
  /// line it suspends until there is one, or throws, as ``ReconnectPolicy/whenOffline`` says.
  public func send(_ text: String) async throws {
    try await core.send(text)
  }

  /// The same for a binary message.
  public func send(_ data: Data) async throws {
    try await core.send(data)
  }

  /// The same as ``send(_:)-(String)``.
  public func send(text: String) async throws {
    try await core.send(text)
  }

  /// The same as ``send(_:)-(Data)``.
  public func send(data: Data) async throws {
    try await core.send(data)
  }

  /// Suspends until everything that was sent has left for the network. Throws where the line is lost before,
  /// or where the task is cancelled.
  public func flush() async throws {
    try await core.flush()
  }

  /// Ends the channel at any moment: an open line is closed in order, a wait or an attempt ends at once, and
  /// nothing is tried again. See ``SocketChannel/close(code:reason:)``.
  public func disconnect(
    code: SocketCloseCode = .normalClosure, reason: String? = nil
  ) async {
    await core.close(code, reason)
  }

  /// The same as ``disconnect(code:reason:)``.
  public func close(code: SocketCloseCode = .normalClosure, reason: String? = nil) async {
    await core.close(code, reason)
  }

  /// Sends a ping at this distance on every line from now on, see ``SocketChannel/keepAlive(every:)``.
  public func keepAlive(every interval: Duration) {
    core.keepAlive(every: interval)
  }
}
