import CLinux
import Glibc

/// Notices that the clock of the calendar was set, which is also what waking up from a suspend does
/// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET): a wait in progress does not count the time asleep.
package final class ClockWatch {
  /// Readable once the clock has jumped; watch it with the reactor.
  package let descriptor: Int32

  package init() throws(SystemFailure) {
    descriptor = lx_clock_watch()
    guard descriptor >= 0 else { throw SystemFailure("watch the clock (timerfd)") }
  }

  deinit {
    close(descriptor)
  }

  /// Makes the descriptor silent; true where the clock has jumped.
  package func read() -> Bool {
    var count: UInt64 = 0
    let status = Glibc.read(descriptor, &count, MemoryLayout<UInt64>.size)
    return status >= 0 || errno == ECANCELED
  }
}
