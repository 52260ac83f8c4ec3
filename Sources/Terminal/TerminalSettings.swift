import CNcurses
import Glibc

/// Switches the kernel's own changes of the output off: there are none to make, and with them it hands a write
/// on in pieces, and waits in the middle of one where the terminal is nearly full.
func takeOutputAsItIs(of terminal: Int32) {
  var modes = termios()
  guard tcgetattr(terminal, &modes) == 0 else { return }
  modes.c_oflag &= ~tcflag_t(OPOST)
  tcsetattr(terminal, TCSANOW, &modes)
  def_prog_mode()
}

/// ncurses sets handlers for four signals when it starts and when it comes back; the caller's are put back.
/// SIGTTOU is blocked meanwhile, or setting modes from the background would stop the process.
func keepingSignals<Result>(_ body: () -> Result) -> Result {
  let signals = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]
  var kept = signals.map { _ in sigaction() }
  for (index, signal) in signals.enumerated() { sigaction(signal, nil, &kept[index]) }
  var mask = sigset_t()
  var before = sigset_t()
  sigemptyset(&mask)
  sigaddset(&mask, SIGTTOU)
  pthread_sigmask(SIG_BLOCK, &mask, &before)
  defer {
    for (index, signal) in signals.enumerated() { sigaction(signal, &kept[index], nil) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return body()
}
