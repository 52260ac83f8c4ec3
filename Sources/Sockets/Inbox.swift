import Synchronization

/// What has come and was not consumed: filled by the driving thread, emptied by one consumer.
final class Inbox: Sendable {
  private struct Reader {
    var number: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// `batches[first...]` wait; `batches[first]` is being consumed from `position`.
    var batches: [Batch] = []
    var first = 0
    var position = 0
    var bytes = 0
    var messages = 0
    /// The driving thread reads nothing until it is told to go on.
    var isPaused = false
    var isFinished = false
    var reader: Reader?
    var lastReader = 0
    /// The memory of a batch that was consumed.
    var spare = Batch()

    mutating func dropFirst() {
      var done = Batch()
      swap(&done, &batches[first])
      bytes -= done.cost
      messages -= done.count
      position = 0
      first += 1
      if first == batches.count {
        batches.removeAll(keepingCapacity: true)
        first = 0
      } else if first >= 64 {
        batches.removeFirst(first)
        first = 0
      }
      done.removeAll()
      spare = done
    }
  }

  enum Taken {
    case event(ResilientEvent)
    case nothing
    case finished
  }

  /// Batches below this size are joined, so that a slow consumer's peer cannot make many of them.
  private static let joined = 64 * 1024

  private let state = Mutex(State())
  private let mark: SocketBuffer

  init(mark: SocketBuffer) {
    self.mark = mark
  }

  // MARK: The driving thread

  /// Hands a batch over, which is empty afterwards. True: that is enough, and nothing more is to be read until
  /// the consumer asks for it.
  func post(_ batch: inout Batch) -> Bool {
    guard !batch.isEmpty else { return false }
    let (isFull, reader) = state.withLock { state in
      state.bytes += batch.cost
      state.messages += batch.count
      let last = state.batches.count - 1
      // The one that is being consumed is left alone: its count is settled as a whole, at its end.
      if last > state.first, state.batches[last].cost + batch.cost <= Self.joined {
        state.batches[last].append(batch)
        batch.removeAll()
      } else {
        var spare = Batch()
        swap(&spare, &state.spare)
        swap(&spare, &batch)
        state.batches.append(spare)
      }
      if mark.isFull(bytes: state.bytes, messages: state.messages) { state.isPaused = true }
      return (state.isPaused, state.reader.take())
    }
    reader?.continuation.resume(returning: true)
    return isFull
  }

  /// There will be no more events than those that wait.
  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return state.reader.take()
    }
    reader?.continuation.resume(returning: true)
  }

  /// Another row of lines begins behind a finished one.
  func restart() {
    state.withLock { $0.isFinished = false }
  }

  /// Whether there is room for more.
  var isFull: Bool { state.withLock { $0.isPaused } }

  // MARK: The consumer

  /// The next event, and whether the driving thread is to be told to go on reading.
  func take() -> (Taken, resumes: Bool) {
    state.withLock { state in
      var resumes = false
      while state.first < state.batches.count {
        if state.position < state.batches[state.first].count {
          state.position += 1
          return (.event(state.batches[state.first].event(at: state.position - 1)), resumes)
        }
        state.dropFirst()
        if state.isPaused, mark.hasRoom(bytes: state.bytes, messages: state.messages) {
          state.isPaused = false
          resumes = true
        }
      }
      return (state.isFinished ? .finished : .nothing, resumes)
    }
  }

  /// Suspends until there is something to take. False: the task was cancelled, or another one waits already.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    let number = state.withLock { state in
      state.lastReader += 1
      return state.lastReader
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let answer: Bool? = state.withLock { state in
          if state.first < state.batches.count || state.isFinished { return true }
          // Cancelled before: the handler below found nobody to wake.
          if Task.isCancelled || state.reader != nil { return false }
          state.reader = Reader(number: number, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        state.reader?.number == number ? state.reader.take() : nil
      }
      reader?.continuation.resume(returning: false)
    }
  }
}
