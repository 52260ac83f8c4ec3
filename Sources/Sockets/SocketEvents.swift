/// The events of a ``SocketChannel``, for one consumer.
///
/// A consumer that leaves its loop may begin another later, which goes on where the first stopped. What has
/// come waits in a bounded buffer; once that is full, nothing more is read and TCP slows the peer down. In a
/// task that is cancelled the sequence ends; the line stands, and another task may go on. A second task that
/// waits at the same time gets the end at once.
///
/// The sequence holds the channel: as long as somebody iterates, the line stands.
public struct SocketEvents: AsyncSequence, Sendable {
  public typealias Element = SocketEvent
  public typealias Failure = Never

  let core: Core

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: core)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: Core

    public mutating func next() async -> SocketEvent? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> SocketEvent? {
      while true {
        switch core.take() {
        case .event(let event): if let event = SocketEvent(event) { return event }
        case .finished: return nil
        case .nothing: guard await core.wait(isolation: actor) else { return nil }
        }
      }
    }
  }
}

/// The events of a ``ResilientChannel``, for one consumer; see ``SocketEvents`` for what that means.
public struct ResilientEvents: AsyncSequence, Sendable {
  public typealias Element = ResilientEvent
  public typealias Failure = Never

  let core: Core

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: core)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: Core

    public mutating func next() async -> ResilientEvent? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> ResilientEvent? {
      await core.next(isolation: actor)
    }
  }
}
