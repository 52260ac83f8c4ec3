import Channel
import Glibc
import Net
import Synchronization
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
  package static let threadName = "sockets"

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
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals belong to the threads of the program; this one starts with all of them blocked.
    var everything = sigset_t()
    var previous = sigset_t()
    sigfillset(&everything)
    pthread_sigmask(SIG_SETMASK, &everything, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let argument = Unmanaged.passRetained(mailbox)
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, drive, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      throw SystemFailure(
        message:
          "this machine could not start the thread that drives the channels (error \(status))")
    }
  }
}

private func drive(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let pointer else { return nil }
  let mailbox = Unmanaged<Mailbox<Letter>>.fromOpaque(pointer).takeRetainedValue()
  nameThread()
  do throws(SystemFailure) {
    try HubThread(mailbox).run()
  } catch {
    while let letters = Hub.retire(mailbox) { Hub.fail(letters, error) }
  }
  return nil
}

/// The name that top and debuggers show (proc(5)).
private func nameThread() {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  write(file, Hub.threadName, Hub.threadName.utf8.count)
  close(file)
}
