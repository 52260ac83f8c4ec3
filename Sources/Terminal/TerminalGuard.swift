import CNcurses
import Glibc

/// The terminal is whole again after an exit, a signal or a crash. A Swift trap runs no `defer`, so a handler
/// of the crash signals writes the bytes that undo every mode and puts the saved line settings back, then
/// lets the signal end the process.
///
/// SIGTERM, SIGHUP and SIGINT are not taken: the program waits for them and leaves in order.
package nonisolated enum TerminalGuard {
  /// Everything the handler needs, in memory that is never freed: a handler may not allocate.
  private struct Saved {
    var input: Int32 = -1
    var output: Int32 = -1
    var hasModes = false
    var isArmed = false
    var rescueCount = 0
  }

  private static let rescueCapacity = 256
  /// The signals of a crash are all below 32.
  private static let signalLimit = 32
  private static let alternateStackSize = 65_536

  // Written by the one thread that owns the terminal while no crash is under way, read by the handler on
  // whichever thread crashed; pointers, since a global `var` would be checked for exclusive access.
  nonisolated(unsafe) private static let saved = allocate(Saved(), 1)
  nonisolated(unsafe) private static let modes = allocate(termios(), 1)
  nonisolated(unsafe) private static let rescue = allocate(UInt8(0), rescueCapacity)
  nonisolated(unsafe) private static let previous = allocate(sigaction(), signalLimit)
  nonisolated(unsafe) private static let hasHandlers = allocate(false, 1)
  nonisolated(unsafe) private static let alternateStack = allocate(UInt8(0), alternateStackSize)
  /// Set once in a process.
  private static let exitHandler: Int32 = atexit(terminalProcessExits)

  // SIGQUIT among them, since the backtracer of the Swift runtime takes it too.
  private static let crashSignals = [
    SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT,
  ]
  /// What else ends a process that does not know of it. Where somebody handles or ignores one, it is theirs.
  private static let endingSignals = [
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS, SIGPIPE,
  ]

  /// Remembers the line settings of the terminal and sets the handlers. Call it on the main thread before the
  /// first mode is changed: the handler runs on a stack of its own there, so that an overflow of the stack is
  /// survived too. `rescue` holds at most 256 bytes.
  package static func arm(input: Int32, output: Int32, rescue bytes: [UInt8]) {
    saved.pointee.isArmed = false
    saved.pointee.input = input
    saved.pointee.output = output
    saved.pointee.hasModes = tcgetattr(input, modes) == 0
    saved.pointee.rescueCount = min(bytes.count, rescueCapacity)
    for index in 0..<saved.pointee.rescueCount { rescue[index] = bytes[index] }
    setHandlers()
    _ = exitHandler
    saved.pointee.isArmed = true
  }

  /// The terminal has been given back in order; its line settings are set once more to be sure, and the
  /// earlier handlers are back.
  package static func disarm() {
    if saved.pointee.isArmed {
      saved.pointee.isArmed = false
      restoreModes()
    }
    guard hasHandlers.pointee else { return }
    hasHandlers.pointee = false
    for signal in crashSignals + endingSignals { sigaction(signal, previous + Int(signal), nil) }
  }

  /// As it was armed before, after a time of being suspended.
  package static func rearm() {
    guard saved.pointee.output >= 0 else { return }
    setHandlers()
    saved.pointee.isArmed = true
  }

  /// Makes the terminal whole if it is not. Safe in a signal handler; the second call does nothing.
  package static func restore() {
    guard saved.pointee.isArmed else { return }
    saved.pointee.isArmed = false
    var offset = 0
    while offset < saved.pointee.rescueCount {
      let written = write(
        saved.pointee.output, rescue + offset, saved.pointee.rescueCount - offset)
      if written > 0 {
        offset += written
      } else if errno != EINTR {
        break
      }
    }
    restoreModes()
  }

  /// Stops this process and its group as Ctrl-Z does, and returns when it goes on. The presenter must be
  /// suspended before and resumed after.
  ///
  /// In an orphaned process group (started by `setsid` or a dead shell) the kernel ignores SIGTSTP, since
  /// nobody could continue it: then this returns at once and false. SIGSTOP is not used, for the same reason.
  @discardableResult
  package static func stopProcess() -> Bool {
    var inherited = sigaction()
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &standard, &inherited)
    // SIGCONT is held back: that it is pending afterwards shows that the process was stopped.
    var mask = sigset_t()
    var before = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGCONT)
    pthread_sigmask(SIG_BLOCK, &mask, &before)
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)

    kill(0, SIGTSTP)

    var pending = sigset_t()
    sigpending(&pending)
    let wasStopped = sigismember(&pending, SIGCONT) == 1
    if wasStopped, sigismember(&before, SIGCONT) == 0 {
      var none = timespec()
      _ = sigtimedwait(&mask, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &inherited, nil)
    return wasStopped
  }

  private static func restoreModes() {
    guard saved.pointee.hasModes else { return }
    // From the background the call would stop the process.
    var mask = sigset_t()
    var before = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &mask, &before)
    tcsetattr(saved.pointee.input, TCSANOW, modes)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func setHandlers() {
    // Twice, and the handler would be its own predecessor.
    guard !hasHandlers.pointee else { return }
    hasHandlers.pointee = true
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer(alternateStack)
    stack.ss_size = alternateStackSize
    sigaltstack(&stack, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = terminalProcessCrashes
    action.sa_flags = SA_ONSTACK
    sigfillset(&action.sa_mask)
    for signal in crashSignals { sigaction(signal, &action, previous + Int(signal)) }
    for signal in endingSignals {
      sigaction(signal, nil, previous + Int(signal))
      let isDefault = (previous + Int(signal)).pointee.__sigaction_handler.sa_handler == nil
      if isDefault { sigaction(signal, &action, nil) }
    }
  }

  /// On with the signal as if nobody had ever handled it: the process ends. The backtracer of the Swift
  /// runtime, which was there before, would ask questions on the terminal that was just given back.
  fileprivate static func passOn(_ signal: Int32) {
    var standard = sigaction()
    standard.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(signal, &standard, nil)
    raise(signal)
  }

  private static func allocate<Value>(_ value: Value, _ count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    memory.initialize(repeating: value, count: count)
    return memory
  }
}

private nonisolated func terminalProcessCrashes(_ signal: Int32) {
  TerminalGuard.restore()
  TerminalGuard.passOn(signal)
}

private nonisolated func terminalProcessExits() {
  TerminalGuard.restore()
}
