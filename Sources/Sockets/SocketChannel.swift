public import FoundationEssentials

/// One WebSocket line (RFC 6455) from its opening to its end.
///
/// ```swift
/// let channel = SocketChannel(url: url, bearer: token)
/// for await event in channel.connect() {
///   switch event {
///   case .opened: try await channel.send("hello")
///   case .text(let text): print(text)
///   case .binary(let data): print(data.count, "bytes")
///   case .closed(let code, let reason): print("closed", code, reason)
///   case .failed(let error): print(error.message)
///   }
/// }
/// ```
///
/// A channel is used once; ``ResilientChannel`` comes back by itself. All channels of a process are driven by
/// one thread, which is started for the first of them and ends with the last. When the last reference to the
/// channel and to its events goes, the line is closed with 1001 and its descriptor is freed.
public final class SocketChannel: Sendable {
  let core: Core

  /// A channel to a `ws://` or `wss://` URL; nothing happens before ``connect()`` or ``open()``.
  ///
  /// `subprotocols` and `bearer` take the place of those of the configuration where they are given; `headers`
  /// are added to its own.
  public init(
    url: URL, subprotocols: [String] = [], headers: [String: String] = [:], bearer: String? = nil,
    configuration: SocketConfiguration = SocketConfiguration()
  ) {
    core = Core(
      url, configuration.with(subprotocols: subprotocols, headers: headers, bearer: bearer),
      policy: nil)
  }

  /// What happens to the line. For one consumer: every call gives the same events.
  public var events: SocketEvents { SocketEvents(core: core) }

  /// The subprotocol that the server selected, once the line is open.
  public var subprotocol: String? { core.subprotocol }

  /// Begins to connect and returns at once; ``events`` says what comes of it. Does nothing the second time.
  @discardableResult
  public func connect() -> SocketEvents {
    core.connect()
    return events
  }

  /// Connects and returns once the upgrade was accepted and the subprotocol agreed on.
  ///
  /// Throws the ``SocketError`` that ``events`` tells as well. A cancelled task gives the attempt up and
  /// throws `CancellationError`.
  public func open() async throws {
    try await core.open()
  }

  /// Puts a text message into the queue of the line.
  ///
  /// Returns as soon as there is room in the queue, which is bounded (``SocketConfiguration/sendBuffer``);
  /// suspends while there is none, or while the line is not open yet. Messages leave in the order in which the
  /// calls return; ``flush()`` waits until they have left. Throws a ``SocketError`` where the line is over, and
  /// `CancellationError` where the task is cancelled; in both cases the message is not sent.
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

  /// Suspends until everything that was sent has left for the network. Throws where the line ends before, or
  /// where the task is cancelled.
  public func flush() async throws {
    try await core.flush()
  }

  /// Closes the line in order and returns once that is done: what was sent leaves first, then a Close with
  /// this code and the reason's first 123 bytes, and the peer has ``SocketConfiguration/closeTimeout`` to
  /// answer. ``events`` ends with `closed` and the peer's code, or with `failed` where it does not answer.
  ///
  /// A line that is not open yet is given up at once. A code that RFC 6455 lets nobody send, such as 1005,
  /// makes a Close without one. In a cancelled task it returns at once, and the closing goes on by itself.
  public func close(code: SocketCloseCode = .normalClosure, reason: String? = nil) async {
    await core.close(code, reason)
  }

  /// Sends a ping at this distance from now on; the line fails if nothing at all comes from the peer within
  /// ``SocketConfiguration/pingTimeout`` behind one. Zero ends that. Returns at once and needs no task.
  public func keepAlive(every interval: Duration) {
    core.keepAlive(every: interval)
  }
}

extension SocketConfiguration {
  func with(
    subprotocols: [String], headers: [String: String], bearer: String?
  ) -> SocketConfiguration {
    var result = self
    if !subprotocols.isEmpty { result.subprotocols = subprotocols }
    if let bearer { result.bearer = bearer }
    result.headers.merge(headers) { $1 }
    return result
  }
}
