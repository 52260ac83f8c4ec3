import CLinux
import Glibc
import Synchronization

/// Letters from other threads for the thread of a reactor, which watches `descriptor` for reading.
package final class Mailbox<Letter: Sendable>: Sendable {
  /// Readable while letters wait. It belongs to the mailbox: forget it in the reactor before the last
  /// reference goes.
  package let descriptor: Int32
  private let letters = Mutex<[Letter]>([])

  package init() throws(SystemFailure) {
    descriptor = lx_eventfd()
    guard descriptor >= 0 else { throw SystemFailure("open a mailbox between threads (eventfd)") }
  }

  deinit {
    close(descriptor)
  }

  /// Adds a letter and wakes the reader; from any thread.
  package func post(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    eventfd_write(descriptor, 1)
  }

  /// Takes all letters, in the order they came, and makes the descriptor silent.
  package func collect() -> [Letter] {
    // The counter first: a letter that comes between the two steps wakes once too often, not never.
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
