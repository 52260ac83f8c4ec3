import Synchronization
import WebSocket

/// Messages on their way out, and what the tasks of a channel wait for: filled by tasks, emptied by the
/// driving thread.
final class Outbox: Sendable {
  enum Phase: Equatable, Sendable {
    /// Nothing was begun, or all is over; the error says why a message cannot be sent.
    case over(SocketError)
    /// There is no line yet.
    case offline
    case open
    /// No message is taken any more.
    case closing
  }

  /// What a task waits for.
  enum Purpose: Equatable, Sendable {
    /// Room for a message, and a line for it.
    case room
    case opened
    /// Everything has left.
    case flushed
    case over
  }

  private struct Waiter {
    var number: Int
    var purpose: Purpose
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var phase: Phase
    var subprotocol: String?
    var queue = MessageQueue()
    /// Bytes that the driving thread took and the socket did not.
    var unsent = 0
    /// The driving thread knows that there is something to take.
    var isAnnounced = false
    var waiters: [Waiter] = []
    var lastWaiter = 0

    var isFlushed: Bool { queue.isEmpty && unsent == 0 }

    mutating func take(_ purposes: [Purpose]) -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let taken = waiters.filter { purposes.contains($0.purpose) }
      waiters.removeAll { purposes.contains($0.purpose) }
      return taken
    }
  }

  private let state: Mutex<State>
  private let mark: SocketBuffer
  private let whenOffline: ReconnectPolicy.Offline

  init(mark: SocketBuffer, whenOffline: ReconnectPolicy.Offline) {
    self.mark = mark
    self.whenOffline = whenOffline
    state = Mutex(State(phase: .over(.notConnected)))
  }

  var subprotocol: String? { state.withLock { $0.subprotocol } }

  // MARK: Tasks

  /// Puts a message into the queue, once there is a line and room; true where the driving thread is to be told.
  func send(
    _ kind: MessageKind, _ append: (inout [UInt8]) -> Void
  ) async throws -> Bool {
    while true {
      try Task.checkCancellation()
      let taken: Bool? = try state.withLock { state in
        switch state.phase {
        case .over(let error): throw error
        case .closing: throw SocketError.closing
        case .offline where whenOffline == .fail: throw SocketError.offline
        case .offline: return nil
        case .open: break
        }
        guard !isFull(state) else { return nil }
        state.queue.append(kind, append)
        defer { state.isAnnounced = true }
        return !state.isAnnounced
      }
      if let taken { return taken }
      try await wait(for: .room)
    }
  }

  /// Suspends until that is so, or all is over; throws where the task is cancelled.
  func wait(for purpose: Purpose) async throws {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let isDone = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if isReached(purpose, state) { return true }
          // Cancelled before: the handler below found nobody to wake.
          if Task.isCancelled { return false }
          state.waiters.append(
            Waiter(number: number, purpose: purpose, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: false)
    }
    guard isDone else { throw CancellationError() }
  }

  var phase: Phase { state.withLock { $0.phase } }

  private func isReached(_ purpose: Purpose, _ state: borrowing State) -> Bool {
    switch (state.phase, purpose) {
    case (.over, _): true
    case (_, .over): false
    case (.open, .room): !isFull(state)
    case (.offline, .room): whenOffline == .fail
    case (.closing, .room): true
    case (.open, .flushed), (.closing, .flushed): state.isFlushed
    // Whoever waited looks at the phase, and says that the line was lost.
    case (.offline, .flushed): true
    case (.open, .opened), (.closing, .opened): true
    case (.offline, .opened): false
    }
  }

  private func isFull(_ state: borrowing State) -> Bool {
    mark.isFull(bytes: state.queue.bytes.count + state.unsent, messages: state.queue.count)
  }

  // MARK: The driving thread

  /// Takes what is queued; `queue` is empty before and gives its memory for the next.
  func take(_ queue: inout MessageQueue) {
    state.withLock { state in
      state.isAnnounced = false
      swap(&state.queue, &queue)
    }
  }

  /// So much waits for the socket now.
  func update(unsent: Int) {
    let woken: [Waiter] = state.withLock { state in
      state.unsent = unsent
      guard !state.waiters.isEmpty else { return [] }
      let hasRoom = mark.hasRoom(
        bytes: state.queue.bytes.count + unsent, messages: state.queue.count)
      return (hasRoom ? state.take([.room]) : []) + (state.isFlushed ? state.take([.flushed]) : [])
    }
    for waiter in woken { waiter.continuation.resume(returning: true) }
  }

  /// Whoever waits for what now cannot come, or has come, looks at the phase again.
  func enter(_ phase: Phase, subprotocol: String? = nil) {
    let woken: [Waiter] = state.withLock { state in
      state.phase = phase
      switch phase {
      case .over:
        state.queue = MessageQueue()
        state.unsent = 0
        return state.take([.room, .opened, .flushed, .over])
      case .offline:
        state.unsent = 0
        return state.take(whenOffline == .fail ? [.room, .flushed] : [.flushed])
      case .open:
        state.subprotocol = subprotocol
        // What was queued when the line before was lost waits for this one.
        return state.take([.room, .opened])
      case .closing:
        return state.take([.room, .opened])
      }
    }
    for waiter in woken { waiter.continuation.resume(returning: true) }
  }
}

/// Messages one behind the other in one piece of memory.
struct MessageQueue: Sendable {
  struct Entry: Sendable {
    var kind: MessageKind
    var end: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  mutating func append(_ kind: MessageKind, _ append: (inout [UInt8]) -> Void) {
    append(&bytes)
    entries.append(Entry(kind: kind, end: bytes.count))
  }

  /// Empties the queue and keeps its memory, unless that is large.
  mutating func removeAll() {
    guard bytes.capacity <= 4 << 20 else {
      self = MessageQueue()
      return
    }
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }
}

extension SocketError {
  static let notConnected = SocketError(
    kind: .notConnected, message: "The channel is not connected: call connect() first.")
  static let closing = SocketError(
    kind: .notConnected, message: "The channel is being closed: it takes no more messages.")
  static let offline = SocketError(
    kind: .notConnected, message: "The line is down: send again once the channel is open.")
}
