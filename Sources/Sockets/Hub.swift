import Channel
import Net
package import Synchronization
import WebSocket

/// What the tasks of a process ask of the thread that drives its channels.
enum Letter: Sendable {
  case add(Int, Errand)
  case send(Int)
  case resume(Int)
  case keepAlive(Int, Duration)
  case close(Int, CloseReason)
  case abandon(Int)
}

/// The one thread of the process that drives all channels: started for the first of them, ended with the last.
package enum Hub {
  /// How many driving threads there are: what tests count.
  package static let threads = Atomic(0)

  private struct State {
    /// The running thread's, nil where there is none.
    var mailbox: Mailbox<Letter>?
    var lastChannel = 0
  }

  private static let state = Mutex(State())

  /// A number for a channel, never used twice.
  static func nextChannel() -> Int {
    state.withLock { state in
      state.lastChannel += 1
      return state.lastChannel
    }
  }

  /// Only `add` starts a thread: what is asked of a channel that is over is lost.
  static func post(_ letter: Letter) {
    let failure: SystemFailure? = state.withLock { state in
      if let mailbox = state.mailbox {
        mailbox.post(letter)
        return nil
      }
      guard case .add = letter else { return nil }
      do throws(SystemFailure) {
        let mailbox = try Mailbox<Letter>()
        mailbox.post(letter)
        try startThread(mailbox)
        state.mailbox = mailbox
        return nil
      } catch {
        return error
      }
    }
    if let failure { fail([letter], failure) }
  }

  /// The thread wants to end: nil where it may, else what has come for it meanwhile.
  static func retire(_ mailbox: Mailbox<Letter>) -> [Letter]? {
    // Letters are posted under this lock, so that none can come behind the look.
    state.withLock { state in
      let letters = mailbox.collect()
      guard letters.isEmpty else { return letters }
      state.mailbox = nil
      return nil
    }
  }

  static func fail(_ letters: [Letter], _ failure: SystemFailure) {
    for case .add(_, let errand) in letters {
      let error = SocketError(kind: .system, message: failure.message)
      var batch = Batch()
      batch.append(errand.policy == nil ? .failed(error) : .gaveUp(error))
      _ = errand.inbox.post(&batch)
      errand.inbox.finish()
      errand.outbox.enter(.over(error))
    }
  }

  /// Whether the thread runs: what tests count.
  package static var isRunning: Bool { state.withLock { $0.mailbox != nil } }

  private static func startThread(_ mailbox: Mailbox<Letter>) throws(SystemFailure) {
    let argument = Unmanaged.passRetained(mailbox)
    do throws(SystemFailure) {
      try startDetachedThread(that: "drives the channels", drive, argument.toOpaque())
    } catch {
      argument.release()
      throw error
    }
  }
}

private func drive(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  let mailbox = Unmanaged<Mailbox<Letter>>.fromOpaque(pointer).takeRetainedValue()
  Hub.threads.add(1, ordering: .relaxed)
  defer { Hub.threads.subtract(1, ordering: .relaxed) }
  do throws(SystemFailure) {
    try HubThread(mailbox).run()
  } catch {
    while let letters = Hub.retire(mailbox) { Hub.fail(letters, error) }
  }
  return nil
}
