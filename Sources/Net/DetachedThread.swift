import CLinux
import Glibc

/// Starts a thread that nobody joins; `task` completes "start the thread that …".
///
/// All signals are blocked in it from its first instruction: they belong to the threads that wait for them.
package func startDetachedThread(
  that task: String,
  _ run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer
) throws(SystemFailure) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var everything = sigset_t()
  var previous = sigset_t()
  sigfillset(&everything)
  pthread_sigmask(SIG_SETMASK, &everything, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
  var thread = pthread_t()
  let status = pthread_create(&thread, &attributes, run, argument)
  guard status == 0 else {
    throw SystemFailure("start the thread that \(task)", errorNumber: status)
  }
}
