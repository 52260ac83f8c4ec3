import CLinux
import Glibc

/// Signals as something to read: signalfd.
///
/// The signals are blocked in the thread that makes the source and in all threads that it starts later, so
/// make it before anything else. A child process inherits the blocked set: spawn it with
/// `POSIX_SPAWN_SETSIGMASK` and an empty one.
package final class SignalSource {
  /// Readable while a signal waits; watch it with the reactor.
  package let descriptor: Int32
  private var previous = sigset_t()

  package init(_ signals: [Int32]) throws(SystemFailure) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    let opened = lx_signalfd(&set)
    guard opened >= 0 else { throw SystemFailure("watch signals (signalfd)") }
    descriptor = opened
    pthread_sigmask(SIG_BLOCK, &set, &previous)
  }

  deinit {
    close(descriptor)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// The numbers of the signals that came since the last time, at most 16; call it again on the next turn.
  package func read() -> [Int32] {
    var signals: [Int32] = []
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while signals.count < 16, Glibc.read(descriptor, &information, size) == size {
      signals.append(Int32(bitPattern: information.ssi_signo))
    }
    return signals
  }
}
