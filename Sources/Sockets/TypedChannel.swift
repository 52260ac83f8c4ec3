public import FoundationEssentials
import Synchronization

/// A channel of `Codable` messages, over a ``ResilientChannel`` or a ``SocketChannel``.
///
/// Each message travels in an ``Envelope``. A frame that is none, or whose payload is not what its kind
/// promises, is counted in ``droppedFrames`` and dropped; the line goes on.
public final class TypedChannel<Message: SocketMessage>: Sendable {
  private enum Line: Sendable {
    case resilient(ResilientChannel)
    case single(SocketChannel)
  }

  private let line: Line
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder
  private let dropped = Atomic(0)

  /// Messages over a channel that comes back. The coders are for those who write dates and the like otherwise.
  public init(
    _ channel: ResilientChannel, encoder: JSONEncoder = JSONEncoder(),
    decoder: JSONDecoder = JSONDecoder()
  ) {
    line = .resilient(channel)
    self.encoder = encoder
    self.decoder = decoder
  }

  /// Messages over a single line.
  public init(
    _ channel: SocketChannel, encoder: JSONEncoder = JSONEncoder(),
    decoder: JSONDecoder = JSONDecoder()
  ) {
    line = .single(channel)
    self.encoder = encoder
    self.decoder = decoder
  }

  private var core: Core {
    switch line {
    case .resilient(let channel): channel.core
    case .single(let channel): channel.core
    }
  }

  /// How many frames came that were no envelope, or held no message of their kind.
  public var droppedFrames: Int { dropped.load(ordering: .relaxed) }

  /// Messages and what happens to the line, for one consumer; see ``SocketEvents`` for what that means.
  public var events: TypedEvents<Message> { TypedEvents(channel: self) }

  /// The messages alone.
  public var messages: TypedMessages<Message> { TypedMessages(events: events) }

  /// Begins to connect and returns at once, see ``ResilientChannel/connect()``.
  @discardableResult
  public func connect() -> TypedEvents<Message> {
    core.connect()
    return events
  }

  /// Connects and returns once a line is open, see ``ResilientChannel/open()``.
  public func open() async throws {
    try await core.open()
  }

  /// Sends a message, see ``SocketChannel/send(_:)-(String)``. Throws the encoder's error where it cannot be
  /// written as JSON.
  public func send(_ message: Message) async throws {
    let envelope = Envelope(kind: message.kind, payload: try message.write(encoder: encoder))
    try await core.send(envelope.frame)
  }

  /// Sends a message of another kind.
  public func send(_ envelope: Envelope) async throws {
    try await core.send(envelope.frame)
  }

  /// See ``SocketChannel/flush()``.
  public func flush() async throws {
    try await core.flush()
  }

  /// See ``SocketChannel/close(code:reason:)`` and ``ResilientChannel/disconnect(code:reason:)``.
  public func close(code: SocketCloseCode = .normalClosure, reason: String? = nil) async {
    await core.close(code, reason)
  }

  /// See ``SocketChannel/keepAlive(every:)``.
  public func keepAlive(every interval: Duration) {
    core.keepAlive(every: interval)
  }

  /// The next event; frames that are no message are passed over.
  func next(isolation: isolated (any Actor)?) async -> TypedEvent<Message>? {
    while let event = await core.next(isolation: isolation) {
      switch event {
      case .text(let text): if let event = read(Envelope(frame: text)) { return event }
      case .binary(let data): if let event = read(Envelope(frame: data)) { return event }
      case .opened(let subprotocol): return .opened(subprotocol: subprotocol)
      case .lost(let error): return .lost(error)
      case .failed(let error): return .failed(error)
      case .waiting(let attempt, let delay): return .waiting(attempt: attempt, delay: delay)
      case .closed(let code, let reason): return .closed(code: code, reason: reason)
      case .gaveUp(let error): return .gaveUp(error)
      }
    }
    return nil
  }

  private func read(_ envelope: Envelope?) -> TypedEvent<Message>? {
    if let envelope {
      do {
        guard let message = try Message.read(envelope, decoder: decoder) else {
          return .other(envelope)
        }
        return .message(message)
      } catch {
        // Counted below: one bad message is no reason to end the line.
      }
    }
    dropped.add(1, ordering: .relaxed)
    return nil
  }
}

/// What happens to a ``TypedChannel``; see ``ResilientEvent`` and ``SocketEvent`` for the order.
public enum TypedEvent<Message: SocketMessage>: Sendable {
  case opened(subprotocol: String?)
  case message(Message)
  /// A message of a kind that `Message` does not know.
  case other(Envelope)
  case lost(SocketError)
  case failed(SocketError)
  case waiting(attempt: Int, delay: Duration)
  case closed(code: SocketCloseCode, reason: String)
  case gaveUp(SocketError)
}

extension TypedEvent: Equatable where Message: Equatable {}

/// The events of a ``TypedChannel``, for one consumer; see ``SocketEvents`` for what that means.
public struct TypedEvents<Message: SocketMessage>: AsyncSequence, Sendable {
  public typealias Element = TypedEvent<Message>
  public typealias Failure = Never

  let channel: TypedChannel<Message>

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(channel: channel)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let channel: TypedChannel<Message>

    public mutating func next() async -> TypedEvent<Message>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> TypedEvent<Message>?
    {
      await channel.next(isolation: actor)
    }
  }
}

/// The messages of a ``TypedChannel`` without what happens to its line.
public struct TypedMessages<Message: SocketMessage>: AsyncSequence, Sendable {
  public typealias Element = Message
  public typealias Failure = Never

  let events: TypedEvents<Message>

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var events: TypedEvents<Message>.AsyncIterator

    public mutating func next() async -> Message? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? {
      while let event = await events.next(isolation: actor) {
        if case .message(let message) = event { return message }
      }
      return nil
    }
  }
}
